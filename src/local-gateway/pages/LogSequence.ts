/**
 * The log as a sequence of messages between payer, shop and gateway.
 */
import { durationText } from "../../basics/DurationText.js"
import { ownMember } from "../../basics/OwnMember.js"
import { holdStateWords, paymentStateWords, recurrenceStateWords } from "../../contract/StateWords.js"
import type { Sequence, Step } from "../../html/SequenceDiagram.js"
import { isGivenUp } from "../books/GivenUp.js"
import type { Operation } from "../books/Payment.js"
import { words } from "./LogWords.js"

/**
 * The part of an entry that is drawn, as the control API and the running gateway have it. The gateway does not know when
 * a shop is killed: who has killed it adds that.
 */
export type DrawnEntry = {
  readonly at: string | number
  readonly paymentId?: number | undefined
  readonly payment_id?: number | undefined
} & (
  | { readonly type: "request"; readonly operation?: string; readonly status: number; readonly fault?: string }
  | {
      readonly type: "state"
      readonly by: string
      readonly from?: string
      readonly to: string
      readonly subState?: string
      readonly sub_state?: string
    }
  | { readonly type: "payer"; readonly action: "threeDSecure" | "returned" }
  | {
      readonly type: "notification"
      readonly attempt: number
      readonly status: number
      readonly durationMillis?: number
      readonly duration_millis?: number
    }
  | { readonly type: "operation"; readonly operation: string; readonly result: string }
  | { readonly type: "recurrence" | "preauthorization"; readonly by: string; readonly to: string }
  | { readonly type: "fault"; readonly fault: string; readonly change: string }
  | { readonly type: "time"; readonly advancedMillis?: number; readonly advanced_millis?: number }
  | { readonly type: "warning" | "control" }
  | { readonly type: "killed" }
)

/** A notification that was sent and that the shop has not answered yet: it is not in the log yet. */
export interface NotificationUnderWay {
  readonly payment_id: number
  readonly at: string | number
  readonly attempt: number
}

const texts = {
  en: {
    title: "Who said what to whom",
    payer: "Payer",
    shop: "Shop",
    gateway: "Gateway",
    noResponse: "no response",
    lost: "lost",
    taken: "200, taken",
    notTaken: (status: number) => `${status}, not taken`,
    notification: "notification",
    notificationOf: (state: string) => `notification of ${state}`,
    attempt: "attempt",
    attempts: "attempts",
    notSent: "not notified",
    underWay: "the shop has not responded yet",
    moved: "time has moved by",
    fault: "fault",
    hold: "hold",
    recurrence: "recurrence",
    threeDSecure: "asks for 3-D Secure",
    returned: "returns",
    killed: "is killed",
    declined: "declined",
    operations: {},
    results: {},
    by: {
      PAYMENT_METHOD_CHOSEN: "tries to pay",
      PAID: "pays",
      AUTHORIZED: "pays, and it is held",
      CANCELED: "does not pay"
    },
    // In the wording for developers, who know the codes.
    states: {
      payment: (code: string) => code.replaceAll("_", " "),
      hold: (code: string) => code,
      recurrence: (code: string) => code
    }
  },
  cs: {
    title: "Kdo komu co řekl",
    payer: "Plátce",
    shop: "Obchod",
    gateway: "Brána",
    noResponse: "bez odpovědi",
    lost: "ztraceno",
    taken: "200, přijato",
    notTaken: (status: number) => `${status}, nepřijato`,
    notification: "notifikace",
    notificationOf: (state: string) => `notifikace: ${state}`,
    attempt: "pokus",
    attempts: "pokusy",
    notSent: "neoznámeno",
    underWay: "obchod zatím neodpověděl",
    moved: "čas se posunul o",
    fault: "porucha",
    hold: "blokace",
    recurrence: "opakovaná platba",
    threeDSecure: "žádá o ověření 3-D Secure",
    returned: "vrací se",
    killed: "spadne",
    declined: "zamítnuto",
    operations: {
      refund: "vrácení peněz",
      capture: "stržení blokace",
      voidAuthorization: "uvolnění blokace",
      voidRecurrence: "ukončení opakované platby"
    } satisfies { readonly [Type in Operation["type"]]: string },
    results: { accepted: "přijato", finished: "provedeno", failed: "neprovedeno" },
    by: {
      PAYMENT_METHOD_CHOSEN: "zkouší zaplatit",
      PAID: "platí",
      AUTHORIZED: "platí, částka se blokuje",
      CANCELED: "nezaplatí"
    },
    states: {
      payment: (code: string) => paymentStateWords(code, "cs"),
      hold: (code: string) => holdStateWords(code, "cs"),
      recurrence: (code: string) => recurrenceStateWords(code, "cs")
    }
  }
} as const

