/**
 * Reads that fail for long: of one payment that payment's item, of all payments one item for all; and a gateway that asks to
 * wait for days.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../src/local-gateway/index.js"
import type { AttentionItem } from "../../src/ledger/index.js"
import { captureLog } from "../support/LogGuard.js"
import { request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { held, inWorld, paid, type TestLedger, workOnce, type World } from "./World.js"

const later = { waitAtMost: 0 }

/** The reads of one payment fail. */
const failing =
  (id: number): World["listed"]["fails"] =>
  ({ method, pathname }) =>
    method === "GET" && pathname.includes(String(id)) ? 500 : undefined

const named = ({ key, kind }: AttentionItem): string => `${kind} ${key}`

/** Makes the steps that are due again and again. */
const working = Effect.fnUntraced(function* (world: World, steps: number, step: "5 seconds" | "1 minute" | "1 hour") {
  for (let count = 0; count < steps; count++) {
    yield* world.pass(step)
    yield* workOnce(world, world.ledger)
  }
})

const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)

const outcomesOf = (ledger: TestLedger, keys: ReadonlyArray<string>) =>
  Effect.forEach(keys, (key) => Effect.map(ledger.getOutcome(key), (outcome) => outcome?._tag))

/** Refunds whose requests were sent, and whose responses were lost before the gateway saw them. */
const lostRefunds = Effect.fnUntraced(function* (world: World, keys: ReadonlyArray<string>) {
  const { ledger, listed } = world
  const ids: Array<number> = []
  listed.fails = ({ method, pathname }) => (method === "POST" && pathname.endsWith("/refund") ? 503 : undefined)
  for (const key of keys) {
    const id = yield* paid
    ids.push(id)
    yield* ledger.refund(key, id, { amount: 500 }, later)
    yield* ledger.runOnce()
    yield* Outsider.closeBreaker(world.store)
  }
  listed.fails = () => undefined
  return ids
})

describe("credentials that are refused for a night", () => {
  const refusals = [
    ["by the gateway", 401],
    ["by a firewall", 403]
  ] as const

  it.effect.each(refusals)("%s are one item for all, and everything goes on in the morning", ([, status]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed, reported } = world
        const keys = keysOf("refund", 25)
        for (const key of keys) yield* ledger.refund(key, yield* paid, { amount: 500 }, later)
        const captures = keysOf("capture", 5)
        for (const key of captures) yield* ledger.capture(key, yield* held, later)
        for (const number of keysOf("order", 8)) yield* ledger.checkout(number, request)
        listed.fails = () => status
        yield* working(world, 60, "5 seconds")
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "CredentialsRefused" })
        yield* working(world, 8, "1 hour")
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepStrictEqual(reported.map(named), ["SendingStopped ledger"])
        assert.match(reported[0]?.message ?? "", /refuses the credentials/)
        listed.fails = () => undefined
        yield* working(world, 120, "5 seconds")
        const outcomes = yield* outcomesOf(ledger, [...keys, ...captures])
        assert.deepStrictEqual([...new Set(outcomes)], ["Done"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("are found to work again though nothing is to be sent", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed } = world
        for (const number of keysOf("order", 3)) yield* ledger.checkout(number, request)
        listed.fails = () => 401
        yield* working(world, 60, "5 seconds")
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "CredentialsRefused" })
        listed.fails = () => undefined
        yield* working(world, 12, "5 seconds")
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )

  it.effect("are not what is wrong with one payment that a firewall refuses: that is its own item", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed, reported } = world
        const id = yield* paid
        yield* ledger.refund("refused", id, { amount: 500 }, later)
        listed.fails = ({ pathname }) => (pathname.includes(String(id)) ? 403 : undefined)
        yield* ledger.refund("other", yield* paid, { amount: 500 }, later)
        yield* working(world, 24, "5 seconds")
        assert.deepStrictEqual(reported.map(named), ["CredentialsRefused refused"])
        assert.deepStrictEqual(yield* outcomesOf(ledger, ["refused", "other"]), ["Pending", "Done"])
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )
})

