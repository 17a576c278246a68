/**
 * The client, broken on purpose: each of these must be noticed by a simulation.
 */
import type { Mood } from "./Plan.js"

/** One way to break it: texts of its source, each of which must occur once, and their replacements. */
export interface Sabotage {
  readonly name: string
  /** The mood of the days on which it can show; it is not checked on other days. */
  readonly mood: Mood
  readonly changes: ReadonlyArray<{
    /** Below `src`. */
    readonly file: string
    readonly search: string
    readonly replace: string
  }>
}

/** Replaces one text. */
export const sabotage = (name: string, file: string, search: string, replace: string): Sabotage => ({
  name,
  mood: "storm",
  changes: [{ file, search, replace }]
})

/** Sabotages that show on such days. */
export const onDaysOf = (mood: Mood, sabotages: ReadonlyArray<Sabotage>): ReadonlyArray<Sabotage> =>
  sabotages.map((sabotage) => ({ ...sabotage, mood }))

const reconcile = "client/payment/Reconcile.ts"
const delivery = "client/notification/Deliveries.ts"
const rounds = "client/transport/Rounds.ts"
const limits = "client/notification/ReadLimits.ts"
const verification = "client/notification/Verification.ts"

const endpoints = "contract/Endpoint.ts"
const tokens = "client/call/TokenCache.ts"
const sharedTokens = "client/call/SharedTokenCache.ts"
const calls = "client/call/Calls.ts"
const failures = "client/call/RefusalReason.ts"
const transport = "client/transport/TransportFailure.ts"

/** Sends a change again after some failures. */
const retryingChanges = (name: string, condition: string): Sabotage =>
  sabotage(
    name,
    calls,
    "Effect.mapError(keepingDoubt(sent, operation, doubt), failed)",
    `Effect.retry(Effect.mapError(keepingDoubt(sent, operation, doubt), failed), {
            times: 1,
            while: ({ reason }) => ${condition}
          })`
  )