type StateEntry = Extract<DrawnEntry, { readonly type: "state" }>

type Notification = Extract<DrawnEntry, { readonly type: "notification" }>

/** A notification and its response. Consecutive attempts with the same end are one: from `attempt` to `lastAttempt`. */
interface Notified {
  readonly type: "notified"
  readonly paymentId: number | undefined
  /** When the last attempt ended. */
  readonly at: number
  /** When the first attempt was sent. */
  readonly sentAt: number
  readonly attempt: number
  readonly lastAttempt: number
  readonly status: number
}

/** A notification when it is sent; it is logged when it has been answered. */
interface Sent {
  readonly type: "sent"
  readonly paymentId: number | undefined
  readonly at: number
  readonly attempt: number
  readonly lastAttempt: number
}

/** Entries without a place of their own in the picture: a fault that hit a request is drawn with the request. */
type NotDrawn = Extract<DrawnEntry, { readonly type: "fault" | "warning" | "control" }>

type Drawn = Exclude<DrawnEntry, Notification | NotDrawn> | Notified | Sent

const paymentOf = ({ paymentId, payment_id }: Pick<DrawnEntry, "paymentId" | "payment_id">): number | undefined =>
  paymentId ?? payment_id

const timeOf = ({ at }: { readonly at: string | number }): number => new Date(at).getTime()

const notifiedBy = (entry: Notification): Notified => {
  const { attempt, durationMillis, duration_millis, status } = entry
  const at = timeOf(entry)
  const sentAt = at - (durationMillis ?? duration_millis ?? 0)
  return { type: "notified", paymentId: paymentOf(entry), at, sentAt, attempt, lastAttempt: attempt, status }
}

/** Whether an attempt repeats those before. The first one is drawn separately. */
const isRepeated = (before: Notified, after: Notification): boolean =>
  before.attempt > 1 &&
  before.paymentId === paymentOf(after) &&
  before.lastAttempt + 1 === after.attempt &&
  before.status === after.status

const isDrawn = (entry: DrawnEntry): entry is Exclude<DrawnEntry, NotDrawn> =>
  entry.type !== "fault" && entry.type !== "warning" && entry.type !== "control"

/** The drawn entries, with repeated attempts merged. */
const folded = (entries: ReadonlyArray<DrawnEntry>): ReadonlyArray<Drawn> => {
  const drawn: Array<Drawn> = []
  for (const entry of entries.filter(isDrawn)) {
    if (entry.type === "request" && isPreparation(entry)) continue
    const before = drawn.at(-1)
    if (entry.type !== "notification") drawn.push(entry)
    else if (before?.type === "notified" && isRepeated(before, entry))
      drawn[drawn.length - 1] = { ...before, at: timeOf(entry), lastAttempt: entry.attempt }
    else drawn.push(notifiedBy(entry))
  }
  return drawn
}

/** Whether a request is not about a payment: every program begins with a token. */
const isPreparation = ({ operation, status }: Extract<DrawnEntry, { readonly type: "request" }>): boolean =>
  operation === undefined || (operation === "getAccessToken" && status === 200)

/** Inserts a notification at the point where it was sent. */
const insertSent = (drawn: Array<Drawn>, { sentAt, ...sent }: Omit<Sent, "at" | "type"> & { sentAt: number }): void => {
  let place = drawn.length
  let before = drawn[place - 1]
  while (before !== undefined && isAfter(before, sentAt)) {
    place--
    before = drawn[place - 1]
  }
  // What a request does is logged before it, and stays with it.
  while (before !== undefined && isOfRequest(before) && place < drawn.length) {
    before = drawn[place]
    place++
  }
  // The clock may have jumped since.
  const at = before === undefined ? sentAt : Math.max(sentAt, timeOf(before))
  drawn.splice(place, 0, { type: "sent", at, ...sent })
}

/**
 * The entries, with each notification also at the point where it was sent: what the shop requested before it answered
 * comes in between.
 */
