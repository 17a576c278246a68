/**
 * The merchant whose payments the local gateway keeps.
 */
import * as Redacted from "effect/Redacted"

/** A merchant, in the very shape that `Gateway.layer` takes; `createGatewayClient` wants the secret as text. */
export interface Merchant {
  /** The shop's identifier: ten digits. */
  readonly goid: number
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Address of the local gateway, without `/api`. */
  readonly environment: string
}

/**
 * The one merchant that a local gateway knows, served at `environment`.
 *
 * Its numbers look like real ones (a GoID begins with 8, a ClientID with 1, both are multiples of 11) and belong to
 * nobody.
 */
export const merchantAt = (environment: string): Merchant => ({
  goid: 8_123_456_781,
  clientId: "1234567884",
  clientSecret: Redacted.make("L0calGtw"),
  environment
})
