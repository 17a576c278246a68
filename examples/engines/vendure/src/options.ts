import { type GatewayClientOptions, optionsFromEnv } from "effect-gopay/promise"

/** The options of `GopayPlugin.init`. */
export interface GopayPluginOptions {
  /** The address of the server, as payers and GoPay reach it, such as `https://api.shop.example`. */
  readonly shopUrl: string
  /** The page for returning payers, on the storefront; it gets `?id=`. Default: `/gopay/return` of the server. */
  readonly returnUrl?: string | undefined
  /** Vendure's own PostgreSQL, in which the ledger has connections of its own. */
  readonly connectionString: string | undefined
  /** The name of this installation, such as `production`, where it is required: a copy of the database then sends nothing elsewhere. */
  readonly installation?: string | undefined
  /**
   * Credentials and settings of the client. Default: from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and
   * `GOPAY_ENVIRONMENT`.
   */
  readonly gateway?: GatewayClientOptions | undefined
}

/** The options, checked, with the addresses that a payment is created with. */
export interface Settings {
  readonly connectionString: string
  readonly installation: string | undefined
  readonly gateway: GatewayClientOptions
  readonly callback: { readonly return_url: string; readonly notification_url: string }
}

const names: ReadonlyArray<string> = ["shopUrl", "returnUrl", "connectionString", "installation", "gateway"]

const address = (name: string, value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== "") {
    throw new Error(
      `GopayPlugin.init: ${name} must be an address such as https://shop.example, and is ${JSON.stringify(value)}.`
    )
  }
  return value.replace(/\/$/, "")
}

/** Fails if an option is missing, unknown or wrong, and says what to do. */
export const checkOptions = (options: GopayPluginOptions | undefined): Settings => {
  if (options === undefined)
    throw new Error("Add GopayPlugin.init({ shopUrl, connectionString }) to the plugins, not GopayPlugin.")
  for (const name of Object.keys(options)) {
    if (!names.includes(name))
      throw new Error(`GopayPlugin.init: there is no option ${name}. There are ${names.join(", ")}.`)
  }
  const { connectionString, gateway = optionsFromEnv(process.env), installation, returnUrl } = options
  if (!/^postgres(ql)?:/.test(connectionString ?? "")) {
    throw new Error(
      "GopayPlugin.init: connectionString must name Vendure's PostgreSQL, such as postgres://localhost/vendure."
    )
  }
  const shopUrl = address("shopUrl", options.shopUrl)
  return {
    connectionString: connectionString ?? "",
    installation,
    gateway,
    callback: {
      return_url: returnUrl === undefined ? `${shopUrl}/gopay/return` : address("returnUrl", returnUrl),
      notification_url: `${shopUrl}/gopay/notify`
    }
  }
}
