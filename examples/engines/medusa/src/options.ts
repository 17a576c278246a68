import { MedusaError } from "@medusajs/framework/utils"

/** The options of the provider in `medusa-config.ts`. */
export interface GopayOptions {
  /** Holds the amount until an administrator captures it. */
  readonly preauthorization?: boolean
}

const refuse = (message: string): never => {
  throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, `effect-gopay-medusa: ${message}`)
}

/** Fails if an option is unknown or wrong, and says what to do. */
export const checkOptions = (options: object = {}): void => {
  for (const [name, value] of Object.entries(options)) {
    if (name !== "preauthorization")
      refuse(
        `there is no option ${name} of the provider. There is preauthorization; the rest is read from the environment.`
      )
    if (typeof value !== "boolean") refuse(`preauthorization must be true or false, and is ${JSON.stringify(value)}.`)
  }
}

/** The settings of this process's ledger and payments. */
export interface Settings {
  readonly connectionString: string
  readonly installation: string | undefined
  readonly callback: { readonly return_url: string; readonly notification_url: string }
}

const address = (name: string, value: string): string =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? value.replace(/\/$/, "")
    : refuse(`${name} must be an address such as https://shop.example, and is ${JSON.stringify(value)}.`)

/** Reads the settings from the environment; an error says what to do. `optionsFromEnv` reads the credentials. */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): Settings => {
  const { DATABASE_URL = "", GOPAY_INSTALLATION, GOPAY_RETURN_URL, SHOP_URL = "http://localhost:9000" } = env
  if (!/^postgres(ql)?:/.test(DATABASE_URL))
    refuse("DATABASE_URL must name Medusa's PostgreSQL, such as postgres://localhost/medusa.")
  const server = address("SHOP_URL", SHOP_URL)
  return {
    connectionString: DATABASE_URL,
    installation: GOPAY_INSTALLATION,
    callback: {
      return_url:
        GOPAY_RETURN_URL === undefined ? `${server}/gopay/return` : address("GOPAY_RETURN_URL", GOPAY_RETURN_URL),
      notification_url: `${server}/gopay/notify`
    }
  }
}
