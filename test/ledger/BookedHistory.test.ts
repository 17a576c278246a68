/**
 * Histories of a shop with a ledger, in the statements of the local gateway, matched with the ledger's own rows.
 */
import { assert, describe, it } from "@effect/vitest"
import * as spreadsheets from "@e965/xlsx"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { getAccountStatement } from "../../src/index.js"
import type { Movement } from "../../src/local-gateway/books/Books.js"
import { newPayment } from "../../src/local-gateway/books/Payment.js"
import { LocalGateway, type SettingsChange } from "../../src/local-gateway/index.js"
import { defaultSettings } from "../../src/local-gateway/books/DefaultSettings.js"
import {
  parseStatement,
  type ParsedStatement,
  reconcileStatement,
  type StatementMovement,
  type StatementReconciliation
} from "../../src/statement/index.js"
import { captureLog } from "../support/LogGuard.js"
import { faultyRequests } from "../support/faultyRequests.js"
import { isThorough } from "../support/Runs.js"
import { writtenStatement } from "../support/statements/writtenStatement.js"
import { idOf, notify, request } from "./OrderBooks.js"
import { inWorld, type World } from "./World.js"

const months = [
  { from: "2026-06-01", to: "2026-06-30" },
  { from: "2026-07-01", to: "2026-07-31" },
  { from: "2026-08-01", to: "2026-08-31" }
] as const
const through = "2026-08-20"
const afterwards = Date.parse("2026-09-15T12:00:00Z")
const goid = 8_123_456_781

type Random = (below: number) => number

/** Numbers that are the same for the same seed. */
const generator = (seed: number): Random => {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Lets time pass while something waits for it. */
const inTime = <A, E, R>(pass: World["pass"], effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    while (fiber.pollUnsafe() === undefined) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* pass("100 millis")
    }
    return yield* Fiber.join(fiber)
  })

/** A shop's days from June to August: orders, some of them never paid, and refunds, some of them with a lost response. */
const trade = ({ ledger, pass }: World, random: Random) =>
  Effect.gen(function* () {
    const open: Array<{ readonly id: number; left: number }> = []
    yield* pass(Date.parse("2026-05-31T23:00:00Z") - 86_400_000)
    for (let step = 0; step < 24; step++) {
      yield* pass(`${random(72) + 1} hours`)
      yield* inTime(pass, ledger.runOnce())
      const payment = open[random(open.length)]
      if (payment !== undefined && payment.left > 10_000 && random(3) === 0) {
        const amount = 1_000 + random(4) * 1_000
        payment.left -= amount
        if (random(4) === 0) {
          yield* LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
        }
        yield* inTime(pass, ledger.refund(`complaint ${step}`, payment.id, { amount }, { waitAtMost: "1 minute" }))
        continue
      }
      const amount = 20_000 + random(3) * 10_000
      const id = idOf(yield* ledger.checkout(`2026-${step}`, { ...request, amount }))
      if (random(5) === 0) continue
      yield* LocalGateway.payByCard(id)
      yield* notify(ledger, id)
      open.push({ id, left: amount })
    }
    while (!(yield* isSeptember)) {
      yield* pass("12 hours")
      yield* inTime(pass, ledger.runOnce())
    }
  })

const isSeptember = Effect.map(
  Effect.clockWith((clock) => clock.currentTimeMillis),
  (now) => now > afterwards
)

const csvStatements = Effect.forEach(months, (period) =>
  Effect.map(
    getAccountStatement({ date_from: period.from, date_to: period.to, currency: "CZK", format: "CSV_B" }),
    ({ data }) => parseStatement(new Uint8Array(data), { currency: "CZK", period })
  )
)

/** What a statement has booked. All of it is in summer time. */
const movementOf = ({ _tag, amount, date, orderNumber = "", time = "" }: StatementMovement): ReadonlyArray<Movement> =>
  _tag !== "Payment" && _tag !== "Refund"
    ? []
    : [
        {
          at: Date.parse(`${date}T${time}+02:00`),
          type: _tag === "Payment" ? "PAYMENT" : "REFUND",
          amount,
          payment: newPayment(
            3_000_000_003,
            { ...request, currency: "CZK", order_number: orderNumber, target: { goid } },
            "1",
            0
          )
        }
      ]

