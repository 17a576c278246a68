/**
 * An item that needs an operator is a row of its own: another one never overwrites it, only its own cause or decision ends it,
 * and its version moves when what an operator sees changes.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createPayment, type CreatePaymentRequest, type Gateway } from "../../src/index.js"
import { withAttempt } from "../../src/ledger/model/LedgerKey.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { makeAdminHandler } from "../../src/ledger/index.js"
import type { AttentionItem } from "../../src/ledger/index.js"
import { captureLog } from "../support/LogGuard.js"
import { idOf, notify, request, withBooks } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, order, paid, type TestLedger, type World } from "./World.js"

const later = { waitAtMost: 0 }

const named = ({ key, kind }: AttentionItem): string => `${kind} ${key}`

const listed = (ledger: TestLedger) =>
  Effect.map(ledger.operator.listAttention(), (items) => items.map(named).toSorted())

const operator = { by: "Jana", note: "on the statement" }

/** Makes the steps that are due, as minutes pass. */
const passed = Effect.fnUntraced(function* ({ pass }: World, ledger: TestLedger, minutes: number) {
  for (let minute = 0; minute < minutes; minute++) {
    yield* pass("1 minute")
    yield* ledger.runOnce()
  }
})

describe("an item", () => {
  it.effect("stays when another one comes and goes, and ends by its own decision", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^(onPayment of the ledger failed|A payment could not be checked|onSubscription)/)
        let isAway = false
        const ledger = yield* withBooks(world, { before: () => (isAway ? Effect.fail("away") : Effect.void) })
        const id = idOf(yield* ledger.checkout("1", request, { payWithin: "2 hours" }))
        yield* world.pass("121 minutes")
        yield* ledger.runOnce()
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        assert.deepStrictEqual(yield* listed(ledger), ["PaidLate order:1:1"])
        // A refund by hand that the shop fails to enter.
        isAway = true
        yield* ledger.refund("back", id, { amount: 500 })
        yield* passed(world, ledger, 60)
        assert.deepStrictEqual(yield* listed(ledger), ["OnPaymentFailed order:1:1", "PaidLate order:1:1"])
        assert.deepStrictEqual(world.reported.map(named).toSorted(), [
          "OnPaymentFailed order:1:1",
          "PaidLate order:1:1"
        ])
        isAway = false
        yield* passed(world, ledger, 90)
        assert.deepStrictEqual(yield* listed(ledger), ["PaidLate order:1:1"])
        const [item] = yield* ledger.operator.listAttention()
        const { key = "", version = 0 } = item ?? {}
        yield* ledger.operator.resolvePayment(key, { ...operator, version, as: "done" })
        assert.deepStrictEqual(yield* listed(ledger), [])
        assert.lengthOf(world.reported, 2)
      })
    )
  )

  it.effect("is decided by its own version, whichever of two of one payment is in front", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^(onPayment of the ledger failed|A payment could not be checked)/)
        let isAway = false
        const ledger = yield* withBooks(world, { before: () => (isAway ? Effect.fail("away") : Effect.void) })
        const id = idOf(yield* ledger.checkout("1", request, { payWithin: "2 hours" }))
        yield* world.pass("121 minutes")
        yield* ledger.runOnce()
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        isAway = true
        yield* ledger.refund("back", id, { amount: 500 })
        yield* passed(world, ledger, 60)
        const late = (yield* ledger.operator.listAttention()).find(({ kind }) => kind === "PaidLate")
        const { key = "", version = 0 } = late ?? {}
        yield* ledger.operator.resolvePayment(key, { ...operator, version, as: "done" })
        assert.deepStrictEqual(yield* listed(ledger), ["OnPaymentFailed order:1:1"])
        const again = yield* Effect.flip(ledger.operator.resolvePayment(key, { ...operator, version, as: "done" }))
        assert.strictEqual(again.reason._tag, "NotResolved")
      })
    )
  )

  it.effect("is on one page with the others of its payment, so that the next page begins after all of them", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, store } = world
        for (const number of ["1", "2", "3"]) {
          yield* ledger.checkout(number, request)
          yield* pass("1 second")
        }
        yield* Outsider.payLateAndHold(store)
        for (const limit of [1, 2, 3, 4, 5]) {
          const keys: Array<string> = []
          for (let page = yield* ledger.operator.listAttention({ limit }); page.length > 0;) {
            keys.push(...page.map(named))
            page = yield* ledger.operator.listAttention({ limit, after: page.at(-1)?.key ?? "" })
          }
          assert.deepStrictEqual(
            keys,
            ["1", "2", "3"].flatMap((number) => [
              `PaidLate order:${number}:${number}`,
              `HoldNotEnded order:${number}:${number}`
            ])
          )
        }
      })
    )
  )

  it.effect("is decided by its kind where another one of the same payment has its version", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        yield* ledger.checkout("1", request)
        const begin = Outsider.payLateAndHold(store)
        yield* begin
        const [payment] = yield* ledger.operator.listPayments()
        const { key = "", version = 0 } = payment ?? {}
        assert.deepStrictEqual(payment?.attention, ["PaidLate", "HoldNotEnded"])
        assert.deepStrictEqual((yield* ledger.operator.getHistory(key)).at(-1)?.attention, ["PaidLate", "HoldNotEnded"])
        const decision = { ...operator, version, as: "done" } as const
        const unnamed = yield* Effect.flip(ledger.operator.resolvePayment(key, decision))
        assert.include(unnamed.message, "PaidLate and HoldNotEnded")
        yield* Effect.flip(ledger.operator.resolvePayment(key, { ...decision, kind: "PaidTwice" }))
        yield* ledger.operator.resolvePayment(key, { ...decision, kind: "HoldNotEnded" })
        assert.deepStrictEqual(yield* listed(ledger), [`PaidLate ${key}`])
        // The other one is as the operator has seen it.
        yield* ledger.operator.resolvePayment(key, decision)
        assert.deepStrictEqual(yield* listed(ledger), [])
      })
    )
  )

  it.effect("is decided on the page by its own form, and with another one of its payment by the form for several", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const handle = makeAdminHandler(ledger.operator, { authorize: () => Effect.succeed("Jana") })
        const sent = (fields: ReadonlyArray<readonly [string, string]>) =>
          Effect.map(
            handle(
              new Request("https://shop.example/admin", {
                method: "POST",
                headers: { "sec-fetch-site": "same-origin" },
                body: new URLSearchParams([
                  ["note", "seen"],
                  ["as", "done"],
                  ...fields.map(([name, value]) => [name, value])
                ])
              })
            ),
            ({ status }) => status
          )
        const begin = Outsider.payLateAndHold(store)
        const fieldsOf = Effect.gen(function* () {
          const page = yield* handle(new Request("https://shop.example/admin"))
          const text = yield* Effect.promise(() => page.text())
          return Array.from(
            text.matchAll(/name="(\w+)" value="([^"]*)"/g),
            ([, name = "", value = ""]) => [name, value] as const
          )
        })
        yield* ledger.checkout("1", request)
        yield* begin
        const fields = yield* fieldsOf
        const valueOf = (wanted: string) => fields.filter(([name]) => name === wanted)
        const [kind] = valueOf("kind")
        const own = [valueOf("key"), valueOf("version")].flatMap(([first]) => (first === undefined ? [] : [first]))
        assert.strictEqual(yield* sent(own), 409)
        assert.strictEqual(yield* sent([...own, kind ?? ["kind", ""]]), 303)
        assert.deepStrictEqual(yield* listed(ledger), ["HoldNotEnded order:1:1"])
        assert.strictEqual(yield* sent([...own, ["kind", "Nothing"]]), 400)
        yield* begin
        assert.strictEqual(yield* sent((yield* fieldsOf).filter(([name]) => name === "item")), 303)
        assert.deepStrictEqual(yield* listed(ledger), [])
      })
    )
  )

  it.effect("is not ended by a read that fails, nor by what another read has found", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        const { ledger, listed: gateway, store } = world
        const checked = Effect.andThen(Outsider.makePaymentsDue(store), ledger.runOnce())
        yield* ledger.checkout("2", request)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        gateway.seePayment = { state: "CREATED" }
        yield* passed(world, ledger, 40)
        yield* notify(ledger, id)
        yield* passed(world, ledger, 40)
        assert.deepStrictEqual(yield* listed(ledger), ["StateContradicted order:1:2"])
        const [contradicted] = yield* ledger.operator.listAttention()
        // Others can be read.
        gateway.fails = ({ pathname }) => (pathname.endsWith(`/${id}`) ? 403 : undefined)
        yield* checked
        assert.deepStrictEqual(yield* listed(ledger), ["CredentialsRefused order:1:2", "StateContradicted order:1:2"])
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).find(({ kind }) => kind === "StateContradicted"),
          contradicted
        )
        gateway.fails = () => undefined
        gateway.seePayment = {}
        yield* world.pass("10 minutes")
        yield* checked
        assert.deepStrictEqual(yield* listed(ledger), [])
      })
    )
  )

  it.effect("has the version that an operator has read, while reads find nothing", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed: gateway, reported } = world
        gateway.fails = ({ method, pathname }) => (method === "POST" && pathname.endsWith("/refund") ? 503 : undefined)
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        gateway.fails = () => undefined
        for (let hour = 0; hour < 26; hour++) {
          yield* world.pass("1 hour")
          yield* ledger.runOnce()
        }
        const items = yield* ledger.operator.listAttention()
        const [item] = items
        assert.strictEqual(item?.kind, "InDoubt")
        const reads = (yield* ledger.operator.getChange("a"))?.nextAt
        yield* passed(world, ledger, 240)
        assert.notStrictEqual((yield* ledger.operator.getChange("a"))?.nextAt, reads)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), items)
        assert.lengthOf(reported, 1)
        const decision = { ...operator, version: item?.version ?? 0, as: "notDone" } as const
        assert.deepInclude(yield* ledger.operator.resolveChange("a", decision), { _tag: "Refused" })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("has another version when an operator has proposed something, or what it says has changed", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess({ dualApprovalAbove: 100 })
        world.listed.fails = ({ method, pathname }) =>
          method === "POST" && pathname.endsWith("/refund") ? 503 : undefined
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        world.listed.fails = () => undefined
        for (let hour = 0; hour < 26; hour++) {
          yield* world.pass("1 hour")
          yield* ledger.runOnce()
        }
        const [before] = yield* ledger.operator.listAttention()
        const decision = { ...operator, version: before?.version ?? 0, as: "notDone" } as const
        yield* ledger.operator.resolveChange("a", decision)
        const [after] = yield* ledger.operator.listAttention()
        assert.deepInclude(after, { kind: "InDoubt" })
        assert.notStrictEqual(after?.version, before?.version)
        const late = yield* Effect.flip(ledger.operator.resolveChange("a", { ...decision, by: "Petr" }))
        assert.strictEqual(late.reason._tag, "NotResolved")
        yield* ledger.operator.resolveChange("a", { ...decision, by: "Petr", version: after?.version ?? 0 })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is there of a payment with a stored card that something between has made twice", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const withCard = { ...request, payer: { allowed_card_token: "a-stored-card" } }
        const events: Array<string> = []
        const ledger = yield* world.makeProcess({
          onPayment: ({ attention, moved }) =>
            Effect.sync(() => void events.push([moved.paymentId, moved.status, attention].join(" ")))
        })
        const twins: Array<number> = []
        const copy: CreatePaymentRequest = { ...order, order_number: "1" }
        // The twin is notified before the response to the first one is recorded.
        world.store.before(/UPDATE gopay_payment SET status = \?, payment_id = \?/, async () => {
          if (twins.length > 0) return
          const [row] = await world.store.rows("SELECT attempt FROM gopay_payment")
          twins.push(0)
          const request = withAttempt(copy, String(row?.["attempt"]))
          const made = await Effect.runPromise(
            createPayment(request).pipe(
              Effect.tap(({ id }) => LocalGateway.payByCard(id)),
              Effect.tap(({ id }) => notify(ledger, id)),
              Effect.provideContext(services),
              Effect.orDie
            )
          )
          twins[0] = made.id
        })
        const services = yield* Effect.context<Gateway | LocalGateway>()
        const answer = yield* ledger.checkout("1", withCard)
        const [twin = 0] = twins
        assert.deepInclude(answer, { status: "paid", paymentId: twin })
        const rows = yield* Effect.promise(() => world.store.rows("SELECT payment_id FROM gopay_payment ORDER BY seq"))
        const [first = 0] = rows.map((row) => Number(row["payment_id"])).filter((id) => id !== twin)
        yield* Effect.ignore(LocalGateway.payByCard(first))
        yield* passed(world, ledger, 5)
        assert.deepStrictEqual(events, [`${twin} paid `, `${first} paid PaidTwice`])
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).map(({ kind, paymentId }) => `${kind} ${paymentId}`),
          [`PaidTwice ${first}`]
        )
      })
    )
  )
})
