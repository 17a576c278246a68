/**
 * The orders of a shop: each has one payment on offer at a time, that was recorded before it was created.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { echoedBy, isEchoOf } from "../../contract/EchoedText.js"
import { describeFields, invalidFields } from "../../contract/InvalidFields.js"
import type { GatewayId, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { type InvalidArgument, LedgerError, type LedgerUnavailable } from "../model/LedgerError.js"
import { storageProblem } from "../model/StorableText.js"
import { Hold, type PaymentRow, Terms } from "./PaymentRow.js"
import type { NewPayment, PaymentTable } from "./PaymentTable.js"
import { type StoreError, unavailable } from "../store/Database.js"
import type { Written } from "../store/TableReads.js"
import { insist } from "../store/Statements.js"
import type { RefundTable } from "../store/RefundTable.js"
import { requestedAt } from "../model/RefundList.js"
import type { ChargeMovement, CheckoutOptions, CheckoutRequest, HoldOptions, Order } from "../model/Order.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { attemptOf, withAttempt } from "../model/PaymentAttempt.js"
import { changedOf, isAsAsked, isExpired, isWithdrawn, orderOf, presentOf, standingOf } from "./OrderView.js"
import { differencesIn } from "./PaymentDecision.js"
import type { MoveFailure, PaymentMoves } from "./PaymentMoves.js"
import { hasMoney, progressOf } from "./PaymentProgress.js"
import { type RecogniseCharge, recordCharge } from "./RecurrenceCharge.js"

/** What orders need. */
export interface OrdersOptions {
  readonly gateway: LedgerGateway
  readonly table: PaymentTable
  readonly acknowledged: RefundTable
  /** Those of a payment's listed refunds that the ledger has not made, and cannot have made. */
  /** What of a payment is refunded at least, by the ledger's own refunds, where its last read has not shown them all. */
  readonly refundedAtLeast: (row: PaymentRow) => Effect.Effect<number, StoreError>
  readonly foreignRefunds: (
    paymentId: string,
    listed: ReadonlyArray<RefundHistoryItem>
  ) => Effect.Effect<ReadonlyArray<RefundHistoryItem>, StoreError>
  readonly moves: PaymentMoves
  /** Whether the payment of a charge is one of the ledger's changes. */
  readonly recogniseCharge: RecogniseCharge
  /** The order numbers of the charges whose responses were lost. */
  readonly lostCharges: Effect.Effect<ReadonlySet<string>, StoreError>
  /** How long a process may take from the mark to handing the request over. */
  readonly lease: Duration.Duration
  /** Runs what goes on when whoever waits for it does not. Fails when the ledger is closing. */
  readonly run: <A, E>(name: string, program: Effect.Effect<A, E>) => Effect.Effect<A, E | StoreError>
}

/** Why an order has no payment. */
export type OrderFailure = LedgerError<LedgerUnavailable | InvalidArgument> | GatewayError

/** How often a payment is created within one call, because responses are lost or it was held back. */
const attemptsAtMost = 3

/** In milliseconds: a payment that was checked longer ago is checked before its address is given out again. */
const freshFor = 60_000

/** In milliseconds: the pause between two reads of what another process is creating. */
const lookEvery = 100

/** The gateway lets go of a hold after four days: https://doc.gopay.com, preauthorized payments. */
const longestHold = Duration.days(4)

export type Orders = ReturnType<typeof make>

