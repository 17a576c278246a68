/**
 * The responses of the control API, as plain data made from the gateway's records.
 */
import * as Arr from "effect/Array"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { moneyText } from "../../html/Money.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { accountOf } from "../documents/Booking.js"
import { clearingXml } from "../documents/ClearingXml.js"
import { cardResponse, paymentResponse, refundResponse } from "../server/Responses.js"
import type { controlEndpoints } from "./ControlEndpoints.js"
import type { Engine } from "../server/Engine.js"
import { isoTime } from "../books/Times.js"
import { contradictions } from "./ControlMessages.js"
import { logOf } from "./LogView.js"
import { searchable, wordsOf } from "./LogWords.js"
import {
  amountToCapture,
  amountToRefund,
  chargeable,
  contactOf,
  isOpen,
  mayBePaidLate,
  nextEvent,
  offers,
  partRefundableFrom,
  refundable,
  releasable,
  stoppable,
  type Payment
} from "../books/Payment.js"
import { instrumentsIn } from "../books/InstrumentCatalogue.js"
import { sumOfItems } from "../books/RequestDecoder.js"

type Endpoints = typeof controlEndpoints

type ResponseOf<Name extends keyof Endpoints> = Endpoints[Name]["response"]["Type"]

/** Actions that the payer can take now. */
const actionsOf = (payment: Payment): ResponseOf<"cancelPayment">["actions"] => {
  const pays = [
    ...(isOpen(payment) && offers(payment, "PAYMENT_CARD") ? (["pay-by-card"] as const) : []),
    ...((isOpen(payment) || mayBePaidLate(payment)) && offers(payment, "BANK_ACCOUNT")
      ? (["pay-by-bank-transfer"] as const)
      : [])
  ]
  return isOpen(payment) ? ["choose-payment-method", ...pays, "decline-attempt", "decline", "cancel", "time-out"] : pays
}

/** Whether the recurrence of a payment can be stopped: in API v4 also before its first payment is paid. */
const isStoppable = (payment: Payment, settings: Engine["settings"]): boolean =>
  Result.isSuccess(stoppable(payment, settings)) || (payment.v4 !== undefined && payment.recurrence === "REQUESTED")

/** Actions that the merchant can take now. */
const merchantActionsOf = (
  payment: Payment,
  { notifications, settings }: Engine,
  now: number
): ResponseOf<"cancelPayment">["merchant_actions"] => {
  const left = refundable(payment)
  const refunds = amountToRefund(payment, String(payment.id), Result.succeed(left), settings, now)
  const isPossible = {
    refund: left > 0 && Result.isSuccess(refunds),
    capture: Result.isSuccess(amountToCapture(payment, Result.succeed("all"))),
    release: Result.isSuccess(releasable(payment)),
    charge: Result.isSuccess(chargeable(payment)),
    "stop-recurrence": isStoppable(payment, settings),
    "resend-notification": notifications.resendObjection(payment) === undefined,
    "order-again": true
  }
  return Struct.keys(isPossible).filter((action) => isPossible[action])
}

/** The problems of an order that was accepted. */
const contradictionsOf = (
  payment: Payment,
  { notifications }: Engine
): ResponseOf<"cancelPayment">["contradictions"] => {
  const { amount, currency, items = [] } = payment.order
  const sum = sumOfItems({ items })
  const isOffered = instrumentsIn(currency).enabledPaymentInstruments.some(({ paymentInstrument }) =>
    offers(payment, paymentInstrument)
  )
  const problem = notifications.problemOf(payment)?.replace(/^not sent: /, "")
  const money = (minor: number): string => moneyText(minor, currency, "en")
  const messages = {
    itemsSum:
      sum === undefined || sum === amount
        ? undefined
        : `The items add up to ${money(sum)}, the amount is ${money(amount)}. GoPay may refuse this (360).`,
    noMethod:
      isOffered || payment.parentId !== undefined
        ? undefined
        : `No payment method that the order allows is offered in ${currency}.`,
    notNotified: problem && `The shop is not notified: ${problem}.`
  }
  return contradictions.flatMap((type) => {
    const message = messages[type]
    return message === undefined ? [] : [{ type, message }]
  })
}

/** The order without secrets that authorize a payment. */
const shownOrder = ({ order, v4 }: Payment): ResponseOf<"getPayment">["order"] => {
  if (v4 !== undefined) return { ...Struct.omit(order, ["recurrence", "target"]), customer: v4.customer }
  const withheld = (secret: string | undefined) => (secret === undefined ? undefined : "<withheld>")
  const { payer } = order
  if (payer === undefined) return order
  const { allowed_card_token, verify_pin } = payer
  const secrets = { allowed_card_token: withheld(allowed_card_token), verify_pin: withheld(verify_pin) }
  return { ...order, payer: { ...payer, ...withoutUndefined(secrets) } }
}

