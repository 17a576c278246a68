/**
 * What other tables know about a charge before it is sent: other charges with its order number, and the rows of its
 * period.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { wasPaid } from "../../client/payment/PaymentState.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { SqlRow } from "../model/LedgerStore.js"
import type { ChangeRow } from "./ChangeRow.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { Integer } from "./Rows.js"
import * as Statements from "./Statements.js"

export interface ChargeSource {
  readonly database: ReadableDatabase
  readonly scope: number
}

const Period = Schema.Struct({ status: Schema.String, due_at: Integer })
const Subscription = Schema.Struct({ status: Schema.String, payment_id: Schema.NullOr(Schema.String) })

const decodePeriod = Schema.decodeUnknownOption(Period)
const decodeSubscription = Schema.decodeUnknownOption(Subscription)

/** The rows that an attempt belongs to. A row that cannot be read counts as missing. */
export interface AttemptRows {
  readonly period: typeof Period.Type | undefined
  readonly subscription: typeof Subscription.Type | undefined
}

export const rowsOfAttempt = Effect.fnUntraced(function* (
  { database, scope }: ChargeSource,
  { period, subscription: name }: { readonly period: string; readonly subscription: string }
): Effect.fn.Return<AttemptRows, StoreError> {
  const { one } = Statements.make(database)
  const names = [scope, name]
  const subscription = yield* one(
    "SELECT status, payment_id FROM gopay_subscription WHERE scope = ? AND name = ?",
    names
  )
  const found = yield* one(
    "SELECT status, due_at FROM gopay_period WHERE scope = ? AND subscription = ? AND period = ?",
    [...names, period]
  )
  return {
    period: Option.getOrUndefined(decodePeriod(found)),
    subscription: Option.getOrUndefined(decodeSubscription(subscription))
  }
})

/** Another charge with the same order number whose payment is not closed. */
export interface OtherCharge {
  readonly id: string
  /** Whether its money has come, as of the last read. */
  readonly isPaid: boolean
  /** Whether the ledger reads its payment because it made it, or because an operator adopted it. */
  readonly isKnown: boolean
  /** Whether the ledger does not know it and no operator has decided about it. */
  readonly isUnresolved: boolean
}

/** Whether a change of the ledger has made the payment of a charge. */
const isMadeByChange = `EXISTS (SELECT 1 FROM gopay_change WHERE gopay_change.scope = gopay_payment.scope
  AND gopay_change.payment_id = gopay_payment.parent_id AND operation = 'createRecurrence' AND entry = gopay_payment.payment_id)`

/** Whether the gateway may return a text HTML-encoded. */
const mayBeEncoded = (text: string): boolean => /[^\w ./-]/.test(text)

/**
 * The charges that meet a condition and have an order number, compared as the gateway returned it, or after one HTML
 * decoding. Closed ones are left out.
 */
const others = (
  { database, scope }: ChargeSource,
  orderNumber: string,
  { sql, values }: Statements.Condition
): Effect.Effect<ReadonlyArray<OtherCharge>, StoreError> => {
  const { run } = Statements.make(database)
  const ofNumber = (isOfNumber: string, number: string) =>
    run(
      `SELECT payment_id, order_number, state, status, decisions FROM gopay_payment
       WHERE scope = ? AND ${isOfNumber} AND parent_id IS NOT NULL AND payment_id IS NOT NULL AND ${sql}
         AND COALESCE(state, '') NOT IN ('CANCELED', 'TIMEOUTED')
       ORDER BY CASE WHEN state IN ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') THEN 0 ELSE 1 END, seq`,
      [scope, number, ...values]
    )
  return Effect.map(
    Effect.flatMap(ofNumber("order_number = ?", orderNumber), (equal) =>
      equal.length > 0 || !mayBeEncoded(orderNumber)
        ? Effect.succeed(equal)
        : Effect.map(ofNumber("order_number LIKE ?", "%&%;%"), (encoded) => {
            const decoded = encoded.filter((row) => isEchoOf(orderNumber, String(row["order_number"])))
            return decoded.length === 1 ? decoded : []
          })
    ),
    (found) => found.map(otherOf)
  )
}

const otherOf = ({ decisions, payment_id, state, status }: SqlRow): OtherCharge => ({
  id: String(payment_id),
  isPaid: wasPaid({ state: String(state) }),
  isKnown: status !== "unknown",
  isUnresolved: status === "unknown" && decisions === null
})

/**
 * The charges of a first payment that no change of the ledger made: notified, adopted, or missing from a restored
 * backup.
 */
export const othersOfCharge = (
  source: ChargeSource,
  orderNumber: string,
  firstPaymentId: string
): Effect.Effect<ReadonlyArray<OtherCharge>, StoreError> =>
  others(source, orderNumber, { sql: `parent_id = ? AND NOT ${isMadeByChange}`, values: [firstPaymentId] })

/**
 * The charges with a period's order number that are not among its attempts: those of these first payments, and those of
 * a card that the ledger has forgotten, unless a change of its own made them.
 */
export const othersOfPeriod = (
  source: ChargeSource,
  { order_number, subscription }: { readonly order_number: string; readonly subscription: string },
  firstPaymentIds: ReadonlyArray<string>,
  attempts: ReadonlyArray<Pick<ChangeRow, "entry">>
): Effect.Effect<ReadonlyArray<OtherCharge>, StoreError> => {
  const own = attempts.flatMap(({ entry }) => entry ?? [])
  return others(source, order_number, {
    sql: `(${Statements.isOneOf("parent_id", firstPaymentIds)} OR NOT (${isMadeByChange} OR EXISTS (
             SELECT 1 FROM gopay_subscription other WHERE other.scope = gopay_payment.scope
               AND other.payment_id = gopay_payment.parent_id AND other.name <> ?)))
           AND NOT ${Statements.isOneOf("payment_id", ["", ...own])}`,
    values: [...firstPaymentIds, subscription, "", ...own]
  })
}
