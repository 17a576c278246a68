/**
 * The log as a sequence of messages between payer, shop and gateway.
 */
import { durationText } from "../../basics/DurationText.js"
import { ownMember } from "../../basics/OwnMember.js"
import type { Sequence, Step } from "../../html/SequenceDiagram.js"
import { words } from "./LogWords.js"

/** What is drawn of an entry, as the control API and the running gateway have it. */
export type DrawnEntry = { readonly at: string | number } & (
  | { readonly type: "request"; readonly operation?: string; readonly status: number; readonly fault?: string }
  | { readonly type: "state"; readonly by: string; readonly from?: string; readonly to: string }
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
)

const texts = {
  en: {
    title: "Who said what to whom",
    payer: "Payer",
    shop: "Shop",
    gateway: "Gateway",
    noResponse: "no response",
    lost: "lost",
    notification: "notification",
    attempt: "attempt",
    notSent: "not notified",
    moved: "time moves by",
    fault: "fault",
    hold: "hold",
    recurrence: "recurrence",
    by: {
      PAYMENT_METHOD_CHOSEN: "tries to pay",
      PAID: "pays",
      AUTHORIZED: "pays, and it is held",
      CANCELED: "does not pay"
    }
  },
  cs: {
    title: "Kdo komu co řekl",
    payer: "Plátce",
    shop: "Obchod",
    gateway: "Brána",
    noResponse: "bez odpovědi",
    lost: "ztraceno",
    notification: "notifikace",
    attempt: "pokus",
    notSent: "neoznámeno",
    moved: "čas se posune o",
    fault: "porucha",
    hold: "blokace",
    recurrence: "opakování",
    by: {
      PAYMENT_METHOD_CHOSEN: "zkouší zaplatit",
      PAID: "platí",
      AUTHORIZED: "platí, částka se blokuje",
      CANCELED: "nezaplatí"
    }
  }
} as const

type Notification = Extract<DrawnEntry, { readonly type: "notification" }>

/** A notification that goes out: it is logged when it has been answered. */
interface Sent {
  readonly at: number
  readonly type: "sent"
  readonly attempt: number
}

/** The entries with each notification where it went out, too: what the shop asked before it answered stands between. */
const withSent = (entries: ReadonlyArray<DrawnEntry>): ReadonlyArray<DrawnEntry | Sent> => {
  const drawn: Array<DrawnEntry | Sent> = []
  for (const entry of entries) {
    if (entry.type === "notification" && entry.attempt > 0) {
      const begun = timeOf(entry) - millisOf(entry)
      let place = drawn.length
      let before = drawn[place - 1]
      while (before !== undefined && isAfter(before, begun)) {
        place--
        before = drawn[place - 1]
      }
      // What a request does is logged before it, and stays with it.
      while (before !== undefined && isOfRequest(before) && place < drawn.length) {
        before = drawn[place]
        place++
      }
      // The clock may have leapt since.
      const at = before === undefined ? begun : Math.max(begun, timeOf(before))
      drawn.splice(place, 0, { at, type: "sent", attempt: entry.attempt })
    }
    drawn.push(entry)
  }
  return drawn
}

const timeOf = ({ at }: DrawnEntry | Sent): number => new Date(at).getTime()

const millisOf = ({ durationMillis, duration_millis }: Notification): number => durationMillis ?? duration_millis ?? 0

/** Whether it is the gateway's doing for a request of which the response is yet to come. */
const isOfRequest = (entry: DrawnEntry | Sent): boolean =>
  entry.type === "operation" || ("by" in entry && entry.by === "merchant")

/** Whether it was certainly later: times are whole milliseconds. */
const isAfter = (entry: DrawnEntry | Sent, time: number): boolean => entry.type !== "time" && timeOf(entry) >= time + 1

export interface SequenceOptions {
  readonly language: keyof typeof texts
  /** Writes a time of day. */
  readonly clock: (at: Date) => string
  /** Writes a day. */
  readonly day: (at: Date) => string
}

/** The entries of a payment, or of all, oldest first, as who says what to whom. */
export const logSequence = (
  entries: ReadonlyArray<DrawnEntry>,
  { clock, day, language }: SequenceOptions
): Sequence => {
  const text = texts[language]
  const { gateway, payer, shop } = text
  const steps: Array<Step> = []
  /** What the gateway has done for a request of which the response is yet to come: it is logged before. */
  let done: Array<Step> = []
  let lastDay: string | undefined

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
  const note = (at: string, what: string, isBad = false): Step => ({
    kind: "note",
    at,
    lane: gateway,
    text: what,
    isBad,
    said: `${at} ${gateway}: ${what}`
  })
  const response = (at: string, from: string, to: string, status: number, isGood: boolean): Step =>
    status === 0
      ? message(at, from, to, "lost", text.noResponse)
      : message(at, from, to, isGood ? "reply" : "refused", String(status))
  const flush = () => steps.push(...done.splice(0))

  for (const entry of withSent(entries)) {
    const date = new Date(entry.at)
    const [at, today] = [clock(date), day(date)]
    if (lastDay !== undefined && today !== lastDay) {
      flush()
      steps.push({ kind: "break", at, text: today, said: today })
    }
    lastDay = today
    switch (entry.type) {
      case "request": {
        const { fault, operation, status } = entry
        // Every program begins with a token.
        if (operation === undefined || (operation === "getAccessToken" && status === 200)) break
        if (fault !== undefined) done.push(note(at, `${text.fault}: ${words(fault)}`, true))
        steps.push(
          message(at, shop, gateway, "call", operation),
          ...done.splice(0),
          response(at, gateway, shop, status, status < 400)
        )
        break
      }
      case "state": {
        const { by, to } = entry
        const act = ownMember<string>(text.by, to)
        const state = note(at, to.replaceAll("_", " "), to === "CANCELED" || to === "TIMEOUTED")
        if (by === "merchant") done.push(state)
        else {
          flush()
          if (act !== undefined && by !== "time") steps.push(message(at, payer, gateway, "call", act))
          steps.push(state)
        }
        break
      }
      case "sent": {
        flush()
        const { attempt } = entry
        const what = attempt > 1 ? `${text.notification}, ${text.attempt} ${attempt}` : text.notification
        steps.push(message(at, gateway, shop, "call", what))
        break
      }
      case "notification":
        flush()
        // The gateway takes 200 and nothing else for an answer.
        if (entry.attempt === 0) steps.push(note(at, text.notSent, true))
        else steps.push(response(at, shop, gateway, entry.status, entry.status === 200))
        break
      case "operation":
        done.push(note(at, `${words(entry.operation)}: ${entry.result}`, entry.result === "failed"))
        break
      case "recurrence":
      case "preauthorization": {
        const state = note(at, `${entry.type === "recurrence" ? text.recurrence : text.hold}: ${entry.to}`)
        if (entry.by === "merchant") done.push(state)
        else {
          flush()
          steps.push(state)
        }
        break
      }
      case "time": {
        flush()
        const moved = `${text.moved} ${durationText((entry.advancedMillis ?? entry.advanced_millis ?? 0) / 1000)}`
        steps.push({ kind: "break", at, text: moved, said: moved })
        break
      }
      case "fault":
      case "warning":
      case "control":
        break
    }
  }
  flush()
  return { title: text.title, lanes: [payer, shop, gateway], steps }
}
