/**
 * The shop of `shop.ts`, with the merchant and the gateway that the environment names, on port `PORT` or 3000.
 *
 * A gateway on the internet, such as GoPay's sandbox, can notify only a public address: give it as `SHOP_URL`, such as
 * `https://shop.example`, and lead it to this port.
 */
import { fileStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { openShop } from "./shop.js"

const { PORT = "3000", SHOP_URL } = process.env

const gateway = createGatewayClient(optionsFromEnv(process.env))
const store = fileStore("shop.db") // Node.js 22.13; on Node.js 20 give it a driver
const shop = await serveShop(Number(PORT), (url) => openShop(gateway, SHOP_URL ?? url, store))

console.log(`The shop listens at ${shop.url}`)
