/**
 * The orders of a shop. Each has one payment on offer at a time, which is recorded before it is created.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { refundedAtLeast } from "../change/Balance.js"
import type { InFlight } from "../process/InFlight.js"
import { checkedArgument, invalidArgument, millisecondsOf, storableText } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerUnavailable } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"
import { Hold, type NewPayment, type PaymentRow, type PaymentTable, Terms } from "../store/PaymentTable.js"
import { type StoreError, unavailable } from "../store/Database.js"
import { insist, now } from "../store/Statements.js"
import type { CheckoutOptions, CheckoutRequest, Order } from "../model/Order.js"
import { attemptOf, withAttempt } from "../model/LedgerKey.js"
import {
  changedOf,
  matchesRequest,
  isCharging,
  isExpired,
  isWithdrawn,
  orderOf,
  type OrderWithPayments,
  standingOf,
  standsAs
} from "./OrderView.js"
import { type OrderRow, shopOrder } from "../store/OrderTable.js"
import { differencesIn, isMoney } from "./PaymentDecision.js"
import * as PaymentMoves from "./PaymentMoves.js"
import { hasMoney, progressOf } from "./PaymentProgress.js"

export interface OrdersOptions extends PaymentMoves.MoveParts {
  readonly inFlight: InFlight
}

/** How often one call tries to create a payment when responses are lost or the payment is held back. */
const attemptsAtMost = 3

/** In milliseconds: a payment that was checked longer ago is checked again before its address is given out. */
const freshFor = 60_000

/** In milliseconds: how often a payment is polled that another process is creating. */
const lookEvery = 100

/** In milliseconds: the pause before a payment is read again that another process has to record. */
const leftFor = 1_000

/** The gateway releases a hold after four days: https://doc.gopay.com, preauthorized payments. */
const longestHold = Duration.days(4)

// ---- Payments for an order

/** The results of the pre-send checks of a creation, which runs one for each attempt, such as after a refused token. */
interface SendChecks {
  /** Whether any of them allowed it. */
  wasAllowed: boolean
  /** Whether the last one refused it, or failed. */
  isHeldBack: boolean
}

/** How a creation without a response has ended. `Lost`: the payment may exist. Otherwise it does not. */
type Failed = "Lost" | "HeldBack" | "NotCreated"

/** What the failure of a creation proves about the payment; a defect has no reason. */
export const failedBy = (reason: GatewayErrorReason | undefined, checks: Readonly<SendChecks>): Failed => {
  switch (reason?._tag) {
    case "OutcomeUnknown":
      return "Lost"
    case "UnexpectedResponse":
    case undefined:
      return checks.wasAllowed ? "Lost" : "NotCreated"
    case "GatewayUnavailable":
      return checks.isHeldBack ? "HeldBack" : "NotCreated"
    case "InvalidRequest":
    case "AuthenticationFailed":
    case "PermissionDenied":
    case "PaymentNotFound":
    case "CardNotFound":
    case "OperationRefused":
    case "RateLimited":
      return "NotCreated"
  }
}

/**
 * Creates a payment whose mark is committed, unless the pre-send check refuses. It may replace another payment of the
 * order.
 */
const create = Effect.fnUntraced(function* (
  parts: OrdersOptions,
  row: PaymentRow,
  request: CheckoutRequest,
  replaced: PaymentRow | undefined
) {
  const { gateway, payments } = parts
  const { attempt, order_number } = row
  const checks: SendChecks = { wasAllowed: false, isHeldBack: false }
  const maySend = Effect.suspend(() => {
    // This holds too if the check itself fails.
    checks.isHeldBack = true
    return Effect.tap(payments.maySend(attempt), (time) =>
      Effect.sync(() => {
        checks.wasAllowed ||= time > 0
        checks.isHeldBack = time <= 0
      })
    )
  })
  const exit = yield* Effect.exit(gateway.createPayment(withAttempt({ ...request, order_number }, attempt), maySend))
  if (Exit.isSuccess(exit)) {
    const { gw_url, id } = exit.value
    const created =
      replaced === undefined
        ? payments.createdBy(row, id, { gw_url })
        : parts.inTransaction((query) => payments.createdInPlaceOf(replaced, row, id, { gw_url }, query))
    const own = Option.getOrUndefined(yield* insist(created))
    // A copy of the request made the row's payment and was notified first. This payment needs no payer, so it may take
    // money too.
    if (own === undefined && row.needs_payer === 0) yield* insist(payments.insert(twinOf(row, id)))
    return { _tag: "Created" as const, created: own }
  }
  const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const failed = failedBy(failure?.reason, checks)
  if (failed === "Lost") {
    yield* insist(PaymentMoves.giveUp(parts, row))
    return { _tag: failed }
  }
  // If this fails, the payment counts as lost once the lease has expired.
  yield* Effect.ignore(payments.notCreated(attempt))
  return failed === "HeldBack"
    ? { _tag: failed }
    : yield* Effect.fail(failure ?? unavailable("The client failed. Nothing was sent.", Cause.squash(exit.cause)))
})

