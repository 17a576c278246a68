/**
 * The configuration behind every program: which merchant, which gateway, which language.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Language, TokenScope } from "../api/CodeLists.js"
import type { Id } from "../api/Messages.js"
import { baseUrl, checkedOptions, type GatewayOptions, option, secureEnvironment, version } from "./GatewayOptions.js"

/** The checked configuration of a client. */
export interface GatewaySettings {
  /** The shop's identifier: a number where it is a safe integer, else text. */
  readonly goid: Id
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  /** The API's base address, without a slash at its end: `https://gw.sandbox.gopay.com/api`. */
  readonly baseUrl: string
  readonly language: Language
  readonly scope: TokenScope
  /** How long one attempt of a read or of the token call may take. */
  readonly readTimeout: Duration.Duration
  /** How long one attempt of a change may take: refunds that succeed can take longer than 30 seconds. */
  readonly changeTimeout: Duration.Duration
  /** The whole `User-Agent`. */
  readonly userAgent: string
}

const number = (goid: Id): Id => (Number.isSafeInteger(Number(goid)) ? Number(goid) : goid)

const settings = (options: GatewayOptions): GatewaySettings => {
  const timeout = options.timeout === undefined ? undefined : Duration.fromInputUnsafe(options.timeout)
  const product = `effect-gopay/${version}`
  return {
    goid: number(options.goid),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    baseUrl: baseUrl(options.environment),
    language: options.language ?? "EN",
    scope: options.scope ?? "payment-all",
    readTimeout: timeout ?? Duration.seconds(30),
    changeTimeout: timeout ?? Duration.seconds(120),
    userAgent: options.userAgent === undefined ? product : `${product} ${options.userAgent}`
  }
}

const decode = Schema.decodeUnknownResult(checkedOptions, { errors: "all", onExcessProperty: "error" })

/** Checks the options; fails with every problem at once, each under its option's name. */
export const fromOptions = (options: unknown): Result.Result<GatewaySettings, Schema.SchemaError> =>
  Result.map(decode(options), settings)

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
      Effect.fromResult(Result.mapError(fromOptions(options), (error) => new Config.ConfigError(error)))
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
