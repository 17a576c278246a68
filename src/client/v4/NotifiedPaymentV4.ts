/**
 * The payment that a notification of API v4, or a returning payer, names.
 */
import { givenMember } from "../../basics/OwnMember.js"
import { isIdV4 } from "../../contract/IdV4.js"
import type { PaymentIdV4 } from "../../contract/MessagesV4.js"

/** The names of the id in GoPay's sources: its JavaScript SDK, and its README for PHP. */
const names = ["id", "payment_id"]

const inQuery = (text: string): ReadonlyArray<string> => {
  const parameters = new URLSearchParams(text)
  return names.flatMap((name) => parameters.getAll(name))
}

/** A number is an id as well, unless it is too large to be exact. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value)

const inJson = (text: string): ReadonlyArray<unknown> => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === "object" && json !== null ? names.map((name) => asText(givenMember(json, name))) : []
  } catch {
    return []
  }
}

/**
 * Reads which payment a notification of API v4 is about, or a returning payer: from `id` or `payment_id`, in the
 * address's query, in a form or in JSON. Returns `undefined` if it names no payment, or more than one.
 *
 * How GoPay notifies in v4 is not documented: one README says by POST, and nothing says where the id is, or whether it
 * is text in JSON, as in responses. So this accepts GET and POST, and also a number, and **trusts nothing but the id**:
 * anyone can send one. Read the payment, and compare it with what you stored.
 */
export const notifiedPaymentV4 = (address: string, body = ""): PaymentIdV4 | undefined => {
  const query = /^[^?#]*\?([^#]*)/.exec(address)?.[1] ?? ""
  const found = [...inQuery(query), ...(/^\s*\{/.test(body) ? inJson(body) : inQuery(body))].filter(
    (value) => value !== undefined
  )
  const [id, ...others] = new Set(found)
  return others.length === 0 && isIdV4<PaymentIdV4>(id) ? id : undefined
}
