/**
 * Notifications of the gateway, and returns of payers, about the payments of orders.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { NotificationError, toNotificationError } from "../../client/notification/NotificationError.js"
import type {
  ExpectationFailed,
  ExpectedPayment,
  PaymentNotification,
  NotificationFailure,
  NotificationLimits,
  NotificationSource,
  VerifiedPayment
} from "../../client/notification/Notification.js"
import * as NotificationDelivery from "../../client/notification/NotificationDelivery.js"
import { sharingRounds } from "../../client/notification/Rounds.js"
import { type Compare, parse, type PaymentReader, verifyNamed } from "../../client/notification/Verification.js"
import { isAuthorized, isClosedUnpaid, wasPaid } from "../../client/payment/PaymentState.js"
import type { PaymentRow } from "./PaymentTable.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { StoreError } from "../store/Database.js"
import type { Order } from "../model/Order.js"
import { attemptOf } from "../model/PaymentAttempt.js"
import { orderOf, standingOf } from "./OrderView.js"
import { hasMoney } from "./PaymentProgress.js"
import type { MoveFailure, MoveOptions, PaymentMoves } from "./PaymentMoves.js"
import * as Orders from "./Orders.js"
import { type ChargeOwners, ownerOf, recordCharge } from "./RecurrenceCharge.js"

export interface OrderNotificationsOptions
  extends ChargeOwners, Pick<LedgerParts, "gateway" | "inFlight">, Pick<MoveOptions<never>, "onPaymentAttention"> {
  readonly moves: PaymentMoves
}

/** Called for a notification that was not processed, and the limits on reads. */
export interface NotificationSettings {
  readonly onError: (
    failure: NotificationDelivery.DeliveryFailure<GatewayError>,
    notification: PaymentNotification | undefined
  ) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

interface KnownPayment extends ExpectedPayment {
  readonly row: PaymentRow
}

const known = (row: PaymentRow): KnownPayment => ({
  order_number: row.order_number,
  amount: row.terms.amount,
  currency: row.terms.currency,
  row
})

export const make = (parts: OrderNotificationsOptions) => {
  const { gateway, inFlight } = parts
  const reader: PaymentReader<GatewayError> = { goid: gateway.goid, getPayment: gateway.reads.getPayment }
  const find = (paymentId: number) => byPaymentId(parts, paymentId)

  /** The one judgement of payments. A charge is judged when its own row is there. */
  const compare: Compare<KnownPayment> = ({ row }, payment, { orderOf }) =>
    orderOf === "parent" ? Effect.succeed([]) : expectation(payment.id, parts.moves.judge(row, payment))

  /** However many payers return at the same time, the payment is read and recorded once more for all of them. */
  const returned = sharingRounds((notification) =>
    Effect.flatMap(Effect.mapError(verifyNamed(reader, notification, find, compare), toReadError), (verified) =>
      Effect.flatMap(take(parts, verified), (row) => standing(parts, row))
    )
  )

  return {
    handler: ({ limits, onError }: NotificationSettings) =>
      NotificationDelivery.make(
        reader,
        {
          // The row is noted before the payment is read.
          find: (paymentId) => expectation(paymentId, find(paymentId)),
          recognise: (payment) => expectation(payment.id, recognise(parts, payment)),
          compare,
          handler: (verified) =>
            Effect.catch(take(parts, verified), (failure) =>
              Effect.fail(failure._tag === "HandlerFailure" ? failure.cause : failure)
            ),
          onError,
          limits
        },
        inFlight.scope
      ),

    verifyReturn: (source: NotificationSource) =>
      Effect.flatMap(
        Effect.mapError(parse(source), (failure) => new NotificationError(failure)),
        returned
      )
  }
}

type Parts = OrderNotificationsOptions

const byPaymentId = ({ payments }: Parts, paymentId: number): Effect.Effect<KnownPayment | undefined, StoreError> =>
  Effect.map(payments.byPaymentId(paymentId), (row) =>
    Option.isNone(row) || row.value.status === "unknown" ? undefined : known(row.value)
  )

const take = Effect.fnUntraced(function* (
  parts: Parts,
  { order, orderOf: owner, payment }: VerifiedPayment<KnownPayment>
): Effect.fn.Return<PaymentRow, MoveFailure> {
  if (owner === "payment") return yield* recorded(parts, order.row, payment)
  const row = yield* charged(parts, order.row, payment)
  return row === undefined ? order.row : yield* recorded(parts, row, payment)
})

/** Records what was read after the row was; when the row has moved since, of what is read again. */
const recorded = Effect.fnUntraced(function* ({ moves, payments }: Parts, row: PaymentRow, payment: PaymentResponse) {
  const after = yield* moves.record(row, payment)
  if (Option.isSome(after)) return after.value
  return yield* moves.refresh(Option.getOrElse(yield* payments.bySeq(row.seq), () => row))
})

/** A charge of a recurrence is known by its first payment. */
const charged = Effect.fnUntraced(function* (parts: Parts, parent: PaymentRow, payment: PaymentResponse) {
  const owner = yield* ownerOf(parts, payment)
  if (owner === "Unknown" && mayCome(payment)) {
    yield* reportUnknown(parts, payment, `charge ${payment.id}`, unknownCharge)
    return undefined
  }
  return yield* recordCharge(parts.payments, {
    child: payment,
    firstPaymentId: parent.payment_id ?? "",
    orderNumber: parent.order_number,
    reference: parent.reference,
    isOwned: owner === "Own"
  })
})

/** A payment that a ledger has created, and that this one has no row of: a backup was restored. */
const reportUnknown = Effect.fnUntraced(function* (
  { onPaymentAttention, payments }: Parts,
  payment: PaymentResponse,
  attempt: string,
  problem: string
) {
  const row = yield* payments.insert({
    order_number: payment.order_number ?? "",
    attempt,
    status: "unknown",
    isOffered: false,
    terms: { amount: payment.amount, currency: payment.currency },
    needs_payer: 1,
    is_owned: 1,
    payment_id: String(payment.id),
    parent_id: payment.parent_id === undefined ? null : String(payment.parent_id),
    state: payment.state,
    attention: "UnknownPayment",
    problem
  })
  if (Option.isSome(row)) yield* onPaymentAttention(row.value, "UnknownPayment")
})

/** What is known of a payment by the attempt that it names. */
const recognise = Effect.fnUntraced(function* (
  parts: Parts,
  payment: PaymentResponse
): Effect.fn.Return<KnownPayment | undefined, StoreError | GatewayError> {
  const row = yield* Orders.recognise(parts, payment)
  if (row !== undefined) return known(row)
  if (payment.parent_id !== undefined) return yield* recogniseChild(parts, payment)
  const attempt = attemptOf(payment)
  if (attempt === undefined || !hasCome(payment)) return undefined
  if (Option.isNone(yield* parts.payments.byAttempt(attempt))) {
    yield* reportUnknown(parts, payment, attempt, unknownPayment)
  }
  return undefined
})

/** What is known of a charge whose first payment is not in the ledger. */
const recogniseChild = Effect.fnUntraced(function* (parts: Parts, payment: PaymentResponse) {
  const owner = yield* ownerOf(parts, payment)
  if (owner === "Own") {
    const firstPaymentId = String(payment.parent_id ?? "")
    const charge = { child: payment, firstPaymentId, orderNumber: "", isOwned: true }
    return known(yield* recordCharge(parts.payments, charge))
  }
  if (owner === "Unknown" && mayCome(payment)) {
    yield* reportUnknown(parts, payment, `charge ${payment.id}`, unknownCharge)
  }
  return undefined
})

/** How the order of a payment stands: money that has come for another one of it counts. */
const standing = ({ payments }: Parts, row: PaymentRow): Effect.Effect<Order, StoreError> =>
  hasMoney(row)
    ? Effect.succeed(orderOf(row))
    : Effect.map(payments.ofOrder(row.order_number), (rows) => {
        const present = standingOf(rows)
        return orderOf(present !== undefined && (hasMoney(present) || present.status === "unknown") ? present : row)
      })

const toReadError = (failure: NotificationFailure | GatewayError): NotificationError | GatewayError =>
  toNotificationError(failure)

const hasCome = (payment: PaymentResponse): boolean => wasPaid(payment) || isAuthorized(payment)

/** No payer is needed for a charge: unless it is closed, its money has come or may come. */
const mayCome = (payment: PaymentResponse): boolean => !isClosedUnpaid(payment)

const unknownPayment =
  "It is paid, a ledger has created it, and this one does not know it. Was a backup restored? See adoptPayment."

const unknownCharge =
  "It is a charge of a recurrence. A ledger has made it, and this one does not know it. Was a backup restored? See adoptPayment."

const expectation = <A>(
  paymentId: number,
  found: Effect.Effect<A, StoreError | GatewayError>
): Effect.Effect<A, NotificationFailure<ExpectationFailed>> =>
  Effect.mapError(found, (cause) => ({
    reason: {
      _tag: "ExpectationFailed",
      paymentId,
      message: `What is expected of payment ${paymentId} could not be determined: the ledger's store failed.`
    },
    cause
  }))
