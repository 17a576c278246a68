import { Module } from "@nestjs/common"
import { GoPayService, openLedger } from "./gopay.service.js"
import { ShopController } from "./shop.controller.js"

const gopay = { provide: GoPayService, useFactory: async () => new GoPayService(await openLedger()) }

@Module({ controllers: [ShopController], providers: [gopay] })
export class ShopModule {}
