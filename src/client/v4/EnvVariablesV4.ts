/**
 * The environment variables that options of API v4 are taken from.
 */
import { envVariables } from "../config/EnvVariables.js"

const { language: _, ...shared } = envVariables

/** Those of v3, but for the language, which v4 does not have, and the scope: no scope of one API is one of the other. */
export const envVariablesV4 = { ...shared, scope: "GOPAY_V4_SCOPE" } as const
