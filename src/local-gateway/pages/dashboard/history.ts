/**
 * What happens by itself, and how notifications went.
 */
import type { EntryOf, LogEntry, Views } from "./api.js"

/** What happens by itself. */
export const eventTexts: { readonly [Type in Views["/due"]["due"][number]["type"]]: string } = {
  timeOut: "times out",
  release: "the hold is released",
  charge: "the next charge is made",
  recurrenceEnd: "the recurrence ends",
  operationEnd: "the operation finishes",
  notification: "the shop is notified"
}

export type Attempt = EntryOf<"notification">

/** A notification, and how it went. */
export interface Delivery {
  readonly key: string
  readonly payment_id: number
  readonly url: string
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The time of the next attempt, where there will be one. */
  readonly due_at?: string
}

type Pending = Views["/notifications"]["pending"][number]

interface Found extends Delivery {
  attempts: Array<Attempt>
  due_at?: string
}

const isTaken = ({ attempts }: Delivery): boolean => attempts.at(-1)?.status === 200

/** Whether an attempt, or a next one after so many, may belong to a delivery. */
const awaits = (delivery: Delivery, { payment_id, url }: Pending | Attempt, attempts: number): boolean =>
  delivery.payment_id === payment_id &&
  delivery.url === url &&
  delivery.attempts.at(-1)?.attempt === attempts &&
  !isTaken(delivery)

/**
 * The deliveries, the one with the newest attempt first; before all those that are tried for the first time. The log,
 * oldest first, has the attempts in their order; copies of one notification are told apart by the number of the attempt.
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

/** How a delivery stands: taken, to be tried (again), given up, or not sent at all. */
export const standingOf = (delivery: Delivery): "taken" | "waiting" | "givenUp" | "notSent" => {
  if (delivery.due_at !== undefined) return "waiting"
  if (isTaken(delivery)) return "taken"
  return delivery.attempts.at(-1)?.attempt === 0 ? "notSent" : "givenUp"
}

/** The entries that say what has happened: of what was done on the dashboard, another entry says what came of it. */
export const withoutRepeated = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<LogEntry> =>
  entries.filter((entry) => entry.type !== "control" || entry.payment_id === undefined || entry.problem !== undefined)
