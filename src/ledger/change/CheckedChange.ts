/**
 * A change as the shop submits it, checked, and compared with the one that a row has.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isDay } from "../../contract/Day.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { builtinModule } from "../store/builtinModule.js"
import { checkedArgument, idOf, invalidArgument, textOf } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerError } from "../model/LedgerError.js"
import { storageProblem } from "../model/StorableText.js"
import type { SubmittedChange } from "../model/Change.js"
import { type ChangeName, ChangeRequest, type ChangeRow } from "./ChangeRow.js"
import type { NewChange } from "./ChangeTable.js"

/** The operation, the payment and the rest of a change. */
const partsOf = (
  change: SubmittedChange
): { readonly operation: ChangeName; readonly paymentId: unknown; readonly request: unknown } => {
  if ("refund" in change) {
    const { refund: paymentId, ...request } = change
    return { operation: "refundPayment", paymentId, request }
  }
  if ("charge" in change) {
    const { charge: paymentId, ...request } = change
    return { operation: "createRecurrence", paymentId, request }
  }
  if ("capturePartial" in change) {
    const { capturePartial: paymentId, ...request } = change
    return { operation: "captureAuthorizationPartial", paymentId, request }
  }
  if ("capture" in change) return { operation: "captureAuthorization", paymentId: change.capture, request: {} }
  return { operation: "voidAuthorization", paymentId: change.release, request: {} }
}

const decodeKey = Schema.decodeUnknownEffect(textOf(200))
const decodeRefund = Schema.decodeUnknownEffect(GatewaySchema.RefundPaymentRequest)
const decodeCharge = Schema.decodeUnknownEffect(GatewaySchema.CreateRecurrenceRequest)
const decodePartialCapture = Schema.decodeUnknownEffect(GatewaySchema.CaptureAuthorizationPartialRequest)
const decodeRequest = Schema.decodeUnknownEffect(ChangeRequest)

/** Changes are compared as canonical values: neither the order of members nor the type of an id makes another one. */
export const checked = (key: string, change: SubmittedChange): Effect.Effect<NewChange, LedgerError<InvalidArgument>> =>
  Effect.gen(function* () {
    const { operation, paymentId, request } = partsOf(change)
    yield* checkedArgument(decodeKey(key), "key ")
    const { order_number: orderNumber = "" } = Object(request)
    const problem = storageProblem(String(orderNumber))
    if (problem !== undefined) return yield* Effect.fail(invalidArgument(`order_number ${problem}`))
    const id = yield* idOf("paymentId", paymentId)
    if (operation === "refundPayment") yield* checkedArgument(decodeRefund(request))
    if (operation === "captureAuthorizationPartial") yield* checkedArgument(decodePartialCapture(request))
    if (operation === "createRecurrence") {
      yield* checkedArgument(decodeCharge(request))
      const { day }: { readonly day?: unknown } = Object(request)
      if (day !== undefined && !(typeof day === "string" && isDay(day))) {
        return yield* Effect.fail(invalidArgument("day must be a day that exists, written yyyy-mm-dd"))
      }
    }
    const canonical = yield* checkedArgument(decodeRequest(request))
    const hash = yield* hashOf([1, operation, id, sorted(canonical)])
    return { key, payment_id: id, operation, request: canonical, hash }
  })

/** Whether a row is the change that is asked for. */
export const isSame = (row: ChangeRow, asked: NewChange): boolean => row.hash === asked.hash

/** Members in the order of their names; those without a value are left out. */
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

/** At once where the runtime can: a transaction that is synchronous waits for nothing. */
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

/** A hash of Node.js, as far as it is used. */
interface NodeHash {
  update(text: string): { digest(encoding: "hex"): string }
}

const hasHash = (module: unknown): module is { readonly createHash: (name: string) => NodeHash } =>
  typeof module === "object" && module !== null && "createHash" in module
