/**
 * The record of a change of API v4 that was sent or is about to be.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import * as Struct from "effect/Struct"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import { givenMember, withoutPrototype } from "../../basics/OwnMember.js"
import { plainCopy } from "../../basics/PlainData.js"
import { keptFields } from "../../contract/ChangeFacts.js"
import { changeFactsV4 } from "../../contract/ChangeFactsV4.js"
import { endpointsV4 } from "../../contract/EndpointV4.js"
import { GatewayId } from "../../contract/GatewaySchema.js"
import type { ChangeNameV4, ChangeOperationV4, GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import { idSchemaV4 } from "../../contract/IdSchemaV4.js"
import { isIdV4, notAnIdV4 } from "../../contract/IdV4.js"
import { codeOfV4 } from "../../contract/CodesV4.js"
import { namedObject } from "../../contract/NamedObject.js"
import type { GatewayId as AnyGatewayId } from "../../contract/Messages.js"
import type { PaymentIdV4, RecurrenceIdV4, RefundIdV4, RefundResponseV4 } from "../../contract/MessagesV4.js"
import type { InvalidField } from "../error/GatewayError.js"

/**
 * The facts of a change of API v4: enough to look for its effect with `reconcile`, nothing personal or secret. Plain
 * data, fit for JSON; its `operation` distinguishes it from a record of v3. Add members with a spread: `{ ...change,
 * refundsBefore }`.
 */
export interface ChangeRecordV4 {
  /** Its name, such as `v4.refundPayment`; `v4.sendRequest` for a custom request. */
  readonly operation: ChangeNameV4 | "v4.sendRequest"
  /** The merchant's GoID. Absent in a record that was made before the call. */
  readonly goid?: AnyGatewayId | undefined
  /** For a custom request: its path, without anything that may be secret. */
  readonly path?: string | undefined
  /** The payment that it changes. */
  readonly paymentId?: PaymentIdV4 | undefined
  /** The recurrence that it changes. */
  readonly recurrenceId?: RecurrenceIdV4 | undefined
  /** An integer in minor units. */
  readonly amount?: number | undefined
  /** ISO 4217 code, such as `CZK`. */
  readonly currency?: string | undefined
  /** The order number, as sent. */
  readonly orderNumber?: string | undefined
  /** When it was handed over to be sent, ISO 8601 in UTC. */
  readonly sentAt: string
  /** For a refund: the result of `getPaymentRefunds` before the call. Without it no refund can be identified as this one. */
  readonly refundsBefore?: ReadonlyArray<RefundBeforeV4> | undefined
  /**
   * Your word, for a refund, that nothing but this call has refunded the payment since `refundsBefore` was read; for
   * `nextPayment`, that nothing but this call has charged the recurrence since `paymentBefore`. It counts for `ON_DEMAND`
   * only, since GoPay itself charges a recurrence of the type `AUTO`: send an `order_number` that no other payment has.
   */
  readonly isOnlyWriter?: boolean | undefined
  /** For `nextPayment`: the `payment.id` of `getRecurrence` before the call. */
  readonly paymentBefore?: PaymentIdV4 | undefined
}

/** The part of a refund that distinguishes it from others. */
export interface RefundBeforeV4 extends Pick<RefundResponseV4, "id" | "amount" | "state"> {}

/** When a change is sent, and what existed before. */
export type ChangeTimingV4 = Pick<ChangeRecordV4, "refundsBefore" | "isOnlyWriter" | "paymentBefore"> & {
  /** Now. */
  readonly sentAt: Date
}

