/**
 * The configuration of programs of API v4, as a service.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { configError } from "../../basics/InvalidFields.js"
import { type ConfigApi, settingsFromConfig } from "../config/GatewayConfig.js"
import type { GatewayOptions, GatewaySettings } from "../config/GatewayOptions.js"
import { checkOptionsV4 } from "./ApiV4.js"
import { envVariablesV4 } from "./EnvVariablesV4.js"

/** The options of a client of API v4: those of v3, except the language, which v4 does not have. */
export interface GatewayOptionsV4 extends Omit<GatewayOptions, "language" | "scope"> {
  /** The scopes of the access token, separated by spaces. Default: `payment:write payment:read`. */
  readonly scope?: string | undefined
}

/** Options of a client, each from a `Config`. An option that is left out comes from its environment variable. */
export type GatewayConfigOptionsV4 = {
  readonly [Name in keyof GatewayOptionsV4]?: Config.Wrap<GatewayOptionsV4[Name]> | undefined
}

const v4: ConfigApi = { variables: envVariablesV4, check: checkOptionsV4 }

/** The settings of a client from the current `ConfigProvider`. */
export const settingsFromConfigV4 = (
  options: GatewayConfigOptionsV4 = {}
): Effect.Effect<GatewaySettings, Config.ConfigError> => settingsFromConfig(options, v4)

/** The settings of a client from its options. */
export const settingsFromOptionsV4 = (options: GatewayOptionsV4): Effect.Effect<GatewaySettings, Config.ConfigError> =>
  Effect.fromResult(Result.mapError(checkOptionsV4(options), configError))

/**
 * The configuration of a client of API v4, as a service. Each time a layer is provided, it is another one: see
 * `GatewayConfig` of v3.
 */
export class GatewayConfigV4 extends Context.Service<GatewayConfigV4, GatewaySettings>()(
  "effect-gopay/v4/GatewayConfig"
) {
  /** From options. Building it fails with a `ConfigError` that names every wrong option. */
  static readonly layer = (options: GatewayOptionsV4): Layer.Layer<GatewayConfigV4, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfigV4, settingsFromOptionsV4(options)))

  /**
   * From `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT`, and optionally `GOPAY_V4_SCOPE` and
   * `GOPAY_ALLOW_INSECURE`, through the current `ConfigProvider`. An option that is given comes from its `Config` instead. Building it
   * fails with a `ConfigError` that names every wrong variable and every wrong option.
   *
   * That v4 accepts the credentials of v3 is a guess: if it does not, pass `clientId` and `clientSecret` from variables
   * of your own.
   */
  static readonly layerConfig = (options?: GatewayConfigOptionsV4): Layer.Layer<GatewayConfigV4, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfigV4, settingsFromConfigV4(options)))
}