describe("a firewall that refuses refunds, while reads work", () => {
  const refusing =
    (isRefused: (pathname: string) => boolean): World["listed"]["fails"] =>
    ({ method, pathname }) =>
      method === "POST" && pathname.endsWith("/refund") && isRefused(pathname) ? 403 : undefined

  it.effect("is one item for all, and everything goes on in the morning", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, reported } = world
        const keys = keysOf("refund", 30)
        for (const key of keys) yield* ledger.refund(key, yield* paid, { amount: 500 }, later)
        listed.fails = refusing(() => true)
        yield* working(world, 30, "5 seconds")
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "CredentialsRefused" })
        yield* working(world, 8, "1 hour")
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepStrictEqual(reported.map(named), ["SendingStopped ledger"])
        listed.fails = () => undefined
        yield* working(world, 3, "1 hour")
        assert.deepStrictEqual([...new Set(yield* outcomesOf(ledger, keys))], ["Done"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("is the item of the one that it refuses again, while it lets others pass", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, reported } = world
        const id = yield* paid
        listed.fails = refusing((pathname) => pathname.includes(String(id)))
        yield* ledger.refund("refused", id, { amount: 500 }, later)
        yield* working(world, 5, "1 minute")
        assert.deepStrictEqual(reported.map(named), [])
        yield* ledger.refund("other", yield* paid, { amount: 500 }, later)
        yield* working(world, 20, "1 minute")
        assert.deepStrictEqual(reported.map(named), ["CredentialsRefused refused"])
        assert.deepStrictEqual(yield* outcomesOf(ledger, ["other"]), ["Done"])
      })
    )
  )
})

describe("what is in doubt", () => {
  const failures = [
    ["the gateway fails for it", 500],
    ["a firewall refuses it", 403],
    ["it is asked to wait", 429]
  ] as const

  it.effect.each(failures)("needs an operator after escalateAfter, though %s at each read", ([, status]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, pass, reported } = world
        const [id] = yield* lostRefunds(world, ["a"])
        yield* paid
        listed.fails = ({ method, pathname }) =>
          method === "GET" && pathname.includes(String(id)) ? status : undefined
        yield* working(world, 23, "1 hour")
        assert.notInclude(reported.map(named), "InDoubt a")
        yield* working(world, 3, "1 hour")
        assert.include(reported.map(named), "InDoubt a")
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
        yield* working(world, 6, "1 hour")
        assert.lengthOf(
          reported.map(named).filter((name) => name === "InDoubt a"),
          1
        )
        listed.fails = () => undefined
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepStrictEqual((yield* ledger.operator.listAttention()).map(named), ["InDoubt a"])
      })
    )
  )

  it.effect("needs an operator after escalateAfter, though the gateway's list contradicts itself", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, reported } = world
        yield* lostRefunds(world, ["a"])
        const entry = { id: 77, amount: 500, currency: "CZK", date_requested: "2026-01-01T00:00:00.000+01:00" }
        listed.see = () => [
          { ...entry, state: "SUCCESS" },
          { ...entry, state: "FAILED" }
        ]
        yield* working(world, 26, "1 hour")
        assert.deepStrictEqual(reported.map(named), ["InDoubt a"])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
      })
    )
  )

  it.effect("is a refusal that no read could confirm, too", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, reported } = world
        const id = yield* paid
        yield* paid
        yield* Effect.orDie(LocalGateway.armFault({ type: "rateLimited" }, { operation: "refundPayment" }))
        listed.afterSend = Effect.sync(() => {
          listed.fails = ({ method, pathname }) => (method === "GET" && pathname.includes(String(id)) ? 500 : undefined)
        })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* working(world, 26, "1 hour")
        assert.deepStrictEqual(reported.map(named), ["InDoubt a"])
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).map(({ decisions }) => decisions),
          [["done", "notDone"]]
        )
      })
    )
  )

  it.effect.each([500, 401, 403, 429] as const)(
    "is one item for all while reads fail at large (%d), and its own once they work and do not show it",
    (status) =>
      inWorld((world) =>
        Effect.gen(function* () {
          const { ledger, listed, reported } = world
          const keys = keysOf("lost", 5)
          yield* lostRefunds(world, keys)
          listed.fails = () => status
          yield* working(world, 30, "1 hour")
          assert.deepStrictEqual(reported.map(named), ["SendingStopped ledger"])
          assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
          assert.deepInclude(yield* ledger.getHealth, { isSending: false })
          listed.fails = () => undefined
          yield* working(world, 30, "1 minute")
          assert.deepInclude(yield* ledger.getHealth, { isSending: true })
          // Reads work, and do not show them: now each is an operator's.
          assert.deepStrictEqual(
            new Set((yield* ledger.operator.listAttention()).map(named)),
            new Set(keys.map((key) => `InDoubt ${key}`))
          )
        })
      )
  )
})

