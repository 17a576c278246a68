/**
 * Upcoming events, and the results of notifications.
 */
import { paymentStateWords } from "../../../contract/StateWords.js"
import { countText } from "./format.js"
import type { EntryOf, LogEntry, Views } from "./api.js"

/** The events that happen by themselves. */
export const eventTexts: { readonly [Type in Views["/due"]["due"][number]["type"]]: string } = {
  timeOut: "times out",
  release: "the hold is released",
  charge: "the next charge is made",
  recurrenceEnd: "the recurrence ends",
  operationEnd: "the operation finishes",
  notification: "the shop is notified"
}

/** What falls due. */
export const dueText = ({ attempt = 1, type }: Views["/due"]["due"][number]): string =>
  type === "notification" && attempt > 1 ? `the shop is notified, attempt ${attempt}` : eventTexts[type]

/** The states in which nothing has happened to a payment yet. */
const early: ReadonlySet<string> = new Set(["CREATED", "PAYMENT_METHOD_CHOSEN"])

/** What the entries of the log come to, such as `2 payments timed out. 3 notifications taken, 1 not.` */
export const happenedText = (entries: ReadonlyArray<LogEntry>): string => {
  const states = new Map<string, number>()
  const attempts = { taken: 0, failed: 0 }
  for (const entry of entries) {
    if (entry.type === "notification") attempts[entry.status === 200 ? "taken" : "failed"]++
    if (entry.type !== "state" || entry.from === entry.to || early.has(entry.to)) continue
    const text = paymentStateWords(entry.to, "en")
    states.set(text, (states.get(text) ?? 0) + 1)
  }
  const changes = [...states].map(([text, count]) => `${countText(count, "payment")} ${text}`)
  const { failed, taken } = attempts
  const notified = [
    ...(taken > 0 ? [`${countText(taken, "notification")} taken`] : []),
    ...(failed > 0 ? [`${countText(failed, "attempt")} to notify failed`] : [])
  ]
  const sentences = [changes, notified].flatMap((parts) => (parts.length === 0 ? [] : [`${parts.join(", ")}.`]))
  return sentences.length === 0 ? "Nothing happened." : sentences.join(" ")
}

export type Attempt = EntryOf<"notification">

/** A notification, and its attempts. */
export interface Delivery {
  readonly key: string
  readonly payment_id: number
  readonly url: string
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** When the next attempt is due, if there will be one. */
  readonly due_at?: string
}

type Pending = Views["/notifications"]["pending"][number]

interface Found extends Delivery {
  attempts: Array<Attempt>
  due_at?: string
}

const isTaken = ({ attempts }: Delivery): boolean => attempts.at(-1)?.status === 200

/** Whether an attempt, or the next one, may belong to a delivery. */
const awaits = (delivery: Delivery, { payment_id, url }: Pending | Attempt, attempts: number): boolean =>
  delivery.payment_id === payment_id &&
  delivery.url === url &&
  delivery.attempts.at(-1)?.attempt === attempts &&
  !isTaken(delivery)

/**
 * The deliveries: first those that are to be tried for the first time, then by their newest attempt. The log, oldest
 * first, has the attempts in order; the number of an attempt distinguishes copies of a notification.
 */
export const deliveriesOf = (
  entries: ReadonlyArray<LogEntry>,
  pending: ReadonlyArray<Pending>
): ReadonlyArray<Delivery> => {
  const found: Array<Found> = []
  for (const entry of entries) {
    if (entry.type !== "notification") continue
    const { attempt, number, payment_id, url } = entry
    const known = attempt > 1 ? found.find((delivery) => awaits(delivery, entry, attempt - 1)) : undefined
    if (known === undefined) found.push({ key: String(number), payment_id, url, attempts: [entry] })
    else known.attempts.push(entry)
  }
  const first: Array<Delivery> = []
  pending.forEach((one, index) => {
    const { attempts, due_at, payment_id, url } = one
    const known = found.find((delivery) => delivery.due_at === undefined && awaits(delivery, one, attempts))
    if (known !== undefined) known.due_at = due_at
    else first.push({ key: `pending ${payment_id} ${index}`, payment_id, url, attempts: [], due_at })
  })
  const newest = ({ attempts }: Delivery) => attempts.at(-1)?.number ?? 0
  return [...first, ...found.toSorted((a, b) => newest(b) - newest(a))]
}

/** The status of a delivery: accepted, to be tried (again), given up, or not sent at all. */
export const standingOf = (delivery: Delivery): "taken" | "waiting" | "givenUp" | "notSent" => {
  if (delivery.due_at !== undefined) return "waiting"
  if (isTaken(delivery)) return "taken"
  return delivery.attempts.at(-1)?.attempt === 0 ? "notSent" : "givenUp"
}

/**
 * The entries without repetitions: if an entry says what an action on the dashboard has caused, the entry of the action
 * itself is left out.
 */
export const withoutRepeated = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<LogEntry> =>
  entries.filter((entry) => entry.type !== "control" || entry.payment_id === undefined || entry.problem !== undefined)
