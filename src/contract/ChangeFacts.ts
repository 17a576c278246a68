/**
 * The facts about each change, declared once: the client's record of it, the search for one with a lost response, what
 * a refusal proves, and the payer's message follow from them. It needs no schema.
 */
import { ownMember } from "../basics/OwnMember.js"
import type { ErrorCodes } from "./CodeLists.js"
import type { ChangeOperation, GatewayOperations } from "./GatewayOperations.js"

/** The members of a record that are copied from a request, and their fields in the request. */
export const keptFields = {
  amount: "amount",
  currency: "currency",
  orderNumber: "order_number",
  usesStoredCard: "payer"
} as const

/** A fact that a record can keep of a request. */
export type KeptFact = keyof typeof keptFields

/** The facts about a change, besides its endpoint. */
export interface ChangeFacts<Kept extends KeptFact = KeptFact> {
  /** What its record keeps of the request: enough to recognise the change, nothing personal or secret. */
  readonly kept: ReadonlyArray<Kept>
  /** How `reconcile` looks for it. */
  readonly search: ChangeSearch
  /**
   * The codes that refuse only this change, or this and the changes that list them as well. Several share 303, 332 and
   * 341.
   */
  readonly ownRefusals: ReadonlyArray<keyof typeof ErrorCodes>
  /** The code that says that the change was made before. */
  readonly madeBefore: keyof typeof ErrorCodes | undefined
  /** What the payer requested with it. The payer must not repeat a payment that is in doubt. */
  readonly payerAskedFor: "a payment" | "something else"
}

/** How a change is found again if its response was lost. */
export type ChangeSearch =
  /**
   * Impossible: payments cannot be found by order number. Only for a payment that is created: it may be created again,
   * since no one has the address of the lost one.
   */
  | "createdAgain"
  /** By the refunds listed before and now. */
  | "refundList"
  /** By the payment that a notification names. */
  | "childPayment"
  /** By the recurrence being stopped. */
  | "recurrenceState"
  /** By the hold on the card being captured. */
  | "holdCaptured"
  /** By the hold on the card being released. */
  | "holdReleased"
  /** By the card being deleted. */
  | "cardStatus"

type RequestOf<Name extends ChangeOperation> = Extract<Parameters<GatewayOperations[Name]>[number], object>

type RequiredKey<Request> = { [Key in keyof Request]-?: object extends Pick<Request, Key> ? never : Key }[keyof Request]

/**
 * The facts whose fields are required in the request of the operation, since a record without one is refused; and
 * `usesStoredCard`, which is absent when no stored card is used.
 */
type KeptOf<Name extends ChangeOperation> = {
  [Fact in KeptFact]: (typeof keptFields)[Fact] extends
    | RequiredKey<RequestOf<Name>>
    | (Fact extends "usesStoredCard" ? keyof RequestOf<Name> : never)
    ? Fact
    : never
}[KeptFact]

/** The meaning of the codes is GoPay's: https://doc.gopay.com, error codes. */
const facts = {
  createPayment: {
    kept: ["amount", "currency", "orderNumber", "usesStoredCard"],
    search: "createdAgain",
    ownRefusals: [],
    madeBefore: undefined,
    payerAskedFor: "a payment"
  },
  refundPayment: {
    kept: ["amount"],
    search: "refundList",
    ownRefusals: [],
    madeBefore: undefined,
    payerAskedFor: "something else"
  },
  createRecurrence: {
    kept: ["amount", "currency", "orderNumber"],
    search: "childPayment",
    ownRefusals: [340, 342, 343],
    madeBefore: undefined,
    payerAskedFor: "a payment"
  },
  voidRecurrence: {
    kept: [],
    search: "recurrenceState",
    ownRefusals: [340, 342, 343],
    madeBefore: 342,
    payerAskedFor: "something else"
  },
  captureAuthorization: {
    kept: [],
    search: "holdCaptured",
    ownRefusals: [350, 351],
    madeBefore: 351,
    payerAskedFor: "something else"
  },
  captureAuthorizationPartial: {
    kept: ["amount"],
    search: "holdCaptured",
    ownRefusals: [350, 351],
    madeBefore: 351,
    payerAskedFor: "something else"
  },
  voidAuthorization: {
    kept: [],
    search: "holdReleased",
    ownRefusals: [352, 353],
    madeBefore: 353,
    payerAskedFor: "something else"
  },
  deleteCard: {
    kept: [],
    search: "cardStatus",
    ownRefusals: [],
    madeBefore: undefined,
    payerAskedFor: "something else"
  }
} as const satisfies { readonly [Name in ChangeOperation]?: ChangeFacts<KeptOf<Name>> }

export const changeFacts: { readonly [Name in ChangeOperation]: ChangeFacts } = facts

/** The changes that are searched for in this way. */
export type ChangeSearchedBy<Search extends ChangeSearch> = {
  [Name in keyof typeof facts]: (typeof facts)[Name]["search"] extends Search ? Name : never
}[keyof typeof facts]

/** The facts about a change; `undefined` for a read, and for a custom request. */
export const changeFactsOf = (operation: unknown): ChangeFacts | undefined =>
  typeof operation === "string" ? ownMember<ChangeFacts>(changeFacts, operation) : undefined

/**
 * What may be done about a change with a lost response. A payment that cannot be found may be created again: no one has
 * the address of the lost one, so only a stored card could pay it.
 */
export const afterLoss = (operation: unknown, usesStoredCard: boolean): "makeAgain" | "findOut" =>
  changeFactsOf(operation)?.search === "createdAgain" && !usesStoredCard ? "makeAgain" : "findOut"
