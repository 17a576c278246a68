/**
 * A local gateway, a store, and processes of a shop that share it, all by a clock that the test moves.
 */
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import * as Scope from "effect/Scope"
import type * as Duration from "effect/Duration"
import {
  createPayment,
  Gateway,
  type GatewayError,
  type GatewayLayerOptions,
  type GatewayService,
  getPaymentRefunds,
  refundPayment
} from "../../src/index.js"
import {
  type AttentionItem,
  type LedgerOptions,
  type LedgerService,
  type SqliteTransaction,
  type SqlQuery
} from "../../src/ledger/index.js"
import { makeLedger } from "../../src/ledger/index.js"
import { LocalGateway, type LocalGatewayOptions } from "../../src/local-gateway/index.js"
import { makeFailingStore, type FailingStore } from "./FailingStore.js"
import { openWorld, type ShopProcess } from "../../src/testing/ShopWorld.js"
import { clientOver, transportOf } from "../../src/testing/TestShop.js"
import type { ClockedStore } from "../../src/testing/TestStore.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

export const order = {
  amount: 100_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

type View<A> = (seen: A) => A

/** The requests of changes that arrived at the gateway, and what is done before one is sent. */
const watchedTransport = () => {
  const sent: Array<string> = []
  const created: Array<string> = []
  const reads: Array<string> = []
  const hooks: Array<Effect.Effect<unknown>> = []
  const listed: World["listed"] = {
    see: (refunds) => refunds,
    seePayment: {},
    fails: () => undefined,
    afterRead: Effect.void,
    afterSend: Effect.void
  }
  const over = (http: HttpClient.HttpClient) =>
    HttpClient.make((request, { pathname }) => {
      const name = /\/(refund|capture|void-authorization|create-recurrence)$/.exec(pathname)?.[1]
      const shown = (see: (body: unknown) => unknown) =>
        Effect.flatMap(http.execute(request), (response) =>
          response.status !== 200
            ? Effect.succeed(response)
            : Effect.map(Effect.orDie(response.json), (seen) =>
                HttpClientResponse.fromWeb(
                  request,
                  Response.json(see(seen), { headers: { date: response.headers["date"] ?? "" } })
                )
              )
        )
      const status = listed.fails({ method: request.method, pathname })
      if (status !== undefined) {
        if (name !== undefined) sent.push(name)
        return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status })))
      }
      if (pathname.endsWith("/refunds")) {
        return shown((refunds) => (Array.isArray(refunds) ? listed.see(refunds) : refunds))
      }
      if (request.method === "GET" && /\/payment\/\d+$/.test(pathname)) {
        reads.push(pathname)
        const asSeen = shown((payment) => ({ ...Object(payment), ...listed.seePayment }))
        return Effect.flatMap(asSeen, (response) => Effect.as(listed.afterRead, response))
      }
      if (request.method === "POST" && pathname.endsWith("/payments/payment")) {
        return Effect.suspend(() => {
          created.push(pathname)
          return http.execute(request)
        })
      }
      if (request.method !== "POST" || name === undefined) return http.execute(request)
      return Effect.suspend(() => {
        sent.push(name)
        return Effect.ensuring(
          Effect.andThen(hooks.shift() ?? Effect.void, http.execute(request)),
          Effect.suspend(() => listed.afterSend)
        )
      })
    })
  return { created, reads, sent, hooks, over, listed }
}

export type TestLedger = LedgerService<SqliteTransaction>

/** The statement at which a process is killed, counted from 1. */
export interface KilledStatement {
  readonly statement: number
  readonly when: "before" | "after"
}

/** Before and after each statement of a process, except those that open its store. */
export const killedStatements = (statements: number): ReadonlyArray<KilledStatement> =>
  Array.from({ length: statements - 2 }, (_, index) => index + 3).flatMap(
    (statement): ReadonlyArray<KilledStatement> => [
      { statement, when: "before" },
      { statement, when: "after" }
    ]
  )

export interface TestProcess extends TestLedger {
  readonly kill: Effect.Effect<void>
  /** Closes its ledger, and waits for what is in flight. */
  readonly close: Effect.Effect<void>
  readonly isKilled: () => boolean
  /** Waits until it is killed. */
  readonly killed: Effect.Effect<void>
  /** How many statements it has made. */
  readonly statements: () => number
}

