/**
 * The orders of a ledger as callers see them: checkouts, the gateway's notifications, and returning payers.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type * as Notification from "../../client/notification/Notification.js"
import { logFailure } from "../../client/notification/Deliveries.js"
import * as NotificationDelivery from "../../client/notification/NotificationDelivery.js"
import { NotificationError, toNotificationError } from "../../client/notification/NotificationError.js"
import { sharingRounds } from "../../client/notification/SharedReads.js"
import { type Compare, parse, type PaymentReader, verifyNamed } from "../../client/notification/Verification.js"
import { isAuthorized, isClosedUnpaid, wasPaid } from "../../client/payment/PaymentState.js"
import { becomeKnown, ownerOf, recordCharge } from "../change/ChargePayments.js"
import type { ChargeOwner } from "../change/ChargeSteps.js"
import type { InFlight } from "../process/InFlight.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"
import type { LedgerPrograms, LedgerService } from "../model/LedgerService.js"
import type { Order } from "../model/Order.js"
import { checkText } from "../model/LedgerArguments.js"
import { attemptOf } from "../model/LedgerKey.js"
import type { StoreError } from "../store/Database.js"
import { hasItem } from "../store/Items.js"
import * as Orders from "./Orders.js"
import { reportItems } from "./PaymentItems.js"
import { isOfMerchant, isResolved } from "./PaymentDecision.js"
import { isWithdrawn, orderOf, standingOf, standsAs } from "./OrderView.js"
import * as PaymentMoves from "./PaymentMoves.js"
import { hasMoney } from "./PaymentProgress.js"
import type { PaymentRow } from "../store/PaymentTable.js"

type Parts = Orders.OrdersOptions

type OrderCalls = Pick<LedgerPrograms, "checkout" | "getOrder" | "verifyReturn" | "withdrawOrder"> &
  Pick<LedgerService, "notificationHandler">

interface KnownPayment extends Notification.ExpectedPayment {
  readonly row: PaymentRow
}

export interface OrderServiceOptions<in out Tx> extends PaymentMoves.MoveOptions<Tx> {
  readonly inFlight: InFlight
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
}

export interface OrderService {
  readonly calls: OrderCalls
  /** What the moves of payments need. */
  readonly moves: PaymentMoves.MoveParts
}

export const make = <Tx>(options: OrderServiceOptions<Tx>): OrderService => {
  const { gateway, inFlight, ready } = options
  const parts: Parts = { ...PaymentMoves.partsOf(options), inFlight }
  const reader: PaymentReader<GatewayError> = { goid: gateway.goid, getPayment: gateway.reads.getPayment }

  const logUnknown = unknownLog()

  const found = (paymentId: number) => expectation(paymentId, knownPayment(parts, paymentId))

  /** The one judgement of payments. For a charge it runs once the charge has its own row. */
  const compare: Compare<KnownPayment> = ({ row }, payment, { orderOf }) =>
    orderOf === "parent" ? Effect.succeed([]) : expectation(payment.id, PaymentMoves.judge(parts, row, payment))

  /** If several payers return at the same time, the payment is read and recorded once for all of them. */
  const returned = sharingRounds((notification: Notification.PaymentNotification) =>
    verifyNamed(reader, notification, found, compare).pipe(
      Effect.mapError((failure): NotificationError | GatewayError => toNotificationError(failure)),
      Effect.flatMap((verified) => take(parts, verified)),
      Effect.flatMap((row) => standing(parts, row))
    )
  )

  const calls: OrderCalls = {
    checkout: (...args) => Effect.andThen(ready, Orders.order(parts, ...args)),
    getOrder: Effect.fnUntraced(function* (orderNumber) {
      yield* checkText("orderNumber", orderNumber)
      yield* ready
      return yield* Orders.orderStatus(parts, orderNumber)
    }),
    withdrawOrder: (orderNumber) => Effect.andThen(ready, Orders.withdraw(parts, orderNumber)),
    verifyReturn: (source) => {
      const parsed = Effect.mapError(parse(source), (failure) => new NotificationError(failure))
      return Effect.mapError(Effect.andThen(ready, Effect.flatMap(parsed, returned)), toCallError)
    },
    notificationHandler: ({ limits, onError = logFailure } = {}) =>
      NotificationDelivery.make(
        reader,
        {
          // The row is recorded before the payment is read.
          find: found,
          recognise: (payment) => expectation(payment.id, recognise(parts, payment, logUnknown)),
          compare,
          handler: (verified) =>
            Effect.catch(take(parts, verified), (failure) =>
              Effect.fail(failure._tag === "HandlerFailure" ? failure.cause : failure)
            ),
          onError: (failure, notification) => onError(toNotificationError(failure), notification),
          limits
        },
        inFlight.scope
      )
  }
  return { calls, moves: parts }
}

