/**
 * Verifies a payment by its id: finds the shop's order, reads the payment, compares the two.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { canonicalId } from "../../contract/CanonicalId.js"
import { describeFields } from "../../basics/InvalidFields.js"
import type { GatewayId, PaymentResponse } from "../../contract/Messages.js"
import type { InvalidField } from "../error/GatewayError.js"
import {
  type PaymentDifference,
  differencesFrom,
  type ExpectationFailed,
  type ExpectedPayment,
  goidDifferences,
  type InvalidNotification,
  type PaymentNotification,
  type NotificationFailure,
  type NotificationSource,
  type PaymentMismatch,
  readNotification,
  type UnknownPayment,
  type VerificationErrorReason,
  type VerifiedPayment
} from "./Notification.js"

/**
 * Finds what the shop expects of a payment, by the payment's id; `undefined` or `null` if the shop does not know it.
 * Returns it directly, as a promise or as a program.
 */
export type PaymentExpectation<Order extends ExpectedPayment, E = never, R = never> = (
  paymentId: number
) => Order | null | undefined | PromiseLike<Order | null | undefined> | Effect.Effect<Order | null | undefined, E, R>

/** The same for the ids of any API. */
type ExpectationOf<in Id, out Order, out E = never, out R = never> = (
  paymentId: Id
) => Order | null | undefined | PromiseLike<Order | null | undefined> | Effect.Effect<Order | null | undefined, E, R>

/** Finds what the shop expects, or that the shop does not know the payment. Fails if it could not look. */
export type FindOrder<Order, E = NotificationFailure<ExpectationFailed>, R = never> = (
  paymentId: number
) => Effect.Effect<Order | undefined, E, R>

type Given<Order> = Order | null | undefined

/** The failure of the shop's own program. */
export interface ShopFailure<out E> {
  readonly _tag: "ShopFailure"
  readonly error: E
}

/** The source of payments, and their merchant unless the shop says otherwise: a `Gateway`, for example. */
export interface PaymentReader<out E> {
  readonly goid: Effect.Effect<GatewayId>
  readonly getPayment: (paymentId: number) => Effect.Effect<PaymentResponse, E>
}

/** What the shop knows of a payment that a notification names: its own order, or that of the claimed parent. */
export interface Recognized<Order> {
  readonly order: Order | undefined
  readonly parent: { readonly id: number; readonly order: Order } | undefined
}

/** The errors of an API for a shop that could not be asked, or whose order cannot be compared. */
interface AskingFailures<out F> {
  readonly failed: (cause: unknown) => F
  readonly incomparable: (errors: ReadonlyArray<InvalidField>) => F
}

/**
 * Calls the caller's function. If it returns a program, that program's failures and defects are passed on. If the
 * function throws or rejects, that is the cause of a typed failure; so is an order whose fields do not have the
 * declared types, since nothing can be compared with it.
 */
export const askShop = <Order extends ExpectedPayment, E, R, F>(
  expected: () => Given<Order> | PromiseLike<Given<Order>> | Effect.Effect<Given<Order>, E, R>,
  { failed, incomparable }: AskingFailures<F>
): Effect.Effect<Order | undefined, ShopFailure<E> | F, R> =>
  Effect.suspend((): Effect.Effect<Given<Order>, ShopFailure<E> | F, R> => {
    const asked = Result.try({ try: expected, catch: failed })
    if (Result.isFailure(asked)) return Effect.fail(asked.failure)
    const order = asked.success
    if (Effect.isEffect(order)) {
      return Effect.mapError(order, (error): ShopFailure<E> => ({ _tag: "ShopFailure", error }))
    }
    if (!Predicate.isPromiseLike(order)) return Effect.succeed(order)
    // A query may run each time that `then` is called, so it is called once.
    const found = Promise.resolve<Given<Order>>(order)
    // No one may be waiting for it any more, since the function itself can have aborted the call.
    found.catch(() => {})
    return Effect.tryPromise({ try: () => found, catch: failed })
  }).pipe(
    Effect.flatMap((given) => {
      const order = given ?? undefined
      const errors = order === undefined ? [] : wrongFields(order)
      return errors.length === 0 ? Effect.succeed(order) : Effect.fail(incomparable(errors))
    })
  )

/** The same for callers that cannot fail: a failure or a defect of the caller's program is a cause as well. */
export const causeOfAsking = <E, F, A, R>(
  asked: Effect.Effect<A, ShopFailure<E> | F, R>,
  failed: (cause: unknown) => F
): Effect.Effect<A, F, R> =>
  Effect.catchCause(asked, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (Option.isNone(failure)) return Effect.fail(failed(Cause.squash(cause)))
    const { value } = failure
    return Effect.fail(isShopFailure(value) ? failed(value.error) : value)
  })

