/**
 * The payment that a notification of API v4, or a returning payer, names.
 */
import { givenMember } from "../../basics/OwnMember.js"
import { isIdV4 } from "../../contract/IdV4.js"
import type { PaymentIdV4 } from "../../contract/MessagesV4.js"

/** The names under which GoPay's sources give the id: its JavaScript SDK, its README for PHP. */
const names = ["id", "payment_id"]

const inQuery = (text: string): ReadonlyArray<string> => {
  const parameters = new URLSearchParams(text)
  return names.flatMap((name) => parameters.getAll(name))
}

/** A number of digits is an id as well, unless it has lost some on its way. */
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
 * address's query, in a form or in JSON. Returns `undefined` when it names none, or more than one.
 *
 * How GoPay notifies by v4 is not documented: one README says by POST, nothing says where the id stands, or whether it is text in JSON as
 * it is in responses. So it takes GET and POST, and a number of digits too, and **believes nothing but the id**: anyone can send one.
 * Read the payment, and compare it with what you stored.
 */
export const notifiedPaymentV4 = (address: string, body = ""): PaymentIdV4 | undefined => {
  const query = /^[^?#]*\?([^#]*)/.exec(address)?.[1] ?? ""
  const found = [...inQuery(query), ...(/^\s*\{/.test(body) ? inJson(body) : inQuery(body))].filter(
    (value) => value !== undefined
  )
  const [id, ...others] = new Set(found)
  return others.length === 0 && isIdV4<PaymentIdV4>(id) ? id : undefined
}
