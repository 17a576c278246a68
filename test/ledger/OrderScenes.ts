/**
 * Scenes of orders with several payments, stored cards, operators and processes that have no handler. The shop has the handler
 * that the documents show, and is judged by what that has written.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { refundPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import type { Chance } from "../simulation/Chance.js"
import { idOf, notify, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { later, passMinutes, said, type Scene, type Services, type Violations } from "./SceneSteps.js"
import type { TestLedger, World } from "./World.js"

const number = "1"
const replace = { replace: true }
const withCard = { ...request, payer: { allowed_card_token: "a-stored-card" } }
const changedCart = { ...request, amount: request.amount + 100 }

/** A process with the handler that the documents show. */
const withShop = ({ makeProcess, store }: World) =>
  Effect.andThen(
    Effect.promise(async () => {
      await store.rows("CREATE TABLE shop_order (number TEXT PRIMARY KEY, status TEXT)")
      await store.rows(`INSERT INTO shop_order VALUES ('${number}', 'new')`)
    }),
    makeProcess({
      onPayment: ({ order, status, tx }) =>
        Effect.promise(() => tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber]))
    })
  )

const writtenIn = ({ store }: World) =>
  Effect.promise(async () => String((await store.rows("SELECT status FROM shop_order"))[0]?.["status"]))

/** The states that the handler gets as events. */
const reported: ReadonlySet<string> = new Set(["closed", "authorized", "paid", "partiallyRefunded", "refunded"])

/** When nothing is due, what the handler has written is what `getOrder` says, or the order can be paid again. */
const checkWritten = (world: World, ledger: TestLedger, violations: Violations) =>
  Effect.gen(function* () {
    const order = yield* ledger.getOrder(number)
    const written = yield* writtenIn(world)
    const isRight =
      order !== undefined && reported.has(order.status)
        ? written === order.status
        : ["new", "closed", "refunded"].includes(written)
    if (!isRight) violations.push("what the documented handler has written is what getOrder says")
  })

/** How many payments of the gateway have been paid, and not returned. */
const paidAtGateway = Effect.map(
  Effect.orDie(LocalGateway.listPayments),
  (payments) => payments.filter(({ state }) => state === "PAID").length
)

const armCreation = (effect: "committed" | "none") =>
  Effect.orDie(LocalGateway.armFault({ type: "connectionReset", effect }, { operation: "createPayment" }))

/** What a payer or the gateway does with a payment, each time with a notification. */
const ends = (chance: Chance, id: number) =>
  chance.pick(
    LocalGateway.payByCard(id),
    LocalGateway.payByCard(id),
    Effect.andThen(LocalGateway.choosePaymentMethod(id, "BANK_ACCOUNT"), LocalGateway.payByBankTransfer(id)),
    LocalGateway.cancelPayment(id),
    LocalGateway.declinePayment(id)
  )

/** Does something once an order was read, and before what was read of a payment moves it. */
const duringMove = ({ store }: World, work: Effect.Effect<unknown, unknown, Services>) =>
  Effect.map(Effect.context<Services>(), (services) =>
    store.after(/AS order_version/, () => Effect.runPromise(Effect.provideContext(Effect.result(work), services)))
  )

/** A payment is paid, and all of it is returned, each with a notification. */
const paidAndReturned = (ledger: TestLedger, id: number) =>
  Effect.gen(function* () {
    const { amount } = yield* LocalGateway.payByCard(id)
    yield* notify(ledger, id)
    yield* refundPayment(id, { amount })
    yield* notify(ledger, id)
  })

/** Creations whose responses are lost, replacements and late payments, in any order; each ends in its own way. */
const severalPayments: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const ledger = yield* withShop(world)
    for (let checkout = chance.between(1, 3); checkout > 0; checkout--) {
      if (chance.percent(40)) yield* armCreation("committed")
      yield* Effect.result(ledger.checkout(number, chance.percent(50) ? changedCart : request, replace))
    }
    const ids = (yield* Effect.orDie(LocalGateway.listPayments)).map(({ id }) => id)
    for (let step = 0; step < 6; step++) {
      const id = ids[chance.below(ids.length)] ?? 0
      yield* Effect.result(ends(chance, id))
      if (chance.percent(70)) yield* notify(ledger, id)
      if (chance.percent(30)) {
        yield* Effect.result(ledger.refund(`back-${step}`, id, { amount: chance.pick(request.amount, 500) }, later))
      }
      if (chance.percent(50)) yield* passMinutes(world, ledger, chance.pick(1, 30), 1)
      if (chance.percent(20)) yield* Effect.result(ledger.withdrawOrder(number))
    }
    for (const id of ids) yield* notify(ledger, id)
    yield* passMinutes(world, ledger, 24 * 60, 60)
    yield* checkWritten(world, ledger, violations)
    const items = (yield* ledger.operator.listAttention()).map(({ kind }) => kind)
    if ((yield* paidAtGateway) > 1 && !items.includes("PaidTwice"))
      violations.push("an order that is paid twice is reported")
  })

