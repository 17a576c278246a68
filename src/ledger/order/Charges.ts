/**
 * The charges of recurrences among the payments of orders, and which of them the ledger may have made and forgotten.
 */
import * as Effect from "effect/Effect"
import { startOfDay } from "../../contract/Day.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { ChangeRow } from "../change/ChangeRow.js"
import { type ChargeRefusal, stateOf, trustProblem } from "../change/ChargeSteps.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { ReadableDatabase, StoreError } from "../store/Database.js"
import * as Statements from "../store/Statements.js"

interface Parts extends Pick<LedgerParts, "scope"> {
  readonly database: ReadableDatabase
}

/** Whether the gateway may give a text back HTML-encoded. */
const mayBeEncoded = (text: string): boolean => /[^\w ./-]/.test(text)

/** Whether a change of the ledger has made the payment of a charge. */
const isMadeByChange = `EXISTS (SELECT 1 FROM gopay_change WHERE gopay_change.scope = gopay_payment.scope
  AND gopay_change.payment_id = gopay_payment.parent_id AND operation = 'createRecurrence' AND entry = gopay_payment.payment_id)`

/**
 * The charges that have an order number, as the gateway gave it back: as it came, or the one that has it after one HTML
 * decoding. The condition on the number is the first one of the statement after the scope.
 */
const echoesOf = (
  { database, scope }: Parts,
  orderNumber: string,
  statement: (isOfNumber: string) => string,
  values: ReadonlyArray<string>
) => {
  const { run } = Statements.make(database)
  return Effect.flatMap(run(statement("order_number = ?"), [scope, orderNumber, ...values]), (equal) =>
    equal.length > 0 || !mayBeEncoded(orderNumber)
      ? Effect.succeed(equal)
      : Effect.map(run(statement("order_number LIKE ?"), [scope, "%&%;%", ...values]), (encoded) => {
          const decoded = encoded.filter((row) => isEchoOf(orderNumber, String(row["order_number"])))
          return decoded.length === 1 ? decoded : []
        })
  )
}

/**
 * A charge of a first payment that has an order number, and that no change of the ledger made: one that waits for an
 * operator, or any one when the ledger was restored.
 */
const forgottenCharge = (parts: Parts, orderNumber: string, firstPaymentId: string, isRestored: boolean) =>
  Effect.map(
    echoesOf(
      parts,
      orderNumber,
      (isOfNumber) =>
        `SELECT payment_id, order_number FROM gopay_payment WHERE scope = ? AND ${isOfNumber} AND parent_id = ?
         AND (attention = 'UnknownPayment' ${isRestored ? "OR COALESCE(state, '') NOT IN ('CANCELED', 'TIMEOUTED')" : ""})
         AND NOT ${isMadeByChange} ORDER BY seq`,
      [firstPaymentId]
    ),
    ([found]) => (found === undefined ? undefined : String(found["payment_id"]))
  )

/**
 * The payment that a charge of this number has made, and that is paid or may be: a charge of one of these first payments,
 * or of a card that the ledger has forgotten, by no change of its own. It is none of the attempts that are known.
 */
export const knownCharge = (
  parts: Parts,
  { order_number, subscription }: { readonly order_number: string; readonly subscription: string },
  firstPaymentIds: ReadonlyArray<string>,
  attempts: ReadonlyArray<Pick<ChangeRow, "entry">>
) =>
  Effect.map(
    echoesOf(
      parts,
      order_number,
      (isOfNumber) =>
        `SELECT payment_id, order_number, state, attention FROM gopay_payment WHERE scope = ? AND ${isOfNumber} AND parent_id IS NOT NULL
         AND (${Statements.isOneOf("parent_id", firstPaymentIds)} OR NOT (${isMadeByChange} OR EXISTS (
           SELECT 1 FROM gopay_subscription other WHERE other.scope = gopay_payment.scope
             AND other.payment_id = gopay_payment.parent_id AND other.name <> ?)))
         AND NOT ${Statements.isOneOf("payment_id", ["", ...attempts])}
         AND (status = 'unknown' OR COALESCE(state, '') NOT IN ('CANCELED', 'TIMEOUTED'))
       ORDER BY CASE WHEN state IN ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') THEN 0 ELSE 1 END, seq`,
      [...firstPaymentIds, subscription, "", ...attempts.map(({ entry }) => entry ?? "")]
    ),
    ([found]) =>
      found === undefined
        ? undefined
        : {
            id: String(found["payment_id"]),
            isPaid: stateOf(String(found["state"])) === "paid",
            isResolved: found["attention"] === null
          }
  )

/** In milliseconds: after it a payment that was read is recorded, or read again. */
const recordingTime = 600_000

/** Has the periods checked that are over, and of which a charge is being recorded as paid: when that is done. */
export const wakeOver = ({ database, scope }: Parts, orderNumber: string): Effect.Effect<void, StoreError> => {
  const { isBrief, now, run } = Statements.make(database)
  return Effect.asVoid(
    run(
      `UPDATE gopay_period SET next_at = ${now} + ${recordingTime}, version = version + 1
       WHERE scope = ? AND order_number = ? AND status IN ('givenUp', 'cancelled') AND ${isBrief()}`,
      [scope, orderNumber]
    )
  )
}

/** Why a charge of the shop's own may not be sent. It is read after the charge was locked, and again when it is marked. */
export const chargeRefusal = Effect.fnUntraced(function* (
  parts: Parts & Pick<LedgerParts, "changes" | "timeZone">,
  { created_at, now, payment_id, request }: ChangeRow
): Effect.fn.Return<ChargeRefusal | undefined, StoreError> {
  const trust = yield* parts.changes.trustIn(payment_id)
  const { day, order_number = "" } = request ?? {}
  const dayBegins = day === undefined ? undefined : startOfDay(day, parts.timeZone)
  const problem = trustProblem({ createdAt: created_at, dayBegins }, trust)
  if (problem === "Waited") return { _tag: "MayBeCharged" }
  const chargeId = yield* forgottenCharge(parts, order_number, payment_id, trust !== undefined)
  if (chargeId !== undefined) return { _tag: "MayBeCharged", chargeId }
  if (problem === "Undated") return { _tag: "MayBeCharged", isReleasable: true }
  return dayBegins !== undefined && dayBegins > now ? { _tag: "NotYet", from: dayBegins } : undefined
})
