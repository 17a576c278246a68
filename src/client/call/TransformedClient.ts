/**
 * The option of a layer that changes the `HttpClient` of its requests.
 */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Predicate from "effect/Predicate"
import { configError } from "../../basics/InvalidFields.js"
import { withoutPrototype } from "../../basics/OwnMember.js"
import { notAFunction } from "../config/GatewayOptions.js"

/** See `GatewayLayerOptions`. */
interface TransformedClient {
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/** The checked transformation, and the remaining options. */
export const withoutTransformation = <Options extends TransformedClient>(options: Options) =>
  Effect.suspend(() => {
    const given: unknown = options
    if (!Predicate.isObject(given)) return Effect.fail(configError([{ message: "must be an object with options" }]))
    const { transformClient, ...others } = withoutPrototype(options)
    return transformClient === undefined || Predicate.isFunction(transformClient)
      ? Effect.succeed({ transformClient, others })
      : Effect.fail(configError([{ field: "transformClient", ...notAFunction }]))
  })