export const toCallError = <E extends LedgerError | GatewayError | NotificationError>(
  failure: E | PaymentMoves.PaymentHandlerFailure
): E | NotificationError<Notification.HandlerFailed> => {
  if (failure._tag !== "HandlerFailure") return failure
  const { cause, reason } = failure
  return new NotificationError({ reason, cause })
}

const knownPayment = ({ payments }: Pick<Parts, "payments">, paymentId: number) =>
  Effect.map(payments.byPaymentId(paymentId), (row) =>
    Option.isNone(row) || row.value.status === "unknown" ? undefined : knownOf(row.value)
  )

const knownOf = (row: PaymentRow): KnownPayment => ({
  order_number: row.order_number,
  amount: row.terms.amount,
  currency: row.terms.currency,
  row
})

/** Records what was read after the row. If the row has moved since, reads the payment again. */
const take = Effect.fnUntraced(function* (parts: Parts, verified: Notification.VerifiedPayment<KnownPayment>) {
  const { order, payment } = verified
  const row =
    verified.orderOf === "payment"
      ? order.row
      : yield* chargeOf(parts, payment, yield* ownerOf(parts, payment), order.row)
  const after = yield* PaymentMoves.record(parts, row, payment)
  return Option.isSome(after)
    ? after.value
    : yield* PaymentMoves.refresh(parts, yield* Orders.stored(parts.payments, row))
})

/**
 * The row of a charge of a recurrence. The shop is notified of it if its first payment is known or the ledger made the
 * charge. Other charges are recorded too, so that the same money is not charged twice.
 */
const chargeOf = Effect.fnUntraced(function* (
  parts: Parts,
  child: PaymentResponse,
  owner: ChargeOwner,
  first?: PaymentRow
) {
  // It needs no payer, so its money has come or may still come, unless it is closed.
  if (owner === "Unknown" && !isClosedUnpaid(child)) {
    yield* reportUnknown(parts, child, `charge ${child.id}`, "It is a charge of a recurrence. A ledger has made it")
  }
  const isKnown = owner === "Own" || first !== undefined
  const row = yield* recordCharge(parts.payments, {
    child,
    firstPaymentId: first?.payment_id ?? String(child.parent_id ?? ""),
    orderNumber: first?.order_number ?? "",
    reference: first?.reference ?? null,
    isOwned: owner === "Own",
    isKnown
  })
  return isKnown && owner !== "Unknown" ? yield* becomeKnown(parts.payments, row) : row
})

/** A payment that a ledger created but that has no row here, because a backup was restored. */
const reportUnknown = Effect.fnUntraced(function* (
  parts: Parts,
  payment: PaymentResponse,
  attempt: string,
  origin: string
) {
  const { payments } = parts
  const message = `${origin}, and this one does not know it. Was a backup restored? See adoptPayment.`
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
    attention: { UnknownPayment: message },
    message
  })
  if (Option.isSome(row)) return yield* reportItems(parts, row.value)
  // It was already closed when it became known.
  const known = Option.getOrUndefined(yield* payments.byPaymentId(payment.id))
  if (known?.status !== "unknown" || hasItem(known, "UnknownPayment") || isResolved(known, "UnknownPayment")) return
  const moved = yield* payments.move(known, { attention: { UnknownPayment: message }, message })
  if (Option.isSome(moved)) yield* reportItems(parts, moved.value, known)
})