/** Whether it is the failure of the shop's own program. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what is left is a failure of that type
export const isShopFailure = <E, F>(failure: ShopFailure<E> | F): failure is ShopFailure<E> =>
  Predicate.isTagged(failure, "ShopFailure")

/** The failures of asking the shop about a payment, whose id may be of any API. */
export const asking = <Id extends number | string>(paymentId: Id) => ({
  failed: (cause: unknown) => expectationFailed(paymentId, cause),
  incomparable: (errors: ReadonlyArray<InvalidField>) => incomparable(paymentId, errors)
})

/** The shop could not be asked about a payment, whose id may be of any API. */
export interface AskingFailed<out Id> {
  readonly reason: Omit<ExpectationFailed, "paymentId"> & { readonly paymentId: Id }
  readonly cause?: unknown
}

/** Calls the caller's function. The failure of a program of it is passed on. */
export const askedOrder =
  <Id extends number | string, Order extends ExpectedPayment, E, R>(expected: ExpectationOf<Id, Order, E, R>) =>
  (paymentId: Id): Effect.Effect<Order | undefined, ShopFailure<E> | AskingFailed<Id>, R> =>
    askShop<Order, E, R, AskingFailed<Id>>(() => expected(paymentId), asking(paymentId))

/** The same for callers that cannot fail. */
export const findOrder =
  <Id extends number | string, Order extends ExpectedPayment, R = never>(
    expected: ExpectationOf<Id, Order, unknown, R>
  ) =>
  (paymentId: Id): Effect.Effect<Order | undefined, AskingFailed<Id>, R> =>
    causeOfAsking<unknown, AskingFailed<Id>, Order | undefined, R>(
      askedOrder(expected)(paymentId),
      asking(paymentId).failed
    )

const expectationFailed = <Id extends number | string>(paymentId: Id, cause: unknown) => ({
  reason: {
    _tag: "ExpectationFailed" as const,
    paymentId,
    message: `What is expected of payment ${paymentId} could not be determined: expected() failed.`
  },
  cause
})

const incomparable = <Id extends number | string>(paymentId: Id, errors: ReadonlyArray<InvalidField>) => ({
  reason: {
    _tag: "ExpectationFailed" as const,
    paymentId,
    errors,
    message:
      `What is expected of payment ${paymentId} cannot be compared with it: ${describeFields(errors)}. ` +
      "A database may give numbers as text or as bigint: convert what it gives in expected()."
  }
})

/** The fields of the shop's order that do not have the declared type. */
const wrongFields = (order: { readonly [field in keyof ExpectedPayment]: unknown }): ReadonlyArray<InvalidField> => {
  const { amount, currency, goid, order_number } = order
  const wrong = (field: string, is: boolean, what: string, value: unknown): ReadonlyArray<InvalidField> =>
    is ? [] : [{ field, message: `must be ${what}, and is ${kindOf(value)}` }]
  return [
    ...wrong("goid", !isGiven(goid) || canonicalId(goid) !== undefined, "a GoID", goid),
    ...wrong("order_number", typeof order_number === "string", "text", order_number),
    ...wrong("amount", Number.isSafeInteger(amount), "an integer in minor units", amount),
    ...wrong("currency", typeof currency === "string", "text", currency)
  ]
}

/** A database row has `null` for a missing value. */
const isGiven = <A>(value: A | null | undefined): value is A => value !== undefined && value !== null

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/**
 * Looks up what the shop knows about the payment, and only if it knows nothing, about the parent that the notification
 * claims.
 */
export const recognize = <Order, E, R>(
  { id, parent_id }: PaymentNotification,
  find: FindOrder<Order, E, R>
): Effect.Effect<Recognized<Order>, E, R> =>
  Effect.flatMap(find(id), (order) =>
    order !== undefined || parent_id === undefined
      ? Effect.succeed({ order, parent: undefined })
      : Effect.map(find(parent_id), (parent) => ({
          order,
          parent: parent === undefined ? undefined : { id: parent_id, order: parent }
        }))
  )

/** Finds the fields in which a payment differs from what is expected of it or of its parent. */
export type Compare<Order> = (
  order: Order,
  payment: PaymentResponse,
  context: { readonly goid: GatewayId; readonly orderOf: "payment" | "parent" }
) => Effect.Effect<ReadonlyArray<PaymentDifference>, NotificationFailure<ExpectationFailed>>

