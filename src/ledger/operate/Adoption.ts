/**
 * Takes over what was made without the ledger, or what it has lost: payments and charges become its own, refunds are
 * acknowledged.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { echoedBy, isEchoOf } from "../../contract/EchoedText.js"
import type { GatewayId, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import { type Claim, claimOn, foreignRefunds } from "../change/Balance.js"
import { idOf, invalidArgument } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerUnavailable } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"
import { requestedAt } from "../model/LedgerGateway.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import type { ChargeMovement, ListedRefund } from "../model/Lists.js"
import type { CheckoutOptions, Order } from "../model/Order.js"
import { attemptOf } from "../model/LedgerKey.js"
import { checkNumber, holdOf, recognise } from "../order/Orders.js"
import { toCallError } from "../order/OrderService.js"
import { shopOrder } from "../store/OrderTable.js"
import { orderOf, standsAs } from "../order/OrderView.js"
import { isOfMerchant } from "../order/PaymentDecision.js"
import { becomeKnown, ownerOf, recordCharge } from "../change/ChargePayments.js"
import { type MoveFailure, refresh } from "../order/PaymentMoves.js"
import type { PaymentRow, Terms } from "../store/PaymentTable.js"
import { notRecorded } from "../store/Database.js"
import { clockDrift } from "../store/Statements.js"
import type { OperatorParts } from "./OperatorParts.js"
import { agreementOf, checkDecision } from "./Signatures.js"
import { inOrderOf } from "../../basics/Lists.js"
import { minute } from "../../basics/Milliseconds.js"
import { withoutUndefined } from "../../basics/Nulls.js"

type Adopting =
  | "acknowledgeRefund"
  | "adoptCharges"
  | "adoptPayment"
  | "listAcknowledgedRefunds"
  | "listRefunds"
  | "releaseCharges"

export const make = (parts: OperatorParts): Pick<OperatorPrograms, Adopting> => ({
  adoptPayment: (...args) => Effect.mapError(Effect.andThen(parts.ready, adopt(parts, ...args)), toCallError),
  adoptCharges: (...args) => Effect.mapError(Effect.andThen(parts.ready, adoptCharges(parts, ...args)), toCallError),

  acknowledgeRefund: Effect.fnUntraced(function* (paymentId, refundId, { by, note }) {
    const { changes, dualApprovalAbove, gateway, ready, refunds } = parts
    const id = yield* idOf("paymentId", paymentId)
    const entryId = yield* idOf("refundId", refundId)
    yield* checkDecision("an acknowledgement needs the operator's name (by) and a reason (note)", { by, note })
    yield* ready
    const listed = yield* gateway.listRefunds(id)
    const entry = listed.refunds.find((refund) => String(refund.id) === entryId)
    if (entry === undefined) {
      return yield* Effect.fail(invalidArgument(`the gateway lists no refund ${entryId} of payment ${id}`))
    }
    const unclaimed = Effect.flatMap(changes.refundsOf(id), (own) => {
      const claim = claimOn(entry, own)
      return claim === undefined ? Effect.void : Effect.fail(invalidArgument(claimed(entryId, claim)))
    })
    yield* unclaimed
    const known = { paymentId: Number(id), refundId: Number(entryId), amount: entry.amount }
    const needsTwo = entry.amount > dualApprovalAbove
    const before = needsTwo ? yield* refunds.find(id, entryId) : undefined
    const isAgreed = !needsTwo || before?.is === "acknowledged"
    const agreed = isAgreed ? { by, note } : before && agreementOf(before, { by, note })
    yield* agreed === undefined
      ? refunds.propose({ ...known, acknowledgedBy: by.trim(), note })
      : refunds.insert({ ...known, acknowledgedBy: agreed.by, note: agreed.note })
    // A change may have been bound to it since; then it belongs to that change.
    if ((yield* refunds.find(id, entryId))?.is === "ofChange") yield* unclaimed
    if (agreed === undefined) {
      const said = `${by.trim()} acknowledges refund ${entryId}: ${note} Another operator has to agree.`
      if (before === undefined) yield* changes.reportStopped(id, said)
      return false
    }
    yield* changes.requeueStopped(id)
    return true
  }),

  releaseCharges: Effect.fnUntraced(function* (firstPaymentId, { by, note }) {
    const id = yield* idOf("firstPaymentId", firstPaymentId)
    yield* checkDecision("a release needs the operator's name (by) and a reason (note)", { by, note })
    const { changes, dualApprovalAbove, ready } = parts
    yield* ready
    const { isReleased, proposal } = yield* changes.releaseOf(id)
    const largest = yield* changes.largestStoppedCharge(id)
    if (isReleased && largest === undefined) return true
    // If no charge waits, the release is for charges of any amount, so it needs two operators.
    const needsTwo = (largest ?? Infinity) > dualApprovalAbove
    const agreed = needsTwo ? proposal && agreementOf(proposal, { by, note }) : { by, note }
    if (agreed === undefined) {
      const said = `${by.trim()} releases the charges: ${note} Another operator has to agree.`
      yield* changes.proposeRelease(id, { by: by.trim(), note }, said)
      return false
    }
    yield* changes.releaseCharges(id, agreed)
    return true
  }),

  listRefunds: Effect.fnUntraced(function* (paymentId) {
    const { changes, gateway, ready, refunds: recorded } = parts
    const id = yield* idOf("paymentId", paymentId)
    yield* ready
    const { refunds } = yield* gateway.listRefunds(id)
    const own = yield* changes.refundsOf(id)
    const operators = yield* recorded.operatorsOf(id)
    return refunds
      .map((entry) => listedRefund(Number(id), entry, claimOn(entry, own), operators.get(entry.id)))
      .toSorted(inOrderOf(({ requestedAt }) => requestedAt ?? ""))
  }),

  listAcknowledgedRefunds: (paymentId) =>
    Effect.flatMap(idOf("paymentId", paymentId), (id) => Effect.andThen(parts.ready, parts.refunds.ofPayment(id)))
})

const listedRefund = (
  paymentId: number,
  entry: RefundHistoryItem,
  claim: Claim | undefined,
  operators: Pick<ListedRefund, "acknowledgedBy" | "proposedBy"> = {}
): ListedRefund => {
  const requested = requestedAt(entry)
  return withoutUndefined({
    paymentId,
    refundId: entry.id,
    amount: entry.amount,
    state: entry.state,
    requestedAt: requested === undefined ? undefined : new Date(requested).toISOString(),
    key: claim?.isBound === true ? claim.key : undefined,
    mayBeOf: claim?.isBound === false && operators.acknowledgedBy === undefined ? claim.key : undefined,
    ...operators
  })
}

/**
 * Acknowledges the refunds that a payment has when it is adopted, up to the time of a restored backup, except those
 * that the ledger's own refunds have made or may have made.
 */
