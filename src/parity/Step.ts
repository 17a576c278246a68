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
  /** Members of the response that later steps use, by the name of their placeholder. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether the values depend on the merchant's contract, so that only their types are compared. */
  readonly isContractual?: true
}

/** The payer pays on the pay page, with the test card that is never declined. */
export interface PayerStep {
  readonly name: string
  /** The placeholder of a payment, and of its pay page. */
  readonly pays: { readonly payment: string; readonly gwUrl: string }
}

export type Step = RequestStep | PayerStep
