/**
 * The command `demo`: a local gateway and a shop to try it with.
 */
import { messageOf } from "../contract/AnyRealm.js"
import { commandOf, CommandFailure, flag, option, portOf } from "./Command.js"
import { serveDemoShop } from "./demo/DemoShop.js"
import { openBrowser } from "./openBrowser.js"

/** The merchant of a gateway without a seed, by the shop's name: the other commands work at this gateway, too. */
const demoMerchant = {
  goid: 8_123_456_781,
  client_id: "1234567884",
  client_secret: "L0calGtw",
  name: "Ukázkový obchod · Demonstration shop"
}

export const demoCommand = commandOf({
  name: "demo",
  summary: "a shop and a gateway to try, in the browser",
  about: `Usage: effect-gopay demo [--port NUMBER] [--no-open]

Starts a local gateway and a small shop, and opens the shop in the browser: buy, pay with a
test card, see the notifications, refund, hold, charge again. No money moves. Ctrl-C stops it.`,
  options: {
    port: {
      ...option("NUMBER", "the shop's port; the gateway takes the one before it (default: 4647)"),
      default: "4647"
    },
    "no-open": flag("open no browser")
  },
  run: async (values) => {
    const port = portOf(values.port)
    // Loading them takes time that --help can do without.
    const { startLocalGateway } = await import("../local-gateway/promise/index.js")
    const { createGatewayClient } = await import("../promise/index.js")
    const taken = (error: unknown): never => {
      throw new CommandFailure(1, messageOf(error))
    }
    const gateway = await startLocalGateway({
      port: port === 0 ? 0 : port - 1,
      seed: { merchants: [demoMerchant] },
      // A visitor who is not sent back would take it for a fault.
      settings: { notificationTiming: "notificationFirst" }
    }).catch(taken)
    const client = createGatewayClient(gateway.merchant)
    const shop = await serveDemoShop(port, { client, url: gateway.url }).catch(async (error: unknown) => {
      await gateway.close()
      return taken(error)
    })
    const stop = async (): Promise<void> => {
      shop.close()
      await client.close()
      await gateway.close()
    }
    process.once("SIGINT", () => void stop()).once("SIGTERM", () => void stop())
    console.log(
      [
        `The shop:     ${shop.url}`,
        `The gateway:  ${gateway.url}`,
        "",
        "Pay with the test card 4444 4444 4444 4448. Press Ctrl-C to stop."
      ].join("\n")
    )
    if (!values["no-open"]) openBrowser(shop.url)
  }
})
