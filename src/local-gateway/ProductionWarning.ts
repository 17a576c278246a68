/// <reference types="node" />
/**
 * The warning of a local gateway that runs in production.
 */
import * as Effect from "effect/Effect"
import * as References from "effect/References"

const isProduction = (): boolean => {
  try {
    return process.env["NODE_ENV"] === "production"
  } catch {
    // A browser has no `process`, and Deno refuses variables that it was not allowed to read.
    return false
  }
}

/** Warns when `NODE_ENV` is `production`. Without a logger of the program's own the warning goes to stderr. */
export const productionWarning: Effect.Effect<void> = Effect.suspend(() =>
  isProduction()
    ? Effect.logWarning(
        "A local GoPay gateway starts with NODE_ENV=production. Its payments are not real: no money moves, and callers can mark any payment as paid."
      )
    : Effect.void
).pipe(Effect.provideService(References.LogToStderr, true))