const withSent = (
  entries: ReadonlyArray<DrawnEntry>,
  underWay: ReadonlyArray<NotificationUnderWay>
): ReadonlyArray<Drawn> => {
  const drawn: Array<Drawn> = []
  for (const entry of folded(entries)) {
    if (entry.type === "notified" && entry.attempt > 0) {
      const { attempt, lastAttempt, paymentId, sentAt } = entry
      insertSent(drawn, { attempt, lastAttempt, paymentId, sentAt })
    }
    drawn.push(entry)
  }
  for (const { attempt, payment_id, ...sent } of underWay) {
    insertSent(drawn, { attempt, lastAttempt: attempt, paymentId: payment_id, sentAt: timeOf(sent) })
  }
  return drawn
}

/** Whether the gateway did this for a request whose response is still to come. */
const isOfRequest = (entry: Drawn): boolean => entry.type === "operation" || ("by" in entry && entry.by === "merchant")

/** Whether it was certainly later: times are whole milliseconds. */
const isAfter = (entry: Drawn, time: number): boolean => entry.type !== "time" && timeOf(entry) >= time + 1

/** The sub-states of an attempt that is still in progress; any other one is the reason of the last decline. */
const pendingSubStates: ReadonlySet<string | undefined> = new Set([undefined, "_101", "_102", "_5045"])

export interface SequenceOptions {
  readonly language: keyof typeof texts
  /** Writes a time of day. */
  readonly clock: (at: Date) => string
  /** Writes a day. */
  readonly day: (at: Date) => string
  /** The reason why an attempt to pay was declined, from its sub-state. */
  readonly reason: (subState: string) => string
  /** The notifications that the shop has not answered yet. */
  readonly underWay?: ReadonlyArray<NotificationUnderWay>
  /** The name of the shop's lane. Default: the word for a shop. */
  readonly shop?: string
}