export const make = (options: OrdersOptions) => {
  const {
    acknowledged,
    foreignRefunds,
    gateway,
    lease,
    lostCharges,
    moves,
    refundedAtLeast,
    recogniseCharge,
    run,
    table
  } = options

  /** Creates a payment whose mark is committed, unless the pre-send check says no. */
  const create = (
    row: PaymentRow,
    request: CheckoutRequest
  ): Effect.Effect<Written<PaymentRow> | "lost" | "heldBack", StoreError | GatewayError> => {
    const { attempt, order_number } = row
    let wasAllowed = false
    let isHeldBack = false
    const maySend = Effect.suspend(() => {
      // Also when the look itself fails.
      isHeldBack = true
      return Effect.tap(table.maySend(attempt), (time) =>
        Effect.sync(() => {
          wasAllowed ||= time > 0
          isHeldBack = time <= 0
        })
      )
    })
    return Effect.flatMap(
      Effect.exit(gateway.createPayment(withAttempt({ ...request, order_number }, attempt), maySend)),
      (exit): Effect.Effect<Written<PaymentRow> | "lost" | "heldBack", StoreError | GatewayError> => {
        if (Exit.isSuccess(exit)) {
          const { gw_url, id } = exit.value
          return insist(table.createdBy(row, id, { gw_url }))
        }
        const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
        const tag = failure?.reason._tag
        const isUnknown =
          tag === "OutcomeUnknown" || (wasAllowed && (tag === "UnexpectedResponse" || failure === undefined))
        if (isUnknown) return Effect.as(insist(moves.giveUp(row)), "lost" as const)
        return Effect.andThen(
          // If this fails, it counts as lost when the lease has expired.
          Effect.ignore(table.notCreated(attempt)),
          isHeldBack && tag === "GatewayUnavailable"
            ? Effect.succeed("heldBack" as const)
            : Effect.fail(failure ?? unavailable("The client failed. Nothing was sent.", Cause.squash(exit.cause)))
        )
      }
    )
  }

  const order = (
    orderNumber: string,
    request: CheckoutRequest,
    { group, hold, payWithin, reference, replace = false, waitAtMost = "30 seconds" }: CheckoutOptions = {}
  ): Effect.Effect<Order, OrderFailure> =>
    Effect.gen(function* () {
      yield* checkNumber(orderNumber)
      const terms = yield* termsOf(request)
      const holdEnd = hold === undefined ? undefined : yield* holdOf(hold)
      const words = yield* wordsOf({ group, reference })
      const payFor = payWithin === undefined ? undefined : yield* durationOf("payWithin", payWithin)
      const deadline = (yield* Clock.currentTimeMillis) + (yield* durationOf("waitAtMost", waitAtMost))
      const needsPayer = request.payer?.allowed_card_token === undefined
      let lost = 0
      let heldBack = 0
      for (;;) {
        const payment: NewPayment = {
          orderNumber,
          attempt: globalThis.crypto.randomUUID(),
          status: "creating",
          isOffered: true,
          terms,
          needsPayer,
          isOwned: true,
          hold: holdEnd,
          ...words,
          payFor,
          nextIn: Duration.toMillis(lease)
        }
        const { others, written: first } = yield* table.insertFirst(payment)
        const present = standingOf(others)
        const left = deadline - (yield* Clock.currentTimeMillis)
        if (present?.status === "unknown") return orderOf(present)
        if (present !== undefined && isWithdrawn(present) && !replace) return orderOf(present)
        if (present === undefined || isFree(present)) {
          const inserted = first ?? Option.getOrUndefined(yield* table.insert(payment))
          // Another process may have been first.
          if (inserted !== undefined) {
            const creation = run(inserted.attempt, create(inserted, request))
            const ended = yield* Effect.timeoutOption(creation, Math.max(0, left))
            if (Option.isNone(ended)) return orderOf(inserted)
            if (typeof ended.value === "object") {
              const { others, written } = ended.value
              if (written !== undefined && standingOf([...others, written]) === written) return orderOf(written)
            }
            if (ended.value === "lost" && needsPayer && ++lost >= attemptsAtMost)
              return yield* Effect.fail(allLost(lost))
            if (ended.value === "heldBack" && ++heldBack >= attemptsAtMost) return yield* Effect.fail(allHeldBack)
          }
        } else if (present.status === "creating") {
          if (present.next_at === null || present.next_at <= present.now) yield* moves.giveUp(present)
          else if (left <= 0) return orderOf(present)
          else yield* Effect.sleep(Math.max(1, Math.min(left, lookEvery)))
        } else {
          const seen = yield* replace ? freshToEnd(present) : fresh(present, freshFor)
          const isSame = isAsAsked(seen, terms)
          // It has moved meanwhile.
          if (progressOf(seen) !== progressOf(present)) continue
          if (!replace || !isReplaceable(seen, isSame)) return isSame ? orderOf(seen) : changedOf(seen)
          yield* table.move(seen, { offered: null, gw_url: null, problem: "Another payment takes its place." })
        }
      }
    })

  /**
   * A payment that may be paid by now, as it is at the gateway, if that can be asked: before it is offered no more. It fails where
   * what was read could not be recorded, since that may be that it is paid.
   */
  const freshToEnd = (row: PaymentRow): Effect.Effect<PaymentRow, StoreError> =>
    progressOf(row) !== "open"
      ? Effect.succeed(row)
      : Effect.catch(moves.refresh(row), (failure) => {
          if (failure._tag === "GatewayError") return stored(row)
          return Effect.fail(failure._tag === "HandlerFailure" ? handlerFailed : failure)
        })

  /** The same to show it: as it is stored where it was read a moment ago, or where that fails. */
  const fresh = (row: PaymentRow, age: number): Effect.Effect<PaymentRow, StoreError> =>
    row.now - (row.looked_at ?? 0) < age ? Effect.succeed(row) : Effect.catch(freshToEnd(row), () => stored(row))

  const stored = (row: PaymentRow): Effect.Effect<PaymentRow, StoreError> =>
    Effect.map(table.bySeq(row.seq), (found) => Option.getOrElse(found, () => row))

  const orderStatus = (orderNumber: string): Effect.Effect<Order | undefined, StoreError> =>
    Effect.flatMap(table.ofOrder(orderNumber), (rows) => {
      const present = standingOf(rows)
      if (present === undefined || !hasMoney(present)) return Effect.succeed(present && orderOf(present))
      // The gateway's list may lag behind what the ledger knows of its own refunds.
      return Effect.map(refundedAtLeast(present), (sum) => orderOf(present, sum))
    })

  /** Offers an order no more. Reads its payment first, if the gateway can be asked: what is paid cannot be withdrawn. */
  const withdraw = (
    orderNumber: string
  ): Effect.Effect<Order | undefined, LedgerError<LedgerUnavailable | InvalidArgument>> =>
    Effect.gen(function* () {
      yield* checkNumber(orderNumber)
      for (;;) {
        const rows = yield* table.ofOrder(orderNumber)
        const last = standingOf(rows) ?? rows.findLast(({ parent_id }) => parent_id === null)
        if (last === undefined) return undefined
        if (last.attention === "UnknownPayment") return orderOf(last)
        const present = yield* freshToEnd(last)
        if (isWithdrawn(present) || hasMoney(present) || progressOf(present) === "refunded") return orderOf(present)
        const withdrawn = {
          offered: null,
          gw_url: null,
          withdrawn_at: { after: 0 },
          problem: "The order was withdrawn."
        }
        const moved = yield* table.move(present, withdrawn)
        if (Option.isSome(moved)) return orderOf(moved.value)
      }
    })

  /** The row of a payment that a ledger has created, and whose id was lost. */
  const recognise = (payment: PaymentResponse): Effect.Effect<PaymentRow | undefined, StoreError> =>
    Effect.gen(function* () {
      const attempt = attemptOf(payment)
      const row = attempt === undefined ? Option.none() : yield* table.byAttempt(attempt)
      if (attempt === undefined || Option.isNone(row)) return undefined
      const expected = { goid: yield* gateway.goid, captured: [] }
      if (row.value.payment_id !== null || differencesIn(row.value, payment, expected).length > 0) return undefined
      const after = yield* table.created(attempt, payment.id)
      return Option.getOrUndefined(after)
    })

  /**
   * Takes the refunds that a payment has when it is adopted for old news, up to the time of a restored backup; but not what
   * the ledger's own refunds of the payment have made, or may have made.
   */
  const acknowledgeListed = (row: PaymentRow): Effect.Effect<void, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const paymentId = row.payment_id ?? ""
      const { gatewayTime, refunds } = yield* gateway.listRefunds(paymentId)
      const distrusted = yield* table.distrustedSince(row, gatewayTime)
      for (const refund of yield* foreignRefunds(paymentId, refunds)) {
        const { amount, id } = refund
        const requested = requestedAt(refund)
        if (distrusted !== undefined && (requested === undefined || requested >= distrusted)) continue
        const note = "Listed when the payment was adopted."
        yield* acknowledged.insert({
          paymentId: Number(paymentId),
          refundId: id,
          amount,
          acknowledgedBy: "adoptPayment",
          note
        })
      }
      const current = yield* table.bySeq(row.seq)
      if (Option.isSome(current)) yield* table.move(current.value, { is_owned: 1 })
    })

  /** Takes over the payment of a charge; a change of the ledger's that has made it is decided by it. */
  const adoptCharge = (orderNumber: string, child: PaymentResponse): Effect.Effect<Order, OrderFailure | MoveFailure> =>
    Effect.gen(function* () {
      const isOwned = (yield* recogniseCharge(child)) === "Own"
      const firstPaymentId = String(child.parent_id ?? "")
      const row = yield* recordCharge(table, { child, firstPaymentId, orderNumber, isOwned })
      if (row.status === "unknown") {
        yield* table.move(row, { status: "created", state: "CREATED", attention: null, problem: null })
      }
      if (row.is_owned !== 1 || row.status === "unknown") yield* acknowledgeListed(row)
      const current = yield* table.bySeq(row.seq)
      return orderOf(yield* moves.refresh(Option.getOrElse(current, () => row)))
    })

  /** Takes over the lost charges that a statement has. */
  const adoptCharges = (
    movements: Iterable<ChargeMovement>
  ): Effect.Effect<ReadonlyArray<Order>, OrderFailure | MoveFailure> =>
    Effect.gen(function* () {
      const lost = yield* lostCharges
      const found = new Map<number, string>()
      for (const { orderNumber = "", paymentId } of movements) {
        const [own] = echoedBy([...lost], orderNumber, (number) => number)
        if (paymentId !== undefined && own !== undefined) found.set(paymentId, own)
      }
      const adopted: Array<Order> = []
      for (const [paymentId, orderNumber] of found) {
        const child = yield* gateway.reads.getPayment(paymentId)
        if (child.parent_id === undefined || (yield* recogniseCharge(child)) !== "Own") continue
        adopted.push(yield* adoptCharge(orderNumber, child))
      }
      return adopted
    })

  const adopt = (
    orderNumber: string,
    paymentId: GatewayId,
    { hold }: Pick<CheckoutOptions, "hold"> = {}
  ): Effect.Effect<Order, OrderFailure | MoveFailure> =>
    Effect.gen(function* () {
      yield* checkNumber(orderNumber)
      const holdEnd = hold === undefined ? undefined : yield* holdOf(hold)
      const payment = yield* gateway.reads.getPayment(paymentId)
      if (payment.order_number === undefined || !isEchoOf(orderNumber, payment.order_number)) {
        return yield* Effect.fail(invalid(`payment ${payment.id} is of order ${payment.order_number ?? "none"}`))
      }
      if (payment.parent_id !== undefined) return yield* adoptCharge(orderNumber, payment)
      const known = (yield* recognise(payment)) ?? Option.getOrUndefined(yield* table.byPaymentId(payment.id))
      const terms = {
        amount: payment.amount,
        currency: payment.currency,
        ...(payment.preauthorization?.requested === true ? { preauthorization: true } : undefined),
        ...recurrenceIn(payment)
      }
      const insert = (isOffered: boolean) =>
        table.insert({
          orderNumber,
          attempt: attemptOf(payment) ?? globalThis.crypto.randomUUID(),
          status: "created",
          isOffered,
          terms,
          needsPayer: true,
          isOwned: false,
          paymentId: String(payment.id),
          hold: holdEnd,
          nextIn: 60_000
        })
      if (known?.status === "unknown") {
        yield* table.move(known, { status: "created", state: "CREATED", attention: null, problem: null })
      } else if (known === undefined && Option.isNone(yield* insert(true))) yield* insert(false)
      const row = yield* table.byPaymentId(payment.id)
      if (Option.isNone(row))
        return yield* Effect.fail(unavailable("The payment was recorded, and is not to be found."))
      if (known?.is_owned !== 1 || known.status === "unknown") yield* acknowledgeListed(row.value)
      yield* moves.refresh(row.value)
      const rows = yield* table.ofOrder(orderNumber)
      return orderOf(presentOf(rows) ?? row.value)
    })

  return { order, orderStatus, withdraw, recognise, adopt, adoptCharges }
}

