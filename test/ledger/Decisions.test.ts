/**
 * The one table of decisions: what fits is taken by a call and by the page alike, and all else is refused by its name.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { attentionKinds } from "../../src/ledger/model/Attention.js"
import {
  changeDecisionNames,
  paymentDecisionNames,
  isTooEarly,
  paymentDecisionsFor,
  wordsOf
} from "../../src/ledger/model/Decisions.js"
import { makeAdminHandler } from "../../src/ledger/index.js"
import type { AttentionItem, ChangeDecision } from "../../src/ledger/index.js"
import { type ChangeRow, decisionsFor, entryOf } from "../../src/ledger/store/ChangeRow.js"
import type { PaymentRow } from "../../src/ledger/store/PaymentTable.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { changeRow, itemsOf as openItems, paymentRow, storedRow } from "./LedgerRows.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, order, type TestLedger, type World } from "./World.js"

const allNames = [...new Set([...changeDecisionNames, ...paymentDecisionNames])]

const insert = ({ store }: World, table: string, row: ChangeRow | PaymentRow) => {
  const columns = Object.entries(storedRow(row)).filter(([name]) => name !== "now" && name !== "seq")
  const values = columns.map(([, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : typeof value === "number" || typeof value === "string"
        ? value
        : null
  )
  return Effect.promise(async () => {
    await store.rows(`DELETE FROM ${table}`)
    await store.rows(
      `INSERT INTO ${table} (scope, ${columns.map(([name]) => name).join(", ")})
       VALUES ((SELECT MIN(id) FROM gopay_scope), ${columns.map(() => "?").join(", ")})`,
      ...values
    )
  })
}

/** What the page answers to a decision. */
const decideOnPage = (
  ledger: TestLedger,
  fields: Readonly<Record<string, string>>,
  items: ReadonlyArray<string> = [],
  by = "Jana"
) =>
  Effect.gen(function* () {
    const handle = makeAdminHandler(ledger.operator, { authorize: () => Effect.succeed(by) })
    const body = new URLSearchParams({ note: "seen", ...fields })
    for (const item of items) body.append("item", item)
    const response = yield* handle(
      new Request("https://shop.example/admin", { method: "POST", headers: { "sec-fetch-site": "same-origin" }, body })
    )
    return { status: response.status, text: yield* Effect.promise(() => response.text()) }
  })

const said = { version: 1, by: "Jana", note: "seen" }

const unfit = (as: string) => `${as} does not fit it`

const isRefused = (as: string, message: string) => message.includes(unfit(as)) || message.includes("nothing to decide")

