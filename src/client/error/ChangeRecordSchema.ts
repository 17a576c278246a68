/**
 * The schema and the parser of change records.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import * as Struct from "effect/Struct"
import { changeFacts } from "../../contract/ChangeFacts.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { namedObject } from "../../contract/NamedObject.js"
import type { InvalidField } from "./GatewayError.js"
import {
  type ChangeRecord as ChangeRecordInterface,
  type ChangeRecordConstructors,
  changeRecordConstructors
} from "./ChangeRecord.js"
import { subjectOf } from "./RecordedFacts.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import { withoutPrototype } from "../../basics/OwnMember.js"
import { plainCopy } from "../../basics/PlainData.js"

/** The facts of a change that was sent: enough to look for its effect with `reconcile`, nothing personal or secret. */
export type ChangeRecord = ChangeRecordInterface

/** The members that the record of a change must have. `usesStoredCard` is absent if no stored card is used. */
const neededFor = (operation: ChangeRecord["operation"]): ReadonlyArray<keyof ChangeRecord> => {
  if (operation === "sendRequest") return ["path"]
  const kept = changeFacts[operation].kept.filter((fact) => fact !== "usesStoredCard")
  const subject = subjectOf(operation)
  return subject === undefined ? kept : [subject, ...kept]
}

const { amount, currency, order_number: orderNumber } = GatewaySchema.CreatePaymentRequest.fields

const operations: ReadonlyArray<ChangeRecord["operation"]> = [...Struct.keys(changeFacts), "sendRequest"]

const operation = Schema.Literals(operations).annotate({
  message: "must be the name of a change, such as refundPayment"
})

const instant = Schema.String.check(
  Schema.makeFilter(
    (value) =>
      (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))) ||
      "must be a time in UTC, written as 2026-01-31T12:00:00.000Z"
  )
)

/** {@inheritDoc ChangeRecord} */
const schema = Schema.Struct({
  operation,
  goid: Schema.optional(GatewaySchema.GatewayId),
  path: Schema.optional(Schema.String),
  paymentId: Schema.optional(GatewaySchema.GatewayId),
  cardId: Schema.optional(GatewaySchema.GatewayId),
  amount: Schema.optional(amount),
  currency: Schema.optional(currency),
  orderNumber: Schema.optional(orderNumber),
  usesStoredCard: Schema.optional(Schema.Boolean),
  sentAt: instant,
  refundsBefore: Schema.optional(Schema.Array(GatewaySchema.Refund)),
  isOnlyWriter: Schema.optional(Schema.Boolean),
  childId: Schema.optional(GatewaySchema.GatewayId)
})
  .annotate(namedObject("ChangeRecord"))
  .check(
    Schema.makeFilter((change) =>
      neededFor(change.operation).flatMap((field) =>
        withoutPrototype(change)[field] === undefined
          ? [{ path: [field], issue: `is required for ${change.operation}` }]
          : []
      )
    )
  )

const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all" })

/** Checks a value that claims to be the record of a change, and names every field that is wrong. */
export const checkChangeRecord = (change: unknown): Result.Result<ChangeRecord, ReadonlyArray<InvalidField>> => {
  try {
    return Result.mapBoth(decode(plainCopy(change)), { onFailure: invalidFields, onSuccess: withoutPrototype })
  } catch {
    // A getter may throw.
    return Result.fail([{ message: "cannot be read" }])
  }
}

/** Reads the record of a change from JSON, as text or parsed. */
export const parseChangeRecord = (json: unknown): Result.Result<ChangeRecord, TypeError> =>
  (typeof json === "string" ? parsed(json) : Result.succeed(json)).pipe(
    Result.flatMap((value) => Result.mapError(checkChangeRecord(value), describeFields)),
    Result.mapBoth({
      onFailure: (problem) => new TypeError(`ChangeRecord.parse: this is not the record of a change: ${problem}`),
      onSuccess: (change) => ({ ...change })
    })
  )

const parsed = (text: string): Result.Result<unknown, string> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => "the text is not JSON" })

/**
 * The record of a change: a schema, to encode it for a store and to decode what the store gives back, and a constructor
 * for each change, to make one before it is sent. Members that the schema does not know are left out.
 *
 * `Schema.fromJsonString(ChangeRecord)` is the same for JSON text, and `ChangeRecord.parse` takes either.
 *
 * ```ts
 * ChangeRecord.refundPayment(paymentId, { amount: 5_000 }, { sentAt: new Date(), refundsBefore, isOnlyWriter: true })
 * ```
 */
export const ChangeRecord: typeof schema &
  ChangeRecordConstructors & {
    /**
     * Reads a stored record of a change: JSON text, or a value that the store has already parsed. Unknown members are
     * left out. Fails if it is not a valid record, naming every wrong field without its value.
     */
    readonly parse: (json: unknown) => Effect.Effect<ChangeRecordInterface, TypeError>
  } = /* @__PURE__ */ Object.assign(schema, changeRecordConstructors, {
  parse: (json: unknown) => Effect.fromResult(parseChangeRecord(json))
})
