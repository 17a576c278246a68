/**
 * The ledger for callers who do not use Effect.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import { type ClientPort, portOf } from "../../client/call/ClientPort.js"
import { GatewayError } from "../../client/error/GatewayError.js"
import * as GatewayErrors from "../../client/error/YieldableGatewayError.js"
import { NotificationError } from "../../client/notification/Notification.js"
import { responseHeaders } from "../../client/notification/Deliveries.js"
import type * as NotificationErrors from "../../client/notification/NotificationError.js"
import { inTransaction, isInTransaction, outsideTransactions } from "../store/asyncContext.js"
import { type LedgerCore, wireLedger } from "../wireLedger.js"
import { fromStore } from "../store/Database.js"
import { isSetting } from "../store/LedgerSettings.js"
import { type GatewayCalls, notOwnClient, overCalls } from "../model/LedgerGateway.js"
import { type BooksPlace, mapCalls, type Programs } from "../model/LedgerService.js"
import { unwatched } from "../model/ChangeWatch.js"
import { untraced } from "../model/Trace.js"
import { withinTransaction } from "../model/LedgerArguments.js"
import { LedgerError } from "../model/LedgerError.js"
import type { LedgerStore } from "../model/LedgerStore.js"
import type { LedgerOperations, OperatorOperations } from "../model/LedgerOperations.js"
import type * as LedgerErrors from "../model/YieldableLedgerError.js"
import type { Ledger, LedgerOptions, Promises } from "./Ledger.js"

/**
 * Makes a ledger over the shop's own database. Nothing is sent and no table is checked before its first call.
 *
 * ```ts
 * await using ledger = createLedger({ gateway, store: fileStore("gopay.db") })
 * await ledger.migrate()
 * const outcome = await ledger.refund("complaint-77", paymentId, { amount: 50_000 })
 * ```
 *
 * @throws TypeError when an option is missing, wrong or unknown
 */
export const createLedger = <Tx>(options: LedgerOptions<Tx>): Ledger<Tx> => {
  const port = checkOptions(options)
  const { store } = options
  const scope = Scope.makeUnsafe()
  const { operator, ...core } = wired(options, port, scope)
  const { notificationHandler, runWorker, submit, ...calls } = core
  const { checkOpen, close, run, runWithin, startWorker } = lifeOf(store, scope, runWorker)
  const { pageOfBookedOrders, ...operatorCalls } = operator

  const ledger: Ledger<Tx> = {
    ...promisesOf<Omit<LedgerOperations<Tx>, "submit">>(calls, run),
    operator: {
      ...promisesOf<OperatorOperations>(operatorCalls, run),
      listBookedOrders: async function* (options = {}) {
        for (let after: BooksPlace | undefined; ;) {
          const { next, orders } = await run(pageOfBookedOrders(options, after))
          yield* orders
          if (next === undefined) return
          after = next
        }
      }
    },
    notificationHandler: ({ limits, onError } = {}) => {
      const handle = notificationHandler({
        limits,
        onError:
          onError && ((error, notification) => Effect.promise(async () => onError(withoutEffect(error), notification)))
      })
      return async (request) => {
        const status = await outsideTransactions(() => Effect.runPromise(handle(request)))
        return new Response(null, { status, headers: responseHeaders(status) })
      }
    },
    submit: (...args) => runWithin(submit(...args)),
    submitSync: (...args) => {
      checkOpen()
      if (store.queryInSync?.(args[0]) === undefined) {
        throw new TypeError("submitSync: this transaction is not one of sqliteTransaction(connection). Use submit.")
      }
      const exit = Effect.runSyncExit(submit(...args))
      if (Exit.isFailure(exit)) throw errorOf(exit.cause)
    },
    startWorker,
    close,
    [Symbol.asyncDispose]: close
  }
  return ledger
}

/** The ledger's programs over the client's port. Fails at once if an option is wrong. */
const wired = <Tx>(options: LedgerOptions<Tx>, port: ClientPort, scope: Scope.Scope): LedgerCore<Tx> => {
  const { gateway: _, onAttention, onChange, onPayment, onSubscription, store, ...settings } = options
  return Effect.runSync(
    wireLedger<Tx>({
      ...settings,
      database: fromStore(store),
      gateway: overCalls(callsOf(port)),
      trace: untraced,
      watch: unwatched,
      outside: Effect.void,
      onChange: onChange && handlerOf(onChange),
      onPayment: onPayment && handlerOf(onPayment),
      onSubscription: onSubscription && handlerOf(onSubscription),
      onAttention: onAttention && ((item) => Effect.promise(async () => onAttention(item)))
    }).pipe(
      Effect.catch(({ message }) => Effect.die(new TypeError(message))),
      Effect.provideService(Scope.Scope, scope)
    )
  )
}

