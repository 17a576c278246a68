/**
 * Schemas of the ids of API v4.
 */
import * as Schema from "effect/Schema"
import { isIdV4, notAnIdV4 } from "./IdV4.js"
import type { PaymentIdV4 as PaymentId, RecurrenceIdV4 as RecurrenceId, RefundIdV4 as RefundId } from "./MessagesV4.js"

const digits = { toJsonSchema: () => ({ pattern: "^[0-9]{1,40}$" }) }

/** Ids as text, with the message about any other value. */
export const idSchemaV4 = <Id extends string>(message: string): Schema.Codec<Id, string> =>
  Schema.String.annotate({ message }).pipe(Schema.refine(isIdV4<Id>, { message, ...digits }))

/** The id of a payment of API v4: its digits as text. */
export const PaymentIdV4: Schema.Codec<PaymentId, string> = /* @__PURE__ */ idSchemaV4<PaymentId>(notAnIdV4)

/** The id of a refund of API v4: its digits as text. */
export const RefundIdV4: Schema.Codec<RefundId, string> = /* @__PURE__ */ idSchemaV4<RefundId>(notAnIdV4)

/** The id of a recurrence of API v4: its digits as text. */
export const RecurrenceIdV4: Schema.Codec<RecurrenceId, string> = /* @__PURE__ */ idSchemaV4<RecurrenceId>(notAnIdV4)
