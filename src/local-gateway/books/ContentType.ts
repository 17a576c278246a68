/**
 * The content types that the gateway's operations take.
 */
import type * as Endpoint from "../../contract/Endpoint.js"
import { Refusal } from "./Refusal.js"
import type { RequestBody } from "./RequestDecoder.js"

type AnyEndpoint = (typeof Endpoint)[keyof typeof Endpoint]

const form = "application/x-www-form-urlencoded"
const json = "application/json"

/**
 * The content types that an operation takes. A refund may be JSON, as the documentation has it for the registration of
 * sales. An empty capture is one of all, and official clients send it in different types.
 */
const typesOf = ({ name, request }: AnyEndpoint, isEmpty: boolean): ReadonlyArray<string> => {
  if (name === "refundPayment") return [form, json]
  if (name === "captureAuthorization") return isEmpty ? [form, json] : [json]
  switch (request.type) {
    case "json":
      return [json]
    case "form":
    case "emptyForm":
      return [form]
    default:
      return []
  }
}

/**
 * Refuses a body that claims to be of a type which the operation does not take, as the gateway refused a `voidRecurrence`
 * sent as JSON (contributte/gopay-inline, pull request 98). What names no type is taken, and a read has no body.
 */
export const wrongContentType = (
  endpoint: AnyEndpoint,
  { content, contentType = "" }: RequestBody
): Refusal | undefined => {
  const [type = ""] = contentType.split(";")
  const types = typesOf(endpoint, content.trim() === "")
  if (type.trim() === "" || types.length === 0 || types.includes(type.trim().toLowerCase())) return undefined
  return new Refusal({
    status: 500,
    errors: [
      {
        code: 500,
        scope: "F",
        message: "RESTEASY003065: Cannot consume content type",
        description: `The content type is ${type.trim()}, and must be ${types.join(" or ")}.`
      }
    ]
  })
}