export interface World {
  readonly store: FailingStore
  /** The changes that were handed over, in order. */
  readonly sent: ReadonlyArray<string>
  /** Is done before the next changes arrive. */
  readonly hooks: Array<Effect.Effect<unknown>>
  /** The payments that were requested. */
  readonly created: ReadonlyArray<unknown>
  /** The payments that were read, in order. */
  readonly reads: ReadonlyArray<string>
  /** The refunds and payments of the gateway, as the ledger gets to see them. */
  readonly listed: {
    see: View<ReadonlyArray<unknown>>
    /** What is said of payments in place of what is true. */
    seePayment: Readonly<Record<string, unknown>>
    /** The status that a request is answered with in place of the gateway. */
    fails: (request: { readonly method: string; readonly pathname: string }) => number | undefined
    /** Happens while the response to a read is on its way. */
    afterRead: Effect.Effect<unknown>
    /** Happens when a change has arrived. */
    afterSend: Effect.Effect<unknown>
  }
  /** What was reported for someone to check. */
  readonly reported: ReadonlyArray<AttentionItem>
  readonly ledger: TestLedger
  /** Another process of the shop. */
  readonly makeProcess: (
    settings?: Partial<LedgerOptions<SqliteTransaction>> & {
      readonly killAt?: KilledStatement | undefined
      /** How its merchant differs from that of the others. */
      readonly merchant?: Partial<GatewayLayerOptions>
    }
  ) => Effect.Effect<TestProcess>
  /** Lets time pass, for the shop, the gateway and the database. */
  readonly pass: (time: Duration.Input) => Effect.Effect<void>
}

/** A payment that was paid. */
export const paid = Effect.gen(function* () {
  const { id } = yield* createPayment(order)
  yield* LocalGateway.payByCard(id)
  return id
}).pipe(Effect.orDie)

/** A payment whose amount is held. */
export const held = Effect.gen(function* () {
  const { id } = yield* createPayment({ ...order, preauthorization: true })
  yield* LocalGateway.payByCard(id)
  return id
}).pipe(Effect.orDie)

/** The amounts that the gateway lists as refunded. */
export const refunded = (id: number): Effect.Effect<ReadonlyArray<number>, GatewayError, Gateway> =>
  Effect.map(getPaymentRefunds(id), (refunds) =>
    refunds.filter(({ state }) => state !== "FAILED").map(({ amount }) => amount)
  )

/** Makes the steps that are due, and lets the time pass that these wait for. */
export const workOnce = Effect.fnUntraced(function* ({ pass }: Pick<World, "pass">, process: TestLedger) {
  const work = yield* Effect.forkChild(process.runOnce({ budget: "4 seconds" }))
  while (work.pollUnsafe() === undefined) {
    yield* Effect.yieldNow
    yield* pass("1 second")
  }
  yield* Fiber.join(work)
})

/** Refunds in the gateway's administration. Returns the entry of the list. */
export const refundedByHand = (id: number, amount: number) =>
  Effect.gen(function* () {
    const before = new Set((yield* getPaymentRefunds(id)).map((entry) => entry.id))
    yield* refundPayment(id, { amount })
    const entry = (yield* getPaymentRefunds(id)).find((one) => !before.has(one.id))
    return entry ?? (yield* Effect.die(new Error("The refund is not listed.")))
  })

