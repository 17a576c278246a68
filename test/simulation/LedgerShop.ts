/**
 * A process of a shop that keeps a ledger: the program that runs in it.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Client from "../../src/index.js"
import { fromService, type LedgerGateway } from "../../src/ledger/model/LedgerGateway.js"
import {
  type ChangeError,
  type ChangeOutcome,
  type CheckoutRequest,
  type SubmittedChange
} from "../../src/ledger/index.js"
import { unwatched } from "../../src/ledger/model/ChangeWatch.js"
import { untraced } from "../../src/ledger/model/Trace.js"
import { type LedgerCore, wireLedger } from "../../src/ledger/wireLedger.js"
import { type StoreError, unavailable } from "../../src/ledger/store/Database.js"
import type { LedgerJudge } from "./LedgerJudge.js"
import { CallName } from "./Network.js"
import { type KeyedChange, notificationUrl, type PlannedEvent, type Sale } from "./Plan.js"
import { payer, type RunningShop, type Surroundings } from "./Shop.js"
import type { SimulatedDatabase, Transaction } from "./SimulatedDatabase.js"
import type { Process } from "./Simulator.js"

/** What a shop with a ledger lives in. */
export interface LedgerSurroundings extends Surroundings {
  readonly database: SimulatedDatabase
  readonly ledgerJudge: LedgerJudge
  /** Long after anything went wrong: everything is done rarely. */
  readonly isLate: () => boolean
  /** Called with a payment whose address was given out. */
  readonly onAddress: (event: PlannedEvent, paymentId: number) => void
}

/** Much more than any call takes, in milliseconds: a process that stands still comes to it. */
const callLimit = 600_000

class RolledBack extends Error {
  override readonly name = "RolledBack"
}

