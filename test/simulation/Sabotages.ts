/**
 * The client, broken on purpose: each of these must be noticed by a simulation.
 */

/** One way to break it: texts of its source, each of which must be there once, and what stands in their place. */
export interface Sabotage {
  readonly name: string
  readonly changes: ReadonlyArray<{
    /** Below `src`. */
    readonly file: string
    readonly search: string
    readonly replace: string
  }>
}

const sabotage = (name: string, file: string, search: string, replace: string): Sabotage => ({
  name,
  changes: [{ file, search, replace }]
})

const reconcile = "client/outcome/Reconcile.ts"
const delivery = "client/notification/NotificationDelivery.ts"
const turns = "client/notification/PaymentTurns.ts"
const verification = "client/notification/Verification.ts"

export const sabotages: ReadonlyArray<Sabotage> = [
  // ---- What became of a change
  sabotage(
    "conclude from absence that a refund did not happen",
    reconcile,
    `if (refund === undefined) return notSeenYet(sent, "No new refund of this amount is listed")`,
    `if (refund === undefined) return { _tag: "DidNotHappen", message: "", state: "" } as never`
  ),
  sabotage(
    "take any new refund for ours, whatever its amount",
    reconcile,
    `amount === change.amount && (currency`,
    `(currency`
  ),
  sabotage(
    "take a refund for ours without the word that nobody else refunds",
    reconcile,
    `if (change.isOnlyWriter !== true || added.length > 1) {`,
    `if (added.length > 9) {`
  ),
  sabotage(
    "take every refund that is listed for done",
    reconcile,
    `const isPending = refund.state !== "SUCCESS"`,
    `const isPending = false`
  ),
  sabotage(
    "conclude from an open hold that it was not captured",
    reconcile,
    `return notSeenYet(sent, \`The hold on the card is \${state}\`, state)`,
    `return { _tag: "DidNotHappen", message: "", state }`
  ),
  sabotage("take another charge of the recurrence for ours", reconcile, `  order_number === change.orderNumber &&`, ``),
  sabotage(
    "take a recurrence that goes on for stopped",
    reconcile,
    `  state === "STOPPED"
    ? stateReached`,
    `  state !== undefined
    ? stateReached`
  ),

  // ---- Notifications
  sabotage(
    "count strangers to the payment that they claim",
    "client/notification/ReadLimits.ts",
    `: [\`charges of \${parent.id}\`, "claimedReadsPerMinute"]`,
    `: [parent.id, "claimedReadsPerMinute"]`
  ),
  sabotage(
    "believe whoever claims a parent",
    verification,
    `if (parent !== undefined && parent.id === parent_id) return`,
    `if (parent !== undefined) return`
  ),
  sabotage(
    "answer 200 when the handler failed",
    delivery,
    `Effect.succeed(result === "delivered" ? 200 : 503)`,
    `Effect.succeed(200)`
  ),
  sabotage(
    "let a notification share a read that began before it came",
    turns,
    `other.round > arrivedAfter && isForAll`,
    `other.round >= arrivedAfter && isForAll`
  ),
  sabotage(
    "deliver one payment twice at once",
    turns,
    `if (lease === undefined) return begin(`,
    `if (lease === undefined || lease !== undefined) return begin(`
  ),
  sabotage("never end a turn", turns, `if (leases.get(id) === lease) leases.delete(id)`, ``)
]