/** A second payment made by the same request. It is read, and its money may be too much. */
const twinOf = (row: PaymentRow, paymentId: number): NewPayment => {
  const { group_name, group_total, hold, needs_payer, order_number, reference, terms } = row
  return {
    order_number,
    attempt: `payment ${paymentId}`,
    status: "created",
    isOffered: false,
    terms,
    needs_payer,
    is_owned: 1,
    payment_id: String(paymentId),
    hold,
    group_name,
    group_total,
    reference,
    next_at: now
  }
}

type NextOfOrder =
  | { readonly _tag: "Create" }
  /**
   * Answer with the order as it is: nothing may be created next to a payment that is unknown, or for a withdrawn order.
   */
  | { readonly _tag: "Answer" }
  /** `GiveUp` and `Wait`: the payment is being created. `Check`: it exists. */
  | { readonly _tag: "GiveUp" | "Wait" | "Check"; readonly row: PaymentRow }

/** Decides the next step of a checkout. */
export const nextOf = (read: OrderWithPayments, replace: boolean): NextOfOrder => {
  const row = standingOf(read)
  if (row?.status === "unknown" || (isWithdrawn(read.order) && !replace)) return { _tag: "Answer" }
  const creating = read.payments.find(({ status }) => status === "creating")
  if (creating !== undefined && (row === undefined || !hasMoney(row))) {
    return { _tag: creating.next_at === null || creating.next_at <= creating.now ? "GiveUp" : "Wait", row: creating }
  }
  return row === undefined || isFree(row) ? { _tag: "Create" } : { _tag: "Check", row }
}

interface CreationOptions extends Effect.Success<ReturnType<typeof askedFor>> {
  /** The order as it was read. */
  readonly order: OrderRow
  /** The payment whose place the new one takes. */
  readonly replaced: PaymentRow | undefined
  readonly request: CheckoutRequest
  /** In milliseconds. */
  readonly waitAtMost: number
}

/**
 * Creates a payment of an order. Returns the order to answer with, or why there is none. `Moved`: another process was
 * first, or the payer has paid an earlier offer.
 */
const createOne = Effect.fnUntraced(function* (
  parts: OrdersOptions,
  { order, replaced, request, waitAtMost, ...asked }: CreationOptions
) {
  const payment: NewPayment = {
    ...asked,
    isOffered: replaced === undefined,
    attempt: globalThis.crypto.randomUUID(),
    next_at: { after: Duration.toMillis(parts.lease) }
  }
  const inserted = Option.getOrUndefined(yield* parts.payments.insertInOrder(payment, order))
  if (inserted === undefined) return "Moved"
  const creation = parts.inFlight.run(inserted.attempt, create(parts, inserted, request, replaced))
  const ended = yield* Effect.timeoutOption(creation, waitAtMost)
  if (Option.isNone(ended)) return orderOf(inserted)
  if (ended.value._tag !== "Created") return ended.value._tag
  const { created } = ended.value
  return created !== undefined && created.offered !== null && progressOf(created) === "open"
    ? orderOf(created)
    : "Moved"
})

