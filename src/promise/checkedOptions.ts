/**
 * The options of a client, checked, and the context that its calls run in.
 */
import * as Context from "effect/Context"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { describeFields, invalidFields } from "../basics/InvalidFields.js"
import { withoutPrototype } from "../basics/OwnMember.js"
import { fromOptions, RetryPolicy } from "../client/call/RetryPolicy.js"
import { WaitUntil } from "../client/transport/WaitUntil.js"
import type { TokenStore } from "../client/call/TokenStore.js"
import { aFunction, type GatewaySettings, timeLimit, wholeNumber } from "../client/config/GatewayOptions.js"
import type { EventOf } from "../client/call/CallObserver.js"
import type { ApiTypes } from "../client/error/AnyReason.js"
import type { InvalidField } from "../client/error/GatewayError.js"
import type { GatewayClientOptions } from "./GatewayClient.js"

/** The options that all APIs share. */
export interface RuntimeOptions<in Types extends ApiTypes> extends Pick<
  GatewayClientOptions,
  "agent" | "fetch" | "retry" | "tokenStore" | "waitUntil"
> {
  readonly observer?: ((call: EventOf<Types>) => void) | undefined
}

const isStore = (store: unknown): store is TokenStore =>
  Predicate.isObject(store) && Predicate.isFunction(store["get"]) && Predicate.isFunction(store["set"])

const checkRuntime = SchemaParser.decodeUnknownResult(
  Schema.Struct({
    agent: Schema.optional(Schema.declare(Predicate.isObject, { message: "must be an agent of node:https" })),
    fetch: Schema.optional(aFunction),
    observer: Schema.optional(aFunction),
    retry: Schema.optional(
      Schema.Union([
        Schema.Literal(false),
        Schema.Struct({ attempts: Schema.optional(wholeNumber), totalTimeout: Schema.optional(timeLimit) })
      ]).annotate({ message: "must be false, or attempts and totalTimeout" })
    ),
    tokenStore: Schema.optional(Schema.declare(isStore, { message: "must have functions get and set" })),
    waitUntil: Schema.optional(aFunction)
  }).check(
    Schema.makeFilter(({ agent, fetch }) =>
      agent === undefined || fetch === undefined ? true : { path: ["agent"], issue: "is not allowed beside fetch" }
    )
  ),
  { errors: "all", onExcessProperty: "error" }
)

/** @throws TypeError that names every option that is wrong */
export const checkedOptions = <Types extends ApiTypes>(
  options: RuntimeOptions<Types>,
  check: (options: unknown) => Result.Result<GatewaySettings, ReadonlyArray<InvalidField>>
): RuntimeOptions<Types> & { readonly settings: GatewaySettings } => {
  const { agent, fetch, observer, retry, tokenStore, waitUntil, ...others } = withoutPrototype(options ?? {})
  const settings = check(others)
  const policy = Predicate.isObject(retry) ? withoutPrototype(retry) : retry
  const runtime = { agent, fetch, observer, retry: policy, tokenStore, waitUntil }
  const wrong = Result.match(checkRuntime(runtime), { onFailure: invalidFields, onSuccess: () => [] })
  if (wrong.length === 0 && Result.isSuccess(settings)) return { ...runtime, settings: settings.success }
  const errors = [...(Result.isFailure(settings) ? settings.failure : []), ...wrong]
  throw new TypeError(`createGatewayClient: ${describeFields(errors)}`)
}

/** The context in which a client's calls run. */
export const callContext = ({
  retry,
  waitUntil
}: Pick<GatewayClientOptions, "retry" | "waitUntil">): Context.Context<never> => {
  const context = waitUntil === undefined ? Context.empty() : Context.make(WaitUntil, waitUntil)
  return retry === undefined ? context : Context.add(context, RetryPolicy, fromOptions(retry))
}
