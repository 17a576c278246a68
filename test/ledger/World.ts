/**
 * A local gateway, a store, and processes of a shop that share it, all by a clock that the test moves.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type * as Duration from "effect/Duration"
import { createPayment, Gateway, type GatewayError, getPaymentRefunds, RetryPolicy } from "../../src/index.js"
import {
  type AttentionItem,
  type LedgerOptions,
  type LedgerService,
  makeLedger,
  type SqliteTransaction,
  type SqlQuery
} from "../../src/ledger/index.js"
import { LocalGateway, type LocalGatewayOptions } from "../../src/local-gateway/index.js"
import { makeTestStore, type TestStore } from "./TestStore.js"

export const order = {
  amount: 100_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

type RefundView = (refunds: ReadonlyArray<unknown>) => ReadonlyArray<unknown>

/** The requests of changes that arrived at the gateway, and what is done before one is sent. */
const watchedTransport = () => {
  const sent: Array<string> = []
  const hooks: Array<Effect.Effect<unknown>> = []
  const listed: { see: RefundView } = { see: (refunds) => refunds }
  const layer = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (http) =>
      HttpClient.make((request, { pathname }) => {
        const name = /\/(refund|capture|void-authorization)$/.exec(pathname)?.[1]
        if (pathname.endsWith("/refunds")) {
          return Effect.flatMap(http.execute(request), (response) =>
            Effect.map(Effect.orDie(response.json), (refunds) =>
              HttpClientResponse.fromWeb(
                request,
                Response.json(Array.isArray(refunds) ? listed.see(refunds) : refunds, { status: response.status })
              )
            )
          )
        }
        if (request.method !== "POST" || name === undefined) return http.execute(request)
        return Effect.suspend(() => {
          sent.push(name)
          return Effect.andThen(hooks.shift() ?? Effect.void, http.execute(request))
        })
      })
    )
  )
  return { sent, hooks, layer, listed }
}

export type TestLedger = LedgerService<SqliteTransaction>

/** The statement at which a process is killed, counted from 1. */
export interface KillPoint {
  readonly statement: number
  readonly when: "before" | "after"
}

export interface TestProcess extends TestLedger {
  readonly kill: Effect.Effect<void>
  readonly isKilled: () => boolean
  /** How many statements it has made. */
  readonly statements: () => number
}

export interface World {
  readonly store: TestStore
  /** The changes that were handed over, in order. */
  readonly sent: ReadonlyArray<string>
  /** Is done before the next changes arrive. */
  readonly hooks: Array<Effect.Effect<unknown>>
  /** The refunds that the gateway lists, as the ledger gets to see them. */
  readonly listed: { see: RefundView }
  /** What somebody was told to look at. */
  readonly told: ReadonlyArray<AttentionItem>
  readonly ledger: TestLedger
  /** Another process of the shop. */
  readonly makeProcess: (
    settings?: Partial<LedgerOptions<SqliteTransaction>> & { readonly killAt?: KillPoint | undefined }
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

/** Runs a test in a world of its own. */
export const inWorld = <A, E>(
  test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>,
  { isInMemory = true, ...options }: LocalGatewayOptions & { readonly isInMemory?: boolean } = {}
): Effect.Effect<A, E> => {
  const { hooks, layer, listed, sent } = watchedTransport()
  return Effect.scoped(
    Effect.gen(function* () {
      const store = yield* Effect.acquireRelease(
        Effect.promise(() => makeTestStore(isInMemory)),
        (store) => Effect.promise(() => store.remove())
      )
      // Rows and refunds have times: at 0 all would be equal.
      yield* TestClock.adjust("1 day")
      const told: Array<AttentionItem> = []
      const syncClock = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.promise(() => store.setTime(now)))
      yield* syncClock
      const gateway = yield* Gateway
      /** A process that is killed makes no statement any more, and its scope is never closed. */
      const makeProcess: World["makeProcess"] = ({ killAt, ...settings } = {}) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          let isKilled = false
          let count = 0
          const never = new Promise<never>(() => {})
          const query: SqlQuery = async (sql, values) => {
            count++
            if (killAt?.statement === count && killAt.when === "before") isKilled = true
            if (isKilled) return never
            const rows = await store.query(sql, values)
            if (killAt?.statement === count && killAt.when === "after") isKilled = true
            return isKilled ? never : rows
          }
          const ledger = yield* makeLedger({
            store: { ...store, query },
            onAttention: (item) => Effect.sync(() => void told.push(item)),
            ...settings
          }).pipe(Effect.provideService(Gateway, gateway), Effect.provideService(Scope.Scope, scope))
          return {
            ...ledger,
            // What it would still wait for ends soon.
            kill: Effect.suspend(() => {
              isKilled = true
              return Effect.asVoid(Effect.forkDetach(Scope.close(scope, Exit.void)))
            }),
            isKilled: () => isKilled,
            statements: () => count
          }
        })
      const ledger = yield* makeProcess()
      yield* ledger.migrate
      return yield* test({
        store,
        sent,
        hooks,
        listed,
        told,
        ledger,
        makeProcess,
        pass: (time) => Effect.andThen(TestClock.adjust(time), syncClock)
      })
    })
  ).pipe(
    Effect.provide(
      Gateway.layer(LocalGateway.merchant).pipe(
        Layer.provide(layer),
        // Each read once: nothing sleeps but the ledger.
        Layer.provide(Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(0), renewToken: true }))
      )
    ),
    Effect.provide(LocalGateway.layerWith(options)),
    Effect.orDie
  )
}