/** The time from which a part can be refunded, while only all of it can. */
const partRefundableAt = (payment: Payment, settings: Engine["settings"], now: number): string | undefined => {
  const at = partRefundableFrom(payment, settings, now)
  return payment.state === "PAID" && now < at ? isoTime(at) : undefined
}

export const paymentView = (payment: Payment, engine: Engine, now: number): ResponseOf<"cancelPayment"> => {
  const next = nextEvent(payment, engine.settings)
  const notified = engine.notifications.standingOf(payment)
  return {
    id: payment.id,
    goid: payment.order.target.goid,
    created_at: isoTime(payment.createdAt),
    received: payment.received,
    refunded: payment.refunded,
    refundable: refundable(payment),
    actions: actionsOf(payment),
    merchant_actions: merchantActionsOf(payment, engine, now),
    contradictions: contradictionsOf(payment, engine),
    ...withoutUndefined({
      api: payment.v4 && ("v4" as const),
      notified,
      part_refundable_at: partRefundableAt(payment, engine.settings, now),
      next: next && { type: next.type, at: isoTime(next.at) }
    }),
    payment: paymentResponse(payment, engine)
  }
}

type PaymentFilter = Omit<Endpoints["listPayments"]["query"]["Type"], "limit">

/** The texts by which a payment can be found. */
const searchedText = (payment: Payment): string => {
  const { order } = payment
  const { email, first_name, last_name } = contactOf(payment) ?? {}
  return searchable([payment.id, order.order_number, order.order_description, first_name, last_name, email].join(" "))
}

/** Whether a query is exactly the id or the order number of a payment. */
const isNamed = ({ id, order }: Payment, query: string): boolean =>
  String(id) === query || order.order_number.toLowerCase() === query

/** The payments that match, oldest first; those that a query names exactly come last. */
export const paymentsOf = ({ books }: Engine, filter: PaymentFilter): ReadonlyArray<Payment> => {
  const { goid, kind, order_number, query = "", state } = filter
  const words = wordsOf(query)
  const isWanted = (payment: Payment): boolean => {
    if (goid !== undefined && payment.order.target.goid !== goid) return false
    if (state !== undefined && payment.state !== state) return false
    if (order_number !== undefined && payment.order.order_number !== order_number) return false
    if (kind !== undefined && (kind === "recurrence" ? payment.recurrence : payment.storedCard) === undefined)
      return false
    if (words.length === 0) return true
    const text = searchedText(payment)
    return words.every((word) => text.includes(word))
  }
  const found = books.allPayments().filter(isWanted)
  const name = query.trim().toLowerCase()
  const isOther = (payment: Payment) => !isNamed(payment, name)
  return name === "" ? found : [...found.filter(isOther), ...found.filter((payment) => !isOther(payment))]
}

/** How many of the payments are in each state. */
export const numbersByState = (payments: ReadonlyArray<Payment>): { readonly [state: string]: number } =>
  Record.map(
    Arr.groupBy(payments, (payment): string => payment.state),
    ({ length }) => length
  )

/** Returns a function that finds the charges of a recurrence, oldest first, by the id of its first payment. */
const chargesOf = (engine: Engine): ((firstId: number) => ReadonlyArray<number>) => {
  const siblings = Arr.groupBy(engine.books.allPayments(), ({ parentId }) => String(parentId))
  return (firstId) => (siblings[firstId] ?? []).map(({ id }) => id)
}

export const paymentDetails = (payment: Payment, engine: Engine, now: number): ResponseOf<"getPayment"> => ({
  payment: paymentView(payment, engine, now),
  order: shownOrder(payment),
  refunds: engine.books.refundsOf(payment).map(refundResponse),
  charges: chargesOf(engine)(payment.id),
  timeline: logOf(engine, { payment_id: payment.id }),
  under_way: engine.notifications
    .unanswered(payment.id)
    .map(({ at, attempt }) => ({ payment_id: payment.id, at: isoTime(at), attempt }))
})

export const recurrences = (engine: Engine): ResponseOf<"listRecurrences"> => {
  const charges = chargesOf(engine)
  return {
    recurrences: engine.books.allPayments().flatMap((payment) => {
      const { id, order, recurrence, startedAt } = payment
      if (order.recurrence === undefined || recurrence === undefined) return []
      const next = nextEvent({ ...payment, accepted: [] }, engine.settings)
      return [
        {
          payment_id: id,
          goid: order.target.goid,
          order_number: order.order_number,
          amount: order.amount,
          currency: order.currency,
          recurrence: { ...order.recurrence, recurrence_state: recurrence },
          ...(startedAt === undefined ? {} : { started_at: isoTime(startedAt) }),
          ...(next?.type === "charge" ? { next_charge_at: isoTime(next.at) } : {}),
          charges: charges(id)
        }
      ]
    })
  }
}

