import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import helmet from "helmet"
import { GoPayService } from "./gopay.service.js"
import { ShopModule } from "./shop.module.js"

const start = async () => {
  const app = await NestFactory.create(ShopModule, { logger: ["error", "warn"] })
  // The shop's form goes to the pay page.
  const formAction = ["'self'", ...app.get(GoPayService).payPages]
  app.use(helmet({ contentSecurityPolicy: { directives: { formAction } } }))
  app.enableShutdownHooks()
  await app.listen(process.env["PORT"] ?? 3000)
}

void start()
