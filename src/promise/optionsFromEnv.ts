/**
 * Options of a client from environment variables.
 */
import { envVariables, insecureAllowed } from "../client/config/EnvVariables.js"
import type { GatewayClientOptions } from "./GatewayClient.js"

/**
 * The variables of a shop, such as in `process.env`, or in the `env` of a Worker, whose other members are not checked.
 */
export interface GatewayVariables {
  /** The shop's identifier at GoPay. */
  readonly GOPAY_GOID?: unknown
  /** The ClientID that GoPay gave to the shop. */
  readonly GOPAY_CLIENT_ID?: unknown
  /** The ClientSecret that GoPay gave to the shop. */
  readonly GOPAY_CLIENT_SECRET?: unknown
  /** `sandbox`, `production`, or the address of another gateway. */
  readonly GOPAY_ENVIRONMENT?: unknown
  /** The language of pay pages, such as `CS`. Need not be there. */
  readonly GOPAY_LANGUAGE?: unknown
  /** The scope of the access token. Need not be there. */
  readonly GOPAY_SCOPE?: unknown
  /** `true` allows a gateway over plain http that is not on this machine. Need not be there. */
  readonly GOPAY_ALLOW_INSECURE?: unknown
}

/**
 * Takes the options of a client from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT`
 * (`sandbox`, `production` or an address), and optionally `GOPAY_LANGUAGE`, `GOPAY_SCOPE` and `GOPAY_ALLOW_INSECURE`. An
 * empty variable counts as one that is not set.
 *
 * ```ts
 * const gateway = createGatewayClient({ ...optionsFromEnv(process.env), userAgent: "my-shop/2.1" })
 * ```
 *
 * @throws TypeError when one of the first four is not set; it names every one; when `GOPAY_ALLOW_INSECURE` is neither
 *   `true` nor `false`; and when there are no variables at all
 */
export const optionsFromEnv = (
  env: GatewayVariables | Readonly<Record<string, string | undefined>>
): Pick<
  GatewayClientOptions,
  "goid" | "clientId" | "clientSecret" | "environment" | "language" | "scope" | "allowInsecure"
> => {
  // A caller without types may forget it, or pass what a runtime does not have.
  if (typeof env !== "object" || env === null) {
    throw new TypeError("optionsFromEnv: pass the variables of the environment, such as process.env.")
  }
  const missing: Array<string> = []
  const optional = (option: keyof typeof envVariables): string | undefined => {
    const value: unknown = Reflect.get(env, envVariables[option])
    // A Worker's may be numbers.
    const text = typeof value === "number" ? String(value) : value
    return typeof text === "string" && text !== "" ? text : undefined
  }
  const required = (option: keyof typeof envVariables): string => {
    const value = optional(option)
    if (value === undefined) missing.push(envVariables[option])
    return value ?? ""
  }
  const language = optional("language")
  const scope = optional("scope")
  const allowInsecure = insecureAllowed(Reflect.get(env, envVariables.allowInsecure) || undefined)
  const options = {
    goid: required("goid"),
    clientId: required("clientId"),
    clientSecret: required("clientSecret"),
    environment: required("environment"),
    ...(language === undefined ? undefined : { language }),
    ...(scope === undefined ? undefined : { scope }),
    ...(allowInsecure === true ? { allowInsecure } : undefined)
  }
  if (allowInsecure !== undefined && typeof allowInsecure !== "boolean") {
    throw new TypeError(`optionsFromEnv: ${envVariables.allowInsecure} must be true or false.`)
  }
  if (missing.length === 0) return options
  throw new TypeError(
    `optionsFromEnv: these environment variables are not set: ${missing.join(", ")}. To try a program with a local gateway: npx effect-gopay local-gateway --data gateway.json -- npm start`
  )
}
