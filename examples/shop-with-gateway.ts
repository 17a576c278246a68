/**
 * The shop of `shop.ts` and a local gateway to pay at, until Ctrl-C.
 */
import { ManagedRuntime, Redacted } from "effect"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { createShop } from "./shop.js"

const runtime = ManagedRuntime.make(LocalGateway.layerServer())
const { merchant, url } = await runtime.runPromise(LocalGateway)
const gateway = createGatewayClient({ ...merchant, clientSecret: Redacted.value(merchant.clientSecret) })
const shop = await serveShop(0, (shopUrl) => createShop(gateway, shopUrl))

console.log(`The shop:          ${shop.url}`)
console.log(`The local gateway: ${url}`)

const stop = async () => {
  await shop.close()
  await gateway.close()
  await runtime.dispose()
}
process.once("SIGINT", stop).once("SIGTERM", stop)