describe("a decision", () => {
  const kinds = attentionKinds.filter((kind) => kind !== "UnreadableRow")

  it.effect(
    "about a payment is taken by a call and by the page where it fits its kind, and refused by name elsewhere",
    () =>
      inWorld((world) =>
        Effect.gen(function* () {
          const { ledger } = world
          yield* ledger.getOrder("none")
          for (const kind of kinds) {
            for (const as of allNames) {
              const row = {
                ...paymentRow({
                  attention: openItems(kind),
                  ...(kind === "InDoubt" ? { status: "inDoubt" } : { status: "created", state: "PAID" })
                }),
                next_at: null
              }
              const fits = paymentDecisionsFor(kind).some((name) => name === as)
              yield* Outsider.forgetChanges(world.store)
              yield* insert(world, "gopay_payment", row)
              const [{ key } = { key: "" }] = yield* ledger.operator.listAttention()
              const page = yield* decideOnPage(ledger, { key, version: "1", as })
              assert.deepStrictEqual([kind, as, page.status], [kind, as, fits ? 303 : 409])
              if (!fits) assert.include(page.text, unfit(as))
              // The page's decision may have made a change of it.
              yield* Outsider.forgetChanges(world.store)
              yield* insert(world, "gopay_payment", row)
              const [item] = yield* ledger.operator.listAttention()
              if (!paymentDecisionNames.some((name) => name === as) || item === undefined) continue
              for (const name of paymentDecisionNames.filter((one) => one === as)) {
                const called = yield* Effect.result(ledger.operator.resolvePayment(item.key, { ...said, as: name }))
                assert.deepStrictEqual([kind, as, called._tag], [kind, as, fits ? "Success" : "Failure"])
                if (called._tag === "Failure") assert.include(called.failure.message, unfit(as))
              }
            }
          }
        })
      )
  )

  const refusedCharge = changeRow({
    operation: "createRecurrence",
    status: "refused",
    sent_at: 1,
    attention: openItems("ChargeRefused"),
    decision: { outcome: "refused", how: "answered", message: "No." },
    decided_at: 1
  })
  const changes = (["refundPayment", "captureAuthorization", "voidAuthorization", "createRecurrence"] as const).flatMap(
    (operation) => [
      changeRow({ operation, status: "queued" }),
      changeRow({ operation, status: "unknown", sent_at: 1, attention: [] }),
      changeRow({
        operation,
        status: "refusing",
        sent_at: 1,
        attention: openItems("AccountEmpty"),
        decision: { outcome: "refused", how: "answered", message: "empty", code: 333, isPassing: true }
      }),
      changeRow({ operation, status: "needsOperator", sent_at: 1, attention: openItems("InDoubt") }),
      changeRow({ operation, status: "needsOperator", attention: openItems("StrangeRefund") }),
      changeRow({
        operation,
        status: "refused",
        sent_at: 1,
        attention: openItems("DecisionContradicted"),
        decided_at: 1
      }),
      changeRow({ operation, status: "done", sent_at: 1, attention: openItems("PaidTwice"), decided_at: 1 }),
      changeRow({ operation, status: "done", sent_at: 1, holds: "1 10", decided_at: 1 }),
      ...(operation === "createRecurrence" ? [refusedCharge] : [])
    ]
  )

  it.effect("about a change is taken by a call and by the page where it fits, and refused by name elsewhere", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        yield* ledger.getOrder("none")
        for (const row of changes) {
          const fitting = decisionsFor(row, row.attention[0]?.kind ?? null)
          for (const as of allNames) {
            const fits = fitting.some((name) => name === as)
            const at = [row.operation, row.status, row.attention[0]?.kind, as]
            yield* insert(world, "gopay_change", { ...row, next_at: null })
            const page = yield* decideOnPage(ledger, { key: row.key, version: "1", as })
            assert.deepStrictEqual([...at, isRefused(as, page.text)], [...at, !fits])
            yield* insert(world, "gopay_change", { ...row, next_at: null })
            for (const name of changeDecisionNames.filter((one) => one === as)) {
              const called = yield* Effect.result(ledger.operator.resolveChange(row.key, { ...said, as: name }))
              const message = called._tag === "Failure" ? called.failure.message : ""
              assert.deepStrictEqual([...at, isRefused(as, message)], [...at, !fits])
            }
          }
        }
      })
    )
  )

  /** What an operator has decided before: it may be taken back. */
  const decidedRows = (["refundPayment", "captureAuthorization", "voidAuthorization"] as const).map((operation) =>
    changeRow({
      operation,
      status: "refused",
      decided_at: 1,
      decision: { outcome: "refused", how: "operator", message: "Cancelled by Eva: seen", as: "cancelled" }
    })
  )

  const surfaces = {
    "a call": (ledger: TestLedger, by: string, resolution: { readonly as: ChangeDecision; readonly version: number }) =>
      Effect.asVoid(ledger.operator.resolveChange("refund", { ...resolution, early: true, by, note: "seen" })),
    "the page": (
      ledger: TestLedger,
      by: string,
      { as, version }: { readonly as: ChangeDecision; readonly version: number }
    ) =>
      Effect.map(decideOnPage(ledger, { key: "refund", version: String(version), as }, [], by), ({ status }) =>
        assert.strictEqual(status, 303)
      )
  } as const

  it.effect.each(Object.entries(surfaces))(
    "about a change above the amount takes two operators by %s, whatever it is",
    ([surface, decide]) =>
      inWorld((world) =>
        Effect.gen(function* () {
          const ledger = yield* world.makeProcess({ dualApprovalAbove: 400 })
          yield* ledger.getOrder("none")
          const found = () =>
            Effect.map(ledger.operator.getChange("refund"), (change) => change ?? assert.fail("It is gone."))
          for (const row of [...changes, ...decidedRows]) {
            // These name what the gateway lists.
            const fitting = decisionsFor(row, row.attention[0]?.kind ?? null).filter(
              (as) =>
                as !== "byHand" &&
                !(row.operation === "createRecurrence" && as === "done") &&
                // The page shows items, and nothing that the ledger still looks for.
                !(surface === "the page" && isTooEarly(row, row.attention.length > 0, { as }))
            )
            for (const as of fitting) {
              const at = [row.operation, row.status, row.attention[0]?.kind, as]
              yield* insert(world, "gopay_change", { ...row, next_at: null })
              for (const by of ["Jana", " JANÁ"]) {
                yield* Effect.orDie(decide(ledger, by, { as, version: (yield* found()).version }))
                const { proposal, status } = yield* found()
                assert.deepStrictEqual([...at, status, proposal?.as], [...at, entryOf(row).status, as])
              }
              yield* Effect.orDie(decide(ledger, "Petr", { as, version: (yield* found()).version }))
              const { proposal, version } = yield* found()
              assert.deepStrictEqual([...at, proposal, version], [...at, undefined, 4])
            }
          }
        })
      )
  )

  it("that fits has its words in each language", () => {
    for (const kind of kinds) {
      for (const as of paymentDecisionsFor(kind)) assert.property(wordsOf("payment", kind, as), "cs")
    }
    for (const as of changeDecisionNames) assert.property(wordsOf("change", "InDoubt", as), "cs")
  })
})