/** The part of a request that the record of the change keeps. */
export const keptOfV4 = (
  name: ChangeOperationV4,
  request: unknown
): Pick<ChangeRecordV4, "amount" | "currency" | "orderNumber"> => {
  const source = name === "createRecurrence" && Predicate.isObject(request) ? givenMember(request, "payment") : request
  if (!Predicate.isObject(source)) return {}
  const { kept } = changeFactsV4[name]
  const read = (fact: (typeof kept)[number]): unknown =>
    kept.includes(fact) ? givenMember(source, keptFields[fact]) : undefined
  const [amount, currency, orderNumber] = [read("amount"), read("currency"), read("orderNumber")]
  return {
    ...(Predicate.isNumber(amount) ? { amount } : undefined),
    ...(Predicate.isString(currency) ? { currency } : undefined),
    ...(Predicate.isString(orderNumber) ? { orderNumber } : undefined)
  }
}

/** The subject of a change of API v4. */
export const subjectOfV4 = (
  name: ChangeOperationV4,
  id: unknown
): Pick<ChangeRecordV4, "paymentId" | "recurrenceId"> | undefined => {
  const { path } = endpointsV4[name]
  if (path.includes("{id}") && isIdV4<PaymentIdV4>(id)) return { paymentId: id }
  return path.includes("{recurrence_id}") && isIdV4<RecurrenceIdV4>(id) ? { recurrenceId: id } : undefined
}

const recordOf = (name: ChangeOperationV4, args: ReadonlyArray<unknown>): ChangeRecordV4 => {
  const timing = args[args.length - 1]
  const { isOnlyWriter, paymentBefore, refundsBefore, sentAt } = isTiming(timing) ? timing : noTiming
  const [first, second] = args
  const isAbout = !endpointsV4[name].path.startsWith("/eshops/")
  return {
    operation: `v4.${name}`,
    ...(isAbout ? subjectOfV4(name, first) : undefined),
    ...keptOfV4(name, isAbout ? second : first),
    sentAt: sentAt.toISOString(),
    ...(refundsBefore === undefined ? undefined : { refundsBefore }),
    ...(isOnlyWriter === undefined ? undefined : { isOnlyWriter }),
    ...(paymentBefore === undefined ? undefined : { paymentBefore })
  }
}

const noTiming: ChangeTimingV4 = { sentAt: new Date(Number.NaN) }

const isTiming = (value: unknown): value is ChangeTimingV4 => Predicate.hasProperty(value, "sentAt")

/** For each change, a function that makes its record before it is sent, from the same arguments and the time. */
export type ChangeRecordConstructorsV4 = {
  readonly [Name in ChangeOperationV4]: (
    ...args: [...args: Required<Parameters<GatewayOperationsV4[Name]>>, timing: ChangeTimingV4]
  ) => ChangeRecordV4
}

/**
 * Makes the record of a change of API v4 before it is sent: for each change, a function of the same arguments and the
 * time.
 */
export const changeRecordConstructorsV4: ChangeRecordConstructorsV4 = {
  createPayment: (...args) => recordOf("createPayment", args),
  cancelPayment: (...args) => recordOf("cancelPayment", args),
  refundPayment: (...args) => recordOf("refundPayment", args),
  createRecurrence: (...args) => recordOf("createRecurrence", args),
  startRecurrence: (...args) => recordOf("startRecurrence", args),
  nextPayment: (...args) => recordOf("nextPayment", args),
  stopRecurrence: (...args) => recordOf("stopRecurrence", args)
}

// ---------------------------------------------------------------------------------------------------------------------
// Records as they are read from a store
// ---------------------------------------------------------------------------------------------------------------------

const names: ReadonlyArray<ChangeRecordV4["operation"]> = [
  ...Struct.keys(changeFactsV4).map((name) => `v4.${name}` as const),
  "v4.sendRequest"
]

const id = <Id extends string>() => Schema.optional(idSchemaV4<Id>(notAnIdV4))

const instant = Schema.String.check(
  Schema.makeFilter((value) => !Number.isNaN(Date.parse(value)) || "must be a time, ISO 8601 in UTC")
)

