/**
 * The public types of the ledger for Effect: the compiler checks them, and nothing of it has to run.
 */
import { describe, expectTypeOf, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Gateway } from "../../src/index.js"
import {
  type ChangeEvent,
  Ledger,
  type LedgerError,
  type LedgerOptions,
  type LedgerService,
  type LedgerStore,
  type LedgerUnavailable,
  makeLedger,
  type PaymentEvent,
  PgLedger,
  type SqliteTransaction,
  type SqlTransaction
} from "../../src/ledger/index.js"

class Mailer extends Context.Service<Mailer, { readonly send: Effect.Effect<void, Error> }>()("test/Mailer") {}

class Warehouse extends Context.Service<Warehouse, { readonly name: string }>()("test/Warehouse") {}

const ship: (event: PaymentEvent<SqliteTransaction>) => typeof Warehouse = () => Warehouse

const tell = ({ key }: ChangeEvent<SqliteTransaction>) => Effect.flatMap(Mailer, ({ send }) => Effect.as(send, key))

type Failure = LedgerError<LedgerUnavailable> | Config.ConfigError

/** Never called: only the types of what it makes count. */
const made = (store: LedgerStore<SqliteTransaction>) => ({
  bare: Ledger.layer({ store }),
  layer: Ledger.layerWorker({ store, onPayment: ship, onChange: tell, onAttention: () => Effect.asVoid(Mailer) }),
  ledger: makeLedger({ store, onPayment: ship }),
  overSql: PgLedger.layerWorker({
    sql: SqlClient.SqlClient,
    onPayment: ({ order, tx }) =>
      Effect.gen(function* () {
        expectTypeOf(tx).toEqualTypeOf<SqlTransaction>()
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO shipment VALUES (${order.orderNumber})`
      }),
    onSubscription: () => Effect.flatMap(Mailer, ({ send }) => send)
  }),
  bareOverSql: PgLedger.layer({ sql: SqlClient.SqlClient })
})

type Made = ReturnType<typeof made>

describe("the layer of a ledger", () => {
  it("takes no option that it does not have", () => {
    expectTypeOf([
      (store: LedgerStore<SqliteTransaction>) => Ledger.layer({ store }),
      // @ts-expect-error subscriptions are simply there
      (store: LedgerStore<SqliteTransaction>) => Ledger.layer({ store, subscriptions: true })
    ]).toBeArray()
  })

  it("needs a gateway, and fails with a ConfigError or without its store", () => {
    expectTypeOf<Made["bare"]>().toEqualTypeOf<Layer.Layer<Ledger, Failure, Gateway>>()
    expectTypeOf<Made["bareOverSql"]>().toEqualTypeOf<Layer.Layer<PgLedger, Failure, Gateway | SqlClient.SqlClient>>()
  })

  it("needs what its handlers need", () => {
    expectTypeOf<Made["layer"]>().toEqualTypeOf<Layer.Layer<Ledger, Failure, Gateway | Warehouse | Mailer>>()
    expectTypeOf<Made["overSql"]>().toEqualTypeOf<
      Layer.Layer<PgLedger, Failure, Gateway | SqlClient.SqlClient | Mailer>
    >()
    expectTypeOf<Made["ledger"]>().toEqualTypeOf<
      Effect.Effect<LedgerService<SqliteTransaction>, Config.ConfigError, Gateway | Warehouse | Scope.Scope>
    >()
  })

  it("takes handlers that need nothing, unless the options say what", () => {
    type Handler<Options extends { readonly onPayment?: unknown }> = NonNullable<Options["onPayment"]>
    expectTypeOf<typeof ship>().not.toExtend<Handler<LedgerOptions<SqliteTransaction>>>()
    expectTypeOf<typeof ship>().toExtend<Handler<LedgerOptions<SqliteTransaction, Warehouse>>>()
  })
})
