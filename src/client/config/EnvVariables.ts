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
  scope: "GOPAY_SCOPE"
} as const
