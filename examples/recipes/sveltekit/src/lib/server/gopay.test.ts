import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { setImmediate } from "node:timers/promises"
import { createTestShop, type TestShop } from "effect-gopay/testing/promise"
import * as gopay from "./gopay.ts"

/** The shop's use of GoPay, over the test's ledger. */
const gopayOver = ({ ledger }: TestShop) => {
  globalThis.openedLedger = Promise.resolve(ledger)
  return gopay
}

/** The number in the form of one page. */
const number = "f9168c5e-ceb2-4faa-b6bf-329bf39fa1e4"

/** A shop with a paid order, on a clock that the test moves. */
const paid = async (context: TestContext) => {
  const shop = await createTestShop()
  context.after(() => shop.close())
  const { gwUrl } = await gopayOver(shop).checkout(number, 139_950)
  const payment = (await shop.local.listPayments()).find(({ gw_url }) => gw_url === gwUrl)
  assert.ok(payment)
  await shop.pay(payment.id)
  const refunded = async () => (await shop.gateway.getPaymentRefunds(payment.id)).map(({ amount }) => amount)
  return { shop, payment, refunded }
}

test("gives an order one payment, and says that it is paid", async (context) => {
  const { payment, shop } = await paid(context)
  const { checkout, returned } = gopayOver(shop)
  assert.deepEqual(await checkout(number, 139_950), {
    status: 409,
    message: "Thank you, we have received your payment."
  })
  assert.equal(await returned(`/return?id=${payment.id}`), "Thank you, we have received your payment.")
})

test("makes one payment of two clicks on a page, and none for what is no page's number", async (context) => {
  const shop = await createTestShop()
  context.after(() => shop.close())
  const { checkout } = gopayOver(shop)
  const clicks = await Promise.all([checkout(number, 139_950), checkout(number, 139_950)])
  const payPages = (await shop.local.listPayments()).map(({ gw_url }) => gw_url)
  assert.deepEqual(clicks, [{ gwUrl: payPages[0] }, { gwUrl: payPages[0] }])
  for (const wrong of [undefined, "", "1", `${number}0`, [number]])
    assert.equal((await checkout(wrong, 139_950)).status, 400)
  assert.equal((await shop.local.listPayments()).length, 1)
})

test("refunds a complaint once, though the response is lost", async (context) => {
  const { refunded, shop } = await paid(context)
  await shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  const { refund } = gopayOver(shop)
  shop.loseNextResponse()
  const first = refund(number, "complaint-1", 20_000)
  await shop.advance("1 hour")
  assert.equal((await first).status, 200)
  assert.equal((await refund(number, "complaint-1", 20_000)).status, 200)
  assert.deepEqual(await refunded(), [20_000])
})

test("refunds a complaint once, though the process is killed before it hears of it", async (context) => {
  const { refunded, shop } = await paid(context)
  await shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  await shop.killDuring("afterSending", () => gopayOver(shop).refund(number, "complaint-1", 20_000))
  await shop.advance("1 hour")
  assert.equal((await gopayOver(shop).refund(number, "complaint-1", 20_000)).status, 200)
  assert.deepEqual(await refunded(), [20_000])
})

test("refunds under the next key what GoPay refused: a part has to wait for a day", async (context) => {
  const { refunded, shop } = await paid(context)
  const click = () => gopayOver(shop).refund(number, "complaint-1", 20_000)
  assert.equal((await click()).status, 409)
  await shop.advance("1 day")
  const clicks = await Promise.all([click(), click()])
  assert.deepEqual(
    clicks.map(({ status }) => status),
    [200, 200]
  )
  assert.deepEqual(await refunded(), [20_000])
})

test("says what is wrong with a refund that cannot be asked for", async (context) => {
  const { refunded, shop } = await paid(context)
  await shop.advance("1 day")
  const { refund } = gopayOver(shop)
  const statusOf = async (key: string, amount: number) => {
    const { message, status } = await refund(number, key, amount)
    assert.match(message, /^\w.* .*\.$/)
    return status
  }
  assert.equal(await statusOf("complaint-1", 20_000), 200)
  assert.equal(await statusOf("complaint-1", 30_000), 409) // the key is that of another refund
  assert.equal(await statusOf("", 20_000), 400)
  for (const amount of [12.5, 0, -100, Number("ten")]) assert.equal(await statusOf("complaint-2", amount), 400)
  assert.deepEqual(await refunded(), [20_000])
})

test("is opened in the background, and tried again after 5 seconds where that fails", async (context: TestContext) => {
  const logged = context.mock.method(console, "error", () => undefined)
  context.mock.timers.enable({ apis: ["setTimeout"] })
  const error = new Error("The database is away.")
  const away = Promise.reject(error)
  // Node.js 20 also logs there that timers of tests are experimental.
  const failures = () => logged.mock.calls.filter((call) => call.arguments[0] === error).length
  const pauses = [0, 4_999, 1]
  const tried = []
  globalThis.openedLedger = away
  gopay.openInBackground()
  for (const pause of pauses) {
    context.mock.timers.tick(pause)
    await setImmediate()
    tried.push(failures())
  }
  assert.deepEqual(tried, [1, 1, 2])
  globalThis.openedLedger = new Promise(() => undefined)
  context.mock.timers.tick(5_000)
  await setImmediate()
  context.mock.timers.tick(5_000)
  assert.equal(failures(), 2)
})