/** How a ledger runs its calls until it is closed. */
const lifeOf = (store: Pick<LedgerStore<never>, "close">, scope: Scope.Closeable, runWorker: Effect.Effect<never>) => {
  let worker: Fiber.Fiber<never> | undefined
  let closed: Promise<void> | undefined

  /** Runs a call that is not allowed within a transaction. */
  const run = async <A>(program: Effect.Effect<A, Failure>): Promise<A> => {
    if (isInTransaction()) throw errorOf(Cause.fail(withinTransaction()))
    return runWithin(program)
  }

  const runWithin = async <A>(program: Effect.Effect<A, Failure>): Promise<A> => {
    if (closed !== undefined) throw closedError()
    const exit = await outsideTransactions(() => Effect.runPromiseExit(program))
    if (Exit.isSuccess(exit)) return exit.value
    throw errorOf(exit.cause)
  }

  const close = async (): Promise<void> => {
    if (isInTransaction()) throw errorOf(Cause.fail(withinTransaction()))
    closed ??= (async () => {
      if (worker !== undefined) await Effect.runPromise(Fiber.interrupt(worker))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await store.close()
    })()
    await closed
  }

  return {
    checkOpen: (): void => {
      if (closed !== undefined) throw closedError()
    },
    close,
    run,
    runWithin,
    startWorker: (): void => {
      if (closed === undefined) worker ??= outsideTransactions(() => Effect.runFork(runWorker))
    }
  }
}

type Failure = LedgerErrors.LedgerError | GatewayErrors.GatewayError | NotificationErrors.NotificationError

/** Calls as promises. */
const promisesOf = <Operations extends Record<keyof Operations, (...args: never) => unknown>>(
  calls: Programs<Operations>,
  run: <A>(program: Effect.Effect<A, Failure>) => Promise<A>
): Promises<Operations> => {
  const promises = mapCalls(
    calls,
    (call) =>
      (...args: ReadonlyArray<unknown>) =>
        run(Effect.isEffect(call) ? call : Effect.suspend(() => call(...args)))
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parameters and the result of a promise are its call's
  return promises as Promises<Operations>
}

const handlerNames: ReadonlySet<string> = new Set(["onAttention", "onChange", "onPayment", "onSubscription"])

/** Checks the options of callers without types: a misspelt handler would never be called. */
const checkOptions = (options: object): ClientPort => {
  const { gateway, store, ...others }: { readonly [name: string]: unknown } = { ...options }
  const port = Predicate.isObject(gateway) ? portOf(gateway) : undefined
  const problems = [
    ...(port?.style === "promise" ? [] : [`gateway ${notOwnClient("createGatewayClient")}`]),
    ...(Predicate.hasProperty(store, "query") ? [] : ['store must be a store, such as fileStore("gopay.db") makes']),
    ...Object.entries(others).flatMap(([name, value]) => {
      if (handlerNames.has(name))
        return value === undefined || typeof value === "function" ? [] : [`${name} must be a function`]
      return isSetting(name) ? [] : [`there is no option ${name}`]
    })
  ]
  if (port?.style !== "promise" || problems.length > 0) {
    throw new TypeError(`The options of the ledger are wrong: ${problems.join("; ")}.`)
  }
  return port
}

const closedError = (): LedgerError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message: "This ledger is closed. Nothing was recorded." } })

/** The error that a call rejects with. */
const errorOf = (cause: Cause.Cause<Failure>): unknown => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isNone(failure)) return Cause.squash(cause)
  const error = failure.value
  return error._tag === "LedgerError"
    ? new LedgerError({ reason: error.reason, cause: error.cause })
    : withoutEffect(error)
}

/** A handler of the shop as a program that cannot be interrupted. */
const handlerOf =
  <Event>(handler: (event: Event) => unknown) =>
  (event: Event): Effect.Effect<unknown> =>
    Effect.uninterruptible(Effect.promise(() => inTransaction(async () => handler(event))))

/** The errors of programs as errors without anything of Effect. */
const withoutEffect = (
  error: GatewayErrors.GatewayError | NotificationErrors.NotificationError
): GatewayError | NotificationError =>
  error._tag === "GatewayError" ? new GatewayError(error) : new NotificationError(error)

/** The calls of a promise client, through its port. */
const callsOf = ({ baseUrl, goid, send }: ClientPort): GatewayCalls => ({
  goid: Effect.succeed(goid),
  baseUrl: Effect.succeed(baseUrl),
  call: (operation, args, { maySend, onResponse } = {}) => {
    const check = maySend && (() => Effect.runPromise(maySend))
    return Effect.flatMap(
      Effect.promise((signal) => send({ operation, args }, { check, onResponse, signal })),
      (settled) =>
        "failure" in settled
          ? Effect.fail(new GatewayErrors.GatewayError(settled.failure))
          : Effect.succeed(settled.response)
    )
  }
})
