import "reflect-metadata"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { GoPayService } from "./gopay.service.js"
import { ShopController } from "./shop.controller.js"

@Module({ controllers: [ShopController], providers: [GoPayService] })
class ShopModule {}

const start = async () => {
  const app = await NestFactory.create(ShopModule, { logger: ["error", "warn"] })
  app.enableShutdownHooks()
  await app.listen(process.env["PORT"] ?? 3000)
}

void start()
