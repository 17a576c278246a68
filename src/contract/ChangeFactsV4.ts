/**
 * The facts about each change of API v4, declared once, like those of v3 in `ChangeFacts`: what its record keeps, how a
 * lost one is searched for, and what may be done then.
 */
import type { KeptFact } from "./ChangeFacts.js"
import type { ChangeOperationV4 } from "./GatewayOperationsV4.js"

/** How a change is found again if its response was lost. */
export type ChangeSearchV4 =
  /** Impossible: nothing is listed. It may be created again, since no one has the result of the lost one. */
  | "createdAgain"
  /** By the payment being cancelled. */
  | "paymentCanceled"
  /** By the refunds listed before and now. */
  | "refundList"
  /** By the recurrence having its first payment. */
  | "recurrenceStarted"
  /** By the recurrence having another payment than before, with the order number that was sent. */
  | "recurrencePayment"
  /** By the recurrence being stopped. */
  | "recurrenceStopped"

/** The facts about a change, besides its endpoint. */
export interface ChangeFactsV4 {
  readonly kept: ReadonlyArray<Exclude<KeptFact, "usesStoredCard">>
  readonly search: ChangeSearchV4
  /** What to do if its response was lost. */
  readonly afterLoss: string
  /** Whether repeating it is harmless, and refused with 409. */
  readonly isRefusedTwice: boolean
  /** Whether a refusal with 409 can only mean that it is already so. */
  readonly isDoneByConflict: boolean
}

const findOut = "do not repeat it, find out"
const refusedTwice = "find out, or repeat it: it is refused if it was made"

export const changeFactsV4: { readonly [Name in ChangeOperationV4]: ChangeFactsV4 } = {
  createPayment: {
    kept: ["amount", "currency", "orderNumber"],
    search: "createdAgain",
    afterLoss: "create it again, and send the payer only to the newest address",
    isRefusedTwice: false,
    isDoneByConflict: false
  },
  cancelPayment: {
    kept: [],
    search: "paymentCanceled",
    afterLoss: refusedTwice,
    isRefusedTwice: true,
    // It may as well be paid.
    isDoneByConflict: false
  },
  refundPayment: {
    kept: ["amount"],
    search: "refundList",
    afterLoss: findOut,
    isRefusedTwice: false,
    isDoneByConflict: false
  },
  createRecurrence: {
    kept: ["amount", "currency", "orderNumber"],
    search: "createdAgain",
    afterLoss: "create it again, and start only the newest one",
    isRefusedTwice: false,
    isDoneByConflict: false
  },
  startRecurrence: {
    kept: ["amount", "orderNumber"],
    search: "recurrenceStarted",
    afterLoss: refusedTwice,
    isRefusedTwice: true,
    // It may as well be stopped.
    isDoneByConflict: false
  },
  nextPayment: {
    kept: ["amount", "orderNumber"],
    search: "recurrencePayment",
    afterLoss: findOut,
    isRefusedTwice: false,
    isDoneByConflict: false
  },
  stopRecurrence: {
    kept: [],
    search: "recurrenceStopped",
    afterLoss: refusedTwice,
    isRefusedTwice: true,
    isDoneByConflict: true
  }
}
