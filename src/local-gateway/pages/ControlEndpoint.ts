/**
 * An endpoint of the control API.
 */
import * as Schema from "effect/Schema"
import { problem } from "../books/Fields.js"

/** The groups of endpoints. */
export const controlTags = {
  Payments: "What is in the books.",
  Payer: "Acting as the payer.",
  Merchant: "Acting as the merchant, by the rules of the gateway's own API.",
  Time: "Moving time.",
  Notifications: "Delivering what is pending.",
  Faults: "Making requests fail.",
  Settings: "How the gateway behaves.",
  Log: "What happened.",
  Gateway: "The gateway as a whole: its merchants, state and tokens."
} as const

/** A group of endpoints. */
export type ControlTag = keyof typeof controlTags

/** An endpoint of the control API. Its path starts after the prefix. */
export interface ControlEndpoint {
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly tag: ControlTag
  readonly summary: string
  readonly description?: string
  /** Parameters of the query. */
  readonly query: Schema.Top & { readonly DecodingServices: never; readonly fields?: Schema.Struct.Fields }
  /** The body of a POST. */
  readonly body: Schema.Top & { readonly DecodingServices: never }
  readonly response: Schema.Top
  /** An example of the body. */
  readonly example?: unknown
  /** Statuses of refusals, besides those of every endpoint. */
  readonly refusals: ReadonlyArray<404 | 409>
}

/** An object without members. A struct without fields would take anything. */
export const nothing = Schema.Record(
  Schema.String,
  Schema.Never.annotate(problem("Unknown", "is not known here; check its spelling"))
).annotate(problem("Object", "must be an object"))

/** Declares an endpoint. */
export const endpoint = <
  const Declared extends Omit<ControlEndpoint, "query" | "body" | "refusals"> & Partial<ControlEndpoint>
>(
  declared: Declared
) => ({ query: nothing, body: nothing, refusals: [] as const, ...declared })
