/**
 * Notifications: the gateway's request to the merchant's `notification_url` when a payment has changed its state. It is
 * a GET; for a payment of API v4 a POST, unless the settings say otherwise.
 *
 * Each is tried until the response is 200, a limited number of times with growing pauses. Notifications about one
 * payment are sent one after another; a slow or dead receiver delays no other.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { isLoopback } from "../../basics/Loopback.js"
import { loopbackFetch } from "./LoopbackFetch.js"
import { durationText } from "../../basics/DurationText.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { ownMember } from "../../basics/OwnMember.js"
import { isError, messageOf } from "../../basics/AnyRealm.js"
import type { Agenda } from "../books/Agenda.js"
import type { PaymentChange } from "../books/Books.js"
import {
  maxBodyLength,
  type Journal,
  type LoggedEvent,
  type NotificationRequest,
  type NotificationResponse
} from "./Journal.js"
import { isOpen, type Payment } from "../books/Payment.js"
import type { PendingNotification } from "../books/Seed.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"

/**
 * Sends a notification to an address. Returns the status of the response, or the response with the parts to be logged.
 */
export type NotificationReceiver = (
  url: string,
  request: NotificationRequest
) => Effect.Effect<number | NotificationResponse, unknown>

/** How an attempt has ended, for the log. */
type Outcome = Pick<
  Extract<LoggedEvent, { readonly type: "notification" }>,
  "status" | "problem" | "durationMillis" | "headers" | "responseBody"
>

/** Whether the merchant knows the state of a payment, as far as the gateway can tell. @internal */
export const standings = ["delivered", "waiting", "failing", "noAddress"] as const

/** The dependencies of the notifications. */
interface NotificationsContext {
  readonly agenda: Agenda
  readonly journal: Journal
  readonly settings: () => LocalGatewaySettings
  readonly now: Effect.Effect<number>
  /** Receives the notifications; without it they are not sent. */
  readonly receiver: NotificationReceiver | undefined
  /** Runs attempts in the background, until the gateway stops. */
  readonly background: Background
  /** Called when a notification becomes pending, or is no longer pending. */
  readonly onChange: () => void
}

/** Work in the background. @internal */
export interface Background {
  readonly run: (effect: Effect.Effect<void>) => unknown
  /** Waits until nothing is running. */
  readonly ended: Effect.Effect<void>
}

/** The attempts about one payment, one at a time. */
interface Lane {
  readonly turn: Semaphore.Semaphore
  count: number
}

/** Why an address is not notified; `undefined` if it is. */
const objection = (address: string, allowedHosts: ReadonlyArray<string>): string | undefined => {
  if (!URL.canParse(address)) return "not sent: this is not an address"
  const { host, hostname, protocol } = new URL(address)
  if (protocol !== "http:" && protocol !== "https:") return "not sent: only http and https are"
  return isLoopback(hostname) || allowedHosts.includes(host) || allowedHosts.includes(hostname)
    ? undefined
    : `not sent: ${host} is not loopback; allow it by name in notificationHosts`
}

/** The address with the ids of the payment and of its recurrence, and the body to be posted. */
const addressed = (
  address: string,
  { id, parentId, v4 }: Payment,
  { notificationParentId, v4NotificationIdName, v4NotificationMethod }: LocalGatewaySettings
): Pick<PendingNotification, "body" | "url"> => {
  const idName = v4 === undefined ? "id" : v4NotificationIdName
  const isPosted = v4 !== undefined && v4NotificationMethod === "POST"
  const body = isPosted ? JSON.stringify({ [idName]: String(id) }) : undefined
  if (!URL.canParse(address)) return { url: address, body }
  const url = new URL(address)
  url.searchParams.append(idName, String(id))
  if (v4 === undefined && parentId !== undefined && notificationParentId === "sent") {
    url.searchParams.append("parent_id", String(parentId))
  }
  return { url: url.href, body }
}

/** The accepted refunds of a payment. */
const acceptedRefunds = ({ accepted }: Payment): number =>
  accepted.filter(({ operation }) => operation.type === "refund").length

/**
 * Whether merchants are notified of the state of a payment: every state but the first two; in API v4 every state but
 * the first.
 */
const isReported = (payment: Payment): boolean =>
  payment.v4 === undefined ? !isOpen(payment) : payment.state !== "CREATED"

