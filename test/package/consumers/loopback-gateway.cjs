/**
 * A few canned answers of the gateway on the loopback interface, for consumers where the local gateway cannot run; and
 * what makes some runtimes send a request again: connections that die after a request was read, and status 421.
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

/** Whatever is sent to this payment and to this card: the connection is cut once it is read. */
const lost = /^\/api\/payments\/(?:payment\/3000006542\/|cards\/)/

/** Whatever is sent to this payment is done, and the answer has status 421. */
const misdirected = "/api/payments/payment/3000006543/"

exports.startGateway = async () => {
  /** What was read of such requests: the end of its path, and its body. */
  const changes = []
  /** How the requests were sent: over sockets of Node's, or by a `fetch`, which asks for other codings. */
  const sentOver = new Set()
  const server = createServer((request, response) => {
    sentOver.add(request.headers["accept-encoding"] === "gzip, deflate, br" ? "sockets" : "fetch")
    const isLost = lost.test(request.url)
    if (isLost || request.url.startsWith(misdirected)) {
      let body = ""
      request.setEncoding("utf8").on("data", (text) => (body += text))
      request.once("end", () => {
        changes.push(`${request.url.replace(/.*\//, "")} ${body}`.trim())
        if (isLost) request.socket.destroy()
        else response.writeHead(421).end()
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
    changes,
    sentOver,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}
