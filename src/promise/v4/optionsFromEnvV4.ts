/**
 * Options of a client of API v4 from environment variables.
 */
import { envVariablesV4 } from "../../client/v4/EnvVariablesV4.js"
import type { GatewayVariables } from "../optionsFromEnv.js"
import { readVariables } from "../readVariables.js"
import type { GatewayClientOptionsV4 } from "./GatewayClientV4.js"

/**
 * The variables of a shop on API v4, for example in `process.env` or in the `env` of a Worker. Other members are
 * ignored.
 */
export interface GatewayVariablesV4 extends Omit<GatewayVariables, "GOPAY_LANGUAGE" | "GOPAY_SCOPE"> {
  /** The scopes of the access token, separated by spaces. Optional. `GOPAY_SCOPE`, which is for v3, is not read. */
  readonly GOPAY_V4_SCOPE?: unknown
}

/**
 * Takes the options of a client of API v4 from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and
 * `GOPAY_ENVIRONMENT` (`sandbox`, `production` or an address), and optionally `GOPAY_V4_SCOPE` and
 * `GOPAY_ALLOW_INSECURE`. An empty variable counts as not set.
 *
 * ```ts
 * const gateway = createGatewayClient(optionsFromEnv(process.env))
 * ```
 *
 * That v4 accepts the credentials of v3 is a guess: if it does not, pass `clientId` and `clientSecret` from variables
 * of your own.
 *
 * @throws TypeError when one of the first four is not set; it names every one; when `GOPAY_ALLOW_INSECURE` is neither
 *   `true` nor `false`; and when there are no variables at all
 */
export const optionsFromEnv = (
  env: GatewayVariablesV4 | Readonly<Record<string, string | undefined>>
): Pick<GatewayClientOptionsV4, "goid" | "clientId" | "clientSecret" | "environment" | "scope" | "allowInsecure"> =>
  readVariables(env, envVariablesV4)
