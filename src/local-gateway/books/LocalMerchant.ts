/**
 * The merchants whose payments the local gateway keeps.
 */
import type * as Arr from "effect/Array"
import * as Redacted from "effect/Redacted"
import type { LocalMerchant } from "./Actors.js"

/** A merchant as the local gateway knows it. */
export interface MerchantAccount {
  /** The shop's identifier: ten digits. */
  readonly goid: number
  /** The shop's name on the pay page. */
  readonly name: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Merchants; there is at least one. */
export type Merchants = Arr.NonEmptyReadonlyArray<MerchantAccount>

/**
 * The only merchant of a local gateway without other merchants.
 *
 * Its numbers look like real ones (a GoID begins with 8, a ClientID with 1, both are multiples of 11) and belong to
 * no one.
 */
export const defaultMerchant: MerchantAccount = {
  goid: 8_123_456_781,
  name: "Test Shop",
  clientId: "1234567884",
  clientSecret: Redacted.make("L0calGtw")
}

/** The options of a client of this merchant, for the local gateway at `environment`. */
export const merchantAt = ({ clientId, clientSecret, goid }: MerchantAccount, environment: string): LocalMerchant => ({
  goid,
  clientId,
  clientSecret: Redacted.value(clientSecret),
  environment
})
