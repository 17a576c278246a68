/**
 * What the rows say of a charge that is about to be sent: the same for a plain charge and an attempt for a period. It is
 * read before a charge is prepared, and again in the pre-send check.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { startOfDay } from "../../basics/Day.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import { attemptKey, attemptOfKey } from "../model/LedgerKey.js"
import type { SqlRow } from "../model/LedgerStore.js"
import type { ReadableDatabase, StoreError } from "../store/Database.js"
import { Integer } from "../store/Rows.js"
import * as Statements from "../store/Statements.js"
import type { ChangeRow } from "../store/ChangeRow.js"
import type { ChangeTable, ChargeTrust } from "../store/ChangeTable.js"
import { stateOf } from "./ChargeSteps.js"

/** Another charge of the same order number, whose payment is not closed. */
export interface OtherCharge {
  readonly id: string
  /** Whether its money has come, as far as its payment was read. */
  readonly isPaid: boolean
  /** Whether the ledger reads its payment: it made it, or an operator has adopted it. */
  readonly isKnown: boolean
  /** Whether the ledger does not know it, and no operator has said what it is. */
  readonly isUnresolved: boolean
}

/** What an attempt for a period depends on. */
interface AttemptFacts {
  /** The attempts of the period before this one, oldest first. */
  readonly before: ReadonlyArray<ChangeRow>
  readonly period: typeof Period.Type | undefined
  readonly subscription: typeof Subscription.Type | undefined
}

export interface ChargeFacts {
  /** What is known since a backup was restored; nothing when none was. */
  readonly trust: ChargeTrust | undefined
  /** When the day begins that it is for, by the database's clock. */
  readonly dayBegins: number | undefined
  /**
   * The other charges that may have taken its money, those that are paid first: of a plain charge the ones that no change of
   * the ledger made, of an attempt all but the attempts of its own period.
   */
  readonly others: ReadonlyArray<OtherCharge>
  /** For an attempt only. */
  readonly attempt: AttemptFacts | undefined
}

const Period = Schema.Struct({ status: Schema.String, due_at: Integer })
const Subscription = Schema.Struct({ status: Schema.String, payment_id: Schema.NullOr(Schema.String) })

const decodePeriod = Schema.decodeUnknownOption(Period)
const decodeSubscription = Schema.decodeUnknownOption(Subscription)

interface Parts {
  readonly changes: Pick<ChangeTable, "ofKeys" | "trustIn">
  readonly database: ReadableDatabase
  readonly scope: number
  readonly timeZone: string
}

/** Reads the facts of a charge. Rows that cannot be read are as if they were missing: nothing is sent without them. */
export const chargeFacts = Effect.fnUntraced(function* (
  parts: Parts,
  { key, payment_id, request }: Pick<ChangeRow, "key" | "payment_id" | "request">
): Effect.fn.Return<ChargeFacts, StoreError> {
  const { day, order_number: orderNumber = "" } = request ?? {}
  const trust = yield* parts.changes.trustIn(payment_id)
  const dayBegins = day === undefined ? undefined : startOfDay(day, parts.timeZone)
  const number = attemptOfKey(key)
  if (number === undefined) {
    return { trust, dayBegins, others: yield* othersOfCharge(parts, orderNumber, payment_id), attempt: undefined }
  }
  const { one } = Statements.make(parts.database)
  const names = [parts.scope, number.subscription]
  const subscription = yield* one(
    "SELECT status, payment_id FROM gopay_subscription WHERE scope = ? AND name = ?",
    names
  )
  const period = yield* one(
    "SELECT status, due_at FROM gopay_period WHERE scope = ? AND subscription = ? AND period = ?",
    [...names, number.period]
  )
  const before = yield* attemptsOf(parts.changes, { ...number, attempts: number.attempt - 1 })
  return {
    trust,
    dayBegins,
    others: yield* othersOfPeriod(
      parts,
      { order_number: orderNumber, subscription: number.subscription },
      [payment_id, ...before.map((attempt) => attempt.payment_id)],
      before
    ),
    attempt: {
      before,
      period: Option.getOrUndefined(decodePeriod(period)),
      subscription: Option.getOrUndefined(decodeSubscription(subscription))
    }
  }
})

/** The attempts of a period that were recorded, oldest first. */
export const attemptsOf = (
  changes: Pick<ChangeTable, "ofKeys">,
  { attempts, ...period }: { readonly attempts: number; readonly period: string; readonly subscription: string }
): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
  changes.ofKeys(Array.from({ length: attempts }, (_, index) => attemptKey({ ...period, attempt: index + 1 })))

// ---- Other charges

/** Whether a change of the ledger has made the payment of a charge. */
const isMadeByChange = `EXISTS (SELECT 1 FROM gopay_change WHERE gopay_change.scope = gopay_payment.scope
  AND gopay_change.payment_id = gopay_payment.parent_id AND operation = 'createRecurrence' AND entry = gopay_payment.payment_id)`

/** Whether the gateway may give a text back HTML-encoded. */
const mayBeEncoded = (text: string): boolean => /[^\w ./-]/.test(text)

/**
 * The charges that fit a condition and have an order number, as the gateway gave it back: as it came, or the one that has it
 * after one HTML decoding. Those that are closed are left out.
 */
const others = (
  { database, scope }: Pick<Parts, "database" | "scope">,
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
  isPaid: stateOf(String(state)) === "paid",
  isKnown: status !== "unknown",
  isUnresolved: status === "unknown" && decisions === null
})

/** The charges of a first payment that no change of the ledger made: notified, adopted, or forgotten by a restored backup. */
const othersOfCharge = (parts: Pick<Parts, "database" | "scope">, orderNumber: string, firstPaymentId: string) =>
  others(parts, orderNumber, { sql: `parent_id = ? AND NOT ${isMadeByChange}`, values: [firstPaymentId] })

/**
 * The charges of a period's order number that are none of its attempts: those of one of these first payments, and those of a
 * card that the ledger has forgotten, by no change of its own.
 */
export const othersOfPeriod = (
  parts: Pick<Parts, "database" | "scope">,
  { order_number, subscription }: { readonly order_number: string; readonly subscription: string },
  firstPaymentIds: ReadonlyArray<string>,
  attempts: ReadonlyArray<Pick<ChangeRow, "entry">>
): Effect.Effect<ReadonlyArray<OtherCharge>, StoreError> => {
  const own = attempts.flatMap(({ entry }) => entry ?? [])
  return others(parts, order_number, {
    sql: `(${Statements.isOneOf("parent_id", firstPaymentIds)} OR NOT (${isMadeByChange} OR EXISTS (
             SELECT 1 FROM gopay_subscription other WHERE other.scope = gopay_payment.scope
               AND other.payment_id = gopay_payment.parent_id AND other.name <> ?)))
           AND NOT ${Statements.isOneOf("payment_id", ["", ...own])}`,
    values: [...firstPaymentIds, subscription, "", ...own]
  })
}