/** A field that the gateway leaves out counts as different. */
const compareAll: Compare<ExpectedPayment> = (order, payment, { goid, orderOf }) =>
  Effect.succeed(
    orderOf === "payment" ? differencesFrom(order, goid, payment) : goidDifferences(order, goid, payment.target?.goid)
  )

/** Why a payment cannot be verified. */
type ComparisonReason = Exclude<VerificationErrorReason, InvalidNotification>

/** Compares a payment, as just read, with what the shop knows. The parent is the one that the gateway names. */
export const verified = <Order extends ExpectedPayment, E, R>(
  payment: PaymentResponse,
  { order, parent }: Recognized<Order>,
  configured: Effect.Effect<GatewayId>,
  find: FindOrder<Order, E, R>,
  compare: Compare<Order> = compareAll
): Effect.Effect<VerifiedPayment<Order>, E | NotificationFailure<ComparisonReason>, R> => {
  const { id, parent_id } = payment
  const compared = (
    order: Order,
    orderOf: "payment" | "parent"
  ): Effect.Effect<VerifiedPayment<Order>, NotificationFailure<ComparisonReason>> =>
    Effect.flatMap(isGiven(order.goid) ? Effect.succeed(order.goid) : configured, (goid) =>
      Effect.flatMap(compare(order, payment, { goid, orderOf }), (differences) =>
        differences.length === 0 ? Effect.succeed({ payment, order, orderOf }) : Effect.fail(mismatch(id, differences))
      )
    )
  if (order !== undefined) return compared(order, "payment")
  const verifiedChild = (order: Order) => compared(order, "parent")
  if (parent !== undefined && parent.id === parent_id) return verifiedChild(parent.order)
  const notTheParent = (): NotificationFailure<UnknownPayment | PaymentMismatch> =>
    parent === undefined
      ? unknownPayment(id)
      : mismatch(id, [{ field: "parent_id", expected: parent.id, actual: parent_id }])
  if (parent_id === undefined) return Effect.fail(notTheParent())
  return Effect.flatMap(find(parent_id), (order) =>
    order === undefined ? Effect.fail(notTheParent()) : verifiedChild(order)
  )
}

export const mismatch = <Id extends number | string>(
  paymentId: Id,
  differences: ReadonlyArray<PaymentDifference>
): { readonly reason: Omit<PaymentMismatch, "paymentId"> & { readonly paymentId: Id } } => ({
  reason: {
    _tag: "PaymentMismatch",
    paymentId,
    differences,
    message: `Payment ${paymentId} is not the expected one: it differs in ${differences.map(({ field }) => field).join(", ")}.`
  }
})

export const unknownPayment = (paymentId: number): NotificationFailure<UnknownPayment> => ({
  reason: {
    _tag: "UnknownPayment",
    paymentId,
    message: `Payment ${paymentId} is not one that the shop expects, nor a charge of a recurrence that it knows.`
  }
})

/** `parseNotification`, as a program. */
export const parse = (
  source: NotificationSource
): Effect.Effect<PaymentNotification, NotificationFailure<InvalidNotification>> =>
  Effect.suspend(() => {
    const reading = readNotification(source)
    return reading._tag === "InvalidNotification" ? Effect.fail(reading.failure) : Effect.succeed(reading.notification)
  })

/** Verifies the payment that an address names. A payment that the shop does not know is not read. */
export const verifyPayment = <Order extends ExpectedPayment, ReadE, E, R>(
  gateway: PaymentReader<ReadE>,
  source: NotificationSource,
  find: FindOrder<Order, E, R>
): Effect.Effect<VerifiedPayment<Order>, ReadE | E | NotificationFailure<VerificationErrorReason>, R> =>
  Effect.flatMap(parse(source), (notification) => verifyNamed(gateway, notification, find))

/** Verifies the payment of an address that was already parsed. */
export const verifyNamed = <Order extends ExpectedPayment, ReadE, E, R>(
  gateway: PaymentReader<ReadE>,
  notification: PaymentNotification,
  find: FindOrder<Order, E, R>,
  compare?: Compare<Order>
): Effect.Effect<VerifiedPayment<Order>, ReadE | E | NotificationFailure<ComparisonReason>, R> =>
  Effect.flatMap(recognize(notification, find), (recognized) =>
    recognized.order === undefined && recognized.parent === undefined
      ? Effect.fail(unknownPayment(notification.id))
      : Effect.flatMap(gateway.getPayment(notification.id), (payment) =>
          verified(payment, recognized, gateway.goid, find, compare)
        )
  )