/** A test that waits for what does not come fails, and says so: no time passes by itself. */
const bounded = <A, E, R>(
  story: () => ReadonlyArray<string>,
  limit: Duration.Input,
  test: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.raceFirst(
    test,
    Effect.flatMap(TestClock.withLive(Effect.sleep(limit)), () =>
      Effect.die(new Error(`The test waits for what does not come. So far:\n${story().slice(-20).join("\n")}`))
    )
  )

/** How the store of a world is kept, and how long its test may take. */
interface WorldOptions {
  readonly isInMemory?: boolean | undefined
  /** How long the test may take. */
  readonly limit?: Duration.Input | undefined
}

/** The gateway of a process, and of its merchant. */
type GatewayOf = (
  process: ShopProcess,
  merchant: Partial<GatewayLayerOptions> | undefined
) => Effect.Effect<GatewayService, Config.ConfigError, Scope.Scope>

/** Runs a test in a world of its own, with a local gateway. */
export const inWorld = <A, E>(
  test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>,
  { isInMemory, limit, settings, ...options }: LocalGatewayOptions & WorldOptions = {}
): Effect.Effect<A, E> => {
  const seen = watchedTransport()
  return Effect.gen(function* () {
    const watched = seen.over(yield* HttpClient.HttpClient)
    const gatewayOf: GatewayOf = (process, merchant) =>
      Effect.map(clientOver(transportOf(process, watched), { ...LocalGateway.merchant, ...merchant }), (client) =>
        Context.get(client, Gateway)
      )
    const run = worldOf(seen, gatewayOf, test, { isInMemory, limit })
    return yield* Effect.provideContext(run, yield* clientOver(watched))
  }).pipe(
    Effect.scoped,
    Effect.provide(LocalGateway.layerWith({ ...options, settings: { ...partsAtOnce, ...settings } })),
    Effect.orDie
  )
}

/** Runs a test in a world of its own, with a gateway that the test has made. */
export const inWorldWith = <A, E>(
  gateway: GatewayService,
  test: (world: World) => Effect.Effect<A, E, Gateway>,
  options: WorldOptions = {}
): Effect.Effect<A> =>
  worldOf(watchedTransport(), () => Effect.succeed(gateway), test, options).pipe(
    Effect.provideService(Gateway, gateway),
    Effect.orDie
  )

/** A store that reports when each statement begins and has ended, including the commit. */
const watchedStore = (
  store: FailingStore,
  { begun, ended }: { readonly begun: () => number; readonly ended: (statement: number) => void }
): ClockedStore => {
  const watched =
    (query: SqlQuery): SqlQuery =>
    async (sql, values) => {
      const statement = begun()
      const rows = await query(sql, values)
      ended(statement)
      return rows
    }
  return {
    ...store,
    query: watched(store.query),
    transaction: async (run) => {
      let commit = 0
      const made = await store.transaction(async (tx) => {
        const result = await run({ query: watched(tx.query) })
        commit = begun()
        return result
      })
      ended(commit)
      return made
    }
  }
}

const worldOf = <A, E, R>(
  { created, hooks, listed, reads, sent }: ReturnType<typeof watchedTransport>,
  gatewayOf: GatewayOf,
  test: (world: World) => Effect.Effect<A, E, R>,
  { isInMemory = true, limit = "150 seconds" }: WorldOptions
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      // Rows and refunds have times: at 0 all would be equal.
      yield* TestClock.adjust("1 day")
      const begun = now()
      const store = yield* Effect.acquireRelease(
        Effect.promise(() => makeFailingStore(now, isInMemory)),
        (store) => Effect.promise(() => store.remove())
      )
      const shop = openWorld(store, () => now() - begun)
      const reported: Array<AttentionItem> = []
      const processes: Array<ShopProcess> = []
      // What a process is still at must not find the store gone.
      yield* Effect.addFinalizer(() => Effect.sync(() => processes.forEach(({ kill }) => kill("at the end"))))
      /** A process that is killed makes no statement any more, and its scope is never closed. */
      const makeProcess: World["makeProcess"] = ({ killAt, merchant, ...settings } = {}) =>
        Effect.gen(function* () {
          let count = 0
          const step = (statement: number, when: KilledStatement["when"]) => {
            if (killAt?.statement === statement && killAt.when === when) process.kill(`${when} statement ${statement}`)
            if (process.isKilled()) throw new Error("The process was killed.")
          }
          const process = shop.beginProcess(
            watchedStore(store, {
              begun: () => {
                step(++count, "before")
                return count
              },
              ended: (statement) => step(statement, "after")
            })
          )
          processes.push(process)
          const scope = yield* Scope.make()
          const ledger = yield* makeLedger({
            store: process.store,
            onAttention: (item) => Effect.sync(() => void reported.push(item)),
            ...settings
          }).pipe(
            Effect.provideServiceEffect(Gateway, gatewayOf(process, merchant)),
            Effect.provideService(Scope.Scope, scope),
            Effect.orDie
          )
          return {
            ...ledger,
            // What it would still wait for ends soon.
            kill: Effect.suspend(() => {
              process.kill("by the test")
              return Effect.asVoid(Effect.forkDetach(Scope.close(scope, Exit.void)))
            }),
            close: Scope.close(scope, Exit.void),
            isKilled: process.isKilled,
            killed: Effect.promise(() => process.death),
            statements: () => count
          }
        })
      const ledger = yield* makeProcess()
      yield* ledger.migrate
      return yield* bounded(
        shop.story.lines,
        limit,
        test({
          store,
          sent,
          created,
          reads,
          hooks,
          listed,
          reported,
          ledger,
          makeProcess,
          pass: (time) => Effect.andThen(TestClock.adjust(time), Effect.sync(store.syncClock))
        })
      )
    })
  )