/**
 * The row of a charge whose first payment is unknown. Either this ledger made the charge, or it does not know the
 * charge either.
 */
const chargeWithoutFirst = Effect.fnUntraced(function* (parts: Parts, child: PaymentResponse) {
  const owner = yield* ownerOf(parts, child)
  const isOwn = owner === "Own"
  return isOwn || (yield* knownPayment(parts, Number(child.parent_id))) === undefined
    ? yield* chargeOf(parts, child, owner)
    : undefined
})

type LogUnknown = (payment: PaymentResponse) => Effect.Effect<void>

/** How many ids of logged payments a process remembers. */
const loggedAtMost = 1000

/**
 * Logs, once for each payment, that money has come by a payment which no ledger created, such as one from before the
 * ledger.
 */
const unknownLog = (): LogUnknown => {
  const logged = new Set<number>()
  return ({ id, order_number: orderNumber = "none", state }) =>
    Effect.suspend(() => {
      if (logged.has(id) || logged.size >= loggedAtMost) return Effect.void
      logged.add(id)
      return Effect.logWarning(
        `Payment ${id} of order ${orderNumber} is ${state}, and the ledger does not know it. Is it from before the ledger? See adoptPayment.`
      )
    })
}

/** What is known of a payment from the attempt that it names. */
const recognise = Effect.fnUntraced(function* (parts: Parts, payment: PaymentResponse, logUnknown: LogUnknown) {
  if (!isOfMerchant(payment, yield* parts.gateway.goid)) return undefined
  const row =
    (yield* Orders.recognise(parts, payment)) ??
    (payment.parent_id === undefined ? undefined : yield* chargeWithoutFirst(parts, payment))
  if (row !== undefined) return knownOf(row)
  const attempt = payment.parent_id === undefined ? attemptOf(payment) : undefined
  if (!(wasPaid(payment) || isAuthorized(payment))) return undefined
  if (attempt === undefined) {
    if (payment.parent_id === undefined) yield* logUnknown(payment)
    return undefined
  }
  const made = yield* parts.payments.byAttempt(attempt)
  if (Option.isNone(made)) {
    yield* reportUnknown(parts, payment, attempt, "It is paid, a ledger has created it")
  } else if (made.value.payment_id !== null && made.value.payment_id !== String(payment.id)) {
    const origin = `It is paid, a copy of the request for payment ${made.value.payment_id} has created it`
    yield* reportUnknown(parts, payment, `payment ${payment.id}`, origin)
  }
  return undefined
})

/** The status of a payment's order, including money that has come by another payment of it. */
const standing = ({ payments }: Parts, row: PaymentRow): Effect.Effect<Order, StoreError> =>
  hasMoney(row)
    ? Effect.succeed(orderOf(row))
    : Effect.map(payments.inOrder({ orderNumber: row.order_number, parentId: row.parent_id ?? "" }), (read) => {
        const present = standingOf(read)
        const counts = present !== undefined && (hasMoney(present) || present.status === "unknown")
        return (counts || isWithdrawn(read.order) ? standsAs(read) : undefined) ?? orderOf(row)
      })

const expectation = <A>(
  paymentId: number,
  found: Effect.Effect<A, StoreError>
): Effect.Effect<A, Notification.NotificationFailure<Notification.ExpectationFailed>> =>
  Effect.mapError(found, (cause) => ({
    reason: {
      _tag: "ExpectationFailed",
      paymentId,
      message: `What is expected of payment ${paymentId} could not be determined: the ledger's store failed.`
    },
    cause
  }))
