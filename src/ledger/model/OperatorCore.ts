/**
 * The calls of an operator that both styles of client are made from.
 */
import type * as Effect from "effect/Effect"
import type { BookedOrder } from "../../statement/BookedOrder.js"
import type { CallError, OperatorPrograms } from "./LedgerService.js"
import type { BookedOrdersOptions } from "./Lists.js"

/** Some orders, and where those after them begin. */
export interface BookedOrdersPage {
  readonly orders: ReadonlyArray<BookedOrder>
  readonly next: BooksPlace | undefined
}

/** Where a page begins. */
export interface BooksPlace {
  /** The times of the books, in milliseconds: from this one on, and before that one. */
  readonly from: number
  readonly before: number
  /** The kind of event by which the orders are found, and the last one of the page before. */
  readonly kind: number
  readonly at: number
  readonly seq: number
}

/** The calls of an operator, with the orders of the books by pages. */
export interface OperatorCore extends OperatorPrograms {
  readonly pageOfBookedOrders: (
    options: BookedOrdersOptions,
    after: BooksPlace | undefined
  ) => Effect.Effect<BookedOrdersPage, CallError>
}
