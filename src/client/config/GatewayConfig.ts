/**
 * The configuration of every program: merchant, gateway and language.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { envVariables, insecureAllowed } from "./EnvVariables.js"
import { checkOptions, type GatewayOptions, type GatewaySettings } from "./GatewayOptions.js"
import { configError, configProblems, type FieldProblem } from "../../basics/InvalidFields.js"
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
    const sources = Object.entries(variables).map(([option, variable]) => [option, optionIn(variable)] as const)
    const configs: Readonly<Record<string, unknown>> = { ...Object.fromEntries(sources), ...own }
    const set = new Map<string, unknown>()
    /** The problems of options that have no value to check. */
    const unread = new Map<string, ReadonlyArray<FieldProblem>>()
    for (const [option, config] of Object.entries(configs)) {
      const read = Config.isConfig(config) ? yield* Effect.result(config.parse(provider)) : undefined
      if (read === undefined) unread.set(option, [{ field: option, message: "must be a Config" }])
      else if (Result.isFailure(read))
        unread.set(option, configProblems(read.failure) ?? (yield* Effect.fail(read.failure)))
      else if (read.success !== undefined) set.set(option, typed(option, read.success))
    }
    const checked = check(Object.fromEntries(set))
    if (Result.isSuccess(checked) && unread.size === 0) return checked.success
    const refused = Result.match(checked, { onFailure: identity, onSuccess: () => [] })
    const problems = refused.flatMap((problem) => {
      const option = problem.field ?? ""
      if (unread.has(option)) return []
      const variable = ownMember(own, option) === undefined ? ownMember(variables, option) : undefined
      return variable === undefined
        ? [Effect.succeed(problem)]
        : [Effect.map(nameIn(provider, variable), (field): FieldProblem => ({ ...problem, field }))]
    })
    const named = yield* Effect.all(problems)
    return yield* Effect.fail(configError([...Array.from(unread.values()).flat(), ...named]))
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
   * `ConfigError` that names every wrong variable, with the prefix of a nested provider, and every wrong option. A
   * variable of your own `Config` is named by Effect, without that prefix.
   */
  static readonly layerConfig = (options?: GatewayConfigOptions): Layer.Layer<GatewayConfig, Config.ConfigError> =>
    Layer.fresh(Layer.effect(GatewayConfig, settingsFromConfig(options)))
}

/** The settings of a client from its options. */
export const settingsFromOptions = (options: GatewayOptions): Effect.Effect<GatewaySettings, Config.ConfigError> =>
  Effect.fromResult(Result.mapError(checkOptions(options), configError))
