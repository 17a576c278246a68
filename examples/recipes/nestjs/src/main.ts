import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import { ShopModule } from "./shop.module.js"

const start = async () => {
  const app = await NestFactory.create(ShopModule, { logger: ["error", "warn"] })
  app.enableShutdownHooks()
  await app.listen(process.env["PORT"] ?? 3000)
}

void start()
