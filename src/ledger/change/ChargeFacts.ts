/**
 * The facts about a charge that is about to be sent: the same for a plain charge and for an attempt to charge a period.
 * They are read before the charge is prepared, and again in the pre-send check.
 */
import * as Effect from "effect/Effect"
import { startOfDay } from "../../basics/Day.js"
import { attemptKey, attemptOfKey } from "../model/LedgerKey.js"
import {
  type AttemptRows,
  type ChargeSource,
  type OtherCharge,
  othersOfCharge,
  othersOfPeriod,
  rowsOfAttempt
} from "../store/ChargeReads.js"
import type { StoreError } from "../store/Database.js"
import type { ChangeRow } from "../store/ChangeRow.js"
import type { ChangeTable, ChargeTrust } from "../store/ChangeTable.js"

/** What an attempt for a period depends on. */
interface AttemptFacts extends AttemptRows {
  /** The attempts of the period before this one, oldest first. */
  readonly before: ReadonlyArray<ChangeRow>
}

export interface ChargeFacts {
  /** What is known since a backup was restored; `undefined` if none was. */
  readonly trust: ChargeTrust | undefined
  /** When the day that it is for begins, by the database's clock; `undefined` if it is for no day. */
  readonly dayBegins: number | undefined
  /**
   * Other charges that may have taken the same money, paid ones first. For a plain charge: those that no change of the
   * ledger made. For an attempt: all except the attempts of its own period.
   */
  readonly others: ReadonlyArray<OtherCharge>
  /** For an attempt only. */
  readonly attempt: AttemptFacts | undefined
}

/** The tables that the facts are read from. */
export interface ChargeFactsSource extends ChargeSource {
  readonly changes: ChangeTable
  /** The time zone of the days that charges are for. */
  readonly timeZone: string
}

/** Reads the facts of a charge. A row that cannot be read counts as missing: nothing is sent without it. */
export const chargeFacts = Effect.fnUntraced(function* (
  source: ChargeFactsSource,
  { key, payment_id, request }: Pick<ChangeRow, "key" | "payment_id" | "request">
): Effect.fn.Return<ChargeFacts, StoreError> {
  const { day, order_number: orderNumber = "" } = request ?? {}
  const trust = yield* source.changes.trustIn(payment_id)
  const dayBegins = day === undefined ? undefined : startOfDay(day, source.timeZone)
  const number = attemptOfKey(key)
  if (number === undefined) {
    return { trust, dayBegins, others: yield* othersOfCharge(source, orderNumber, payment_id), attempt: undefined }
  }
  const rows = yield* rowsOfAttempt(source, number)
  const before = yield* attemptsOf(source.changes, { ...number, attempts: number.attempt - 1 })
  return {
    trust,
    dayBegins,
    others: yield* othersOfPeriod(
      source,
      { order_number: orderNumber, subscription: number.subscription },
      [payment_id, ...before.map((attempt) => attempt.payment_id)],
      before
    ),
    attempt: { before, ...rows }
  }
})

/** The recorded attempts of a period, oldest first. */
export const attemptsOf = (
  changes: Pick<ChangeTable, "ofKeys">,
  { attempts, ...period }: { readonly attempts: number; readonly period: string; readonly subscription: string }
): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
  changes.ofKeys(Array.from({ length: attempts }, (_, index) => attemptKey({ ...period, attempt: index + 1 })))
