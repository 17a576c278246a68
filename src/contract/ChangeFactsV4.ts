/**
 * What each change of API v4 is, said once, as `ChangeFacts` says of v3: what its record keeps, how a lost one is looked for, and what
 * may be done then.
 */
import type { KeptFact } from "./ChangeFacts.js"
import type { ChangeOperationV4 } from "./GatewayOperationsV4.js"

/** How a change is looked for whose response was lost. */
export type ChangeSearchV4 =
  /** It cannot be: nothing is listed. It may be made again, since no one has what the lost one gave. */
  | "notSearchable"
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

/** What a change is, beside its endpoint. */
export interface ChangeFactsV4 {
  readonly kept: ReadonlyArray<Exclude<KeptFact, "usesStoredCard">>
  readonly search: ChangeSearchV4
  /** What to do about one whose response was lost. */
  readonly afterLoss: string
  /** Whether it is refused with 409 when it was made before, and does no harm then. */
  readonly isRefusedTwice: boolean
}

const findOut = "do not repeat it, find out"
const refusedTwice = "find out, or repeat it: it is refused if it was made"

export const changeFactsV4: { readonly [Name in ChangeOperationV4]: ChangeFactsV4 } = {
  createPayment: {
    kept: ["amount", "currency", "orderNumber"],
    search: "notSearchable",
    afterLoss: "create it again, and send the payer only to the newest address",
    isRefusedTwice: false
  },
  cancelPayment: { kept: [], search: "paymentCanceled", afterLoss: refusedTwice, isRefusedTwice: true },
  refundPayment: { kept: ["amount"], search: "refundList", afterLoss: findOut, isRefusedTwice: false },
  createRecurrence: {
    kept: ["amount", "currency", "orderNumber"],
    search: "notSearchable",
    afterLoss: "create it again, and start only the newest one",
    isRefusedTwice: false
  },
  startRecurrence: {
    kept: ["amount", "orderNumber"],
    search: "recurrenceStarted",
    afterLoss: refusedTwice,
    isRefusedTwice: true
  },
  nextPayment: {
    kept: ["amount", "orderNumber"],
    search: "recurrencePayment",
    afterLoss: findOut,
    isRefusedTwice: false
  },
  stopRecurrence: { kept: [], search: "recurrenceStopped", afterLoss: refusedTwice, isRefusedTwice: true }
}
