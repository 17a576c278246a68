/**
 * The environment variables that options are taken from.
 */

/** Keyed by the options that they set. */
export const envVariables = {
  goid: "GOPAY_GOID",
  clientId: "GOPAY_CLIENT_ID",
  clientSecret: "GOPAY_CLIENT_SECRET",
  environment: "GOPAY_ENVIRONMENT",
  language: "GOPAY_LANGUAGE",
  scope: "GOPAY_SCOPE",
  allowInsecure: "GOPAY_ALLOW_INSECURE"
} as const

/** The value of `GOPAY_ALLOW_INSECURE`. Anything other than yes or no is kept, so that it is refused. */
export const insecureAllowed = (value: unknown): unknown => {
  if (value === "true") return true
  return value === "false" ? false : value
}
