export { compareWithLedger } from "./compare"
export { GopayPlugin } from "./gopay.plugin"
export { GopayService } from "./gopay.service"
export type { GopayPluginOptions } from "./options"
