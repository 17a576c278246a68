import { createServer } from "node:http"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, payerMessage, toNodeHandler } from "effect-gopay/promise"

const { PORT = "3000" } = process.env
const shop = `http://localhost:${PORT}`

const local = await startLocalGateway() // later: the credentials of your shop
const gateway = createGatewayClient(local.merchant)
const orders = new Map() // by payment id: what you expect of it; in your shop, a table

const notify = toNodeHandler(
  gateway.createNotificationHandler({
    expected: (id) => orders.get(id),
    handler: ({ order, payment }) => console.log(`order ${order.order_number} is ${payment.state}`)
  })
)

const pay = async () => {
  const order = { order_number: String(Date.now()), amount: 139_950, currency: "CZK" } // 1,399.50 CZK
  const callback = { return_url: `${shop}/return`, notification_url: `${shop}/notify` }
  const payment = await gateway.createPayment({ ...order, callback })
  orders.set(payment.id, order) // before the payer knows where to pay
  return payment.gw_url
}

const messageFor = async (address = "") => {
  try {
    const { payment } = await gateway.verifyPayment(address, (id) => orders.get(id))
    return payerMessage(payment, "en")
  } catch (error) {
    return payerMessage(error, "en")
  }
}

createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", shop)
  if (pathname === "/notify") return notify(request, response)
  if (pathname === "/pay") return response.writeHead(303, { location: await pay() }).end()
  response.setHeader("content-type", "text/html")
  if (pathname !== "/return") return response.end(`<form action="/pay"><button>Buy a book</button></form>`)
  const { text, title } = await messageFor(request.url)
  response.end(`<h1>${title}</h1><p>${text}</p>`)
}).listen(PORT, () => console.log(`open ${shop}`))
