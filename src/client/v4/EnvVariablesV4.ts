/**
 * The environment variables that options of API v4 are taken from.
 */
import { envVariables } from "../config/EnvVariables.js"

const { language: _, ...shared } = envVariables

/** Those of v3, except the language, which v4 does not have, and the scope: the two APIs have no scope in common. */
export const envVariablesV4 = { ...shared, scope: "GOPAY_V4_SCOPE" } as const
