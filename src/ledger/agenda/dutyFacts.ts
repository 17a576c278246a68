/**
 * The facts of each duty as data: its value in `Duties.ts`, and the picture and the table in the documents, are made
 * from it.
 */
import { reportsAtOnce } from "../process/AttentionReports.js"

export interface DutyFacts {
  /** What it does, for an operator and the log. */
  readonly name: string
  /** The table of the rows that it acts on, without its prefix. Absent if it has no row. */
  readonly table?: "change" | "event" | "item" | "payment" | "period" | "subscription" | "wake"
  /** What it acts on, in the words of the documents. */
  readonly words: string
  /** How many of its rows it acts on concurrently: a number, or the setting that has it. */
  readonly places: number | "concurrency"
  /** The duty whose places these are as well. */
  readonly sharesWith?: string
  /** The setting that says how often it polls, or whether it polls as rarely as a watch (`watchSeconds`). */
  readonly pause: "pollEvery" | "watch"
}

export type DutyName = keyof typeof dutyFacts

/** The least pause between two inspections of the ledger, searches for unreported items, or for ending holds. */
export const watchSeconds = 10

export const dutyFacts = {
  changes: {
    name: "the changes that are due",
    table: "change",
    words: "what is queued, and what was sent and is not known",
    places: "concurrency",
    pause: "pollEvery"
  },
  payments: {
    name: "the payments that are due",
    table: "payment",
    words: "payments to be checked, by `readsPerSecond`",
    places: 4,
    pause: "pollEvery"
  },
  holds: {
    name: "the holds that end",
    table: "payment",
    words: "payments whose hold ends, before all other payments",
    places: 2,
    pause: "watch"
  },
  outcomes: {
    name: "the outcomes for onChange",
    table: "event",
    words: "what `onChange` is to be notified of",
    // Each in a transaction.
    places: 2,
    pause: "pollEvery"
  },
  subscriptions: {
    name: "the subscriptions that are due",
    table: "subscription",
    words: "their start, their card, their end",
    // Each with a transaction when it notifies the shop.
    places: 2,
    sharesWith: "periods",
    pause: "pollEvery"
  },
  periods: {
    name: "the periods that are due",
    table: "period",
    words: "their charge, and what came of it",
    places: 2,
    sharesWith: "subscriptions",
    pause: "pollEvery"
  },
  wakes: {
    name: "the wakes of what was locked",
    table: "wake",
    words: "PostgreSQL: what was locked when it was to be woken",
    // Each by a statement.
    places: 2,
    pause: "pollEvery"
  },
  attention: {
    name: "the items for onAttention",
    table: "item",
    words: "the items for `onAttention`, claimed for a minute",
    places: reportsAtOnce,
    pause: "watch"
  },
  inspection: {
    name: "the state of the database",
    words: "no row: what keeps the ledger from sending",
    places: 1,
    pause: "watch"
  },
  signOfLife: {
    name: "its sign of life",
    words: "no row: `lastTick` of the metrics",
    places: 1,
    pause: "watch"
  }
} as const satisfies Readonly<Record<string, DutyFacts>>