/** Starts the shop's program in a process; returns its calls, once it is ready. */
export const startLedgerShop = (
  process: Process,
  surroundings: LedgerSurroundings,
  onReady: (shop: RunningShop) => void
): void => {
  const { database, isLate, isQuiet, judge, ledgerJudge, network, observation, options, plan, simulator } = surroundings
  const { handlerFails = 0, lease = 0, escalateAfter = 0, pollEvery = 0 } = plan.ledger ?? {}
  const store = database.of(process)

  const layer = Client.Gateway.layerNoDeps.pipe(
    Layer.provide(Client.AccessToken.layer),
    Layer.provide(Client.GatewayConfig.layer(options)),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, network.clientOf(process)))
  )

  const logger = Logger.make((entry) => {
    judge.said("the log", JSON.stringify(Logger.formatStructured.log(entry)))
  })

  /** A statement of the shop's that fails, and whose failure it catches. */
  const failing = (tx: Transaction) =>
    Effect.ignore(Effect.timeout(store.queryIn(tx)("INSERT INTO no_table_of_the_shop VALUES (1)", []), "30 seconds"))

  /** A call of the ledger must end, and fail as it is said to. */
  const watched = <A, E>(name: string, call: Effect.Effect<A, E>): Effect.Effect<A | undefined> =>
    Effect.suspend(() => {
      const watching = { name, process, since: simulator.now, limit: callLimit, isHurried: false }
      observation.calls.add(watching)
      return call.pipe(
        Effect.tapCause((cause) =>
          Effect.sync(() => {
            judge.said(name, Cause.pretty(cause))
            if (Cause.hasDies(cause)) judge.violate("typed", `${name} died: ${Cause.pretty(cause)}`)
            else simulator.tell(process, `${name} failed: ${String(Cause.squash(cause))}`)
          })
        ),
        Effect.onExit(() =>
          Effect.sync(() => {
            observation.calls.delete(watching)
            observation.callsEnded++
            if (simulator.now - watching.since > callLimit) judge.violate("limits", `${name} took too long`)
          })
        ),
        Effect.catchCause(() => Effect.as(Effect.void, undefined))
      )
    })

  const program = Effect.gen(function* () {
    const stopped = yield* Deferred.make<void>()
    const run = yield* FiberSet.makeRuntime<never, unknown, never>()
    /** Someone opens the page of an order just when the ledger has read a payment of it, truly or not. */
    const onRead = (paymentId: number) => {
      const chance = simulator.chance(`page ${process.name} ${paymentId} ${simulator.now}`)
      const orderNumber = ledgerJudge.orderOf(paymentId)
      if (orderNumber === undefined || isQuiet() || !chance.percent(50)) return
      simulator.after(process, chance.below(300), () => run(watched(`page of ${orderNumber}`, page(orderNumber))))
    }
    const page = (orderNumber: string) =>
      Effect.gen(function* () {
        const before = ledgerJudge.rowsOf(orderNumber)
        const order = yield* core.getOrder(orderNumber)
        if (order !== undefined && ledgerJudge.rowsOf(orderNumber) === before) ledgerJudge.written(order, false)
      })
    const gateway = named(fromService(yield* Client.Gateway), ledgerJudge, onRead)
    const core: LedgerCore<Transaction> = yield* wireLedger<Transaction>({
      trace: untraced,
      watch: unwatched,
      outside: Effect.void,
      gateway,
      database: store,
      lease,
      escalateAfter,
      pollEvery: isLate() ? 300_000 : pollEvery,
      onAttention: (item) =>
        Effect.sync(() => {
          judge.said("onAttention", JSON.stringify(item))
          ledgerJudge.asks(item)
          simulator.tell(process, `needs an operator: ${item.kind} ${item.key}: ${item.message}`)
        }),
      onChange: ({ eventId, key, outcome, tx }) =>
        Effect.gen(function* () {
          const chance = simulator.chance(`change handler ${eventId} ${simulator.now}`)
          yield* Effect.sleep(chance.below(60))
          if (!isQuiet() && chance.percent(handlerFails / 4)) yield* failing(tx)
          yield* Effect.timeout(
            store.queryIn(tx)("INSERT INTO reported_change (event_id, key, outcome) VALUES (?, ?, ?)", [
              eventId,
              key,
              outcome._tag
            ]),
            "30 seconds"
          )
          if (!isQuiet() && chance.percent(handlerFails)) yield* Effect.fail(new Error("the shop's handler failed"))
        }).pipe(Effect.uninterruptible),
      onPayment: ({ eventId, moved, order, payment, status, tx }) =>
        Effect.gen(function* () {
          const chance = simulator.chance(`handler ${eventId} ${simulator.now}`)
          yield* Effect.sleep(chance.below(60))
          const isLate = !isQuiet() && chance.percent(handlerFails / 2)
          if (isLate) yield* Effect.sleep(chance.pick(59, 61, 75, 75, 200) * 1_000)
          if (!isQuiet() && chance.percent(handlerFails / 4)) yield* failing(tx)
          // A statement of a transaction has its limit.
          yield* Effect.timeout(
            store.queryIn(tx)(
              "INSERT INTO reported (event_id, payment_id, order_number, status, captured, refunded, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
              [eventId, moved.paymentId, order.orderNumber, moved.status, moved.captured, moved.refunded, payment.state]
            ),
            "30 seconds"
          )
          // The handler that the documents show.
          yield* Effect.timeout(
            store.queryIn(tx)("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber]),
            "30 seconds"
          )
          if (moved.status === "paid" && ledgerJudge.isThanked(order.orderNumber)) {
            yield* core.submit(tx, ledgerJudge.thanks(moved.paymentId), { refund: moved.paymentId, amount: 100 })
          }
          if (!isQuiet() && chance.percent(handlerFails)) yield* Effect.fail(new Error("the shop's handler failed"))
          // As promises are, it is not interrupted.
        }).pipe(Effect.uninterruptible, (handler) =>
          simulator.chance(`carelessness ${eventId} ${simulator.now}`).percent(handlerFails / 2)
            ? Effect.ignore(handler)
            : handler
        )
    })
    yield* Effect.retry(core.migrate, { while: () => Effect.as(Effect.sleep(500), true) })
    const { restoredTo } = database
    if (restoredTo !== undefined) {
      const distrusted = core.operator.distrust({ since: new Date(restoredTo) })
      yield* Effect.retry(distrusted, { while: () => Effect.as(Effect.sleep(500), true) })
      database.restoredTo = undefined
    }
    yield* Effect.forkScoped(core.runWorker)

    /** The payment that a change is of. */
    const targetOf = ({ of }: KeyedChange) =>
      typeof of === "number" ? Effect.succeed(of) : Effect.map(core.getOrder(of.order), (order) => order?.paymentId)

    /** A transaction of the shop's own, which waits no longer than a minute. */
    const inTransaction = <E>(run: (tx: Transaction) => Effect.Effect<void, E>) => {
      const late = Effect.fail(unavailable("the shop's transaction does not end"))
      return Effect.timeoutOrElse(store.transaction<void, E | StoreError>(run, late), {
        duration: "1 minute",
        orElse: () => late
      })
    }

    const change = (event: Extract<PlannedEvent, { readonly kind: "change" }>) =>
      Effect.gen(function* () {
        const { key, way } = event
        const id = yield* targetOf(event.change)
        if (id === undefined) return
        // Whoever asks spells the payment's id as it came to him.
        const submitted = submittedOf(
          event.change,
          simulator.chance(`spelling ${event.name}`).percent(30) ? `00${id}` : id
        )
        const taken: Effect.Effect<ChangeOutcome | undefined, ChangeError> = way.startsWith("submitted")
          ? Effect.as(
              inTransaction((tx) =>
                Effect.andThen(
                  core.submit(tx, key, submitted),
                  !isQuiet() && simulator.chance(`duplicate ${key} ${simulator.now}`).percent(handlerFails / 4)
                    ? failing(tx)
                    : Effect.void
                )
              ),
              undefined
            )
          : submittedBy(core, key, submitted, way === "waited for" ? 30_000 : 0)
        if (way === "submitted, and rolled back") {
          ledgerJudge.rolledBack.add(key)
          const half = inTransaction((tx) =>
            Effect.andThen(core.submit(tx, key, submitted), Effect.fail(new RolledBack()))
          )
          return yield* Effect.ignore(half)
        }
        const result = yield* Effect.result(taken)
        if (result._tag === "Success") {
          ledgerJudge.accepted.add(key)
          if (result.success !== undefined) ledgerJudge.answered(key, result.success)
        } else {
          if (result.failure.reason._tag !== "LedgerUnavailable" && typeof event.change.of === "number") {
            judge.violate("same", `${key} failed: ${result.failure.reason._tag}`)
          }
          return yield* Effect.fail(result.failure)
        }
      })

    const sell = (event: Extract<PlannedEvent, { readonly kind: "sale" }>) =>
      Effect.gen(function* () {
        const { orderNumber, payWithin, replace } = event.sale
        const since = simulator.now
        const order = yield* core.checkout(orderNumber, requestOf(event.sale), {
          replace,
          waitAtMost: 20_000,
          ...(payWithin === undefined ? {} : { payWithin }),
          hold: event.sale.hold
        })
        simulator.tell(process, `order ${orderNumber} is ${JSON.stringify(order)}`)
        ledgerJudge.stands(order, since)
        if (order.status === "open") surroundings.onAddress(event, order.paymentId)
      })

    const decide = Effect.gen(function* () {
      for (const {
        decisions,
        key,
        kind,
        message,
        operation,
        paymentId = 0,
        version
      } of yield* core.operator.listAttention()) {
        if (key.startsWith("order:") || kind === "CredentialsRefused" || kind === "DecisionContradicted") continue
        const strange =
          kind === "StrangeRefund" ? (/refund ([\d, ]+) of this/.exec(message)?.[1]?.split(", ") ?? []) : []
        if (strange.length > 0 && observation.truthOf(key).taken === 0 && ledgerJudge.areByHand(paymentId, strange)) {
          simulator.tell(process, `an operator acknowledges refund ${strange.join(", ")}`)
          const reason = { by: "Jana", note: "made by hand" }
          yield* Effect.result(Effect.forEach(strange, (id) => core.operator.acknowledgeRefund(paymentId, id, reason)))
          continue
        }
        const isTaken = observation.truthOf(key).taken > 0
        // What the database does not know to have been sent is bound to the refund that stops it.
        const [refundId] = strange
        const as = !decisions.includes("byHand")
          ? isTaken
            ? "done"
            : decisions.includes("cancelled")
              ? "cancelled"
              : "notDone"
          : isTaken && refundId !== undefined
            ? "byHand"
            : "cancelled"
        ledgerJudge.decidedByOperator.add(key)
        simulator.tell(process, `an operator decides of ${key} (${kind}): ${as}`)
        const chargeId = operation === "createRecurrence" && as === "done" ? observation.truthOf(key).id : undefined
        yield* Effect.result(
          core.operator.resolveChange(key, {
            version,
            as,
            refundId,
            chargeId,
            by: "Jana",
            note: "as GoPay's administration shows"
          })
        )
      }
    })

    const performed = (event: PlannedEvent): Effect.Effect<unknown> => {
      switch (event.kind) {
        case "change":
          return watched(event.name, change(event))
        case "sale":
          return watched(event.name, sell(event))
        case "decide":
          return watched(event.name, decide)
        default:
          return Effect.void
      }
    }

    const handle = core.notificationHandler({
      onError: (error) => Effect.sync(() => judge.said("onError", `${String(error)} ${JSON.stringify(error)}`))
    })
    onReady({
      perform: (event) => process.soon(() => run(performed(event))),
      comeBack: (paymentId) =>
        process.soon(() => {
          const since = simulator.now
          const seen = Effect.tap(core.verifyReturn(`https://shop.example/return?id=${paymentId}`), (order) =>
            Effect.sync(() => ledgerJudge.stands(order, since))
          )
          run(watched(`return from ${paymentId}`, seen))
        }),
      notify: (url, onStatus) =>
        process.soon(() => {
          run(handle({ method: "GET", url })).addObserver((exit) => {
            if (exit._tag === "Success") onStatus(exit.value)
          })
        }),
      sweep: (onEnd) =>
        process.soon(() => {
          const began = simulator.now
          const all = Effect.gen(function* () {
            const attention = yield* core.operator.listAttention()
            for (const key of ledgerJudge.accepted) {
              const outcome = yield* core.getOutcome(key)
              if (outcome === undefined) judge.violate("kept", `${key} is lost`)
              else ledgerJudge.ended(key, outcome, attention)
            }
            for (const sale of ledgerJudge.sales) {
              const since = simulator.now
              const present = yield* core.getOrder(sale.orderNumber)
              if (present !== undefined) ledgerJudge.written(present, true)
              const order = yield* core.checkout(sale.orderNumber, requestOf(sale))
              ledgerJudge.stands(order, since)
              ledgerJudge.orderEnded(sale, order, attention)
            }
            ledgerJudge.end(attention, began)
          })
          const ended = Effect.tapCause(all, (cause) =>
            Effect.sync(() => judge.violate("readable", `the end cannot be seen: ${Cause.pretty(cause)}`))
          )
          run(Effect.exit(ended)).addObserver(onEnd)
        }),
      stop: () => process.soon(() => Deferred.doneUnsafe(stopped, Effect.void))
    })
    yield* Deferred.await(stopped)
  })

  const services = Context.make(Logger.CurrentLoggers, new Set([logger]))
  process.start(program.pipe(Effect.provide(layer), Effect.scoped), services, (exit) => {
    if (exit._tag === "Failure") judge.violate("typed", `the program of ${process.name} ended: ${String(exit.cause)}`)
    else ledgerJudge.closed(process)
  })
}