export const order = Effect.fnUntraced(function* (
  parts: OrdersOptions,
  orderNumber: string,
  request: CheckoutRequest,
  options: CheckoutOptions = {}
): Effect.fn.Return<Order, LedgerError<LedgerUnavailable | InvalidArgument> | GatewayError> {
  const { payments } = parts
  const { replace = false, waitAtMost = "30 seconds" } = options
  const asked = yield* askedFor(orderNumber, request, options)
  const deadline = (yield* Clock.currentTimeMillis) + (yield* millisecondsOf("waitAtMost", waitAtMost))
  const key = shopOrder(orderNumber)
  let lost = 0
  let heldBack = 0
  let left = deadline - (yield* Clock.currentTimeMillis)

  /** Creates the next payment. Returns the order to answer with; `undefined` if it has to be read again. */
  const createNext = Effect.fnUntraced(function* ({ order }: OrderWithPayments, replaced?: PaymentRow) {
    const created = yield* createOne(parts, { ...asked, order, replaced, request, waitAtMost: Math.max(0, left) })
    if (created === "HeldBack" && ++heldBack >= attemptsAtMost) return yield* Effect.fail(allHeldBack)
    if (created === "Lost" && asked.needs_payer === 1 && ++lost >= attemptsAtMost) {
      return yield* Effect.fail(allLost(lost))
    }
    return typeof created === "string" ? undefined : created
  })

  for (;;) {
    const read = yield* payments.inOrder(key)
    const next = nextOf(read, replace)
    left = deadline - (yield* Clock.currentTimeMillis)
    switch (next._tag) {
      case "Answer":
      case "Create": {
        const answer = next._tag === "Answer" ? standsAs(read) : yield* createNext(read)
        if (answer !== undefined) return answer
        break
      }
      case "GiveUp":
        yield* PaymentMoves.giveUp(parts, next.row)
        break
      case "Wait":
        if (left <= 0) return orderOf(next.row)
        yield* Effect.sleep(Math.max(1, Math.min(left, lookEvery)))
        break
      case "Check": {
        const row = yield* replace ? freshToEnd(parts, next.row) : fresh(parts, next.row)
        const isSame = matchesRequest(row, asked.terms)
        if (progressOf(row) !== progressOf(next.row)) {
          // It has moved meanwhile, or a process that has `onPayment` has to record it.
          if (!(yield* parts.handlers.isLeftToOthers("onPayment"))) break
          if (hasMoney(row) || left <= 0) return isSame ? orderOf(row) : changedOf(row)
          yield* Effect.sleep(Math.min(left, leftFor))
          break
        }
        if (!replace || !isReplaceable(row, isSame)) return isSame ? orderOf(row) : changedOf(row)
        const answer = yield* createNext(read, row)
        if (answer !== undefined) return answer
      }
    }
  }
})

/**
 * The current state of a payment before it is replaced or its order is withdrawn. Fails if it cannot be read or
 * recorded, since it may be paid.
 */
const freshToEnd = (parts: OrdersOptions, row: PaymentRow): Effect.Effect<PaymentRow, StoreError | GatewayError> =>
  progressOf(row) !== "open"
    ? Effect.succeed(row)
    : Effect.catchIf(
        PaymentMoves.refresh(parts, row),
        (failure) => failure._tag === "HandlerFailure",
        () => Effect.fail(handlerFailed)
      )

/**
 * The current state of a payment, to show it. Returns the stored state if it was read a moment ago, or if reading
 * fails.
 */
const fresh = (parts: OrdersOptions, row: PaymentRow): Effect.Effect<PaymentRow, StoreError> =>
  row.now - (row.checked_at ?? 0) < freshFor
    ? Effect.succeed(row)
    : Effect.catch(freshToEnd(parts, row), () => stored(parts.payments, row))

export const stored = (payments: PaymentTable, row: PaymentRow): Effect.Effect<PaymentRow, StoreError> =>
  Effect.map(payments.bySeq(row.seq), (found) => Option.getOrElse(found, () => row))

export const orderStatus = Effect.fnUntraced(function* (
  { changes, payments }: OrdersOptions,
  orderNumber: string
): Effect.fn.Return<Order | undefined, StoreError> {
  const read = yield* payments.inOrder(shopOrder(orderNumber))
  const present = standingOf(read)
  if (present === undefined || !hasMoney(present)) return standsAs(read)
  // The gateway's list may lag behind the ledger's own refunds.
  const refunds = yield* changes.refundsOf(present.payment_id ?? "")
  return standsAs(read, refundedAtLeast(refunds, present.checked_at ?? 0))
})

/**
 * Stops offering an order. Its payment is read first: an order cannot be withdrawn if it is paid, or if a stored card
 * may be charged for it. An order without a payment can be withdrawn as well.
 */
export const withdraw = Effect.fnUntraced(function* (
  parts: OrdersOptions,
  orderNumber: string
): Effect.fn.Return<Order, LedgerError<LedgerUnavailable | InvalidArgument>> {
  const { payments } = parts
  yield* checkNumber(orderNumber)
  for (;;) {
    const read = yield* payments.inOrder(shopOrder(orderNumber))
    const { order } = read
    const last = standingOf(read)
    const present = last && (yield* Effect.mapError(freshToEnd(parts, last), notRead))
    const standing = present && orderOf(present)
    if (present && isMoney(progressOf(present)) && (yield* parts.handlers.isLeftToOthers("onPayment"))) {
      return orderOf(present)
    }
    if (isWithdrawn(order) || standing?.status === "inDoubt" || (present && isMoney(progressOf(present)))) {
      // The read above may have moved it.
      const now = standsAs(yield* payments.inOrder(shopOrder(orderNumber))) ?? standing
      if (now !== undefined) return now
    }
    if (present === undefined) yield* payments.withdrawOrder(order)
    else {
      const patch = isCharging(present) ? {} : { offered: null, gw_url: null, message: "The order was withdrawn." }
      yield* parts.moveInOrder(present, patch, order, { ...order, withdraws: true })
    }
  }
})