describe("what is queued, and whose payment alone cannot be read", () => {
  const contradicting = (id: number) => [
    { id: 1, amount: 5, state: "SUCCESS" },
    { id: 1, amount: 6, state: "SUCCESS", payment: id }
  ]

  it.effect.each([
    ["fails", (listed: World["listed"], id: number) => (listed.fails = failing(id))],
    ["contradicts itself", (listed: World["listed"], id: number) => (listed.see = () => contradicting(id))]
  ] as const)("is reported after escalateAfter where its read %s, and is sent when it is read", ([, spoil]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed, reported } = world
        const id = yield* paid
        spoil(listed, id)
        yield* ledger.refund("unread", id, { amount: 500 }, later)
        yield* working(world, 22, "1 hour")
        assert.deepStrictEqual(reported, [])
        yield* working(world, 4, "1 hour")
        assert.deepStrictEqual(reported.map(named), ["NotSent unread"])
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "NotSent", decisions: ["cancelled", "byHand"] })
        listed.fails = () => undefined
        listed.see = (list) => list
        yield* working(world, 2, "1 hour")
        assert.strictEqual((yield* ledger.getOutcome("unread"))?._tag, "Done")
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("is not reported for the first read that fails after a long wait, nor while no payment can be read", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed, pass, reported } = world
        const id = yield* paid
        yield* ledger.operator.pause
        yield* ledger.refund("paused", id, { amount: 500 }, later)
        yield* pass("3 days")
        yield* ledger.operator.resume
        listed.fails = failing(id)
        yield* working(world, 5, "1 minute")
        listed.fails = () => 500
        yield* working(world, 30, "1 hour")
        assert.deepStrictEqual(
          reported.map(named).filter((one) => one.startsWith("NotSent")),
          []
        )
      })
    )
  )
})

describe("a done refund whose payment cannot be read any more", () => {
  it.effect("is reported after escalateAfter: it holds up the next change of its payment", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, reported } = world
        const id = yield* paid
        yield* paid
        listed.afterSend = Effect.sync(() => {
          listed.fails = ({ method, pathname }) => (method === "GET" && pathname.includes(String(id)) ? 500 : undefined)
        })
        yield* ledger.refund("a", id, { amount: 500 })
        yield* working(world, 26, "1 hour")
        assert.deepStrictEqual(reported.map(named), ["Unbound a"])
      })
    )
  )
})

describe("a gateway that asks to wait for weeks", () => {
  const armed = (operation: "getPayment" | "getPaymentRefunds" | "refundPayment") =>
    Effect.orDie(LocalGateway.armFault({ type: "rateLimited", seconds: 86_400 }, { operation }))

  it.effect("is asked again after ten minutes, and that is reported once for all", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, reads, reported } = world
        yield* ledger.checkout("1", request)
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.refund("b", yield* paid, { amount: 500 }, later)
        yield* armed("getPaymentRefunds")
        yield* armed("refundPayment")
        yield* armed("getPayment")
        yield* working(world, 4, "1 minute")
        assert.deepStrictEqual(reported.map(named), ["WorkStopped ledger"])
        assert.match(reported[0]?.message ?? "", /asks to wait for 24 hours/)
        const before = reads.length
        yield* working(world, 40, "1 minute")
        assert.isAbove(reads.length, before)
        assert.deepStrictEqual(yield* outcomesOf(ledger, ["a", "b"]), ["Done", "Done"])
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("by its notification's read leaves the payment for ten minutes at most", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const order = yield* ledger.checkout("1", request)
        assert(order.status === "open")
        yield* armed("getPayment")
        yield* Effect.exit(ledger.verifyReturn(`https://shop.example/return?id=${order.paymentId}`))
        const [row] = yield* Effect.promise(() => world.store.rows("SELECT next_at FROM gopay_payment"))
        assert.isAtMost(Number(row?.["next_at"]), 86_400_000 + 600_000)
        assert.isNotEmpty(store.now)
      })
    )
  )
})
