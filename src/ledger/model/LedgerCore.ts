/**
 * The calls of a ledger that both styles of client are made from.
 */
import type * as Effect from "effect/Effect"
import type { BookedOrder } from "../../statement/BookedOrder.js"
import type { CallError, LedgerPrograms, LedgerService } from "./LedgerService.js"
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

/** The calls of a ledger, with the orders of its books by pages. */
export interface LedgerCore<in out Tx = unknown>
  extends LedgerPrograms<Tx>, Pick<LedgerService<Tx>, "notificationHandler" | "runWorker"> {
  readonly pageOfBookedOrders: (
    options: BookedOrdersOptions,
    after: BooksPlace | undefined
  ) => Effect.Effect<BookedOrdersPage, CallError>
}