/** The network knows a request by the key of its change, or by the payment that it creates. */
const named = (gateway: LedgerGateway, judge: LedgerJudge, onRead: (paymentId: number) => void): LedgerGateway => {
  const naming = (name: string) => Effect.provideService(CallName, name)
  return {
    ...gateway,
    createPayment: (request, maySend) => {
      const name = judge.nameOfCreation(request.order_number, attemptIn(request))
      return naming(name)(gateway.createPayment(request, maySend))
    },
    reads: {
      ...gateway.reads,
      getPayment: (id) =>
        Effect.tap(naming(`read of ${id}`)(gateway.reads.getPayment(id)), () => Effect.sync(() => onRead(Number(id)))),
      getPaymentRefunds: (id) => naming(`refunds of ${id}`)(gateway.reads.getPaymentRefunds(id))
    },
    listRefunds: (id) => naming(`refunds of ${id}`)(gateway.listRefunds(id)),
    send: (row, maySend) => naming(row.key)(gateway.send(row, maySend)),
    charge: (firstPaymentId, request, maySend) =>
      naming(judge.keyOfCharge(attemptIn(request)))(gateway.charge(firstPaymentId, request, maySend))
  }
}

/** The ledger's name for an attempt to create a payment. */
const attemptIn = ({ additional_params = [] }: Pick<Client.CreatePaymentRequest, "additional_params">): string =>
  additional_params.find(({ name }) => name === "effect-gopay")?.value ?? ""

