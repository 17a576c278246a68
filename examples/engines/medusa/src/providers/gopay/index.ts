import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { startWorker } from "./loaders/startWorker"
import { GopayProvider } from "./service"

export default ModuleProvider(Modules.PAYMENT, { services: [GopayProvider], loaders: [startWorker] })
