/**
 * Refunds that survive a crash: their record is stored before the call, and settled by reading.
 *
 * `safe-refund.test.ts` runs it against a local gateway.
 */
import { Context, Data, DateTime, Effect, Option, Schema } from "effect"
import { ChangeRecord, getPaymentRefunds, reconcile, refundPayment } from "effect-gopay"

/**
 * The refunds whose outcome is not known, one for each payment: in a database, a table with the payment's id as its
 * key.
 */
export class OpenRefunds extends Context.Service<
  OpenRefunds,
  {
    /** Runs something while no other process does so for this payment: a lock on the order's row. */
    readonly locked: (paymentId: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly find: (paymentId: number) => Effect.Effect<Option.Option<string>>
    /** What is saved is committed when this ends, so that it survives the process. */
    readonly save: (paymentId: number, record: string) => Effect.Effect<void>
    readonly remove: (paymentId: number) => Effect.Effect<void>
  }
>()("shop/OpenRefunds") {}

export class EarlierRefundInDoubt extends Data.TaggedError("EarlierRefundInDoubt")<{ readonly paymentId: number }> {}

export const refund = (paymentId: number, amount: number) =>
  OpenRefunds.use((open) =>
    Effect.gen(function* () {
      if (Option.isSome(yield* open.find(paymentId))) return yield* new EarlierRefundInDoubt({ paymentId })
      const record = ChangeRecord.refundPayment(
        paymentId,
        { amount },
        {
          refundsBefore: yield* getPaymentRefunds(paymentId),
          isOnlyWriter: true, // by the lock, by the check above, and since no one refunds by hand
          sentAt: yield* DateTime.nowAsDate
        }
      )
      yield* open.save(paymentId, JSON.stringify(record))
      const refund = yield* refundPayment(paymentId, { amount }).pipe(
        Effect.tapError(({ reason }) => (reason._tag === "OutcomeUnknown" ? Effect.void : open.remove(paymentId)))
      )
      if (refund.result === "FINISHED") yield* open.remove(paymentId) // else: taken, not done
      return refund
    }).pipe(open.locked(paymentId))
  )

/** For each open refund: at the start of the process, and now and then. */
export const settle = (paymentId: number) =>
  OpenRefunds.use((open) =>
    Effect.gen(function* () {
      const stored = yield* open.find(paymentId)
      if (Option.isNone(stored)) return "nothing is open"
      const found = yield* reconcile(yield* decodeRecord(stored.value))
      switch (found._tag) {
        case "Happened":
          if (found.isPending) return "taken, not done: look again later"
          yield* open.remove(paymentId)
          return `done: refund ${found.id}`
        case "StateReached":
          yield* open.remove(paymentId)
          return "all is refunded"
        case "DidNotHappen":
          yield* open.remove(paymentId)
          return "not done"
        case "NotSeenYet":
          return found.ageMillis < 3_600_000 ? "look again later" : `ask an operator: ${found.message}`
        case "CannotTell":
          return `ask an operator: ${found.message}`
      }
    }).pipe(open.locked(paymentId))
  )

const decodeRecord = Schema.decodeUnknownEffect(Schema.fromJsonString(ChangeRecord))
