/**
 * The configuration of every program: merchant, gateway and language.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { envVariables, insecureAllowed } from "./EnvVariables.js"
import { checkOptions, type GatewayOptions, type GatewaySettings } from "./GatewayOptions.js"
import { configError, type FieldProblem } from "../../basics/InvalidFields.js"
import { ownMember } from "../../basics/OwnMember.js"

/** Options of a client, each from a `Config`. An option that is left out comes from its environment variable. */
export type GatewayConfigOptions = {
  readonly [Name in keyof GatewayOptions]?: Config.Wrap<GatewayOptions[Name]> | undefined
}

/** How the options of an API are checked, and the variables that they come from. */
export interface ConfigApi {
  readonly variables: { readonly [option: string]: string }
  readonly check: (options: unknown) => Result.Result<GatewaySettings, ReadonlyArray<FieldProblem>>
}

const v3: ConfigApi = { variables: envVariables, check: checkOptions }

const optionIn = (variable: string): Config.Config<string | undefined> =>
  Config.withDefault(Config.String(variable), undefined)

const given = (options: GatewayConfigOptions): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** The settings of a client from the current `ConfigProvider`. */
export const settingsFromConfig = (
  options: GatewayConfigOptions = {},
  { check, variables }: ConfigApi = v3
): Effect.Effect<GatewaySettings, Config.ConfigError> =>
  Effect.gen(function* () {
    const provider = yield* ConfigProvider.ConfigProvider
    const own = given(options)
    const notConfigs = Object.keys(own).filter((option) => !Config.isConfig(ownMember(own, option)))
    if (notConfigs.length > 0) {
      return yield* Effect.fail(configError(notConfigs.map((field) => ({ field, message: "must be a Config" }))))
    }
    const sources = Object.entries(variables).map(([option, variable]) => [option, optionIn(variable)] as const)
    const configs = { ...Object.fromEntries(sources), ...own }
    const values = yield* Config.all(Object.values(configs).filter(Config.isConfig)).parse(provider)
    const set = Object.keys(configs).flatMap((option, index) =>
      values[index] === undefined ? [] : [[option, typed(option, values[index])] as const]
    )
    const checked = check(Object.fromEntries(set))
    if (Result.isSuccess(checked)) return checked.success
    const problems = checked.failure.map((problem) => {
      const variable =
        ownMember(own, problem.field ?? "") === undefined ? ownMember(variables, problem.field ?? "") : undefined
      return variable === undefined
        ? Effect.succeed(problem)
        : Effect.map(nameIn(provider, variable), (field): FieldProblem => ({ ...problem, field }))
    })
    return yield* Effect.flatMap(Effect.all(problems), (fields) => Effect.fail(configError(fields)))
  })

const typed = (option: string, value: unknown): unknown => {
  if (option === "clientSecret" && Predicate.isString(value)) return Redacted.make(value)
  return option === "allowInsecure" ? insecureAllowed(value) : value
}

/** The name under which a provider looks up a variable, with the prefix if it is nested. */
const nameIn = (provider: ConfigProvider.ConfigProvider, variable: string): Effect.Effect<string> =>
  Effect.suspend(() => {
    let name: string | undefined
    const watched = provider.mapInput((path) => {
      name ??= path.join("_")
      return path
    })
    return Effect.map(Effect.ignore(watched.load([variable])), () => name ?? variable)
  })

/**
 * The configuration of a client, as a service.
 *
 * For several merchants, give each part of a program its own layer. Each time a layer is provided, it is another one,
 * so `layerConfig()` reads whichever `ConfigProvider` is in place. For layers composed from it, see `Gateway.layer`.
 */
export class GatewayConfig extends Context.Service<GatewayConfig, GatewaySettings>()("effect-gopay/GatewayConfig") {
  /** From options. Building it fails with a `ConfigError` that names every wrong option. */
  static readonly layer = (options: GatewayOptions): Layer.Layer<GatewayConfig, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfig, settingsFromOptions(options)))

  /**
   * From `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT` (`sandbox`, `production` or an
   * address), and optionally `GOPAY_LANGUAGE`, `GOPAY_SCOPE` and `GOPAY_ALLOW_INSECURE`, through the current `ConfigProvider` (environment
   * variables, unless replaced). An option that is given comes from its `Config` instead. Building it fails with a
   * `ConfigError` that names every wrong variable, with the prefix of a nested provider, and every wrong option.
   */
  static readonly layerConfig = (options?: GatewayConfigOptions): Layer.Layer<GatewayConfig, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfig, settingsFromConfig(options)))
}

/** The settings of a client from its options. */
export const settingsFromOptions = (options: GatewayOptions): Effect.Effect<GatewaySettings, Config.ConfigError> =>
  Effect.fromResult(Result.mapError(checkOptions(options), configError))
