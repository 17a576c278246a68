/**
 * The options of a client and their checks: merchant, gateway and language.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { isLoopback } from "../../basics/Loopback.js"
import type { GatewayLanguage, TokenScope } from "../../contract/CodeLists.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import type { GatewayId } from "../../contract/Messages.js"
import { ownMember, withoutPrototype } from "../../basics/OwnMember.js"
import { version } from "../../package/Version.js"
import type { InvalidField } from "../error/GatewayError.js"
import { invalidFields } from "../../basics/InvalidFields.js"
import { attemptSeconds } from "./AttemptSeconds.js"

/**
 * The gateway to call: GoPay's sandbox, its production gateway, or the address of another one, with or without `/api`
 * at its end.
 */
export type GatewayEnvironment = "sandbox" | "production" | (string & {})

/** The options of a client. {@inheritDoc GatewayClientOptions} */
export interface GatewayOptions {
  readonly goid: GatewayId
  readonly clientId: string
  /** The ClientSecret that GoPay gave to the shop: as text, or as read by `Config.Redacted`. */
  readonly clientSecret: string | Redacted.Redacted<string>
  readonly environment: GatewayEnvironment
  readonly language?: GatewayLanguage | undefined
  readonly scope?: TokenScope | undefined
  readonly timeout?: Duration.Input | undefined
  readonly maxResponseBytes?: number | undefined
  readonly maxConcurrentRequests?: number | undefined
  readonly userAgent?: string | undefined
  readonly allowInsecure?: boolean | undefined
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const environmentProblem = (environment: string): string | undefined => {
  if (environment === "sandbox" || environment === "production") return undefined
  const url = parseUrl(environment)
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return `must be "sandbox", "production" or the https address of a gateway`
  }
  if (url.username !== "" || url.password !== "" || /[?#]/.test(environment)) {
    return "must be an address without credentials, query and fragment"
  }
  return undefined
}

const insecureProblem = (environment: string): string | undefined => {
  const url = parseUrl(environment)
  return url === undefined || url.protocol !== "http:" || isLoopback(url.hostname)
    ? undefined
    : "must use https: plain http is only for this machine (or with allowInsecure: true, GOPAY_ALLOW_INSECURE=true)"
}

/** The address of an API's other version says so at its end: `/api/4.0`. */
const versionProblem = (environment: string, { path }: ApiDefaults): string | undefined => {
  const trimmed = withoutSlash(environment)
  const [version] = /\/api\/\d+(?:\.\d+)*$/.exec(trimmed) ?? []
  return version === undefined || trimmed.endsWith(path)
    ? undefined
    : `must not be the address of another version of the API: give the gateway's own, without ${version}`
}

/** The address of an API, and the default scope of its tokens. */
export interface ApiDefaults {
  readonly sandbox: string
  readonly production: string
  /** The end of its addresses. */
  readonly path: string
  readonly scope: string
}

const defaultsV3: ApiDefaults = {
  sandbox: "https://gw.sandbox.gopay.com/api",
  production: "https://gate.gopay.cz/api",
  path: "/api",
  scope: "payment-all"
}

const withoutSlash = (environment: string): string => environment.trim().replace(/\/+$/, "")

/** The API's base address, without a trailing slash. */
const baseUrl = (environment: GatewayEnvironment, { path, production, sandbox }: ApiDefaults): string => {
  if (environment === "sandbox") return sandbox
  if (environment === "production") return production
  const trimmed = withoutSlash(environment)
  return trimmed.endsWith(path) ? trimmed : `${trimmed}${path}`
}

/** The browser script of the gateway whose API has this base address. */
export const embedJsUrl = (apiBaseUrl: string): string => apiBaseUrl.replace(/\/api$/, "/gp-gw/js/embed.js")

export const timeLimitMessage =
  'must be a finite time longer than zero: milliseconds, such as 30_000, or text, such as "30 seconds"'

export const isTimeLimit = (value: unknown): value is Duration.Input =>
  isDurationInput(value) &&
  Option.exists(Duration.fromInput(value), (limit) => Duration.isFinite(limit) && Duration.toMillis(limit) > 0)

/** The other forms that Effect accepts, lists and objects, are not offered here. */
const isDurationInput = (value: unknown): value is Duration.Input =>
  typeof value === "number" || typeof value === "string" || Duration.isDuration(value)

export const timeLimit = Schema.declare(isTimeLimit, { message: timeLimitMessage })

const visible = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

/** The value of a `Redacted` is known only to the copy of Effect that made it, and only until it is wiped. */
const readRedacted = (redacted: Redacted.Redacted<unknown>): unknown => {
  try {
    return Redacted.value(redacted)
  } catch {
    return undefined
  }
}

const secretProblem = (secret: unknown): string | undefined => {
  const value = Redacted.isRedacted(secret) ? readRedacted(secret) : secret
  if (value === undefined) {
    return (
      "cannot be read: its Redacted was wiped, or made by another copy of effect than the one that this package imports. " +
      "`npm ls effect` lists the copies"
    )
  }
  if (typeof value !== "string" || value.trim() === "") return secretMessage
  // Basic authentication allows none (RFC 7617). A file of variables often ends with one.
  return /\p{Cc}/u.test(value) ? "must have no line break and no other control character" : undefined
}

const secretMessage = "must be the ClientSecret, not empty"

const isSecret = (value: unknown): value is GatewayOptions["clientSecret"] =>
  typeof value === "string" || Redacted.isRedacted(value)

export const notAFunction = { message: "must be a function" }

export const aFunction = Schema.declare(Predicate.isFunction, notAFunction)

const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

export const wholeNumber = Schema.declare(isWholeNumber, { message: "must be a whole number, 1 or more" })

export const languageMessage = "must be a language code, such as CS"

export const isLanguage = (value: unknown): value is string => typeof value === "string" && /^[A-Za-z]+$/.test(value)

/** Unknown options are refused as well. */
const optionsSchema = Schema.Struct({
  goid: GatewaySchema.GatewayId,
  clientId: visible(/^[\x21-\x39\x3b-\x7e]+$/, "must be the ClientID: not empty, without blanks and colons"),
  clientSecret: Schema.declare(isSecret, { message: secretMessage }).check(
    Schema.makeFilter((secret) => secretProblem(secret) ?? true)
  ),
  environment: Schema.String.check(Schema.makeFilter((environment) => environmentProblem(environment) ?? true)),
  language: Schema.optional(Schema.declare(isLanguage, { message: languageMessage })),
  scope: Schema.optional(visible(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "must be a scope, such as payment-all")),
  timeout: Schema.optional(timeLimit),
  maxResponseBytes: Schema.optional(wholeNumber),
  maxConcurrentRequests: Schema.optional(wholeNumber),
  userAgent: Schema.optional(visible(/^[\x20-\x7e]*[\x21-\x7e]$/, "must have visible ASCII characters only")),
  allowInsecure: Schema.optional(Schema.Boolean)
})

/** Apart from the schema, which checks two options together only if all of them are right. */
const addressProblems = (options: unknown, api: ApiDefaults): ReadonlyArray<InvalidField> => {
  const read = (option: string): unknown => (Predicate.isObject(options) ? ownMember(options, option) : undefined)
  const environment = read("environment")
  if (typeof environment !== "string" || environmentProblem(environment) !== undefined) return []
  const insecure = read("allowInsecure") === true ? undefined : insecureProblem(environment)
  const message = insecure ?? versionProblem(environment, api)
  return message === undefined ? [] : [{ field: "environment", message }]
}

/** The checked configuration of a client. */
export interface GatewaySettings {
  /** The shop's identifier, as a number. */
  readonly goid: GatewayId
  /** The ClientID that GoPay gave to the shop. */
  readonly clientId: string
  /** The ClientSecret that GoPay gave to the shop. */
  readonly clientSecret: Redacted.Redacted<string>
  /** The API's base address, without a slash at its end: `https://gw.sandbox.gopay.com/api`. */
  readonly baseUrl: string
  /** The language of pay pages, and of the gateway's messages, in upper case. */
  readonly language: GatewayLanguage
  /** The scope of the access token. */
  readonly scope: TokenScope
  /** The time limit of one attempt of a read or of the token call. */
  readonly readTimeout: Duration.Duration
  /** The time limit of one attempt of a change: refunds that succeed can take longer than 30 seconds. */
  readonly changeTimeout: Duration.Duration
  /** The most bytes of a JSON response that are read. */
  readonly maxJsonBytes: number
  /** The most bytes of an account statement that are read. */
  readonly maxFileBytes: number
  /** The most concurrent requests, without those for tokens. */
  readonly maxConcurrentRequests: number
  /** The whole `User-Agent`. */
  readonly userAgent: string
}

/** The credentials of `Basic` authentication; as secret as the ClientSecret in them. */
export const basicCredentials = ({ clientId, clientSecret }: GatewaySettings): Redacted.Redacted<string> =>
  Redacted.make(btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${Redacted.value(clientSecret)}`))))

const settings = (options: GatewayOptions, api: ApiDefaults): GatewaySettings => {
  const timeout = options.timeout === undefined ? undefined : Duration.fromInputUnsafe(options.timeout)
  const product = `effect-gopay/${version}`
  return {
    goid: options.goid,
    clientId: options.clientId,
    clientSecret: Redacted.isRedacted(options.clientSecret)
      ? options.clientSecret
      : Redacted.make(options.clientSecret),
    baseUrl: baseUrl(options.environment, api),
    language: options.language?.toUpperCase() ?? "EN",
    scope: options.scope ?? api.scope,
    readTimeout: timeout ?? Duration.seconds(attemptSeconds.read),
    changeTimeout: timeout ?? Duration.seconds(attemptSeconds.change),
    maxJsonBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
    maxFileBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
    maxConcurrentRequests: options.maxConcurrentRequests ?? 100,
    userAgent: options.userAgent === undefined ? product : `${product} ${options.userAgent}`
  }
}

const decode = SchemaParser.decodeUnknownResult(optionsSchema, { errors: "all", onExcessProperty: "error" })

/** Checks the options; fails with every problem at once, each under its option's name. */
export const checkOptions = (
  options: unknown,
  api: ApiDefaults = defaultsV3
): Result.Result<GatewaySettings, ReadonlyArray<InvalidField>> => {
  const decoded = decode(Predicate.isObject(options) ? withoutPrototype(options) : options)
  const address = addressProblems(options, api)
  if (Result.isFailure(decoded)) return Result.fail([...invalidFields(decoded.failure), ...address])
  return address.length > 0 ? Result.fail(address) : Result.succeed(settings(withoutPrototype(decoded.success), api))
}
