import { expect } from "vitest"
import { GatewayError } from "../../src/promise/index.js"

/** What the promise rejects with; fails when it does not reject. */
export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`did not reject, but resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error
  )

/** The `GatewayError` that the promise rejects with. */
export const gatewayErrorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await rejectionOf(promise)
  if (error instanceof GatewayError) return error
  return expect.fail(`rejected with something else than a GatewayError: ${String(error)}`)
}