/** While a payment is about to move the order that was read, another one of it does so. */
const movedBetween: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const ledger = yield* withShop(world)
    const first = idOf(yield* ledger.checkout(number, request))
    const second = idOf(yield* ledger.checkout(number, changedCart, replace))
    const [moved, other] = chance.percent(50) ? [first, second] : [second, first]
    yield* Effect.orDie(LocalGateway.payByCard(moved))
    yield* duringMove(world, paidAndReturned(ledger, other))
    yield* notify(ledger, moved)
    yield* passMinutes(world, ledger, 60, 5)
    yield* checkWritten(world, ledger, violations)
  })

/** A stored card may have been charged, and whatever the shop and its operators do, it is charged once. */
const storedCard: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const ledger = yield* withShop(world)
    yield* armCreation("committed")
    yield* Effect.result(ledger.checkout(number, withCard))
    const [made] = yield* Effect.orDie(LocalGateway.listPayments)
    yield* Effect.orDie(LocalGateway.payByCard(made?.id ?? 0))
    yield* passMinutes(world, ledger, 5)
    const [item] = yield* ledger.operator.listAttention()
    for (let step = 0; step < 4; step++) {
      const withdraw = ledger.withdrawOrder(number)
      const again = ledger.checkout(number, withCard, { ...chance.pick({ replace: false }, replace), ...later })
      const cancel = ledger.operator.resolvePayment(item?.key ?? "", {
        version: item?.version ?? 0,
        as: chance.pick("done", "accepted", "refused"),
        ...said
      })
      const done = yield* Effect.result<unknown, unknown, never>(
        chance.pick<Effect.Effect<unknown, unknown>>(withdraw, again, cancel)
      )
      if (done._tag === "Success" && isWithdrawn(done.success)) violations.push("what may be charged is not withdrawn")
    }
    if ((yield* Effect.orDie(LocalGateway.listPayments)).length !== 1) violations.push("a stored card is charged once")
    const isItem = (yield* ledger.operator.listAttention()).length > 0
    if ((yield* ledger.getOrder(number))?.status === "inDoubt" && !isItem) violations.push("what is in doubt is listed")
    yield* Effect.result(ledger.operator.adoptPayment(number, made?.id ?? 0))
    yield* passMinutes(world, ledger, 60, 10)
    yield* checkWritten(world, ledger, violations)
  })

const isWithdrawn = (order: unknown): boolean => Predicate.hasProperty(order, "status") && order.status === "withdrawn"

/** A paid payment that the ledger does not know: an operator adopts it, and the gateway answers only the first reads. */
const failingAdoption: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { listed } = world
    const ledger = yield* withShop(world)
    const id = idOf(yield* ledger.checkout(number, request))
    yield* Outsider.forgetPayments(world.store)
    yield* Effect.orDie(LocalGateway.payByCard(id))
    if (chance.percent(70)) yield* notify(ledger, id)
    let reads = chance.below(4)
    listed.fails = ({ method }) => (method === "GET" && reads-- <= 0 ? 429 : undefined)
    yield* Effect.result(ledger.operator.adoptPayment(number, id))
    listed.fails = () => undefined
    yield* passMinutes(world, ledger, 60, 10)
    const order = yield* ledger.getOrder(number)
    const isItem = (yield* ledger.operator.listAttention()).some(({ kind }) => kind === "UnknownPayment")
    if (order !== undefined && order.status !== "paid" && !isItem)
      violations.push("what an operator adopts is not forgotten")
    yield* Effect.orDie(ledger.operator.adoptPayment(number, id))
    yield* checkWritten(world, ledger, violations)
    if ((yield* writtenIn(world)) !== "paid") violations.push("what an operator adopts is told")
  })

/** A process without the handler reads a payment whose change must be reported. */
const withoutHandler: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const ledger = yield* withShop(world)
    yield* ledger.runOnce()
    const web = world.ledger
    const id = idOf(yield* web.checkout(number, request))
    yield* Effect.orDie(LocalGateway.payByCard(id))
    for (let step = chance.between(1, 3); step > 0; step--) {
      yield* Effect.result<unknown, unknown, never>(
        chance.pick<Effect.Effect<unknown, unknown>>(
          notify(web, id),
          web.verifyReturn(`https://shop.example/return?id=${id}`),
          web.runOnce()
        )
      )
    }
    yield* passMinutes(world, ledger, 60, 5)
    if ((yield* writtenIn(world)) !== "paid") violations.push("a process without a handler swallows nothing")
    yield* checkWritten(world, ledger, violations)
  })

export const orderScenes: ReadonlyArray<readonly [name: string, scene: Scene]> = [
  ["several payments", severalPayments],
  ["moved between", movedBetween],
  ["stored card", storedCard],
  ["failing adoption", failingAdoption],
  ["without a handler", withoutHandler]
]
