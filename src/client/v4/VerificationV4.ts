/**
 * Verifies payments of API v4 by their ids, and answers the notifications that name them: the parts of v3's, without the parents of
 * charges, which v4 does not have.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { isIdV4 } from "../../contract/IdV4.js"
import type { PaymentIdV4, PaymentResponseV4 } from "../../contract/MessagesV4.js"
import * as Deliveries from "../notification/Deliveries.js"
import { addressOf, isNotificationTag, type NotificationSource, termDifferences } from "../notification/Notification.js"
import { sharingRounds } from "../notification/SharedReads.js"
import { readStream } from "../transport/ResponseBody.js"
import { mismatch } from "../notification/Verification.js"
import { notifiedPaymentV4 } from "./NotifiedPaymentV4.js"
import type {
  ExpectationFailedV4,
  ExpectedPaymentV4,
  InvalidNotificationV4,
  NotificationErrorReasonV4,
  NotificationFailureV4,
  NotificationLimitsV4,
  NotificationRequestV4,
  PaymentMismatchV4,
  UnknownPaymentV4,
  VerifiedPaymentV4
} from "./NotificationV4.js"

/**
 * Finds what the shop expects of a payment, by the payment's id; `undefined` or `null` if the shop does not know it.
 * Returns it directly, as a promise or as a program.
 */
export type PaymentExpectationV4<Order extends ExpectedPaymentV4, E = never, R = never> = (
  paymentId: PaymentIdV4
) => Order | null | undefined | PromiseLike<Order | null | undefined> | Effect.Effect<Order | null | undefined, E, R>

/** Reads payments. */
export interface PaymentReaderV4<out E> {
  readonly getPayment: (paymentId: PaymentIdV4) => Effect.Effect<PaymentResponseV4, E>
}

const invalidNotification: NotificationFailureV4<InvalidNotificationV4> = {
  reason: {
    _tag: "InvalidNotification",
    message: "Not a notification or return of the gateway: it names no payment by id or payment_id, or more than one."
  }
}

const unknownPayment = (paymentId: PaymentIdV4): NotificationFailureV4<UnknownPaymentV4> => ({
  reason: { _tag: "UnknownPayment", paymentId, message: `Payment ${paymentId} is not one that the shop expects.` }
})

/** Finds what the shop expects, or that the shop does not know the payment. */
type FindOrderV4<Order, E, R = never> = (paymentId: PaymentIdV4) => Effect.Effect<Order | undefined, E, R>

const verified = <Order extends ExpectedPaymentV4>(
  order: Order,
  payment: PaymentResponseV4
): Effect.Effect<VerifiedPaymentV4<Order>, NotificationFailureV4<PaymentMismatchV4>> => {
  const differences = termDifferences(order, payment)
  return differences.length === 0 ? Effect.succeed({ order, payment }) : Effect.fail(mismatch(payment.id, differences))
}

/** Verifies the payment of an address or an id. A payment that the shop does not know is not read. */
export const verifyPaymentV4 = <Order extends ExpectedPaymentV4, ReadE, E, R>(
  { getPayment }: PaymentReaderV4<ReadE>,
  source: NotificationSource,
  find: FindOrderV4<Order, E, R>
): Effect.Effect<
  VerifiedPaymentV4<Order>,
  ReadE | E | NotificationFailureV4<InvalidNotificationV4 | UnknownPaymentV4 | PaymentMismatchV4>,
  R
> =>
  Effect.gen(function* () {
    const id = isIdV4<PaymentIdV4>(source) ? source : notifiedPaymentV4(addressOf(source))
    if (id === undefined) return yield* Effect.fail(invalidNotification)
    const order = yield* find(id)
    if (order === undefined) return yield* Effect.fail(unknownPayment(id))
    return yield* verified(order, yield* getPayment(id))
  })

/** Reads that are shared by all callers that ask for them meanwhile. */
export const sharingV4 = <E>({ getPayment }: PaymentReaderV4<E>): PaymentReaderV4<E> => {
  const shared = sharingRounds(({ id }: { readonly id: PaymentIdV4 }) => getPayment(id))
  return { getPayment: (id) => shared({ id }) }
}

