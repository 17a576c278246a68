/**
 * The configuration behind every program: which merchant, which gateway, which language.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  checkOptions,
  type GatewayOptions,
  type GatewaySettings,
  option,
  secureEnvironment,
  settings
} from "./GatewayOptions.js"

const optional = <A>(config: Config.Config<A>) => Config.withDefault(config, undefined)

const fromEnvironment = Config.all({
  goid: Config.schema(option.goid, "GOPAY_GOID"),
  clientId: Config.schema(option.clientId, "GOPAY_CLIENT_ID"),
  clientSecret: Config.schema(Schema.RedactedFromValue(Schema.NonEmptyString), "GOPAY_CLIENT_SECRET"),
  environment: Config.schema(secureEnvironment, "GOPAY_ENVIRONMENT"),
  language: optional(Config.schema(option.language, "GOPAY_LANGUAGE")),
  scope: optional(Config.schema(option.scope, "GOPAY_SCOPE"))
}).pipe(Config.map(settings))

/**
 * The configuration of a client, as a service.
 *
 * Several merchants work side by side by giving each part of a program its own layer.
 */
export class GatewayConfig extends Context.Service<GatewayConfig, GatewaySettings>()("effect-gopay/GatewayConfig") {
  /** From options. Building it fails with a `ConfigError` that names every wrong option. */
  static readonly layer = (options: GatewayOptions): Layer.Layer<GatewayConfig, Config.ConfigError> =>
    Layer.effect(
      GatewayConfig,
      Effect.fromResult(Result.mapError(checkOptions(options), (error) => new Config.ConfigError(error)))
    )

  /**
   * From `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT` (`sandbox`, `production` or an
   * address), and optionally `GOPAY_LANGUAGE` and `GOPAY_SCOPE`, through the current `ConfigProvider` (environment
   * variables, unless replaced). Building it fails with a `ConfigError` that names the variable.
   */
  static readonly layerConfig: Layer.Layer<GatewayConfig, Config.ConfigError> = Layer.effect(
    GatewayConfig,
    fromEnvironment
  )
}