/** Whether there is something to notify of: a new state, and in API v4 also the end of a refund. */
const hasNews = ({ after, before }: PaymentChange): boolean => {
  if (before?.state !== after.state) return true
  return after.v4 !== undefined && acceptedRefunds(after) < acceptedRefunds(before)
}

/** Sends notifications, and repeats those that were not accepted. @internal */
export class Notifications {
  private readonly context: NotificationsContext
  private readonly waiting = new Set<PendingNotification>()
  private readonly underWay = new Set<PendingNotification>()
  /** When each notification was sent that the merchant has not responded to yet. */
  private readonly sentAt = new Map<PendingNotification, number>()
  /** The waiting notifications and those in flight, by the payment that they are about. */
  private readonly pending = new Map<number, Set<PendingNotification>>()
  private readonly lanes = new Map<number, Lane>()
  private readonly holds = new Map<number, number>()
  /** Whether the last attempt about a payment was accepted. */
  private readonly taken = new Map<number, boolean>()

  constructor(context: NotificationsContext) {
    this.context = context
  }

  /** A payment has changed. The merchant is notified if the new state is to be reported. */
  paymentChanged(change: PaymentChange): void {
    const { after, eventContext } = change
    const address = after.order.callback.notification_url
    if (address === undefined || !hasNews(change) || !isReported(after)) return
    const settings = this.context.settings()
    const delay = settings.notificationDelaySeconds + (this.holds.get(after.id) ?? 0)
    this.holds.delete(after.id)
    const sent = addressed(address, after, settings)
    const problem = settings.notificationCopies === 0 ? "dropped by notificationCopies" : this.objection(address)
    if (problem !== undefined) {
      this.note({ paymentId: after.id, ...sent, attempts: 0, dueAt: eventContext.now }, eventContext.now, {
        status: 0,
        problem
      })
      return
    }
    for (let copy = 0; copy < settings.notificationCopies; copy++) {
      this.wait({ paymentId: after.id, ...sent, attempts: 0, dueAt: eventContext.now + delay * 1000 }, eventContext.now)
    }
  }

  /** Notifies the merchant once more of the current state. Returns the reason if that is not possible. */
  resend(payment: Payment, now: number): string | undefined {
    const problem = this.resendObjection(payment)
    if (problem === undefined) {
      const sent = addressed(payment.order.callback.notification_url ?? "", payment, this.context.settings())
      this.wait({ paymentId: payment.id, ...sent, attempts: 0, dueAt: now }, now)
    }
    return problem
  }

  /** Why the merchant cannot be notified once more; `undefined` if it can. */
  resendObjection(payment: Payment): string | undefined {
    const { notification_url: address } = payment.order.callback
    if (address === undefined) return "not sent: the order has no notification_url"
    return isReported(payment) ? this.objection(address) : `not sent: merchants are not notified of ${payment.state}`
  }

  /**
   * Why the merchant cannot be notified of a payment; `undefined` if it can, or if this gateway sends no notifications.
   */
  problemOf({ order }: Payment): string | undefined {
    const { notification_url: address } = order.callback
    return address === undefined || this.context.receiver === undefined ? undefined : this.objection(address)
  }

  /**
   * Whether the merchant has been notified of the state of a payment; `undefined` if there was nothing to report yet.
   */
  standingOf({ id, order }: Payment): (typeof standings)[number] | undefined {
    if (order.callback.notification_url === undefined) return "noAddress"
    const taken = this.taken.get(id)
    if (taken === false) return "failing"
    if (this.pending.has(id)) return "waiting"
    return taken === true ? "delivered" : undefined
  }

  /** The number of payments whose last notification attempt has failed. */
  get failing(): number {
    return [...this.taken.values()].filter((isTaken) => !isTaken).length
  }

  /**
   * Delays the next notification about this payment by this many seconds, so that the payer is back in the shop first.
   */
  hold(paymentId: number, seconds: number): void {
    this.holds.set(paymentId, seconds)
  }