// ---------------------------------------------------------------------------------------------------------------------
// Notifications
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The longest body that is read, in bytes, or in characters if a framework has read it. A body that names a payment is
 * short.
 */
const maxBody = 10_000

/** In milliseconds: how long a body may take to arrive. */
const bodyTime = 10_000

const isStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  Predicate.hasProperty(body, "getReader") && Predicate.isFunction(body.getReader)

/** The text of a body; empty if it cannot be read or is too long. Stops reading at the limit. */
const bodyOf = (request: NotificationRequestV4): Effect.Effect<string> =>
  Effect.tryPromise(async (signal) => {
    const { body, text } = request
    if (isStream(body)) return new TextDecoder().decode(await readStream(body, maxBody, signal))
    if (Predicate.isFunction(text)) return request.text?.(maxBody) ?? ""
    return typeof body === "string" ? body : JSON.stringify(body ?? "")
  }).pipe(
    Effect.timeout(bodyTime),
    Effect.map((text) => (text.length > maxBody ? "" : text)),
    Effect.catchCause(() => Effect.succeed(""))
  )

/** The shop's part in handling notifications. */
interface ShopV4<Order extends ExpectedPaymentV4, in E> {
  readonly find: FindOrderV4<Order, NotificationFailureV4<ExpectationFailedV4>>
  readonly handler: (verified: VerifiedPaymentV4<Order>) => Effect.Effect<unknown, unknown>
  readonly onError: (
    error: NotificationFailureV4 | E,
    paymentId: PaymentIdV4 | undefined
  ) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimitsV4 | undefined
}

/** The methods of notifications, which only one README mentions. */
export const notificationMethods = "GET, POST"

/**
 * Makes the function that answers notifications until the scope is closed. Only payments that the shop knows are read.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const deliveriesV4 = <Order extends ExpectedPaymentV4, E extends { readonly reason: unknown }>(
  { getPayment }: PaymentReaderV4<E>,
  { find, handler, limits, onError }: ShopV4<Order, E>,
  scope: Scope.Scope
): ((request: NotificationRequestV4) => Effect.Effect<Deliveries.NotificationStatus>) => {
  interface Named {
    readonly id: PaymentIdV4
  }
  interface Recognized {
    readonly order: Order
    readonly parent: undefined
  }
  const { deliver, report } = Deliveries.make<Named, Recognized, NotificationFailureV4 | E>(
    {
      recognize: ({ id }) =>
        Effect.flatMap(find(id), (order) =>
          order === undefined ? Effect.fail(unknownPayment(id)) : Effect.succeed({ order, parent: undefined })
        ),
      readAndHandled: ({ id }, { order }) =>
        Effect.flatMap(getPayment(id), (payment) => verified(order, payment)).pipe(
          Effect.flatMap((found) => Deliveries.handled(id, () => handler(found)))
        ),
      tooManyReads: ({ id }, limit) => Deliveries.tooManyReads(id, limit),
      paymentBusy: ({ id }) => Deliveries.paymentBusy(id),
      onError: (error, notification) => onError(error, notification?.id),
      limits
    },
    scope
  )
  return (request) =>
    Effect.suspend(() => {
      const method = Deliveries.methodOf(request)
      if (method !== undefined && method !== "GET" && method !== "POST") return Effect.succeed(405)
      return Effect.flatMap(method === "POST" ? bodyOf(request) : Effect.succeed(""), (body) => {
        const id = method === undefined ? undefined : notifiedPaymentV4(addressOf(request), body)
        return id === undefined ? Effect.as(report(invalidNotification, undefined), 400 as const) : deliver({ id })
      })
    })
}

/** Distinguishes a notification's failure from that of a gateway operation. @internal */
export const isNotificationFailureV4 = <Reason extends NotificationErrorReasonV4>(
  failure: NotificationFailureV4<Reason> | { readonly reason: { readonly _tag: string } }
): failure is NotificationFailureV4<Reason> => isNotificationTag(failure.reason._tag)
