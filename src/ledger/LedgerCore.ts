/**
 * The calls of a ledger that both styles of client are made from.
 */
import type * as Effect from "effect/Effect"
import type { BookedOrdersPage, BooksPlace } from "./BookedOrders.js"
import type { CallError, LedgerPrograms, LedgerService } from "./LedgerService.js"
import type { BookedOrdersOptions } from "./Lists.plain.js"

/** The calls of a ledger, with the orders of its books by pages. */
export interface LedgerCore<in out Tx = unknown>
  extends LedgerPrograms<Tx>, Pick<LedgerService<Tx>, "notificationHandler" | "runWorker"> {
  readonly pageOfBookedOrders: (
    options: BookedOrdersOptions,
    after: BooksPlace | undefined
  ) => Effect.Effect<BookedOrdersPage, CallError>
}
