/**
 * The changes of a ledger: checking, recording, waiting for the outcome, listing.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { isDay } from "../../basics/Day.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { LedgerError } from "../model/YieldableLedgerError.js"
import type { ChangeError, LedgerPrograms } from "../model/LedgerService.js"
import {
  checkedArgument,
  checkText,
  idOf,
  invalidArgument,
  millisecondsOf,
  storageProblem,
  storableText
} from "../model/LedgerArguments.js"
import { builtinModule } from "../store/asyncContext.js"
import { isLedgerKey } from "../model/LedgerKey.js"
import { type Database, notRecorded, type Query, type StoreError } from "../store/Database.js"
import type { ChangeOptions, SubmittedChange } from "../model/Change.js"
import { ChangeRequest, type ChangeRow, isDecided, isDue, outcomeOf } from "../store/ChangeRow.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { InFlight } from "../process/InFlight.js"
import type { Stepping } from "./Stepping.js"
import type { ChangeOutcome } from "../model/Outcome.js"

type ChangeCalls<Tx> = Pick<
  LedgerPrograms<Tx>,
  "capture" | "capturePartial" | "charge" | "getOutcome" | "refund" | "release" | "submit"
>

export interface ChangesOptions<in out Tx> {
  readonly changes: ChangeTable
  readonly database: Database<Tx>
  readonly inFlight: InFlight
  readonly pollEvery: Duration.Duration
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly stepping: Stepping
}

/** In milliseconds: the longest pause after a read that failed. */
const failurePause = 100

export const make = <Tx>(options: ChangesOptions<Tx>): ChangeCalls<Tx> => {
  const { changes, database, ready } = options

  const insert = Effect.fnUntraced(function* (
    key: string,
    change: SubmittedChange,
    query?: Query
  ): Effect.fn.Return<ChangeRow, ChangeError> {
    yield* checkText("key", key)
    return isLedgerKey(key)
      ? yield* Effect.fail(invalidArgument("keys that begin with order: or subscription: are the ledger's own"))
      : yield* record(changes, key, change, query)
  })

  const change = Effect.fnUntraced(function* (
    key: string,
    submitted: SubmittedChange,
    { waitAtMost = "30 seconds" }: ChangeOptions = {}
  ): Effect.fn.Return<ChangeOutcome, ChangeError> {
    const time = yield* millisecondsOf("waitAtMost", waitAtMost)
    yield* ready
    const deadline = (yield* Clock.currentTimeMillis) + time
    return outcomeOf(yield* settle(options, yield* insert(key, submitted), deadline))
  })

  return {
    // A request that is missing, as in JavaScript, is one without its members.
    refund: (key, refund, request, callOptions) =>
      change(key, { ...Struct.pick({ ...request }, ["amount"]), refund }, callOptions),
    capture: (key, capture, callOptions) => change(key, { capture }, callOptions),
    capturePartial: (key, capturePartial, request, callOptions) =>
      change(key, { ...Struct.pick({ ...request }, ["amount", "items"]), capturePartial }, callOptions),
    release: (key, release, callOptions) => change(key, { release }, callOptions),
    charge: (key, charge, request, callOptions) => change(key, { ...request, charge }, callOptions),
    submit: (tx, key, submitted) => Effect.suspend(() => Effect.asVoid(insert(key, submitted, database.queryIn(tx)))),
    getOutcome: Effect.fnUntraced(function* (key) {
      yield* checkText("key", key)
      yield* ready
      return Option.getOrUndefined(Option.map(yield* changes.find(key), outcomeOf))
    })
  }
}

/** Makes the due steps of a change until it is settled or the wait has timed out. */
const settle = Effect.fnUntraced(function* (
  { changes, inFlight, pollEvery, stepping: { step } }: Omit<ChangesOptions<never>, "database" | "ready">,
  row: ChangeRow,
  deadline: number
): Effect.fn.Return<ChangeRow, StoreError> {
  const { isClosing, scope } = inFlight
  let current = row
  for (;;) {
    if (isSettled(current)) {
      // A refund that is done may still have to find its entry.
      if (isDue(current)) yield* Effect.forkIn(Effect.ignore(step(current)), scope)
      return current
    }
    if (isClosing()) return current
    const left = deadline - (yield* Clock.currentTimeMillis)
    if (left <= 0) return current
    const wait = Math.max(1, Math.min(left, Duration.toMillis(pollEvery)))
    if (isDue(current)) {
      const made = yield* Effect.option(Effect.timeout(step(current), left))
      const after = Option.getOrUndefined(made)
      if (after !== undefined) {
        current = after
        continue
      }
    } else {
      const due = current.next_at === null ? wait : current.next_at - current.now
      yield* Effect.sleep(Math.max(1, Math.min(wait, due)))
    }
    const found = yield* Effect.result(changes.find(row.key))
    if (found._tag === "Success") {
      if (Option.isSome(found.success)) current = found.success.value
    } else if (deadline - (yield* Clock.currentTimeMillis) <= 0) return yield* Effect.fail(found.failure)
    else yield* Effect.sleep(Math.min(wait, failurePause))
  }
})