/** The schema of records of changes of API v4. */
export const changeRecordSchemaV4 = Schema.Struct({
  operation: Schema.Literals(names).annotate({
    message: "must be the name of a change of API v4, such as v4.refundPayment"
  }),
  goid: Schema.optional(GatewayId),
  path: Schema.optional(Schema.String),
  paymentId: id<PaymentIdV4>(),
  recurrenceId: id<RecurrenceIdV4>(),
  amount: Schema.optional(Schema.Int),
  currency: Schema.optional(Schema.String),
  orderNumber: Schema.optional(Schema.String),
  sentAt: instant,
  refundsBefore: Schema.optional(
    Schema.Array(
      Schema.Struct({
        id: idSchemaV4<RefundIdV4>(notAnIdV4),
        amount: Schema.Int,
        state: codeOfV4("RefundStatesV4")
      })
    )
  ),
  isOnlyWriter: Schema.optional(Schema.Boolean),
  paymentBefore: id<PaymentIdV4>()
})
  .annotate(namedObject("ChangeRecordV4"))
  .check(
    Schema.makeFilter((change) => {
      return neededBy(change).flatMap((field) =>
        withoutPrototype(change)[field] === undefined
          ? [{ path: [field], issue: `is required for ${change.operation}` }]
          : []
      )
    })
  )

const neededBy = (change: Pick<ChangeRecordV4, "operation">) => {
  const name = changeOf(change)
  if (name === undefined) return ["path"] as const
  const { path } = endpointsV4[name]
  return [
    ...(path.includes("{id}") ? (["paymentId"] as const) : []),
    ...(path.includes("{recurrence_id}") ? (["recurrenceId"] as const) : []),
    ...(changeFactsV4[name].search === "refundList" ? (["amount"] as const) : [])
  ]
}

const operationsByName: { readonly [Name in ChangeNameV4]: ChangeOperationV4 } = {
  "v4.createPayment": "createPayment",
  "v4.cancelPayment": "cancelPayment",
  "v4.refundPayment": "refundPayment",
  "v4.createRecurrence": "createRecurrence",
  "v4.startRecurrence": "startRecurrence",
  "v4.nextPayment": "nextPayment",
  "v4.stopRecurrence": "stopRecurrence"
}

/** The operation of a record; `undefined` for a custom request. */
export const changeOf = ({ operation }: Pick<ChangeRecordV4, "operation">): ChangeOperationV4 | undefined =>
  operation === "v4.sendRequest" ? undefined : operationsByName[operation]

const decode = SchemaParser.decodeUnknownResult(changeRecordSchemaV4, { errors: "all" })

/** Checks a value that claims to be the record of a change of API v4, and names every field that is wrong. */
export const checkChangeRecordV4 = (change: unknown): Result.Result<ChangeRecordV4, ReadonlyArray<InvalidField>> => {
  try {
    return Result.mapBoth(decode(plainCopy(change)), { onFailure: invalidFields, onSuccess: withoutPrototype })
  } catch {
    // A getter may throw.
    return Result.fail([{ message: "cannot be read" }])
  }
}

/** Reads the record of a change from JSON, as text or parsed. */
export const readChangeRecordV4 = (json: unknown): Result.Result<ChangeRecordV4, TypeError> =>
  (typeof json === "string" ? parsed(json) : Result.succeed(json)).pipe(
    Result.flatMap((value) => Result.mapError(checkChangeRecordV4(value), describeFields)),
    Result.mapBoth({
      onFailure: (problem) => new TypeError(`ChangeRecordV4: this is not the record of a change of API v4: ${problem}`),
      onSuccess: (change) => ({ ...change })
    })
  )

const parsed = (text: string): Result.Result<unknown, string> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => "the text is not JSON" })

/**
 * Reads the record of a change of API v4 that was stored as JSON: JSON text, or a value that the store has already
 * parsed. Fails if it is not a valid record, naming every wrong field without its value.
 */
export const parseChangeRecordV4 = (json: unknown): Effect.Effect<ChangeRecordV4, TypeError> =>
  Effect.fromResult(readChangeRecordV4(json))
