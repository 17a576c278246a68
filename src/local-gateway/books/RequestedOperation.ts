/**
 * The operation that a request is for, recognized by its path: for the log.
 */
import * as Endpoint from "../../contract/Endpoint.js"

interface Request {
  readonly method: string
  readonly path: string
  readonly requestBody: string
  readonly responseBody: string
}

const endpoints = Object.values(Endpoint).map(({ method, name, path }) => ({
  method,
  name,
  pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, "([^/]+)")}/?$`),
  isAboutPayment: path.includes("{id}")
}))

/** The client's method that sends such a request, and the payment that it is about, as far as there are any. */
export const operationOf = ({
  method,
  path,
  requestBody,
  responseBody
}: Request): { readonly operation?: string; readonly paymentId?: number } => {
  const found = endpoints.find((endpoint) => endpoint.method === method && endpoint.pattern.test(path))
  if (found === undefined) return {}
  const operation =
    found.name === "captureAuthorization" && requestBody.trim() !== "" ? "captureAuthorizationPartial" : found.name
  const about =
    found.name === "createPayment"
      ? /^\{"id":(\d+)/.exec(responseBody)?.[1]
      : found.isAboutPayment
        ? found.pattern.exec(path)?.[1]
        : undefined
  const paymentId = Number(about)
  return Number.isSafeInteger(paymentId) ? { operation, paymentId } : { operation }
}
