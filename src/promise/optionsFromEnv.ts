/**
 * Options of a client from environment variables.
 */
import { envVariables } from "../client/config/EnvVariables.js"
import type { GatewayClientOptions } from "./GatewayClient.js"
import { readVariables, variableIn } from "./readVariables.js"

/** The variables of a shop, for example in `process.env` or in the `env` of a Worker. Other members are ignored. */
export interface GatewayVariables {
  /** The shop's identifier at GoPay. */
  readonly GOPAY_GOID?: unknown
  /** The ClientID that GoPay gave to the shop. */
  readonly GOPAY_CLIENT_ID?: unknown
  /** The ClientSecret that GoPay gave to the shop. */
  readonly GOPAY_CLIENT_SECRET?: unknown
  /** `sandbox`, `production`, or the address of another gateway. */
  readonly GOPAY_ENVIRONMENT?: unknown
  /** The language of pay pages, such as `CS`. Optional. */
  readonly GOPAY_LANGUAGE?: unknown
  /** The scope of the access token. Optional. */
  readonly GOPAY_SCOPE?: unknown
  /** `true` allows a gateway over plain http that is not on this machine. Optional. */
  readonly GOPAY_ALLOW_INSECURE?: unknown
}

/**
 * Takes the options of a client from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT`
 * (`sandbox`, `production` or an address), and optionally `GOPAY_LANGUAGE`, `GOPAY_SCOPE` and `GOPAY_ALLOW_INSECURE`.
 * An empty variable counts as not set.
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
  const options = readVariables(env, envVariables)
  const language = variableIn(env, envVariables.language)
  return { ...options, ...(language === undefined ? undefined : { language }) }
}
