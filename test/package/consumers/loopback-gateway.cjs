/**
 * A few canned answers of the gateway on the loopback interface, for consumers where the local gateway cannot run; and
 * connections that die after a request was read.
 */
const { createServer } = require("node:http")

const order = { order_number: "2026-0042", amount: 139950, currency: "CZK", lang: "EN" }
const payment = { id: 3000006529, ...order, state: "CREATED", target: { type: "ACCOUNT", goid: 8123456781 } }

const answers = {
  "POST /api/oauth2/token": [200, { token_type: "bearer", access_token: "a-token", expires_in: 1800 }],
  "POST /api/payments/payment": [200, { ...payment, gw_url: "https://gw.example/pay/3000006529" }],
  "GET /api/payments/payment/3000006529": [200, { ...payment, state: "PAID", payment_instrument: "PAYMENT_CARD" }],
  "POST /api/payments/payment/3000006529/refund": [
    409,
    { errors: [{ scope: "G", error_code: 330, error_name: "PAYMENT_REFUND_FAILED", message: "Cannot be refunded." }] }
  ]
}

/** Whatever is sent to this payment: the connection is cut once it is read. */
const lost = "/api/payments/payment/3000006542/"

exports.startGateway = async () => {
  /** What was read before the connection was cut: its line and body. */
  const cut = []
  const server = createServer((request, response) => {
    if (request.url.startsWith(lost)) {
      let body = ""
      request.setEncoding("utf8").on("data", (text) => (body += text))
      request.once("end", () => {
        cut.push(`${request.url.slice(lost.length)} ${body}`.trim())
        request.socket.destroy()
      })
      return
    }
    const [status, body] = answers[`${request.method} ${request.url}`] ?? [404, {}]
    request.resume().once("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}
