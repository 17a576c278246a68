import { Module } from "@nestjs/common"
import { GoPayService, openGoPay } from "./gopay.service.js"
import { ShopController } from "./shop.controller.js"

const gopay = { provide: GoPayService, useFactory: openGoPay }

@Module({ controllers: [ShopController], providers: [gopay] })
export class ShopModule {}
