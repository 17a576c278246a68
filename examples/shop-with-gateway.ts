/**
 * The shop of `shop.ts` and a local gateway to pay at, until Ctrl-C.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { createShop } from "./shop.js"

const local = await startLocalGateway()
const gateway = createGatewayClient(local.merchant)
const shop = await serveShop(0, (shopUrl) => createShop(gateway, shopUrl))

console.log(`The shop:          ${shop.url}`)
console.log(`The local gateway: ${local.url}`)

const stop = async () => {
  await shop.close()
  await gateway.close()
  await local.stop()
}
process.once("SIGINT", stop).once("SIGTERM", stop)
