/**
 * The acknowledged refunds: those that the gateway lists and the ledger did not make. Each is recorded once, by its id.
 * The refunds of changes are in the same table; see `owners` in the migrations.
 */
import * as Effect from "effect/Effect"
import type { AcknowledgedRefund } from "../model/Lists.js"
import type { SqlRow } from "../model/LedgerStore.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { isSigned } from "./Sql.js"
import * as Statements from "./Statements.js"

export type NewAcknowledgement = Omit<AcknowledgedRefund, "acknowledgedAt">

/** Reads the acknowledged refunds of a payment of one merchant, oldest first. */
export const acknowledgedRefunds = (database: ReadableDatabase, scope: number) => {
  const { run } = Statements.make(database)
  return (paymentId: string): Effect.Effect<ReadonlyArray<AcknowledgedRefund>, StoreError> =>
    Effect.map(
      run(
        "SELECT * FROM gopay_refund WHERE scope = ? AND payment_id = ? AND proposed = 0 AND change_seq IS NULL ORDER BY acknowledged_at, refund_id",
        [scope, paymentId]
      ),
      (rows) =>
        rows.map((row) => ({
          paymentId: Number(row["payment_id"]),
          refundId: Number(row["refund_id"]),
          amount: Number(row["amount"]),
          acknowledgedBy: String(row["acknowledged_by"]),
          note: String(row["note"]),
          acknowledgedAt: new Date(Number(row["acknowledged_at"])).toISOString()
        }))
    )
}

const ownershipOf = (row: SqlRow): "ofChange" | "proposed" | "acknowledged" => {
  if (row["change_seq"] !== null) return "ofChange"
  return Number(row["proposed"]) === 1 ? "proposed" : "acknowledged"
}

export type RefundTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number) => {
  const { isBrief, now, nowOnce, one, run } = Statements.make(database)
  const record = (
    { acknowledgedBy, amount, note, paymentId, refundId }: NewAcknowledgement,
    proposed: 0 | 1,
    onConflict: string
  ) =>
    Effect.asVoid(
      run(
        `INSERT INTO gopay_refund (scope, payment_id, refund_id, amount, acknowledged_by, note, acknowledged_at, proposed)
         VALUES (?, ?, ?, ?, ?, ?, ${now}, ${proposed}) ON CONFLICT (scope, payment_id, refund_id) DO UPDATE
         SET acknowledged_by = excluded.acknowledged_by, note = excluded.note, acknowledged_at = excluded.acknowledged_at,
           proposed = excluded.proposed WHERE gopay_refund.proposed = 1${onConflict}`,
        [scope, String(paymentId), String(refundId), amount, acknowledgedBy, note]
      )
    )
  return {
    ofPayment: acknowledgedRefunds(database, scope),

    /**
     * Records an acknowledgement. The first one stays. It replaces a proposal, as does the change that turns out to
     * have made the refund; see `find`.
     */
    insert: (refund: NewAcknowledgement) => record(refund, 0, ""),

    /**
     * Records a first operator's proposal until a second one confirms it. An existing proposal stays, unless its
     * operator's name is erased.
     */
    propose: (refund: NewAcknowledgement) => record(refund, 1, " AND gopay_refund.acknowledged_by = ''"),

    /**
     * What is recorded of a refund: the change that made it, an acknowledgement, or one operator's proposal of an
     * acknowledgement.
     */
    find: (paymentId: string, refundId: string) =>
      Effect.map(
        one("SELECT * FROM gopay_refund WHERE scope = ? AND payment_id = ? AND refund_id = ?", [
          scope,
          paymentId,
          refundId
        ]),
        (row) =>
          row && {
            is: ownershipOf(row),
            by: String(row["acknowledged_by"]),
            note: String(row["note"])
          }
      ),

    /** Who acknowledged each refund of a payment, or would, by its id at the gateway. Those of changes are left out. */
    operatorsOf: (paymentId: string) =>
      Effect.map(
        run("SELECT * FROM gopay_refund WHERE scope = ? AND payment_id = ? AND change_seq IS NULL", [scope, paymentId]),
        (rows) =>
          new Map(
            rows.map((row) => {
              const by = String(row["acknowledged_by"])
              return [
                Number(row["refund_id"]),
                ownershipOf(row) === "proposed" ? { proposedBy: by } : { acknowledgedBy: by }
              ] as const
            })
          )
      ),

    /**
     * Erases who acknowledged refunds, and why, if that was longer ago than this, in milliseconds. Returns how many.
     */
    erase: (age: number) =>
      Effect.map(
        run(
          `UPDATE gopay_refund SET acknowledged_by = '', note = ''
           WHERE scope = ? AND acknowledged_at <= ${nowOnce} - ? AND ${isSigned}
             AND ${isBrief()} RETURNING refund_id`,
          [scope, age]
        ),
        (rows) => rows.length
      )
  }
}