/** The entries of a payment, or of all, oldest first, as messages between the participants. */
export const logSequence = (
  entries: ReadonlyArray<DrawnEntry>,
  { clock, day, language, reason, shop = texts[language].shop, underWay = [] }: SequenceOptions
): Sequence => {
  const text = texts[language]
  const { gateway, payer, states } = text
  const steps: Array<Step> = []
  /** What the gateway has done for a request whose response is still to come: it is logged first. */
  let done: Array<Step> = []
  let lastDay: string | undefined
  const lastStates = new Map<number | undefined, string>()
  /** The payments for which the payer's attempt to pay has begun and not ended. */
  const tried = new Set<number | undefined>()
  /** Those of them whose payer has returned to the shop, and does nothing more. */
  const left = new Set<number | undefined>()

  const message = (
    at: string,
    from: string,
    to: string,
    look: "call" | "reply" | "refused" | "lost",
    what: string
  ): Step => ({
    kind: "message",
    at,
    from,
    to,
    look,
    text: what,
    said: `${at} ${from} → ${to}: ${what}${look === "lost" ? `, ${text.lost}` : ""}`
  })
  const noteIn = (lane: string, at: string, what: string, isBad: boolean): Step => ({
    kind: "note",
    at,
    lane,
    text: what,
    isBad,
    said: `${at} ${lane}: ${what}`
  })
  const note = (at: string, what: string, isBad = false): Step => noteIn(gateway, at, what, isBad)
  const flush = () => steps.push(...done.splice(0))
  /** Draws steps directly, or within the request of the merchant that caused them. */
  const drawBy = (by: string, ...drawn: ReadonlyArray<Step>): void => {
    if (by === "merchant") done.push(...drawn)
    else {
      flush()
      steps.push(...drawn)
    }
  }
  const stateNote = (at: string, { from, to }: StateEntry): ReadonlyArray<Step> =>
    from === to ? [] : [note(at, states.payment(to), to === "CANCELED" || to === "TIMEOUTED")]

  /** How the payer brings a payment into a state, and the gateway's reaction. */
  const actsOf = (at: string, entry: StateEntry): ReadonlyArray<Step> => {
    const { to } = entry
    const subState = entry.subState ?? entry.sub_state
    const wasTrying = tried.delete(paymentOf(entry))
    const isAway = left.delete(paymentOf(entry)) && to !== "PAYMENT_METHOD_CHOSEN"
    const act = isAway ? undefined : ownMember<string>(text.by, to)
    const acts = act === undefined ? [] : [message(at, payer, gateway, "call", act)]
    const isDeclined =
      (to === "PAYMENT_METHOD_CHOSEN" && !pendingSubStates.has(subState)) || (to === "CANCELED" && !isGivenUp(subState))
    if (!isDeclined) {
      if (to === "PAYMENT_METHOD_CHOSEN") tried.add(paymentOf(entry))
      return [...acts, ...stateNote(at, entry)]
    }
    // After a declined attempt the payer may give up; the payment keeps the reason.
    if (to === "CANCELED" && !wasTrying) return [...acts, ...stateNote(at, entry)]
    const declined = message(at, gateway, payer, "refused", `${text.declined}: ${reason(subState ?? "")}`)
    return to === "CANCELED"
      ? [declined, ...stateNote(at, entry)]
      : [...(wasTrying ? [] : acts), ...stateNote(at, entry), declined]
  }

  for (const entry of withSent(entries, underWay)) {
    const date = new Date(entry.at)
    const [at, today] = [clock(date), day(date)]
    if (lastDay !== undefined && today !== lastDay) {
      flush()
      steps.push({ kind: "break", at, text: today, said: today })
    }
    lastDay = today
    switch (entry.type) {
      case "request": {
        const { fault, operation = "", status } = entry
        if (fault !== undefined) done.push(note(at, `${text.fault}: ${words(fault)}`, true))
        const response =
          status === 0
            ? message(at, gateway, shop, "lost", text.noResponse)
            : message(at, gateway, shop, status < 400 ? "reply" : "refused", String(status))
        steps.push(message(at, shop, gateway, "call", operation), ...done.splice(0), response)
        break
      }
      case "state": {
        const { by, to } = entry
        drawBy(by, ...(by === "time" || by === "merchant" ? stateNote(at, entry) : actsOf(at, entry)))
        lastStates.set(paymentOf(entry), to)
        break
      }
      case "payer":
        flush()
        if (entry.action === "returned" && tried.has(paymentOf(entry))) left.add(paymentOf(entry))
        steps.push(
          entry.action === "returned"
            ? message(at, payer, shop, "call", text.returned)
            : message(at, gateway, payer, "call", text.threeDSecure)
        )
        break
      case "sent": {
        flush()
        const { attempt, lastAttempt } = entry
        const state = lastStates.get(entry.paymentId)
        const first = state === undefined ? text.notification : text.notificationOf(states.payment(state))
        const which =
          attempt === lastAttempt ? `${text.attempt} ${attempt}` : `${text.attempts} ${attempt}–${lastAttempt}`
        steps.push(message(at, gateway, shop, "call", attempt <= 1 ? first : `${text.notification}, ${which}`))
        break
      }
      case "notified": {
        flush()
        const { attempt, status } = entry
        // The gateway accepts only 200 as an answer.
        if (attempt === 0) steps.push(note(at, text.notSent, true))
        else if (status === 0) steps.push(message(at, shop, gateway, "lost", text.noResponse))
        else if (status === 200) steps.push(message(at, shop, gateway, "reply", text.taken))
        else steps.push(message(at, shop, gateway, "refused", text.notTaken(status)))
        break
      }
      case "operation": {
        const { operation, result } = entry
        const [what, how] = [
          ownMember<string>(text.operations, operation) ?? words(operation),
          ownMember<string>(text.results, result) ?? result
        ]
        done.push(note(at, `${what}: ${how}`, result === "failed"))
        break
      }
      case "recurrence":
        drawBy(entry.by, note(at, `${text.recurrence}: ${states.recurrence(entry.to)}`))
        break
      case "preauthorization":
        drawBy(entry.by, note(at, `${text.hold}: ${states.hold(entry.to)}`))
        break
      case "killed":
        flush()
        steps.push(noteIn(shop, at, text.killed, true))
        break
      case "time": {
        flush()
        const moved = `${text.moved} ${durationText((entry.advancedMillis ?? entry.advanced_millis ?? 0) / 1000)}`
        steps.push({ kind: "break", at, text: moved, said: moved })
        break
      }
    }
  }
  flush()
  const waiting = underWay.at(-1)
  if (waiting !== undefined) steps.push(note(clock(new Date(waiting.at)), text.underWay))
  return { title: text.title, lanes: [payer, shop, gateway], steps }
}
