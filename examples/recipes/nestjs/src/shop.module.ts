import { Module } from "@nestjs/common"
import { GoPayService } from "./gopay.service.js"
import { ShopController } from "./shop.controller.js"

@Module({ controllers: [ShopController], providers: [GoPayService] })
export class ShopModule {}