/** Whether an order may have another payment than this one. */
const isFree = (row: PaymentRow): boolean => row.offered === null && !hasMoney(row)

/** Whether a payment gives way to another one, when that is asked for. */
const isReplaceable = (row: PaymentRow, isSame: boolean): boolean => {
  const progress = progressOf(row)
  return progress === "refunded" || (progress === "open" && (!isSame || isExpired(row)))
}

/** The recurrence that a payment was made with. */
const recurrenceIn = ({ recurrence }: PaymentResponse): Pick<Terms, "recurrence"> => {
  const { recurrence_cycle, recurrence_date_to, recurrence_period } = recurrence ?? {}
  if (recurrence_cycle === undefined || recurrence_date_to === undefined) return {}
  return {
    recurrence: {
      recurrence_cycle,
      recurrence_date_to,
      ...(recurrence_period === undefined ? undefined : { recurrence_period })
    }
  }
}

const allLost = (count: number): StoreError =>
  unavailable(`The gateway's responses are lost: ${count} payments may exist that no one can pay. Try again.`)

const allHeldBack = unavailable(
  "Nothing was created: the ledger is paused, or this process is slower than its lease. Try again."
)

const handlerFailed = unavailable(
  "Nothing was changed: the payment has moved at the gateway, and onPayment failed for it. Try again."
)

