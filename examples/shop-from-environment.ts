/**
 * The shop of `shop.ts`, with the merchant and the gateway that the environment names, on port `PORT` or 3000.
 *
 * A gateway on the internet, such as GoPay's sandbox, can notify only a public address: give it as `SHOP_URL`, such as
 * `https://shop.example`, and lead it to this port.
 */
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { createShop } from "./shop.js"

const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "sandbox" } = process.env
const { PORT = "3000", SHOP_URL } = process.env

const gateway = createGatewayClient({
  goid: GOPAY_GOID,
  clientId: GOPAY_CLIENT_ID,
  clientSecret: GOPAY_CLIENT_SECRET,
  environment: GOPAY_ENVIRONMENT
})
const shop = await serveShop(Number(PORT), (url) => createShop(gateway, SHOP_URL ?? url))

console.log(`The shop listens at ${shop.url}`)
