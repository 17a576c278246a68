/**
 * Actors.
 */

/**
 * The one who makes something happen: the merchant through the API, the payer, time, or whoever controls the local
 * gateway.
 *
 * @category local gateway
 */
export type EventActor = "merchant" | "payer" | "time" | "control"
