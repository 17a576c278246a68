/**
 * The configuration of every program: merchant, gateway and language.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { envVariables } from "./EnvVariables.js"
import { checkOptions, type GatewayOptions, type GatewaySettings } from "./GatewayOptions.js"
import { configError } from "../../contract/InvalidFields.js"
import { ownMember } from "../../contract/OwnMember.js"

const variables: { readonly [option: string]: string } = envVariables

const optionIn = (variable: string) => Config.withDefault(Config.String(variable), undefined)

const fromEnvironment = Config.mapEffect(
  Config.all(Object.fromEntries(Object.entries(variables).map(([option, variable]) => [option, optionIn(variable)]))),
  (values) => {
    const { clientSecret, ...others } = Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined)
    )
    const options = clientSecret === undefined ? others : { ...others, clientSecret: Redacted.make(clientSecret) }
    return Effect.fromResult(
      Result.mapError(checkOptions(options), (fields) =>
        configError(fields.map(({ field = "", message }) => ({ field: ownMember(variables, field) ?? field, message })))
      )
    )
  }
)

/**
 * The configuration of a client, as a service.
 *
 * Several merchants work side by side by giving each part of a program its own layer. Each time a layer is provided it is another
 * one: under another `ConfigProvider`, `layerConfig` reads that one.
 */
export class GatewayConfig extends Context.Service<GatewayConfig, GatewaySettings>()("effect-gopay/GatewayConfig") {
  /** From options. Building it fails with a `ConfigError` that names every wrong option. */
  static readonly layer = (options: GatewayOptions): Layer.Layer<GatewayConfig, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfig, Effect.fromResult(Result.mapError(checkOptions(options), configError))))

  /**
   * From `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT` (`sandbox`, `production` or an
   * address), and optionally `GOPAY_LANGUAGE` and `GOPAY_SCOPE`, through the current `ConfigProvider` (environment
   * variables, unless replaced). Building it fails with a `ConfigError` that names every wrong variable.
   */
  static readonly layerConfig: Layer.Layer<GatewayConfig, Config.ConfigError> = Layer.fresh(
    Layer.effect(GatewayConfig, fromEnvironment)
  )
}