  /** Waits until the attempts in flight for this payment have ended. */
  firstAttempts(paymentId: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const lane = this.lanes.get(paymentId)
      return lane === undefined ? Effect.void : lane.turn.withPermits(1)(Effect.void)
    })
  }

  /** Waits until no attempt is in flight. */
  get attemptsEnded(): Effect.Effect<void> {
    return this.context.background.ended
  }

  /** Sends the pending notifications, without the pauses between attempts, until all are accepted or given up. */
  readonly deliverAll: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    yield* this.attemptsEnded
    while (this.waiting.size > 0) {
      for (const notification of this.inOrder()) this.start(notification)
      yield* this.attemptsEnded
    }
  })

  /** All undelivered notifications: those that wait and those in flight. */
  content(): ReadonlyArray<PendingNotification> {
    return [...this.underWay, ...this.waiting]
  }

  /** The notifications about a payment that the merchant has not responded to yet. */
  unanswered(paymentId: number): ReadonlyArray<{ readonly at: number; readonly attempt: number }> {
    return [...this.sentAt].flatMap(([notification, at]) =>
      notification.paymentId === paymentId ? [{ at, attempt: notification.attempts + 1 }] : []
    )
  }

  /** The payments of which the merchant has not responded to a notification yet. */
  get unansweredPayments(): ReadonlyArray<number> {
    return [...new Set([...this.sentAt.keys()].map(({ paymentId }) => paymentId))]
  }

  /** Replaces all waiting notifications. Those in flight are not repeated. */
  replace(notifications: ReadonlyArray<PendingNotification>): void {
    this.waiting.clear()
    this.underWay.clear()
    this.sentAt.clear()
    this.pending.clear()
    // An attempt in flight keeps its lane. A payment may get the id of one that was dropped, and must not wait for it.
    this.lanes.clear()
    this.holds.clear()
    this.taken.clear()
    for (const notification of notifications) this.wait(notification, -Infinity)
  }

  /** Sends nothing more about these payments. */
  forget(paymentIds: ReadonlySet<number>): void {
    for (const notifications of [this.waiting, this.underWay]) {
      for (const notification of notifications) {
        if (!paymentIds.has(notification.paymentId)) continue
        notifications.delete(notification)
        this.sentAt.delete(notification)
      }
    }
    for (const id of paymentIds) {
      this.pending.delete(id)
      this.holds.delete(id)
      this.taken.delete(id)
    }
  }

  private objection(address: string): string | undefined {
    return this.context.receiver === undefined
      ? "not sent: this gateway has no receiver"
      : objection(address, this.context.settings().notificationHosts)
  }

  private wait(notification: PendingNotification, now: number): void {
    const { paymentId } = notification
    this.waiting.add(notification)
    this.pending.set(paymentId, (this.pending.get(paymentId) ?? new Set()).add(notification))
    this.context.onChange()
    if (notification.dueAt <= now) this.start(notification)
    else this.context.agenda.enter(notification.dueAt, () => this.becomeDue(notification))
  }

  /** In reverse order: all are sent together with the first one that is due, the last one first. */
  private becomeDue(notification: PendingNotification): void {
    if (!this.waiting.has(notification)) return
    const isReversed = this.context.settings().notificationOrder === "reversed"
    for (const due of isReversed ? this.inOrder() : [notification]) this.start(due)
  }

  private inOrder(): ReadonlyArray<PendingNotification> {
    const waiting = [...this.waiting]
    return this.context.settings().notificationOrder === "reversed" ? Arr.reverse(waiting) : waiting
  }

  private start(notification: PendingNotification): void {
    this.waiting.delete(notification)
    this.underWay.add(notification)
    const { paymentId } = notification
    const lane = this.lanes.get(paymentId) ?? { turn: Semaphore.makeUnsafe(1), count: 0 }
    this.lanes.set(paymentId, lane)
    lane.count++
    const leave = Effect.sync(() => {
      lane.count--
      if (lane.count === 0 && this.lanes.get(paymentId) === lane) this.lanes.delete(paymentId)
    })
    this.context.background.run(lane.turn.withPermits(1)(this.attempt(notification)).pipe(Effect.ensuring(leave)))
  }

  private attempt(notification: PendingNotification): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { receiver } = this.context
      if (receiver === undefined) return
      const settings = this.context.settings()
      const attempts = notification.attempts + 1
      const begun = yield* Clock.currentTimeNanos
      this.sentAt.set(notification, yield* this.context.now)
      this.context.onChange()
      const outcome = yield* receiver(notification.url, requestOf(notification)).pipe(
        Effect.timeout(settings.notificationTimeoutSeconds * 1000),
        Effect.map(outcomeOf),
        Effect.catchCause((cause) =>
          Effect.succeed<Outcome>({ status: 0, problem: problemOf(cause, settings.notificationTimeoutSeconds) })
        )
      )
      const nanos = Number((yield* Clock.currentTimeNanos) - begun)
      const now = yield* this.context.now
      this.sentAt.delete(notification)
      // It was dropped meanwhile.
      if (!this.underWay.delete(notification)) return
      const tried = { ...notification, attempts }
      const { status } = outcome
      this.note(tried, now, { ...outcome, durationMillis: Math.round(nanos / 100_000) / 10 })
      this.ended(notification)
      if (status === 200 || attempts >= settings.notificationAttempts) return
      const pause = Math.min(
        settings.notificationRetryDelaySeconds * 2 ** (attempts - 1),
        settings.notificationMaxRetryDelaySeconds
      )
      this.wait({ ...tried, dueAt: Math.max(now, notification.dueAt + pause * 1000) }, -Infinity)
    })
  }

  private ended(notification: PendingNotification): void {
    const { paymentId } = notification
    const ofPayment = this.pending.get(paymentId)
    ofPayment?.delete(notification)
    if (ofPayment?.size === 0) this.pending.delete(paymentId)
    this.context.onChange()
  }

  private note(notification: PendingNotification, at: number, outcome: Outcome): void {
    const { attempts, paymentId, url } = notification
    this.taken.set(paymentId, outcome.status === 200)
    const method = notification.body === undefined ? {} : ({ method: "POST" } as const)
    this.context.journal.add(at, { type: "notification", paymentId, ...method, url, attempt: attempts, ...outcome })
  }
}

