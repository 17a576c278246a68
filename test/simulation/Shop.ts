/**
 * A shop of several processes: its memory, which outlives them, and the program that runs in each.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Client from "../../src/index.js"
import { RequestBound } from "../../src/client/transport/Lease.js"
import { prepareChange } from "../support/PreparedChange.js"
import type { Chance } from "./Chance.js"
import type { Judge, Reported } from "./Invariants.js"
import { CallName, type Network } from "./Network.js"
import type { Observation } from "./Observation.js"
import { notificationUrl, type Plan, type PlannedChange, type PlannedEvent } from "./Plan.js"
import { encryption, type SimulatedStore, TokenEncryption } from "./SimulatedStore.js"
import type { Process, Simulator } from "./Simulator.js"

/** A change that is about to be made, or was. */
export interface OpenChange {
  readonly change: PlannedChange
  readonly record: Client.ChangeRecord
  reported: Reported | undefined
}

/** A state that the shop's handler has taken note of. */
interface Handled {
  readonly at: number
  readonly state: string
}

/** What a shop knows: its database. */
export class Memory {
  readonly changes = new Map<string, OpenChange>()
  readonly orders = new Map<number, Client.ExpectedPayment>()
  readonly handled = new Map<number, Array<Handled>>()
  /** The charges that notifications named, by their parents. */
  readonly charges = new Map<number, Array<number>>()
}

/** What a process does when it is asked to. */
export interface RunningShop {
  readonly perform: (event: PlannedEvent) => void
  readonly notify: (url: string, onStatus: (status: number) => void) => void
  /** A payer comes back to it. */
  readonly comeBack?: (paymentId: number) => void
  /** Finds out what became of every change; calls back when all is found out. */
  readonly sweep: (onEnd: () => void) => void
  readonly stop: () => void
}

export interface Surroundings {
  readonly simulator: Simulator
  readonly plan: Plan
  readonly observation: Observation
  readonly judge: Judge
  readonly network: Network
  readonly store: SimulatedStore
  readonly memory: Memory
  readonly options: Client.GatewayOptions
  readonly isQuiet: () => boolean
  /** Called with a payment that the shop has made, so that someone can pay it. */
  readonly onOrder: (name: string, paymentId: number) => void
}

/** Who pays. */
export const payer = {
  contact: {
    first_name: "Zbyhněv",
    last_name: "Žlutoučký",
    email: "zbyhnev.zlutoucky@example.com",
    phone_number: "+420777456123"
  }
}

/** Data of a payer that must not be revealed. */
export const payerSecrets: ReadonlyArray<string> = [payer.contact.email, payer.contact.phone_number]

const attempts = 6

const tokenLimit = 150_000