/** The events due by a time, earliest first. */
export const due = (engine: Engine, until: number, limit: number): ResponseOf<"listDue"> => {
  const { books, notifications, settings } = engine
  const ofPayments = books.allPayments().flatMap((payment) => {
    const next = nextEvent(payment, settings)
    return next === undefined ? [] : [{ type: next.type, at: next.at, paymentId: payment.id }]
  })
  const ofNotifications = notifications
    .content()
    .map(({ attempts, dueAt, paymentId }) => ({ type: "notification" as const, at: dueAt, paymentId, attempts }))
  const all = [...ofPayments, ...ofNotifications].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
  return {
    until: isoTime(until),
    total: all.length,
    due: all.slice(0, limit).map(({ at, paymentId, type, ...more }) => ({
      type,
      at: isoTime(at),
      payment_id: paymentId,
      ...("attempts" in more ? { attempt: more.attempts + 1 } : {}),
      order_number: books.payment(paymentId)?.order.order_number ?? ""
    }))
  }
}

/** The undelivered notifications, oldest first. */
export const undelivered = ({ journal, notifications }: Engine): ResponseOf<"listNotifications"> => {
  const nameOf = ({ paymentId, url }: { readonly paymentId: number; readonly url: string }) => `${paymentId} ${url}`
  const last = new Map(
    journal.events().flatMap((event) => {
      if (event.type !== "notification") return []
      const { at, attempt, paymentId, problem, status, url } = event
      const ended = withoutUndefined({ at: isoTime(at), status, problem })
      return [[nameOf(event), { payment_id: paymentId, url, attempts: attempt, last: ended }] as const]
    })
  )
  const pending = notifications.content()
  const isPending = new Set(pending.map(nameOf))
  return {
    pending: pending.map((notification) => {
      const { attempts, dueAt, paymentId, url } = notification
      const before = attempts === 0 ? undefined : last.get(nameOf(notification))?.last
      return withoutUndefined({ payment_id: paymentId, url, attempts, due_at: isoTime(dueAt), last: before })
    }),
    given_up: [...last].flatMap(([name, view]) => (view.last.status === 200 || isPending.has(name) ? [] : [view]))
  }
}

export const cards = ({ books }: Engine): ResponseOf<"listCards"> => ({
  cards: books.allCards().map((card) => ({ ...cardResponse(card), goid: card.goid }))
})

/** The clearings of all merchants and currencies, or of one merchant or currency. */
export const clearings = (
  { books, settings }: Engine,
  only: { readonly goid?: number; readonly currency?: string },
  now: number
): ResponseOf<"listClearings"> => {
  const orders = books.allPayments().map(({ order }) => order)
  const goids = only.goid === undefined ? new Set(orders.map(({ target }) => target.goid)) : [only.goid]
  const currencies = only.currency === undefined ? new Set(orders.map(({ currency }) => currency)) : [only.currency]
  return {
    clearings: [...goids].flatMap((goid) => {
      const movements = books.movementsOf(goid)
      return [...currencies].flatMap((currency) =>
        accountOf(movements, currency, settings, now).clearings.map((clearing) => {
          const { day, fee, number, transfer } = clearing
          return { goid, currency, number, date: day, transfer, fee, xml: clearingXml(clearing) }
        })
      )
    })
  }
}

export const time = (engine: Engine, now: number): ResponseOf<"advanceTime"> => ({
  now: isoTime(now),
  time_ahead: engine.timeAhead / 1000
})

export const state = (engine: Engine, now: number): ResponseOf<"getState"> => {
  const { books, faults, journal, merchants, move, notifications, revision, url } = engine
  const payments = books.allPayments()
  return {
    url,
    ...time(engine, now),
    ...(move === undefined
      ? {}
      : { moving: { from: isoTime(move.from), to: isoTime(move.to), awaiting: notifications.unansweredPayments } }),
    revision,
    newest: journal.newest,
    payments: {
      total: payments.length,
      by_state: numbersByState(payments)
    },
    cards: books.allCards().length,
    notifications_waiting: notifications.content().length,
    notifications_failing: notifications.failing,
    faults: faults.list(),
    random_faults: faults.randomFaults !== undefined,
    merchants: merchants.map(({ clientId, goid, name }) => ({ goid, name, client_id: clientId }))
  }
}
