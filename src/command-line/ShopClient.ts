/**
 * The client of the merchant that the environment variables name.
 */
import { isError } from "../contract/AnyRealm.js"
import { canonicalId } from "../contract/CanonicalId.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import { CommandFailure, WrongUsage } from "./Command.js"

/** Where `effect-gopay local-gateway` listens, and its only merchant, unless they were told otherwise. */
const localMerchant = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567884",
  GOPAY_CLIENT_SECRET: "L0calGtw",
  GOPAY_ENVIRONMENT: "http://localhost:4646"
}

export type MerchantVariables = typeof localMerchant

/** The merchant of the environment; that of the local gateway when none of the variables is set. */
export const merchantVariables = (): MerchantVariables => {
  const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "" } = process.env
  const given = { GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT }
  const missing = Object.entries(given).flatMap(([name, value]) => (value === "" ? [name] : []))
  if (missing.length === Object.keys(given).length) return localMerchant
  if (missing.length > 0) throw new CommandFailure(2, `These environment variables are missing: ${missing.join(", ")}`)
  return given
}

/** The variables that the options of a client come from. */
const variables: ReadonlyMap<string, string> = new Map([
  ["goid", "GOPAY_GOID"],
  ["clientId", "GOPAY_CLIENT_ID"],
  ["clientSecret", "GOPAY_CLIENT_SECRET"],
  ["environment", "GOPAY_ENVIRONMENT"],
  ["scope", "GOPAY_SCOPE"]
])

/** Why an option is refused, by the name of its variable. */
const inVariables = (message: string): string =>
  message.replace(/^createGatewayClient: /, "").replaceAll(/(^|; )(\w+): /g, (text, before, option) => {
    const variable = variables.get(option)
    return variable === undefined ? text : `${before}${variable} `
  })

/** Runs with a client of that merchant. What the gateway refuses ends the command with its message. */
export const withClient = async <A>(use: (client: GatewayClient) => Promise<A>): Promise<A> => {
  // Loading it takes time that --help can do without.
  const { createGatewayClient, GatewayError, optionsFromEnv } = await import("../promise/index.js")
  const merchant = merchantVariables()
  try {
    const client = createGatewayClient(optionsFromEnv(merchant))
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  } catch (error) {
    if (error instanceof GatewayError) {
      const isAway = error.reason._tag === "GatewayUnavailable"
      throw new CommandFailure(
        1,
        `${error.message}${isAway ? `\nIs a gateway running at ${merchant.GOPAY_ENVIRONMENT}?` : ""}`
      )
    }
    if (isError(error) && error.name === "TypeError") throw new CommandFailure(2, inVariables(error.message))
    throw error
  }
}

export const paymentIdOf = (text: string): number => {
  const id = canonicalId(text)
  if (id !== undefined) return id
  throw new WrongUsage(`${text} is not the id of a payment: digits only`)
}
