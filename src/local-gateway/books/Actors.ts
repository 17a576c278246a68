/**
 * Who acts, and for which merchant.
 */

/** Who makes something happen: the merchant through the API, the payer, time, or whoever controls the local gateway. */
export type EventActor = "merchant" | "payer" | "time" | "control"

/** A merchant in the form that `Gateway.layer` and `createGatewayClient` take. */
export interface LocalMerchant {
  /** The shop's identifier: ten digits. */
  readonly goid: number
  /** The ClientID of the shop. */
  readonly clientId: string
  /** The ClientSecret of the shop. */
  readonly clientSecret: string
  /** Address of the local gateway, without `/api`. */
  readonly environment: string
}
