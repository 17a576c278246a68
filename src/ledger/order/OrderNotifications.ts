/**
 * Notifications of the gateway, and returns of payers, about the payments of orders.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
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
import { sharingRounds } from "../../client/notification/SharedReads.js"
import { type Compare, parse, type PaymentReader, verifyNamed } from "../../client/notification/Verification.js"
import { isAuthorized, isClosedUnpaid, wasPaid } from "../../client/payment/PaymentState.js"
import type { PaymentRow } from "./PaymentRow.js"
import type { PaymentTable } from "./PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import type { Order } from "../model/Order.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { attemptOf } from "../model/PaymentAttempt.js"
import { orderOf, standingOf } from "./OrderView.js"
import { hasMoney } from "./PaymentProgress.js"
import type { MoveFailure, PaymentMoves } from "./PaymentMoves.js"
import type { Orders } from "./Orders.js"
import { type RecogniseCharge, recordCharge } from "./RecurrenceCharge.js"

/** What notifications of orders need. */
export interface OrderNotificationsOptions {
  readonly gateway: LedgerGateway
  readonly table: PaymentTable
  readonly moves: PaymentMoves
  readonly orders: Orders
  readonly onAttention: (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>) => Effect.Effect<void>
  /** Whether the payment of a charge is one of the ledger's changes. */
  readonly recogniseCharge: RecogniseCharge
  readonly scope: Scope.Scope
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

export const make = ({
  gateway,
  moves,
  onAttention,
  orders,
  recogniseCharge,
  scope,
  table
}: OrderNotificationsOptions) => {
  const reader: PaymentReader<GatewayError> = { goid: gateway.goid, getPayment: gateway.reads.getPayment }

  const byPaymentId = (paymentId: number): Effect.Effect<KnownPayment | undefined, StoreError> =>
    Effect.map(table.byPaymentId(paymentId), (row) =>
      Option.isNone(row) || row.value.status === "unknown" ? undefined : known(row.value)
    )

  /** The one judgement of payments. A charge is judged when its own row is there. */
  const compare: Compare<KnownPayment> = ({ row }, payment, { orderOf }) =>
    orderOf === "parent" ? Effect.succeed([]) : expectation(payment.id, moves.judge(row, payment))

  /** Records what was read after the row was; when the row has moved since, of what is read again. */
  const recorded = (row: PaymentRow, payment: PaymentResponse): Effect.Effect<PaymentRow, MoveFailure> =>
    Effect.flatMap(moves.record(row, payment), (after) =>
      Option.isSome(after)
        ? Effect.succeed(after.value)
        : Effect.flatMap(table.bySeq(row.seq), (found) => moves.refresh(Option.getOrElse(found, () => row)))
    )

  /** A charge of a recurrence is known by its first payment. */
  const charged = (
    parent: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<PaymentRow | undefined, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const recognised = yield* recogniseCharge(payment)
      if (recognised === "Unknown" && mayCome(payment)) {
        yield* reported(payment, `charge ${payment.id}`, unknownCharge)
        return undefined
      }
      return yield* recordCharge(table, {
        child: payment,
        firstPaymentId: parent.payment_id ?? "",
        orderNumber: parent.order_number,
        reference: parent.reference ?? undefined,
        isOwned: recognised === "Own"
      })
    })

  const take = ({
    order,
    orderOf: owner,
    payment
  }: VerifiedPayment<KnownPayment>): Effect.Effect<PaymentRow, MoveFailure> =>
    owner === "payment"
      ? recorded(order.row, payment)
      : Effect.flatMap(charged(order.row, payment), (row) =>
          row === undefined ? Effect.succeed(order.row) : recorded(row, payment)
        )

  /** A payment that a ledger has created, and that this one has no row of: a backup was restored. */
  const reported = (payment: PaymentResponse, attempt: string, problem: string): Effect.Effect<void, StoreError> =>
    Effect.flatMap(
      table.insert({
        orderNumber: payment.order_number ?? "",
        attempt,
        status: "unknown",
        isOffered: false,
        terms: { amount: payment.amount, currency: payment.currency },
        needsPayer: true,
        isOwned: true,
        paymentId: String(payment.id),
        ...(payment.parent_id === undefined ? undefined : { parentId: String(payment.parent_id) }),
        state: payment.state,
        attention: "UnknownPayment",
        problem
      }),
      (row) => (Option.isSome(row) ? onAttention(row.value, "UnknownPayment") : Effect.void)
    )

  /** What is known of a payment by the attempt that it names. */
  const recognise = (payment: PaymentResponse): Effect.Effect<KnownPayment | undefined, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const row = yield* orders.recognise(payment)
      if (row !== undefined) return known(row)
      if (payment.parent_id !== undefined) return yield* recogniseChild(payment)
      const attempt = attemptOf(payment)
      if (attempt === undefined || !hasCome(payment)) return undefined
      if (Option.isNone(yield* table.byAttempt(attempt))) yield* reported(payment, attempt, unknownPayment)
      return undefined
    })

  /** What is known of a charge whose first payment is not in the ledger. */
  const recogniseChild = (
    payment: PaymentResponse
  ): Effect.Effect<KnownPayment | undefined, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const recognised = yield* recogniseCharge(payment)
      if (recognised === "Own") {
        const firstPaymentId = String(payment.parent_id ?? "")
        return known(yield* recordCharge(table, { child: payment, firstPaymentId, orderNumber: "", isOwned: true }))
      }
      if (recognised === "Unknown" && mayCome(payment)) yield* reported(payment, `charge ${payment.id}`, unknownCharge)
      return undefined
    })

  /** How the order of a payment stands: money that has come for another one of it counts. */
  const standing = (row: PaymentRow): Effect.Effect<Order, StoreError> =>
    hasMoney(row)
      ? Effect.succeed(orderOf(row))
      : Effect.map(table.ofOrder(row.order_number), (rows) => {
          const present = standingOf(rows)
          return orderOf(present !== undefined && (hasMoney(present) || present.status === "unknown") ? present : row)
        })

  /** However many payers return at the same time, the payment is read and recorded once more for all of them. */
  const returned = sharingRounds((notification) =>
    Effect.flatMap(Effect.mapError(verifyNamed(reader, notification, byPaymentId, compare), toReadError), (verified) =>
      Effect.flatMap(take(verified), standing)
    )
  )

  return {
    /** Makes what answers notifications. */
    handler: ({ limits, onError }: NotificationSettings) =>
      NotificationDelivery.make(
        reader,
        {
          // The row is noted before the payment is read.
          find: (paymentId) => expectation(paymentId, byPaymentId(paymentId)),
          recognise: (payment) => expectation(payment.id, recognise(payment)),
          compare,
          handler: (verified) =>
            Effect.catch(take(verified), (failure) =>
              Effect.fail(failure._tag === "HandlerFailure" ? failure.cause : failure)
            ),
          onError,
          limits
        },
        scope
      ),

    /** Verifies the payment that a payer has come back from. */
    verifyReturn: (source: NotificationSource) =>
      Effect.flatMap(
        Effect.mapError(parse(source), (failure) => new NotificationError(failure)),
        returned
      )
  }
}

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
      message: `What is expected of payment ${paymentId} could not be found out: the ledger's store failed.`
    },
    cause
  }))