/** Records a change. The key may also be one of the ledger's own. */
export const record = Effect.fnUntraced(function* (
  changes: Pick<ChangeTable, "find" | "insert">,
  key: string,
  change: SubmittedChange,
  query?: Query
): Effect.fn.Return<ChangeRow, ChangeError> {
  const asked = yield* checked(key, change)
  const inserted = yield* changes.insert(asked, query)
  const row = Option.isSome(inserted) ? inserted : yield* changes.find(key, query)
  if (Option.isNone(row)) {
    return yield* Effect.fail(notRecorded("The change"))
  }
  if (row.value.hash === asked.hash) return row.value
  const message = `The key ${key} belongs to another change. Nothing was sent: take another key, or the same change.`
  return yield* Effect.fail(new LedgerError({ reason: { _tag: "KeyReused", key, message } }))
})

/** Whether a row was recorded for exactly this change. */
export const isOfChange = (
  { hash, key }: Pick<ChangeRow, "hash" | "key">,
  change: SubmittedChange
): Effect.Effect<boolean, ChangeError> => Effect.map(checked(key, change), (asked) => asked.hash === hash)

/** Records a change with a key of the ledger's own. */
export const recordOwn = (
  changes: Pick<ChangeTable, "find" | "insert">,
  key: string,
  change: SubmittedChange,
  query?: Query
): Effect.Effect<void, StoreError> =>
  Effect.catchReasons(Effect.asVoid(record(changes, key, change, query)), "LedgerError", {
    KeyReused: Effect.die,
    InvalidArgument: Effect.die
  })

/** Records the capture or the release of a hold, with a key of the ledger's own. */
export const endHold = (
  changes: Pick<ChangeTable, "find" | "insert">,
  key: string,
  paymentId: string,
  end: "capture" | "release"
): Effect.Effect<void, StoreError> =>
  recordOwn(changes, key, end === "capture" ? { capture: paymentId } : { release: paymentId })

/** Whether nothing is expected to change it soon. */
const isSettled = (row: ChangeRow): boolean =>
  isDecided(row) ||
  row.status === "needsOperator" ||
  // A charge that was accepted is soon paid or declined.
  (row.status === "accepted" && row.operation !== "createRecurrence")

// ---- A change as the shop submits it

const decodeKey = Schema.decodeUnknownEffect(storableText(200))
const decodeRequest = Schema.decodeUnknownEffect(ChangeRequest)

/** For each member that names the payment of a change: the operation, and the check of its arguments. */
const submittable = {
  refund: ["refundPayment", Schema.decodeUnknownEffect(GatewaySchema.RefundPaymentRequest)],
  charge: ["createRecurrence", Schema.decodeUnknownEffect(GatewaySchema.CreateRecurrenceRequest)],
  capturePartial: [
    "captureAuthorizationPartial",
    Schema.decodeUnknownEffect(GatewaySchema.CaptureAuthorizationPartialRequest)
  ],
  capture: ["captureAuthorization", undefined],
  release: ["voidAuthorization", undefined]
} as const

/**
 * Changes are compared by canonical values: they are the same if only the order of members or the type of an id
 * differs.
 */
const checked = Effect.fnUntraced(function* (key: string, change: SubmittedChange) {
  const name = Struct.keys(submittable).find((one) => one in change) ?? "release"
  const [operation, decode] = submittable[name]
  const { [name]: paymentId, ...given }: Readonly<Record<string, unknown>> = { ...change }
  const request = decode === undefined ? {} : given
  yield* checkedArgument(decodeKey(key), "key ")
  const { day, order_number: orderNumber } = request
  const problem = typeof orderNumber === "string" ? storageProblem(orderNumber) : undefined
  if (problem !== undefined) return yield* Effect.fail(invalidArgument(`order_number ${problem}`))
  const id = yield* idOf("paymentId", paymentId)
  if (decode !== undefined) yield* checkedArgument<unknown>(decode(request))
  if (operation === "createRecurrence" && day !== undefined && !(typeof day === "string" && isDay(day))) {
    return yield* Effect.fail(invalidArgument("day must be a day that exists, written yyyy-mm-dd"))
  }
  const canonical = yield* checkedArgument(decodeRequest(request))
  const hash = yield* hashOf([1, operation, id, sorted(canonical)])
  return { key, payment_id: id, operation, request: canonical, hash }
})

/** Sorts the members by name, and leaves out those without a value. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)])
  )
}

/** Synchronous if the runtime allows it, since a synchronous transaction cannot wait. */
const hashOf = (value: unknown): Effect.Effect<string> => {
  const text = JSON.stringify(value)
  const crypto = builtinModule("node:crypto")
  return hasHash(crypto)
    ? Effect.sync(() => crypto.createHash("sha256").update(text).digest("hex"))
    : Effect.map(
        Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
        (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
      )
}

/** The part of a Node.js hash that is used. */
interface NodeHash {
  update(text: string): { digest(encoding: "hex"): string }
}

const hasHash = (module: unknown): module is { readonly createHash: (name: string) => NodeHash } =>
  typeof module === "object" && module !== null && "createHash" in module