const requestOf = ({ body }: PendingNotification): NotificationRequest =>
  body === undefined ? { method: "GET" } : { method: "POST", body }

const outcomeOf = (response: number | NotificationResponse): Outcome => {
  if (typeof response === "number") return { status: response }
  const { body, headers, status } = response
  return withoutUndefined({ status, headers, responseBody: body })
}

const problemOf = (cause: Cause.Cause<unknown>, timeoutSeconds: number): string => {
  const error = Cause.squash(cause)
  if (Cause.isTimeoutError(error))
    return `the shop did not respond within ${durationText(timeoutSeconds).replaceAll("\u00a0", " ")}`
  const code: unknown = isError(error) && "code" in error ? error.code : undefined
  const name = typeof code === "string" ? code : ""
  const message = messageOf(error)
  const meaning = ownMember(problemTexts, name) ?? ownMember(problemTexts, message)
  if (meaning !== undefined) return name === "" ? meaning : `${meaning} (${name})`
  return `${message}${untrusted.test(name) ? certificateHelp : ""}`
}

/** What Node's codes and messages mean for a notification. */
const problemTexts: { readonly [codeOrMessage: string]: string } = {
  ECONNREFUSED: "nothing listens at this address",
  ECONNRESET: "the shop broke the connection off",
  ENOTFOUND: "the host is not known",
  EAI_AGAIN: "the host's name could not be resolved",
  UND_ERR_SOCKET: "the shop closed the connection without a response",
  "bad port": "no client may call this port: it belongs to another protocol"
}

/** Node's codes for a certificate that no known authority vouches for. */
const untrusted = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

const certificateHelp =
  ": start the gateway with NODE_EXTRA_CA_CERTS, which names the file of the authority that vouches for the shop's certificate"

/** In milliseconds: how long to wait for the body of a response. The status counts without it. */
const maxBodyMillis = 1000

/** The beginning of a body: the part to be logged, as far as it came in time. */
const beginningOf = async ({ body }: Response): Promise<string> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  const cancel = (): void => void reader.cancel().catch(() => {})
  const timer = setTimeout(cancel, maxBodyMillis)
  try {
    // One character more than is kept shows that the body was cut.
    while (text.length <= maxBodyLength) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // The connection broke; the status still counts.
  } finally {
    clearTimeout(timer)
    cancel()
  }
  return text
}

/** Sends notifications with `fetch`, without proxies and without following redirects. */
export const fetchReceiver: NotificationReceiver = (url, { body, method }) =>
  Effect.tryPromise({
    try: async (signal) => {
      const sent = body === undefined ? {} : { body, headers: { "content-type": "application/json" } }
      const response = await loopbackFetch(url, { method, signal, ...sent })
      const headers = Object.fromEntries(response.headers)
      return { status: response.status, headers, body: await beginningOf(response) }
    },
    catch: (error) => (isError(error) && isError(error.cause) ? error.cause : error)
  })
