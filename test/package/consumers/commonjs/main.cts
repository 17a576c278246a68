/**
 * CommonJS: every entry by `require`, two of them in one process.
 */
import promise = require("effect-gopay/promise")
import gopay = require("effect-gopay")
import localGateway = require("effect-gopay/local-gateway")
import statement = require("effect-gopay/statement")
import gatewayServer = require("../loopback-gateway.cjs")

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const main = async (): Promise<void> => {
  const { sentOver, stop, url } = await gatewayServer.startGateway()
  for (const { createGatewayClient, GatewayError } of [promise, gopay]) {
    const gateway = createGatewayClient({
      goid: 8_123_456_781,
      clientId: "1234567884",
      clientSecret: "a-secret",
      environment: url
    })
    const payment = await gateway.getPayment(3_000_006_529)
    expect("the state", payment.state, "PAID")
    const error: unknown = await gateway.getPayment("not-an-id").catch((refused: unknown) => refused)
    expect("a GatewayError of this entry", error instanceof GatewayError, true)
    expect("a GatewayError of ./promise", error instanceof promise.GatewayError, true)
    expect("a GatewayError of the root entry", error instanceof gopay.GatewayError, true)
    await gateway.close()
  }
  expect("the local gateway's merchant", localGateway.LocalGateway.merchant.environment, "http://localhost")
  expect("what sends the requests", [...sentOver].join(), "sockets")
  expect("reading no statement", typeof statement.parseStatement, "function")
  await stop()
  console.log("commonjs: all entries by require, and their errors recognise each other")
}

void main()
