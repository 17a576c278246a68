/**
 * The items of a payment for an operator, and how they are reported.
 */
import type * as Effect from "effect/Effect"
import type { AttentionReports } from "../process/AttentionReports.js"
import type { RowWithItems } from "../store/Items.js"
import type { PaymentRow, PaymentTable } from "../store/PaymentTable.js"
import { itemOf } from "./OrderView.js"

/** Where the items of payments are reported. */
export interface PaymentReports {
  readonly attention: AttentionReports
  readonly payments: PaymentTable
}

/** Notifies an operator of the items that a payment has now and did not have before. */
export const reportItems = (
  { attention, payments }: PaymentReports,
  after: PaymentRow,
  before?: RowWithItems
): Effect.Effect<void> => attention.foundIn(payments.items, itemOf, after, before)
