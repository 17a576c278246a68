/**
 * The steps of a scenario: requests to a gateway, and what a payer does between them.
 */

/** A value of JSON. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [member: string]: Json }

/** Placeholders such as `{payment}` stand for what an earlier step kept, in its path, headers and body. */
export interface RequestStep {
  /** The step's name, the only one of its scenario. */
  readonly name: string
  readonly method: "GET" | "POST" | "DELETE"
  /** Begins after `/api`. */
  readonly path: string
  /** Default: `Accept: application/json`, and the token that a step before it kept. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as `application/json`. */
  readonly json?: Json
  /** Whether what is not ASCII is escaped as `\uXXXX` in the JSON. A firewall may refuse that, which is recorded. */
  readonly isEscaped?: true
  /** Members of the response that later steps use, by the name of their placeholder. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether the values depend on the merchant's contract, so that only their types are compared. */
  readonly isContractual?: true
}

/** What the payer does on the pay page, and the states of the payment then. */
export const payerActs = {
  pays: ["PAID", "AUTHORIZED"],
  isDeclined: ["PAYMENT_METHOD_CHOSEN", "CANCELED"],
  cancels: ["CANCELED"],
  choosesTransfer: ["PAYMENT_METHOD_CHOSEN"],
  letsTimeOut: ["TIMEOUTED"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type PayerAct = keyof typeof payerActs

/** The payer does something on the pay page. */
export interface PayerStep {
  readonly name: string
  /** The placeholder of a payment, and of its pay page. Default of `act`: `pays`, with the card that is never declined. */
  readonly pays: { readonly payment: string; readonly gwUrl: string; readonly act?: PayerAct }
}

export type Step = RequestStep | PayerStep