export const sabotages: ReadonlyArray<Sabotage> = [
  // ---- Success
  sabotage(
    "accept any result",
    endpoints,
    `(Object.hasOwn(OperationResults, result) ? undefined : "its result is unknown")`,
    `undefined`
  ),
  sabotage(
    "accept the success of another payment's operation",
    endpoints,
    `anotherId(id, requested) ?? (Object.hasOwn`,
    `(Object.hasOwn`
  ),
  sabotage(
    "accept another new payment for the one that was asked for",
    endpoints,
    `schema: ResponseSchema.CreatePaymentResponse, doubt: anotherPayment }`,
    `schema: ResponseSchema.CreatePaymentResponse }`
  ),
  sabotage(
    "accept another charge of the recurrence for the one that was asked for",
    endpoints,
    `? anotherPayment(child, requested)`,
    `? undefined`
  ),
  sabotage(
    "accept the first payment of a recurrence for a charge of it",
    endpoints,
    `if (child.id === requested.id) return "it is the first payment itself"`,
    ``
  ),

  // ---- Changes
  retryingChanges(
    "retry a change on 503",
    `reason._tag === "OutcomeUnknown" && "status" in reason && reason.status === 503`
  ),
  retryingChanges(
    "retry a change whose response was lost",
    `reason._tag === "OutcomeUnknown" && !("status" in reason)`
  ),
  sabotage(
    "take a failure of the gateway for a refusal",
    failures,
    `if (status < 400 || status > 499 || status === 408 || hasSystemError(codes)) return false`,
    `if (status < 400 || status === 408) return false`
  ),
  sabotage(
    "take every status from 404 to 429 for a refusal",
    failures,
    `if (codes.size === 0) return turnedAwayBefore.has(status)`,
    `if (codes.size === 0) return turnedAwayBefore.has(status) || (status >= 404 && status <= 429)`
  ),
  sabotage(
    "take a code that is not listed for a refusal",
    failures,
    `[...codes].every((code) => Object.hasOwn(ErrorCodes, code))`,
    `[...codes].every(() => true)`
  ),
  sabotage(
    "take a connection that was reset for one that was never made",
    transport,
    `new Set(["ECONNREFUSED", `,
    `new Set(["ECONNRESET", "ECONNREFUSED", `
  ),
  sabotage(
    "take a response that does not come for a request that was not sent",
    transport,
    `export const timedOut: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "perhaps",`,
    `export const timedOut: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "certainly not",`
  ),
  sabotage(
    "notify no one of a change that was interrupted",
    calls,
    `(exit) => reportDoubt(api.unknownOutcomes, exit, doubt)`,
    `() => Effect.void`
  ),
  sabotage(
    "forget the time limit of an attempt",
    "client/transport/Transport.ts",
    `const timer = run(Effect.sleep(time))`,
    `const timer = run(Effect.andThen(Effect.never, Effect.sleep(time)))`
  ),
  sabotage(
    "never give back a turn to send",
    "client/transport/RequestLimit.ts",
    `    if (next === undefined) {
      underWay--`,
    `    if (next === undefined) {`
  ),

  sabotage(
    "repeat in errors what a gateway repeats of the request",
    "client/call/Attempt.ts",
    `redactor(() => [...[...secrets, credentials].map(Redacted.value), ...sentTexts(request.sent)])`,
    `(text) => text`
  ),

  // ---- Access tokens
  ...onDaysOf("fleet", [
    {
      name: "ask for a token for each caller",
      mood: "fleet",
      changes: [
        { file: tokens, search: `if (this.#flight !== dead) return Effect.undefined`, replace: `` },
        { file: tokens, search: `running: flight,`, replace: `running: undefined,` }
      ]
    },
    sabotage(
      "keep a request for a token that has ended",
      tokens,
      `if (this.#flight === started) this.#flight = undefined`,
      ``
    ),
    sabotage(
      "keep a token that was refused",
      tokens,
      `      this.#current = undefined
      return this.#source.discard(refused)`,
      `      return this.#source.discard(refused)`
    ),
    sabotage(
      "ask for a token whoever else in the fleet does",
      sharedTokens,
      `if (((yield* stored.claimant) ?? self) === self) {`,
      `if (((yield* stored.claimant) ?? self) !== undefined) {`
    ),
    sabotage(
      "put tokens into the store as they are",
      sharedTokens,
      `failing("encrypt", () => cipher.encrypt(Redacted.value(value), times))`,
      `failing("encrypt", () => Effect.succeed(Redacted.value(value)))`
    ),
    sabotage(
      "let a store that fails fail the call",
      sharedTokens,
      `return Effect.as(report(failure), undefined)`,
      `return Effect.die(failure)`
    )
  ]),

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
    "take a refund for ours without the word that no one else refunds",
    reconcile,
    `if (change.isOnlyWriter !== true || added.length > 1) {`,
    `if (added.length > 9) {`
  ),
  sabotage(
    "believe a list of refunds that contradicts the payment",
    reconcile,
    `if (contradicts(payment, listed))`,
    `if (listed.length > 99)`
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
  sabotage(
    "take another charge of the recurrence for ours",
    reconcile,
    `  isEchoOf(change.orderNumber, order_number) &&`,
    ``
  ),
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
    "believe whoever claims a parent",
    verification,
    `if (parent !== undefined && parent.id === parent_id) return`,
    `if (parent !== undefined) return`
  ),
  sabotage(
    "answer 200 when the handler failed",
    delivery,
    `Effect.succeed(result.isDelivered ? 200 : 503)`,
    `Effect.succeed(200)`
  ),
  sabotage(
    "let a notification share a read that began before it came",
    rounds,
    `other.round > arrivedAfter && turn`,
    `other.round >= arrivedAfter && turn`
  ),
  sabotage("deliver one payment twice at once", rounds, `if (isFree && putOff <= 0) {`, `if (putOff <= 0) {`),

  // ---- Strangers
  ...onDaysOf("strangers", [
    sabotage(
      "count strangers to the payment that they claim",
      limits,
      `: [claimedRead(notification), \`charges of \${parent.id}\`, "claimedReadsPerMinute"]`,
      `: [claimedRead(notification), parent.id, "knownReadsPerMinute"]`
    ),
    sabotage(
      "never begin a new minute of reads",
      limits,
      `import { minute } from "../../basics/Milliseconds.js"`,
      `const minute = 1e9`
    ),
    sabotage(
      "refuse a known payment's notification over the limit",
      limits,
      `if (at > now + (isFull ? 0 : maxDelay)) return undefined`,
      `if (at > now) return undefined`
    ),
    sabotage(
      "put each claim about a known payment off to a read of its own",
      limits,
      `return [id, id, "knownReadsPerMinute"]`,
      `return [claimedRead(notification), id, "knownReadsPerMinute"]`
    ),
    sabotage(
      "let thirty junk charges a minute starve a genuine one",
      limits,
      `limits.claimedReadsPerMinute ?? 300`,
      `limits.claimedReadsPerMinute ?? 30`
    )
  ])
]
