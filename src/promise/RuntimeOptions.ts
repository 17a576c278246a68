/**
 * The runtime options of the promise client: its retries, the store that shares its token, and the function that keeps
 * its work alive.
 */
import * as Context from "effect/Context"
import * as Predicate from "effect/Predicate"
import { withoutPrototype } from "../contract/OwnMember.js"
import { fromOptions, RetryPolicy } from "../client/call/RetryPolicy.js"
import { isTimeLimit, timeLimitMessage } from "../client/config/GatewayOptions.js"
import type { InvalidField } from "../client/error/GatewayError.js"
import { WaitUntil } from "../client/call/WaitUntil.js"
import type { GatewayClientOptions } from "./GatewayClient.js"

export type RuntimeOptions = Pick<GatewayClientOptions, "retry" | "tokenStore" | "waitUntil">

/** What its calls run in. */
export const contextOf = ({ retry, waitUntil }: RuntimeOptions): Context.Context<never> => {
  const context = waitUntil === undefined ? Context.empty() : Context.make(WaitUntil, waitUntil)
  return retry === undefined ? context : Context.add(context, RetryPolicy, fromOptions(retry))
}

/** What is wrong with them. */
export const invalidRuntimeOptions = ({ retry, tokenStore }: RuntimeOptions): ReadonlyArray<InvalidField> => [
  ...(tokenStore === undefined || isStore(tokenStore)
    ? []
    : [{ field: "tokenStore", message: "must have functions get and set" }]),
  ...(retry === undefined || retry === false ? [] : invalidRetry(retry))
]

const isStore = (store: unknown): boolean =>
  Predicate.isObject(store) && Predicate.isFunction(store["get"]) && Predicate.isFunction(store["set"])

const invalidRetry = (retry: unknown): ReadonlyArray<InvalidField> => {
  if (!Predicate.isObject(retry)) return [{ field: "retry", message: "must be false, or attempts and totalTimeout" }]
  const { attempts, totalTimeout, ...others } = withoutPrototype(retry)
  return [
    ...(attempts === undefined || (Number.isSafeInteger(attempts) && Number(attempts) >= 1)
      ? []
      : [{ field: "retry.attempts", message: "must be a whole number, 1 or more" }]),
    ...(totalTimeout === undefined || isTimeLimit(totalTimeout)
      ? []
      : [{ field: "retry.totalTimeout", message: timeLimitMessage }]),
    ...(Object.keys(others).length === 0 ? [] : [{ field: "retry", message: "has attempts and totalTimeout only" }])
  ]
}
