/**
 * A shop that enters what its ledger reports of orders, in the transaction of the ledger.
 */
import * as Effect from "effect/Effect"
import type { Order, PaymentEvent, SqliteTransaction } from "../../src/ledger/index.js"
import { order, type TestLedger, type TestProcess, type World } from "./World.js"

/** The request for the payment of an order. */
export const { order_number: _, ...request } = order

/** A process that records the events of its handler, in the transaction. */
export const withBooks = (
  world: World,
  settings: Parameters<World["makeProcess"]>[0] & {
    readonly before?: (event: PaymentEvent<SqliteTransaction>) => Effect.Effect<unknown, unknown>
    /** What the shop answers. */
    readonly answer?: unknown
  } = {}
): Effect.Effect<TestProcess> =>
  Effect.gen(function* () {
    yield* Effect.promise(() =>
      world.store.rows("CREATE TABLE IF NOT EXISTS reported (event TEXT, id TEXT, order_number TEXT, attention TEXT)")
    )
    const { answer, before = () => Effect.void, ...rest } = settings
    return yield* world.makeProcess({
      ...rest,
      onPayment: (event) =>
        Effect.andThen(
          before(event),
          Effect.promise(async () => {
            await event.tx.query("INSERT INTO reported VALUES (?, ?, ?, ?)", [
              event.refunded > 0 ? `${event.status} ${event.refunded}` : event.status,
              event.eventId,
              event.order.orderNumber,
              event.attention ?? null
            ])
            return answer
          })
        )
    })
  })

/** The events that the shop got, in order. */
export const reportedOf = ({ store }: World): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () =>
    (await store.rows("SELECT event, attention FROM reported ORDER BY rowid")).map(({ attention, event }) =>
      [event, attention].filter((part) => typeof part === "string").join(", ")
    )
  )

export const notify = (ledger: TestLedger, id: number) =>
  ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}` })

export const idOf = (order: Order): number => order.paymentId ?? 0