const invalid = (message: string): LedgerError<InvalidArgument> =>
  new LedgerError({ reason: { _tag: "InvalidArgument", message: `Nothing was created: ${message}.` } })

const textOf = (most: number) =>
  Schema.String.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} characters` }),
    Schema.makeFilter((text) => storageProblem(text))
  )
const OrderNumber = textOf(128)
const Words = Schema.Struct({
  group: Schema.optional(
    Schema.Struct({
      name: textOf(128),
      total: Schema.Int.check(Schema.isGreaterThan(0, { message: "must be above 0" }))
    })
  ),
  reference: Schema.optional(textOf(1_000))
})
const decodeWords = Schema.decodeUnknownEffect(Words)
const decodeNumber = Schema.decodeUnknownEffect(OrderNumber)
const decodeTerms = Schema.decodeUnknownEffect(Terms)
const decodeHold = Schema.decodeUnknownEffect(Hold)

const problemsOf = ({ issue }: Schema.SchemaError): string => describeFields(invalidFields(issue))

const checkNumber = (orderNumber: string) =>
  Effect.mapError(decodeNumber(orderNumber), (error) => invalid(`orderNumber ${problemsOf(error)}`))

const termsOf = (request: CheckoutRequest): Effect.Effect<Terms, LedgerError<InvalidArgument>> =>
  Effect.flatMap(
    Effect.mapError(decodeTerms(request), (error) => invalid(problemsOf(error))),
    (terms) => (terms.amount === 0 ? Effect.fail(noPaymentNeeded) : Effect.succeed(terms))
  )

const noPaymentNeeded = invalid("amount is 0, so no payment is needed: the order is paid as it is")

const wordsOf = (words: Pick<CheckoutOptions, "group" | "reference">) =>
  Effect.mapError(decodeWords(words), (error) => invalid(problemsOf(error)))

const durationOf = (name: string, time: Duration.Input): Effect.Effect<number, LedgerError<InvalidArgument>> => {
  const decoded = Duration.fromInput(time)
  return Option.isNone(decoded)
    ? Effect.fail(invalid(`${name} is not a duration`))
    : Effect.succeed(Duration.toMillis(decoded.value))
}

const holdOf = ({ atMost, end }: HoldOptions): Effect.Effect<Hold, LedgerError<InvalidArgument>> =>
  Effect.flatMap(durationOf("hold.atMost", atMost), (time) =>
    time < Duration.toMillis(longestHold)
      ? Effect.mapError(decodeHold({ atMost: Math.round(time), end }), (error) => invalid(`hold.${problemsOf(error)}`))
      : Effect.fail(invalid("hold.atMost must be below four days, after which the gateway lets go of a hold"))
  )