const notRead = (failure: StoreError | GatewayError): StoreError =>
  failure._tag === "GatewayError"
    ? unavailable("The order is not withdrawn: its payment could not be read, and it may be paid. Try again.", failure)
    : failure

/** Whether an order may get another payment besides this one. */
const isFree = (row: PaymentRow): boolean => row.offered === null && row.status !== "inDoubt" && !hasMoney(row)

const isReplaceable = (row: PaymentRow, isSame: boolean): boolean => {
  const progress = progressOf(row)
  return progress === "refunded" || (progress === "open" && (!isSame || isExpired(row)))
}

const allLost = (count: number): StoreError =>
  unavailable(`The gateway's responses are lost: ${count} payments may exist that no one can pay. Try again.`)

const allHeldBack = unavailable(
  "Nothing was created: the ledger is paused, or this process is slower than its lease. Try again."
)

const handlerFailed = unavailable(
  "Nothing was changed: the payment has moved at the gateway, and onPayment failed for it. Try again."
)

/** The row of a payment that a ledger created and whose id was lost. */
export const recognise = Effect.fnUntraced(function* (
  { gateway, payments }: Pick<OrdersOptions, "gateway" | "payments">,
  payment: PaymentResponse
): Effect.fn.Return<PaymentRow | undefined, StoreError> {
  const attempt = attemptOf(payment)
  const row = attempt === undefined ? Option.none() : yield* payments.byAttempt(attempt)
  if (attempt === undefined || Option.isNone(row)) return undefined
  const differences = differencesIn(row.value, payment, yield* gateway.goid)
  if (row.value.payment_id !== null || differences.length > 0) return undefined
  return Option.getOrUndefined(yield* payments.created(attempt, payment.id))
})

// ---- Arguments

const askedFor = Effect.fnUntraced(function* (orderNumber: string, request: CheckoutRequest, options: CheckoutOptions) {
  const { group, hold, payWithin, reference } = options
  yield* checkNumber(orderNumber)
  const terms = yield* checkedArgument(decodeTerms(request))
  if (terms.amount === 0) {
    return yield* Effect.fail(invalidArgument("amount is 0, so no payment is needed: the order is paid as it is"))
  }
  const end = hold === undefined ? null : yield* holdOf(hold)
  yield* checkedArgument(decodeWords({ group, reference }))
  return {
    order_number: orderNumber,
    status: "creating",
    terms,
    needs_payer: request.payer?.allowed_card_token === undefined ? 1 : 0,
    is_owned: 1,
    hold: end,
    group_name: group?.name ?? null,
    group_total: group?.total ?? null,
    reference: reference ?? null,
    pay_until: payWithin === undefined ? null : { after: yield* millisecondsOf("payWithin", payWithin) }
  } satisfies Omit<NewPayment, "attempt" | "isOffered">
})

const total = Schema.Int.check(Schema.isGreaterThan(0, { message: "must be above 0" }))
const group = Schema.Struct({ name: storableText(128), total })
const decodeWords = Schema.decodeUnknownEffect(
  Schema.Struct({ group: Schema.optional(group), reference: Schema.optional(storableText(1_000)) })
)
const decodeNumber = Schema.decodeUnknownEffect(storableText(128))
const decodeTerms = Schema.decodeUnknownEffect(Terms)
const decodeHold = Schema.decodeUnknownEffect(Hold)

export const checkNumber = (orderNumber: string): Effect.Effect<string, LedgerError<InvalidArgument>> =>
  checkedArgument(decodeNumber(orderNumber), "orderNumber ")

export const holdOf = ({
  atMost,
  end
}: NonNullable<CheckoutOptions["hold"]>): Effect.Effect<Hold, LedgerError<InvalidArgument>> =>
  Effect.flatMap(millisecondsOf("hold.atMost", atMost), (time) =>
    time < Duration.toMillis(longestHold)
      ? checkedArgument(decodeHold({ atMost: Math.round(time), end }), "hold.")
      : Effect.fail(invalidArgument("hold.atMost must be below four days, after which the gateway releases a hold"))
  )
