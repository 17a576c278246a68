import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { AttentionItem } from "effect-gopay/ledger/promise"
import { createTestShop, simulateShop, type TestShop } from "effect-gopay/testing/promise"
import { createTables, membersOf, onSubscription } from "./members.ts"

/** A shop with the member Eva, on a clock that the test moves. */
const opened = async (context: TestContext) => {
  const items: Array<AttentionItem> = []
  const shop = await createTestShop({ prepare: createTables, onSubscription, onAttention: (item) => items.push(item) })
  context.after(() => shop.close())
  const members = membersOf(shop.ledger, shop.store)
  const paid = async ({ gwUrl }: { readonly gwUrl?: string }) => {
    const payment = (await shop.local.listPayments()).find(({ gw_url }) => gw_url === gwUrl)
    await shop.pay(payment?.id ?? 0)
  }
  await paid(await members.join("eva", shop.now()))
  await shop.advance("1 minute")
  /** Moves time by days and runs the job on each of them. */
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      await members.chargeMonth(shop.now())
      await shop.advance("1 day")
    }
  }
  return { shop, members, paid, days, items }
}

const charges = async ({ local }: TestShop) =>
  (await local.listPayments()).filter(({ parent_id, state }) => parent_id !== undefined && state === "PAID")

test("takes no second payment of who is a member", async (context) => {
  const { members, shop } = await opened(context)
  assert.deepEqual(await members.join("eva", shop.now()), {
    status: 409,
    message: "Thank you, we have received your payment."
  })
  assert.equal((await shop.local.listPayments()).length, 1)
})

test("charges each month once", async (context) => {
  const { days, members, shop } = await opened(context)
  assert.equal((await members.find("eva"))?.state, "active")
  await days(70)
  const made = await charges(shop)
  assert.ok(made.length === 2 || made.length === 3, `${made.length} months`)
  assert.equal(new Set(made.map(({ order_number }) => order_number)).size, made.length)
})

test("charges a declined month again, and gives up when no day helps", async (context) => {
  const { days, members, shop } = await opened(context)
  await shop.local.changeSettings({ recurrenceChild: "declined" })
  await days(45)
  assert.equal((await charges(shop)).length, 0)
  const member = await members.find("eva")
  assert.equal(member?.state, "unpaid")
  assert.match(member?.letters[0] ?? "", /^Your card was declined\. We try again on \d{4}-\d\d-\d\d\.$/)
})

test("leaves a refused request to an operator, writes no letter, and charges the month once it is mended", async (context) => {
  const { days, items, members, shop } = await opened(context)
  await shop.ledger.chargePeriod("eva", monthAfter(shop.now()), { amount: 29_900 }) // without items
  await shop.local.changeSettings({ orderChecks: "documented" })
  await shop.advance("31 days")
  assert.equal((await charges(shop)).length, 0)
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ["ChargeRefused"]
  )
  assert.deepEqual(await members.find("eva"), { ...(await members.find("eva")), letters: [], state: "active" })
  await days(1) // the job asks with items
  assert.equal((await charges(shop)).length, 1)
  assert.deepEqual(await shop.ledger.operator.listAttention(), [])
})

test("charges and refunds the others, and makes no one a member again", async (context) => {
  const { days, members, paid, shop } = await opened(context)
  await paid(await members.join("adam", shop.now()))
  await shop.advance("1 minute")
  // The month was already requested with another amount, so the job's request is refused.
  await shop.ledger.chargePeriod("adam", monthAfter(shop.now()), { amount: 100 })
  context.mock.method(console, "error", () => {})
  await days(32)
  const number = (await charges(shop)).find(({ order_number }) => order_number?.startsWith("eva-"))?.order_number ?? ""
  assert.match(number, /^eva-\d{4}-\d\d$/)
  await shop.advance("1 day")
  assert.equal((await members.refund(number, "complaint-1", 100)).status, 200)
  assert.equal((await members.refund("eva-1999-01", "complaint-2", 100)).status, 404)
  assert.equal((await members.refund(number, "complaint-1", 200)).status, 409) // the key is that of another refund
  assert.equal((await members.refund(number, "", 100)).status, 400)
  assert.equal((await members.refund(number, "complaint-3", 12.5)).status, 400)
  await members.cancel("eva")
  const subscription = await shop.ledger.getSubscription("eva")
  assert.ok(subscription)
  await shop.store.transaction((tx) => onSubscription({ type: "paid", eventId: "late", tx, subscription }))
  assert.equal((await members.find("eva"))?.state, "cancelled")
})

test("charges once, though the response is lost", async (context) => {
  const { days, members, shop } = await opened(context)
  const month = monthAfter(shop.now())
  await shop.ledger.chargePeriod("eva", month, { amount: 29_900 })
  shop.loseNextResponse()
  await days(32)
  const made = (await charges(shop)).filter(({ order_number }) => order_number?.endsWith(month))
  assert.equal(made.length, 1)
  assert.equal((await members.find("eva"))?.state, "active")
})

test("charges the new card, and nothing after the end", async (context) => {
  const { days, members, paid, shop } = await opened(context)
  await paid(await members.replaceCard("eva"))
  await days(32)
  const made = await charges(shop)
  const [first] = made
  assert.ok(first)
  assert.match(await members.cancel("eva"), /is cancelled\. Nothing more/)
  await days(62)
  assert.equal((await charges(shop)).length, made.length)
  assert.equal((await members.find("eva"))?.state, "cancelled")
  const card = (await shop.local.listPayments()).find(({ id }) => id === first.parent_id)
  assert.equal(card?.order_number, "eva-2")
})

test("charges no month twice, whatever happens", async () => {
  const membersIn = ({ ledger, store }: TestShop) => membersOf(ledger, store)
  await simulateShop({
    seed: 2,
    orders: 2,
    steps: 12,
    open: () => createTestShop({ prepare: createTables, onSubscription, onAttention: () => {} }),
    checkout: async (shop, name) => {
      const { gwUrl } = await membersIn(shop).join(name, shop.now())
      const payment = (await shop.local.listPayments()).find(
        ({ gw_url, state }) => gw_url === gwUrl && state === "CREATED"
      )
      if (payment !== undefined) await shop.pay(payment.id)
    },
    actions: {
      "a month passes, and the job runs": async (shop) => {
        await shop.advance("31 days")
        await membersIn(shop).chargeMonth(shop.now())
      },
      "the job runs": (shop) => membersIn(shop).chargeMonth(shop.now()),
      "the cards are short of money": ({ local }) => local.changeSettings({ recurrenceChild: "declined" }),
      "the cards have money": ({ local }) => local.changeSettings({ recurrenceChild: "paid" })
    },
    invariants: {
      "a month is charged once": async (shop) => {
        const made = (await charges(shop)).map(({ order_number }) => order_number)
        assert.deepEqual(made, [...new Set(made)])
      }
    }
  })
})

const monthAfter = (time: Date) => {
  const [year = 0, month = 0] = time.toISOString().split("-").map(Number)
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, "0")}`
}
