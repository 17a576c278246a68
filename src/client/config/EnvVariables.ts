/**
 * The environment variables that options are taken from.
 */

/** By the options that they stand for. */
export const envVariables = {
  goid: "GOPAY_GOID",
  clientId: "GOPAY_CLIENT_ID",
  clientSecret: "GOPAY_CLIENT_SECRET",
  environment: "GOPAY_ENVIRONMENT",
  language: "GOPAY_LANGUAGE",
  scope: "GOPAY_SCOPE",
  allowInsecure: "GOPAY_ALLOW_INSECURE"
} as const

/** What `GOPAY_ALLOW_INSECURE` says; what is neither yes nor no stays as it is, to be refused. */
export const insecureAllowed = (value: unknown): unknown => {
  if (value === "true") return true
  return value === "false" ? false : value
}