const requestOf = ({ amount, hold, isByCard, isRecurring }: Sale): CheckoutRequest => ({
  amount,
  currency: "CZK",
  callback: { return_url: "https://shop.example/return", notification_url: notificationUrl },
  payer: { ...payer, ...(isByCard ? { allowed_card_token: "a-stored-card" } : {}) },
  ...(hold !== undefined ? { preauthorization: true } : {}),
  ...(isRecurring === true
    ? { recurrence: { recurrence_cycle: "ON_DEMAND" as const, recurrence_date_to: "2099-12-31" } }
    : {})
})

const submittedOf = (
  { amount = 0, operation, orderNumber = "" }: KeyedChange,
  id: Client.GatewayId
): SubmittedChange => {
  switch (operation) {
    case "refund":
      return { refund: id, amount }
    case "capture":
      return { capture: id }
    case "capturePartial":
      return { capturePartial: id, amount }
    case "release":
      return { release: id }
    case "charge":
      return { charge: id, amount, currency: "CZK", order_number: orderNumber }
  }
}

const submittedBy = (
  core: LedgerCore<Transaction>,
  key: string,
  change: SubmittedChange,
  waitAtMost: number
): Effect.Effect<ChangeOutcome, ChangeError> => {
  const options = { waitAtMost }
  if ("refund" in change) return core.refund(key, change.refund, change, options)
  if ("charge" in change) return core.charge(key, change.charge, change, options)
  if ("capturePartial" in change) return core.capturePartial(key, change.capturePartial, change, options)
  return "capture" in change ? core.capture(key, change.capture, options) : core.release(key, change.release, options)
}