/** The same statements in a format that the local gateway does not write. */
const writtenIn = (
  format: "XLS_A" | "ABO_A",
  statements: ReadonlyArray<ParsedStatement>,
  changes: SettingsChange
): ReadonlyArray<ParsedStatement> => {
  const booked = statements.flatMap(({ movements }) => movements.flatMap(movementOf))
  return months.map((period) => {
    const order = { goid, currency: "CZK", format, date_from: period.from, date_to: period.to } as const
    const file = writtenStatement(booked, order, { ...defaultSettings, ...changes }, afterwards)
    return parseStatement(file, { spreadsheets, currency: "CZK", period })
  })
}

/** A statement with another movement, or none, in place of one. */
const withMovement = (
  statements: ReadonlyArray<ParsedStatement>,
  chosen: StatementMovement,
  others: ReadonlyArray<StatementMovement>
): ReadonlyArray<ParsedStatement> =>
  statements.map((statement) => ({
    ...statement,
    movements: statement.movements.flatMap((movement) => (movement === chosen ? others : [movement]))
  }))

/** The orders of what was found that is not as it should be. */
const named = ({ ambiguous, differentAmounts, foreign, missing }: StatementReconciliation) => [
  ...ambiguous.flatMap(({ candidates }) => candidates.map(({ orderNumber }) => orderNumber)),
  ...differentAmounts.map(({ expected }) => expected.orderNumber),
  ...foreign.map(({ movement }) => movement.orderNumber),
  ...missing.map(({ orderNumber }) => orderNumber)
]

const settings: ReadonlyArray<SettingsChange> = [
  {},
  { clearings: "daily", paymentFeeBasisPoints: 190, refundFee: 500 },
  { clearings: "weekly", paymentFeeBasisPoints: 190 },
  { clearings: "monthly", paymentFeeBasisPoints: 99, refundFee: 1 }
]

/** One for each of the settings; in a long check more. */
const seeds = Array.from({ length: isThorough ? 12 : settings.length }, (_, seed) => seed)

/** How many responses were lost, for all seeds. */
let lost = 0

describe("three months of a shop, matched with its ledger's own rows", () => {
  it.effect.each(seeds)("agree in each layout, and each changed line is found (seed %i)", (seed) => {
    captureLog(/^The outcome of a change is unknown/)
    const random = generator(seed)
    const changes = settings[seed % settings.length] ?? {}
    return inWorld(
      (world) =>
        Effect.gen(function* () {
          yield* trade(world, random)
          lost += (yield* faultyRequests(LocalGateway)).length
          const orders = yield* Stream.runCollect(world.ledger.operator.listBookedOrders())
          const booked = orders.flatMap(({ payments }) => payments.filter(({ paid }) => paid))
          const refunds = booked.flatMap((payment) => payment.refunds ?? [])
          assert.isAbove(refunds.length, 0)
          const statements = yield* csvStatements
          for (const layout of [statements, writtenIn("XLS_A", statements, changes)]) {
            const result = reconcileStatement(layout, { orders, through })
            assert.deepInclude(result, { agrees: true, missing: [], foreign: [], differentAmounts: [], evidence: [] })
            assert.lengthOf(result.matched, booked.length + refunds.length)
            assert.isTrue(result.clearings.every(({ explainedBy }) => explainedBy === "cutOff"))
          }
          const abo = reconcileStatement(writtenIn("ABO_A", statements, changes), { orders, through })
          assert.deepStrictEqual([abo.missing, abo.foreign, abo.differentAmounts], [[], [], []])
          assert.isTrue(abo.ambiguous.every(({ isBalanced }) => isBalanced))

          const movements = statements.flatMap((statement) =>
            statement.movements.filter(({ _tag, date }) => (_tag === "Payment" || _tag === "Refund") && date <= through)
          )
          for (const chosen of movements) {
            const { amount, orderNumber } = chosen
            const changed = (...others: ReadonlyArray<StatementMovement>) =>
              reconcileStatement(withMovement(statements, chosen, others), { orders, through })
            const deleted = changed()
            assert.isFalse(deleted.agrees)
            assert.include(named(deleted), orderNumber)
            const { movementId: _, ...again } = chosen
            const doubled = changed(chosen, again)
            assert.isFalse(doubled.agrees)
            assert.include(named(doubled), orderNumber)
            const other = changed({ ...chosen, amount: amount + 1 })
            assert.isFalse(other.agrees)
            assert.include(named(other), orderNumber)
          }
        }),
      { settings: changes }
    )
  })

  it("were traded while responses were lost", () => {
    assert.isAbove(lost, 0)
  })
})
