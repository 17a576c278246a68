import {
  DefaultJobQueuePlugin,
  DefaultLogger,
  DefaultSchedulerPlugin,
  DefaultSearchPlugin,
  LogLevel,
  type VendureConfig
} from "@vendure/core"
import { GopayPlugin, type GopayPluginOptions } from "effect-gopay-vendure"

const {
  DATABASE_URL,
  GOPAY_INSTALLATION,
  PORT = "3000",
  SHOP_URL = "http://localhost:3000",
  STOREFRONT_URL = "http://localhost:3001",
  SUPERADMIN_PASSWORD = "superadmin"
} = process.env

export const gopayOptions: GopayPluginOptions = {
  shopUrl: SHOP_URL,
  connectionString: DATABASE_URL,
  installation: GOPAY_INSTALLATION
}

export const config: VendureConfig = {
  apiOptions: {
    port: Number(PORT),
    adminApiPath: "admin-api",
    shopApiPath: "shop-api",
    cors: { origin: [STOREFRONT_URL], credentials: true }
  },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: { identifier: "superadmin", password: SUPERADMIN_PASSWORD },
    requireVerification: false
  },
  // Your project has migrations instead.
  dbConnectionOptions: { type: "postgres", url: DATABASE_URL, synchronize: true },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [DefaultJobQueuePlugin, DefaultSchedulerPlugin.init(), DefaultSearchPlugin, GopayPlugin.init(gopayOptions)]
}
