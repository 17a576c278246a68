import type { CurrenciesConfig, Currency } from "@payloadcms/plugin-ecommerce/types"
import { type GatewayClientOptions, optionsFromEnv } from "effect-gopay/promise"

/** What `createGopay` takes. */
export interface GopayOptions {
  /** The address of the server, as payers and GoPay reach it, such as `https://shop.example`. */
  readonly shopUrl: string
  /** The page of the shop that payers come back to. It gets `?id=&status=`, and calls `confirmOrder`. */
  readonly returnUrl: string
  /** Payload's own PostgreSQL, in which the ledger has connections of its own. */
  readonly connectionString: string | undefined
  /** The currencies of the ecommerce plugin. Each has two decimals: GoPay counts in hundredths. */
  readonly currencies: CurrenciesConfig
  /** The name of this installation, such as `production`, where it is required: a copy of the database then sends nothing elsewhere. */
  readonly installation?: string | undefined
  /**
   * Credentials and settings of the client. Default: from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and
   * `GOPAY_ENVIRONMENT`.
   */
  readonly gateway?: GatewayClientOptions | undefined
  /** `false`: the ledger's worker does not run in this process. A scheduled request calls `runOnce` instead. */
  readonly worker?: boolean | undefined
}

/** The options, checked. */
export interface Settings extends GopayOptions {
  readonly connectionString: string
  readonly gateway: GatewayClientOptions
}

/** The Czech crown, for `supportedCurrencies`: the ecommerce plugin has none. */
export const CZK: Currency = { code: "CZK", decimals: 2, label: "Czech koruna", symbol: "Kč" }

const names = "shopUrl, returnUrl, connectionString, currencies, installation, gateway, worker"

const refuse = (message: string): never => {
  throw new Error(`createGopay: ${message}`)
}

const address = (name: string, value: string): string =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? value.replace(/\/$/, "")
    : refuse(`${name} must be an address such as https://shop.example, and is ${JSON.stringify(value)}.`)

/** Fails if an option is missing, unknown or wrong, and says what to do. */
export const checkOptions = (options: GopayOptions): Settings => {
  for (const name of Object.keys(options)) {
    if (!names.split(", ").includes(name)) refuse(`there is no option ${name}. There are ${names}.`)
  }
  const { connectionString = "", currencies, gateway = optionsFromEnv(process.env) } = options
  if (!/^postgres(ql)?:/.test(connectionString)) {
    refuse("connectionString must name Payload's PostgreSQL, such as postgres://localhost/payload.")
  }
  for (const { code, decimals } of currencies?.supportedCurrencies ?? refuse("currencies are missing.")) {
    if (decimals !== 2) refuse(`${code} must have 2 decimals, and has ${decimals}: GoPay counts in hundredths.`)
  }
  const [shopUrl, returnUrl] = [address("shopUrl", options.shopUrl), address("returnUrl", options.returnUrl)]
  return { ...options, connectionString, gateway, shopUrl, returnUrl }
}