/** Starts the shop's program in a process; returns its calls, once it is ready. */
export const startShop = (process: Process, surroundings: Surroundings, onReady: (shop: RunningShop) => void): void => {
  const { judge, memory, network, observation, options, plan, store, simulator } = surroundings
  const busy = new Set<number>()

  const layer = Client.Gateway.layerNoDeps.pipe(
    Layer.provide(
      plan.store === "none"
        ? Client.AccessToken.layer
        : Layer.provide(Client.AccessToken.layerPersisted, store.layerFor(process))
    ),
    Layer.provide(Client.GatewayConfig.layer(options)),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, network.clientOf(process)))
  )

  const logger = Logger.make((entry) => {
    judge.said("the log", JSON.stringify(Logger.formatStructured.log(entry)))
  })

  const limitOf = (kind: "read" | "change", isHurried: boolean): number => {
    const attempt = isHurried ? hurry : plan.timeout
    const token = isHurried ? hurry : tokenLimit
    return (kind === "read" ? 120_000 : 0) + 3 * (attempt + token) + 1_000
  }

  /** Watches a call: how long it takes, and what it says when it fails. */
  const watched = <A, R>(
    name: string,
    kind: "read" | "change",
    isHurried: boolean,
    call: Effect.Effect<A, Client.GatewayError, R>
  ): Effect.Effect<A, Client.GatewayError, R> =>
    Effect.suspend(() => {
      const watching = { name, process, since: simulator.now, limit: limitOf(kind, isHurried), isHurried }
      observation.calls.add(watching)
      return call.pipe(
        Effect.provideService(CallName, name),
        isHurried ? Effect.provideService(Client.AttemptTimeout, hurry) : (call) => call,
        Effect.onExit((exit) =>
          Effect.sync(() => {
            observation.calls.delete(watching)
            judge.ended(watching, exit)
          })
        )
      )
    })

  const read = <A>(name: string, call: Effect.Effect<A, Client.GatewayError, Client.Gateway>, isHurried = false) =>
    Effect.result(watched(`read ${name}`, "read", isHurried, call))

  /** A step of the shop's database. */
  const database = (chance: Chance): Effect.Effect<void, Error> =>
    Effect.suspend(() =>
      Effect.andThen(
        Effect.sleep(chance.between(1, 30)),
        !surroundings.isQuiet() && chance.percent(plan.trouble / 4)
          ? Effect.fail(new Error("the database is down"))
          : Effect.void
      )
    )

  const tell = (open: OpenChange, reported: Reported) =>
    Effect.sync(() => {
      open.reported = reported
      simulator.tell(process, `${open.change.name} is ${reported.outcome} (${reported.why})`)
      judge.reported(open.change, reported)
    })

  /** Makes a change again for as long as its error says that this is safe. */
  const insist = (
    change: PlannedChange,
    call: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>,
    isHurried: boolean,
    left = attempts
  ): Effect.Effect<Reported, never, Client.Gateway> =>
    Effect.matchEffect(watched(change.name, "change", isHurried, call), {
      onSuccess: (response) =>
        Effect.succeed<Reported>({
          outcome: Predicate.hasProperty(response, "result") && response.result === "ACCEPTED" ? "accepted" : "done",
          why: "success",
          id: Predicate.hasProperty(response, "id") ? Number(response.id) : undefined
        }),
      onFailure: ({ reason }) =>
        reason.isRetryable && left > 1
          ? Effect.andThen(Effect.sleep(500), insist(change, call, isHurried, left - 1))
          : Effect.succeed<Reported>({
              outcome: reason._tag === "OutcomeUnknown" ? "undecided" : "notDone",
              why: reason._tag
            })
    })

  const lookFor = (open: OpenChange, isLast: boolean) =>
    Effect.gen(function* () {
      const { change } = open
      // Charges of one order number cannot be distinguished.
      const charges = change.orderNumber === undefined ? (memory.charges.get(change.id) ?? []) : []
      const any =
        charges[simulator.chance(`charge of ${change.name} ${simulator.now}`).below(Math.max(1, charges.length))]
      const childId = isLast ? observation.truthOf(change.name).id : any
      const record = change.operation === "createRecurrence" ? { ...open.record, childId } : open.record
      const found = yield* read(`to reconcile ${open.change.name}`, Client.reconcile(record))
      if (Result.isFailure(found)) {
        simulator.tell(process, `${open.change.name} cannot be read (${found.failure.reason._tag})`)
        return undefined
      }
      simulator.tell(process, `${open.change.name} is found: ${found.success._tag}`)
      judge.found(open.change, found.success, isLast)
      return found.success
    })

  const conclude = (open: OpenChange) =>
    Effect.gen(function* () {
      const found = yield* lookFor(open, false)
      if (found?._tag === "Happened" && !found.isPending) open.reported = { outcome: "done", why: found._tag }
      if (found?._tag === "DidNotHappen") open.reported = { outcome: "notDone", why: found._tag }
    })

  const make = (change: PlannedChange, isOnlyWriter: boolean, isHurried: boolean) =>
    Effect.gen(function* () {
      const refundsBefore =
        change.operation === "refundPayment"
          ? Result.getOrUndefined(yield* read(`refunds before ${change.name}`, Client.getPaymentRefunds(change.id)))
          : undefined
      if (change.operation === "createRecurrence") {
        yield* read(`payment before ${change.name}`, Client.getPayment(change.id))
      }
      const sentAt = new Date(yield* Clock.currentTimeMillis)
      const { call, record } = prepareChange(
        { ...change, orderNumber: change.orderNumber ?? change.name, order: { callback, payer } },
        { sentAt, refundsBefore, isOnlyWriter }
      )
      const open: OpenChange = { change, record, reported: undefined }
      memory.changes.set(change.name, open)
      let isInDoubt = false
      // What was answered before the interruption came is the shop's own to lose.
      let isAnswered = false
      const answering = Effect.onExit(
        Effect.suspend(() => {
          isAnswered = false
          return call
        }),
        (exit) => Effect.sync(() => (isAnswered = exit._tag === "Success" || !Cause.hasInterrupts(exit.cause)))
      )
      const reported: Reported = yield* insist(change, answering, isHurried).pipe(
        Effect.provideService(Client.OnUnknownOutcome, (record) =>
          Effect.sync(() => {
            judge.said("OnUnknownOutcome", JSON.stringify(record))
            isInDoubt = true
          })
        ),
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            simulator.tell(process, `${change.name} is interrupted${isInDoubt ? ", in doubt" : ""}`)
            if (isInDoubt) open.reported = { outcome: "undecided", why: "interrupted" }
            else if (!isAnswered) judge.interruptedUnreported(change)
          })
        )
      )
      if (reported.outcome === "done" && change.operation === "createPayment" && reported.id !== undefined) {
        memory.orders.set(reported.id, expectedOf(change))
        surroundings.onOrder(change.name, reported.id)
      }
      yield* tell(open, reported)
      if (reported.outcome === "undecided") yield* conclude(open)
      return open.reported
    })

  const performed = (event: PlannedEvent): Effect.Effect<unknown, never, Client.Gateway> => {
    switch (event.kind) {
      case "changes": {
        const all = Effect.gen(function* () {
          let isDecided = true
          for (const change of event.changes) {
            const reported: Reported | undefined = yield* make(change, event.isOnlyWriter && isDecided, event.isHurried)
            isDecided =
              isDecided && reported !== undefined && (reported.outcome === "done" || reported.outcome === "notDone")
          }
        })
        const { interruptAfter } = event
        return interruptAfter === undefined
          ? all
          : Effect.flatMap(Effect.forkChild(all), (fiber) =>
              Effect.andThen(Effect.sleep(interruptAfter), Fiber.interrupt(fiber))
            )
      }
      case "reads":
        return Effect.forEach(
          event.ids,
          (id, index) => read(`${event.name}.${index}`, Client.getPayment(id), event.isHurried),
          { concurrency: "unbounded" }
        )
      case "rush":
        return read(`${event.name} of ${process.name}`, Client.getPayment(event.id))
      case "await":
        return Effect.result(
          watched(`read ${event.name}`, "change", false, Client.awaitPayment(event.id, { waitAtMost: 60_000 }))
        )
      case "order":
        return make(event.order, true, false)
      default:
        return Effect.void
    }
  }

  const program = Effect.gen(function* () {
    const stopped = yield* Deferred.make<void>()
    const handle = yield* Client.makeNotificationHandler<Client.ExpectedPayment>({
      expected: (id) => Effect.as(database(simulator.chance(`expected ${id} ${simulator.now}`)), memory.orders.get(id)),
      handler: ({ order, orderOf, payment }) =>
        Effect.gen(function* () {
          const { id, parent_id, state } = payment
          const known = memory.orders.get(orderOf === "parent" ? (parent_id ?? 0) : id)
          if (known !== order) judge.violate("known", `it was told of payment ${id} with an order that is not its`)
          if (busy.has(id)) judge.violate("known", `it was told of payment ${id} twice at once`)
          busy.add(id)
          yield* Effect.ensuring(
            database(simulator.chance(`handler ${id} ${simulator.now}`)),
            Effect.sync(() => busy.delete(id))
          )
          if (parent_id !== undefined) memory.charges.set(parent_id, [...(memory.charges.get(parent_id) ?? []), id])
          const handled = memory.handled.get(id) ?? []
          handled.push({ at: simulator.now, state })
          memory.handled.set(id, handled)
          simulator.tell(process, `takes note that payment ${id} is ${state}`)
        }),
      onError: (error) =>
        Effect.sync(() => {
          judge.said("onError", `${String(error)} ${JSON.stringify(error)}`)
          if (error.reason._tag === "TooManyReads" && error.reason.limit === "knownReadsPerMinute") {
            judge.violate("through", `a notification of payment ${error.reason.paymentId} was refused for its limit`)
          }
        })
    })
    const run = yield* FiberSet.makeRuntime<Client.Gateway, unknown, never>()

    onReady({
      perform: (event) => process.soon(() => run(performed(event))),
      notify: (url, onStatus) =>
        process.soon(() => {
          run(handle({ method: "GET", url })).addObserver((exit) => {
            if (exit._tag === "Success") onStatus(exit.value)
          })
        }),
      sweep: (onEnd) =>
        process.soon(() => {
          const all = Effect.forEach([...memory.changes.values()], (open) => lookFor(open, true), { discard: true })
          run(all).addObserver(onEnd)
        }),
      stop: () => process.soon(() => Deferred.doneUnsafe(stopped, Effect.void))
    })

    for (const open of memory.changes.values()) {
      if (open.reported === undefined && open.change.name in begunBefore) yield* conclude(open)
    }
    yield* Deferred.await(stopped)
  })

  // What an earlier process was about to do when it died; others of the fleet may still be at theirs.
  const begunBefore: Record<string, true> = {}
  for (const name of surroundings.memory.changes.keys()) begunBefore[name] = true

  const services = Context.make(TokenEncryption, encryption).pipe(
    Context.add(RequestBound, plan.isRequestBound),
    Context.add(Logger.CurrentLoggers, new Set([logger])),
    Context.add(
      References.MinimumLogLevel,
      simulator.chance(`log level ${process.name}`).percent(20) ? "Debug" : "Info"
    )
  )
  process.start(program.pipe(Effect.provide(layer), Effect.scoped), services, (exit) => {
    if (exit._tag === "Failure") judge.violate("typed", `the program of ${process.name} ended: ${String(exit.cause)}`)
  })
}

const hurry = 1_500

const callback = { return_url: "https://shop.example/return", notification_url: notificationUrl }

const expectedOf = ({ amount, name }: PlannedChange): Client.ExpectedPayment => ({
  order_number: name,
  amount,
  currency: "CZK"
})