const acknowledgeListed = Effect.fnUntraced(function* (parts: OperatorParts, row: PaymentRow) {
  const { changes, gateway, payments, refunds: acknowledged } = parts
  const paymentId = row.payment_id ?? ""
  const { gatewayTime, refunds } = yield* gateway.listRefunds(paymentId)
  const { since } = (yield* changes.distrusted) ?? {}
  const distrusted = since === undefined ? undefined : since - clockDrift + ((gatewayTime ?? row.now) - row.now)
  for (const refund of foreignRefunds(refunds, yield* changes.refundsOf(paymentId))) {
    const { amount, id: refundId } = refund
    const requested = requestedAt(refund)
    if (distrusted !== undefined && (requested === undefined || requested >= distrusted)) continue
    const note = "Listed when the payment was adopted."
    yield* acknowledged.insert({ paymentId: Number(paymentId), refundId, amount, acknowledgedBy: "adoptPayment", note })
  }
  const current = yield* payments.bySeq(row.seq)
  if (Option.isSome(current)) yield* payments.move(current.value, { is_owned: 1 })
})

/**
 * Takes over the payment of a charge. If a change of the ledger made it, the payment decides that change. Everything
 * that may fail runs before the payment is marked as known: until then it stays an item.
 */
const adoptCharge = Effect.fnUntraced(function* (parts: OperatorParts, orderNumber: string, child: PaymentResponse) {
  const { moves, payments } = parts
  const isOwned = (yield* ownerOf(parts, child)) === "Own"
  const firstPaymentId = String(child.parent_id ?? "")
  const row = yield* recordCharge(payments, { child, firstPaymentId, orderNumber, isOwned, isKnown: true })
  if (row.is_owned !== 1 || row.status === "unknown") yield* acknowledgeListed(parts, row)
  return orderOf(yield* refresh(moves, yield* becomeKnown(payments, row)))
})

