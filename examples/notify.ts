import { createServer } from "node:http"
import { createGatewayClient, optionsFromEnv, toNodeHandler } from "effect-gopay/promise"

const gateway = createGatewayClient(optionsFromEnv(process.env))
const orders = new Map() // by payment id: what you expect of it; in your shop, a table

const notify = gateway.createNotificationHandler({
  expected: (paymentId) => orders.get(paymentId),
  handler: ({ payment }) => console.log(`payment ${payment.id} is ${payment.state}`),
  onError: (error, notification) => console.error("notification", notification, error)
})

// `notify` takes a web Request and returns a Response. On Node's own server:
createServer(toNodeHandler(notify)).listen(3000)