const itemsOf = (ledger: TestLedger) =>
  Effect.map(ledger.operator.listAttention(), (items) => items.map(({ key, version }) => `${version} ${key}`))

describe("of several items", () => {
  it.effect("not to be sent, a payment with a stored card stays in doubt, and its order is not paid again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, sent } = world
        yield* ledger.getOrder("none")
        yield* insert(world, "gopay_payment", {
          ...paymentRow({
            status: "inDoubt",
            attention: openItems("InDoubt"),
            payment_id: null,
            needs_payer: 0,
            state: null,
            order_number: "1",
            terms: { amount: order.amount, currency: "CZK" }
          }),
          offered: "1 1",
          next_at: null
        })
        yield* insert(world, "gopay_change", {
          ...changeRow({ status: "needsOperator", attention: openItems("StrangeRefund") }),
          next_at: null
        })
        const page = yield* decideOnPage(ledger, { as: "cancelled" }, yield* itemsOf(ledger))
        assert.strictEqual(page.status, 409)
        assert.include(page.text, unfit("cancelled"))
        assert.deepInclude(yield* ledger.getOutcome("refund"), { _tag: "Refused" })
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "inDoubt" })
        assert.deepStrictEqual(sent, [])
      })
    )
  )
})

describe("a payment that the ledger does not know", () => {
  /** A payment that a restored backup has forgotten, and that is paid. */
  const forgotten = (
    test: (
      world: World,
      ledger: TestLedger,
      id: number,
      item: AttentionItem
    ) => Effect.Effect<void, unknown, LocalGateway>
  ) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* Outsider.forgetPayments(world.store)
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        const [item] = yield* ledger.operator.listAttention()
        assert.strictEqual(item?.kind, "UnknownPayment")
        if (item !== undefined) yield* Effect.orDie(test(world, ledger, id, item))
      })
    )

  it.effect("is neither done nor not: those words would free its order, and the customer would pay twice", () =>
    forgotten((_, ledger, id, item) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(item.decisions, ["accepted", "refused"])
        for (const as of ["done", "notDone"] as const) {
          const failure = yield* Effect.flip(
            ledger.operator.resolvePayment(item.key, { ...said, version: item.version, as })
          )
          assert.include(failure.message, unfit(as))
        }
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "inDoubt", paymentId: id })
      })
    )
  )

  it.effect("is taken over when it is accepted: the shop is told of it", () =>
    forgotten((world, ledger, id, item) =>
      Effect.gen(function* () {
        yield* ledger.operator.resolvePayment(item.key, { ...said, version: item.version, as: "accepted" })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "paid", paymentId: id })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("frees its order when it is refused", () =>
    forgotten((world, ledger, id, item) =>
      Effect.gen(function* () {
        yield* ledger.operator.resolvePayment(item.key, { ...said, version: item.version, as: "refused" })
        const next = yield* ledger.checkout("1", request)
        assert.strictEqual(next.status, "open")
        assert.notStrictEqual(idOf(next), id)
        assert.deepStrictEqual(yield* reportedOf(world), [])
      })
    )
  )

  it.effect("and is adopted in time was not paid late", () =>
    forgotten((world, ledger, id) =>
      Effect.gen(function* () {
        yield* ledger.operator.adoptPayment("1", id)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})

describe("a charge that a restored backup has forgotten", () => {
  const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
  const charge = { amount: 500, currency: "CZK", order_number: "sub-1", order_description: "month" } as const

  it.effect("is told to onPayment once its change is resolved as done with its id", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", { ...order, recurrence }))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        const made = yield* ledger.charge("a", id, charge)
        assert.strictEqual(made._tag, "Done")
        const child = made._tag === "Done" ? (made.chargeId ?? 0) : 0
        yield* Outsider.forgetCharges(world.store)
        yield* Effect.promise(() => world.store.rows("DELETE FROM reported"))
        yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${child}&parent_id=${id}` })
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "InDoubt")
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        yield* ledger.operator.resolveChange("a", { ...said, version, as: "done", chargeId: child })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})