/** Takes over the lost charges that a statement lists. */
const adoptCharges = Effect.fnUntraced(function* (parts: OperatorParts, movements: Iterable<ChargeMovement>) {
  const lost = (yield* parts.changes.allLostCharges).flatMap(({ request }) => request?.order_number ?? [])
  const found = new Map<number, string>()
  for (const { orderNumber = "", paymentId } of movements) {
    const [own] = echoedBy([...new Set(lost)], orderNumber, (number) => number)
    if (paymentId !== undefined && own !== undefined) found.set(paymentId, own)
  }
  const adopted: Array<Order> = []
  for (const [paymentId, orderNumber] of found) {
    const child = yield* parts.gateway.reads.getPayment(paymentId)
    if (child.parent_id === undefined || (yield* ownerOf(parts, child)) !== "Own") continue
    adopted.push(yield* adoptCharge(parts, orderNumber, child))
  }
  return adopted
})

const adopt = Effect.fnUntraced(function* (
  parts: OperatorParts,
  orderNumber: string,
  paymentId: GatewayId,
  { hold }: Pick<CheckoutOptions, "hold"> = {}
): Effect.fn.Return<Order, LedgerError<LedgerUnavailable | InvalidArgument> | MoveFailure> {
  const { gateway, moves, payments } = parts
  yield* checkNumber(orderNumber)
  const holdEnd = hold === undefined ? null : yield* holdOf(hold)
  const payment = yield* gateway.reads.getPayment(paymentId)
  if (!isOfMerchant(payment, yield* gateway.goid)) {
    return yield* Effect.fail(invalidArgument(`payment ${payment.id} is of another merchant: ${payment.target?.goid}`))
  }
  if (payment.order_number === undefined || !isEchoOf(orderNumber, payment.order_number)) {
    return yield* Effect.fail(invalidArgument(`payment ${payment.id} is of order ${payment.order_number ?? "none"}`))
  }
  if (payment.parent_id !== undefined) return yield* adoptCharge(parts, orderNumber, payment)
  const known = (yield* recognise(parts, payment)) ?? Option.getOrUndefined(yield* payments.byPaymentId(payment.id))
  const own = attemptOf(payment) ?? globalThis.crypto.randomUUID()
  // A proxy may have sent the request twice: then the other payment has the attempt.
  const attempt = Option.isNone(yield* payments.byAttempt(own)) ? own : `payment ${payment.id}`
  const insert = (isOffered: boolean) =>
    payments.insert({
      order_number: orderNumber,
      attempt,
      status: "created",
      isOffered,
      terms: termsIn(payment),
      needs_payer: 1,
      is_owned: 0,
      payment_id: String(payment.id),
      gw_url: payment.gw_url ?? null,
      hold: holdEnd,
      next_at: { after: minute }
    })
  if (known === undefined && Option.isNone(yield* insert(true))) yield* insert(false)
  const row = yield* payments.byPaymentId(payment.id)
  if (Option.isNone(row)) return yield* Effect.fail(notRecorded("The payment"))
  if (known?.is_owned !== 1 || known.status === "unknown") yield* acknowledgeListed(parts, row.value)
  const adopted = yield* refresh(moves, yield* becomeKnown(payments, row.value))
  if (yield* moves.handlers.isLeftToOthers("onPayment")) return orderOf(adopted)
  return standsAs(yield* payments.inOrder(shopOrder(orderNumber))) ?? orderOf(row.value)
})

const termsIn = ({ amount, currency, preauthorization, recurrence }: PaymentResponse): Terms => {
  const { recurrence_cycle, recurrence_date_to, recurrence_period } = recurrence ?? {}
  const isRecurring = recurrence_cycle !== undefined && recurrence_date_to !== undefined
  return {
    amount,
    currency,
    ...(preauthorization?.requested === true ? { preauthorization: true } : undefined),
    ...(isRecurring ? { recurrence: { recurrence_cycle, recurrence_date_to, recurrence_period } } : undefined)
  }
}

const claimed = (refundId: string, { isBound, key }: Claim): string =>
  isBound
    ? `refund ${refundId} is the refund of the change ${key}`
    : `refund ${refundId} may be that of the change ${key}, which is not decided. Resolve that change first: as done with this refund's id, or as notDone`
