/**
 * The option of a layer that changes the `HttpClient` of its requests.
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Predicate from "effect/Predicate"
import { configError, configProblems } from "../../basics/InvalidFields.js"
import { withoutPrototype } from "../../basics/OwnMember.js"
import { type GatewaySettings, notAFunction } from "../config/GatewayOptions.js"

/** See `GatewayLayerOptions`. */
interface TransformedClient {
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/** The checked transformation, and the settings that are made from the remaining options. Names all that is wrong. */
export const withTransformation = <Options extends TransformedClient>(
  options: Options,
  settingsOf: (others: Omit<Options, "transformClient">) => Effect.Effect<GatewaySettings, Config.ConfigError>
) =>
  Effect.suspend(() => {
    const given: unknown = options
    if (!Predicate.isObject(given)) return Effect.fail(configError([{ message: "must be an object with options" }]))
    const { transformClient, ...others } = withoutPrototype(options)
    const settings = settingsOf(others)
    if (transformClient === undefined || Predicate.isFunction(transformClient)) {
      return Effect.map(settings, (settings) => ({ settings, transformClient }))
    }
    const wrong = { field: "transformClient", ...notAFunction }
    return Effect.matchEffect(settings, {
      onSuccess: () => Effect.fail(configError([wrong])),
      onFailure: (error) => Effect.fail(configError([wrong, ...(configProblems(error) ?? [])]))
    })
  })
