/**
 * Reads the options that all APIs share from environment variables.
 */
import { insecureAllowed } from "../client/config/EnvVariables.js"

/** The names of the variables, keyed by their options. */
interface VariableNames {
  readonly goid: string
  readonly clientId: string
  readonly clientSecret: string
  readonly environment: string
  readonly scope: string
  readonly allowInsecure: string
}

/** The value of a variable; `undefined` if it is empty. */
export const variableIn = (env: object, variable: string): string | undefined => {
  const value: unknown = Reflect.get(env, variable)
  // The variables of a Worker may be numbers.
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && text !== "" ? text : undefined
}

/** The options that all APIs share. */
interface ReadOptions {
  readonly goid: string
  readonly clientId: string
  readonly clientSecret: string
  readonly environment: string
  readonly scope?: string
  readonly allowInsecure?: boolean
}

/** @throws TypeError that names every variable that is not set, or the one that is wrong */
export const readVariables = (env: object, variables: VariableNames): ReadOptions => {
  // A caller without types may omit it, or pass something that the runtime does not have.
  if (typeof env !== "object" || env === null) {
    throw new TypeError("optionsFromEnv: pass the variables of the environment, such as process.env.")
  }
  const missing: Array<string> = []
  const required = (variable: string): string => {
    const value = variableIn(env, variable)
    if (value === undefined) missing.push(variable)
    return value ?? ""
  }
  const scope = variableIn(env, variables.scope)
  const allowInsecure = insecureAllowed(Reflect.get(env, variables.allowInsecure) || undefined)
  const options = {
    goid: required(variables.goid),
    clientId: required(variables.clientId),
    clientSecret: required(variables.clientSecret),
    environment: required(variables.environment),
    ...(scope === undefined ? undefined : { scope }),
    ...(allowInsecure === true ? { allowInsecure } : undefined)
  }
  if (allowInsecure !== undefined && typeof allowInsecure !== "boolean") {
    throw new TypeError(`optionsFromEnv: ${variables.allowInsecure} must be true or false.`)
  }
  if (missing.length === 0) return options
  throw new TypeError(
    `optionsFromEnv: these environment variables are not set: ${missing.join(", ")}. To try a program with a local gateway: npx effect-gopay local-gateway --data gateway.json -- npm start`
  )
}
