import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { createTestShop } from "effect-gopay/testing/promise"
import { gopayOver } from "./gopay.ts"
import { functionsOver } from "./shop.ts"

/** The number in the form of one page. */
const number = "f9168c5e-ceb2-4faa-b6bf-329bf39fa1e4"

/** A shop with a paid order, on a clock that the test moves. */
const paid = async (context: TestContext) => {
  const shop = await createTestShop()
  context.after(() => shop.close())

  /** Calls the function as API Gateway does, with this many milliseconds left. */
  const invoke = (method: string, path: string, { body = "", time = 30_000 } = {}) => {
    const [rawPath = "", rawQueryString = ""] = path.split("?")
    const event = {
      rawPath,
      rawQueryString,
      body: Buffer.from(body).toString("base64"),
      isBase64Encoded: true,
      requestContext: { http: { method } }
    }
    return functionsOver(shop.ledger).handler(event, { getRemainingTimeInMillis: () => time })
  }

  const buy = (form: string) => invoke("POST", "/checkout", { body: form })
  const clicks = await Promise.all([buy(`number=${number}`), buy(`number=${number}`)])
  const [payment, ...others] = await shop.local.listPayments()
  assert.ok(payment)
  assert.deepEqual(others, [])
  for (const { headers } of clicks) assert.equal(headers?.["location"], payment.gw_url)
  await shop.pay(payment.id)
  const refund = (time?: number, body = "key=complaint-1&amount=20000") =>
    invoke("POST", `/orders/${payment.order_number}/refund`, { body, time })
  const refunded = async () => (await shop.gateway.getPaymentRefunds(payment.id)).map(({ amount }) => amount)
  return { buy, invoke, payment, refund, refunded, shop }
}

test("makes one payment of two clicks on a page, says that it is paid, and gives the order no other", async (context) => {
  const { invoke, payment, shop } = await paid(context)
  assert.equal((await invoke("GET", `/notify?id=${payment.id}`)).statusCode, 200)
  const { body } = await invoke("GET", `/return?id=${payment.id}`)
  assert.equal(body, "Thank you, we have received your payment.")
  assert.deepEqual(await gopayOver(shop.ledger).checkout(payment.order_number ?? "", 139_950), {
    status: 409,
    message: body
  })
})

test("makes no payment for what is no page's number", async (context) => {
  const { buy, shop } = await paid(context)
  for (const form of ["", "number=", "number=1", `number=${number}0`]) assert.equal((await buy(form)).statusCode, 400)
  assert.equal((await shop.local.listPayments()).length, 1)
})

test("answers in time that a refund is under way, which is made once", async (context) => {
  const { refund, refunded, shop } = await paid(context)
  await shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  shop.loseNextResponse()
  assert.equal((await refund(2_000)).statusCode, 202)
  await functionsOver(shop.ledger).sweep()
  await shop.advance("1 hour")
  assert.equal((await refund()).statusCode, 200)
  assert.deepEqual(await refunded(), [20_000])
})

test("refunds a complaint once, though the function is killed before it hears of it", async (context) => {
  const { refund, refunded, shop } = await paid(context)
  await shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  await shop.killDuring("afterSending", () => refund())
  await shop.advance("1 hour")
  assert.equal((await refund()).statusCode, 200)
  assert.deepEqual(await refunded(), [20_000])
})

test("refunds under the next key what GoPay refused: a part has to wait for a day", async (context) => {
  const { refund, refunded, shop } = await paid(context)
  assert.equal((await refund()).statusCode, 409)
  await shop.advance("1 day")
  const clicks = await Promise.all([refund(), refund()])
  assert.deepEqual(
    clicks.map(({ statusCode }) => statusCode),
    [200, 200]
  )
  assert.deepEqual(await refunded(), [20_000])
})

test("says what is wrong with a refund that cannot be asked for", async (context) => {
  const { refund, refunded, shop } = await paid(context)
  await shop.advance("1 day")
  const statusOf = async (body?: string) => {
    const response = await refund(undefined, body)
    assert.match(response.body ?? "", /^\w.* .*\.$/)
    return response.statusCode
  }
  assert.equal(await statusOf(), 200)
  assert.equal(await statusOf("key=complaint-1&amount=30000"), 409) // the key is that of another refund
  for (const body of [
    "",
    "key=&amount=20000",
    "key=complaint-2",
    "key=complaint-2&amount=12.5",
    "key=complaint-2&amount=ten"
  ])
    assert.equal(await statusOf(body), 400, body)
  assert.deepEqual(await refunded(), [20_000])
})
