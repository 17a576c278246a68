/**
 * The shop of `shop.ts` and a local gateway to pay at, until Ctrl-C.
 */
import Database from "libsql"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileStore } from "effect-gopay/ledger/promise"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { openShop } from "./shop.js"

const local = await startLocalGateway()
const gateway = createGatewayClient(local.merchant)
const store = fileStore(join(mkdtempSync(join(tmpdir(), "shop-")), "shop.db"), { driver: Database })
const shop = await serveShop(0, (shopUrl) => openShop(gateway, shopUrl, store))

console.log(`The shop:          ${shop.url}`)
console.log(`The local gateway: ${local.url}`)

const stop = async () => {
  await shop.close()
  await gateway.close()
  await local.close()
}
process.once("SIGINT", stop).once("SIGTERM", stop)
