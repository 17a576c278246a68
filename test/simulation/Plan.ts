/**
 * What a seed makes: a shop, what it does, and what goes wrong. A plan can be shrunk, since no event of it depends on
 * another one's chance.
 */
import type { ChangeOperation } from "../../src/index.js"
import type { SeedContent, SettingsChange } from "../../src/local-gateway/index.js"
import { Chance } from "./Chance.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** A change that is made once. */
export interface PlannedChange {
  /** No other change has it. It is the order number of what is created. */
  readonly name: string
  readonly operation: ChangeOperation
  /** Of the payment or the card; 0 for a payment that is created. */
  readonly id: number
  /** In minor units; the refunds that one writer makes of a payment have different ones. */
  readonly amount: number
  /** Of a charge that has the order number of the recurrence's first payment. */
  readonly orderNumber?: string | undefined
}

/** An event at a time, in milliseconds. */
export type PlannedEvent = {
  readonly name: string
  readonly at: number
} & (
  | {
      /** A process makes changes one after another. */
      readonly kind: "changes"
      readonly process: number
      readonly changes: ReadonlyArray<PlannedChange>
      /** No one else refunds their payment. */
      readonly isOnlyWriter: boolean
      readonly isHurried: boolean
      /** The calls are interrupted after this time, in milliseconds. */
      readonly interruptAfter?: number
    }
  | {
      readonly kind: "reads"
      readonly process: number
      readonly ids: ReadonlyArray<number>
      readonly isHurried: boolean
    }
  /** All processes read a payment at the same time, with as much between them as given. */
  | { readonly kind: "rush"; readonly id: number; readonly within: number }
  | { readonly kind: "await"; readonly process: number; readonly id: number }
  | {
      /** A customer orders; the payer does something after a time. */
      readonly kind: "order"
      readonly process: number
      readonly order: PlannedChange
      readonly payer: Payer
      readonly after: number
    }
  /** A process dies after this many more tasks, or at a moment of a change, and is restarted after a time. */
  | {
      readonly kind: "kill"
      readonly process: number
      readonly afterTasks: number
      readonly moment?: Moment
      readonly isDownFor: number
    }
  /** A process is stopped as it should be, and started again after a time. */
  | { readonly kind: "stop"; readonly process: number; readonly isDownFor: number }
  | { readonly kind: "clock"; readonly process: number; readonly by: number }
  | { readonly kind: "revoke" }
  | { readonly kind: "outage"; readonly lasts: number; readonly isSilent: boolean }
  | { readonly kind: "storeOutage"; readonly lasts: number; readonly isSilent: boolean }
  | {
      /** Strangers who send notifications. */
      readonly kind: "strangers"
      readonly lasts: number
      readonly every: number
      readonly claims: "nothing" | "a known parent" | "known payments" | "one known payment"
    }
  | {
      /** A change is requested by its key, for a payment or for that of an order. */
      readonly kind: "change"
      readonly process: number
      readonly key: string
      readonly change: KeyedChange
      readonly way: "waited for" | "asked for in passing" | "submitted" | "submitted, and rolled back"
    }
  | {
      /** A customer buys, and pays at the address that the ledger gives. */
      readonly kind: "sale"
      readonly process: number
      readonly sale: Sale
      readonly payer: Payer
      readonly after: number
      /** To which process the payer comes back. */
      readonly comesBackTo?: number
    }
  /** Someone refunds at the gateway, past the ledger; later than planned, in milliseconds. */
  | { readonly kind: "byHand"; readonly id: number; readonly amount: number; readonly later: number }
  /** The shop charges at the gateway, past the ledger; of an order, or of a payment. */
  | {
      readonly kind: "chargedByHand"
      readonly of: KeyedChange["of"]
      readonly orderNumber: string
      readonly amount: number
    }
  /** A process stands still. */
  | { readonly kind: "pause"; readonly process: number; readonly moment?: Moment; readonly lasts: number }
  /** A row of a change cannot be read for a while, as one of a newer release. */
  | { readonly kind: "edit"; readonly row: number; readonly lasts: number }
  /** All processes end, and the database is as it was a while ago. */
  | { readonly kind: "restore"; readonly back: number; readonly isDownFor: number }
  /** An operator decides what is listed. */
  | { readonly kind: "decide"; readonly process: number }
)

/** What a process has just done with a change, or with a payment: the next one that it comes to. */
export type Moment = "locked" | "marked" | "sent" | "answered"

/** What a payer does. */
export type Payer = "pays" | "transfers" | "is declined" | "cancels" | "stays away"

/** A change of a payment; the amount is absent for all of a hold. */
export interface KeyedChange {
  readonly operation: "refund" | "capture" | "capturePartial" | "release" | "charge"
  readonly of: number | { readonly order: string }
  readonly amount?: number
  /** That of a charge. */
  readonly orderNumber?: string
}

/** What is bought. */
export interface Sale {
  readonly orderNumber: string
  readonly amount: number
  /** The payment needs no payer: it is paid with a stored card. */
  readonly isByCard: boolean
  /** The money is only held. The ledger ends the hold after this time, in milliseconds, if the shop does not. */
  readonly hold?: { readonly atMost: number; readonly end: "capture" | "release" } | undefined
  /** It is the first payment of a recurrence. */
  readonly isRecurring?: true
  readonly replace: boolean
  readonly payWithin?: number
}

/** The ledger of a shop. */
export interface LedgerPlan {
  readonly database: "prompt" | "slow" | "broken"
  /** In milliseconds. */
  readonly lease: number
  readonly pollEvery: number
  readonly escalateAfter: number
  /** Of a hundred changes, how many meet with something. */
  readonly changeTrouble: number
  /** For how long a refund may not be listed. */
  readonly listLag: number
  /** Whether reads of payments may be answered with what was true before. */
  readonly isStale: boolean
  /** How many of a hundred calls of the shop's handler fail. */
  readonly handlerFails: number
}

/** What a simulation does. */
export interface Plan {
  readonly seed: number
  readonly mood: Mood
  readonly processes: number
  /** How the processes share their tokens: not at all, or through a store. */
  readonly store: "none" | "prompt" | "slow" | "broken"
  /** Of a hundred requests, how many meet with something. */
  readonly trouble: number
  /** Whether changes may be answered with words in no list, and with what is about something else. */
  readonly isLiedTo: boolean
  /** A time limit of an attempt, in milliseconds. */
  readonly timeout: number
  /** How many requests of a process may be under way at once. */
  readonly maxConcurrentRequests: number
  /** Whether no request may wake another, as in Cloudflare Workers. */
  readonly isRequestBound: boolean
  readonly settings: SettingsChange
  readonly books: SeedContent
  readonly events: ReadonlyArray<PlannedEvent>
  /** When nothing goes wrong any more. */
  readonly lasts: number
  /** Requests, steps of the store and notifications that meet with nothing after all, by the names of their chances. */
  readonly spared: ReadonlySet<string>
  /** Present when the shop keeps a ledger. */
  readonly ledger?: LedgerPlan
}

/** What kind of day it is. */
export type Mood = "calm" | "storm" | "fleet" | "strangers" | "ledger"

export const firstPaymentId = 3_000_000_003
const firstCardId = 3_003_000_011
const amount = 10_000

export const notificationUrl = "http://localhost/notify"

interface Group {
  readonly payment?: Partial<NonNullable<SeedContent["payments"]>[number]>
  readonly changes: ReadonlyArray<{
    readonly operation: ChangeOperation
    readonly amount?: number
    readonly isSameOrder?: boolean
  }>
  readonly isDoneByOne?: boolean
}

const refunds = [900, 1_000, 1_100, 1_300, 1_700, 2_500].map((amount) => ({
  operation: "refundPayment" as const,
  amount
}))

const groups: ReadonlyArray<Group> = [
  { changes: refunds.slice(0, 3), isDoneByOne: true },
  { changes: [...refunds.slice(2), ...refunds.slice(2, 4)] },
  { changes: [{ operation: "refundPayment", amount }], isDoneByOne: true },
  {
    payment: { state: "AUTHORIZED", preauthorization: {} },
    changes: [{ operation: "captureAuthorizationPartial", amount: 4_000 }, { operation: "voidAuthorization" }]
  },
  { payment: { state: "AUTHORIZED", preauthorization: {} }, changes: [{ operation: "captureAuthorization" }] },
  { payment: { state: "AUTHORIZED", preauthorization: {} }, changes: [{ operation: "voidAuthorization" }] },
  {
    payment: {
      recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31", recurrence_state: "STARTED" }
    },
    changes: [
      { operation: "createRecurrence", amount: 2_000 },
      { operation: "createRecurrence", amount: 2_000 },
      { operation: "createRecurrence", isSameOrder: true },
      { operation: "voidRecurrence" }
    ]
  },
  {
    payment: {
      recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31", recurrence_state: "STARTED" }
    },
    changes: [{ operation: "voidRecurrence" }]
  },
  { changes: [{ operation: "deleteCard" }] }
]

const results = ["finished", "finished", "finished", "failed", "acceptedThenFinished", "acceptedThenFailed"] as const

const second = 1_000
const minute = 60_000

/** The plan that a seed makes. */
export const planOf = (seed: number, isLiedTo = true): Plan => {
  const shape = new Chance(seed, "shape")
  const mood = shape.pick<Mood>(
    ...(["calm", "storm", "storm", "storm", "storm", "storm", "storm", "fleet", "fleet", "strangers"] as const)
  )
  const processes = mood === "strangers" ? 1 : shape.between(mood === "fleet" ? 2 : 1, 3)
  const lasts = mood === "strangers" ? 30 * second : shape.pick(minute, 3 * minute, 8 * minute)
  const store = mood === "fleet" ? shape.pick<Plan["store"]>("prompt", "prompt", "slow", "broken") : "none"
  const shared =
    mood === "storm" && processes > 1 ? shape.pick<Plan["store"]>("none", "prompt", "slow", "broken") : store
  const result = () => shape.pick(...results)
  const settings: SettingsChange = {
    ...partsAtOnce,
    refund: result(),
    capture: result(),
    voidAuthorization: result(),
    voidRecurrence: result(),
    timeToProcessSeconds: shape.pick(1, 20, 200),
    tokenLifetimeSeconds: shape.pick(20, 60, 300, 1_800),
    refusedTokenStatus: shape.pick(401, 403),
    recurrenceChild: shape.pick("paid", "declined", "pending"),
    notificationRetryDelaySeconds: mood === "strangers" ? 5 : 15,
    notificationMaxRetryDelaySeconds: mood === "strangers" ? 15 : 60,
    notificationAttempts: mood === "strangers" ? 4 : 20,
    notificationCopies: shape.pick(1, 1, 2),
    notificationOrder: shape.pick("inOrder", "reversed"),
    notificationParentId: shape.pick("sent", "sent", "omitted")
  }
  const { books, tasks } = beginning(seed, mood)
  const events = [
    ...tasks,
    ...work(seed, { lasts, mood, processes }),
    ...(mood === "calm" ? [] : mishaps(seed, { lasts, mood, processes, hasStore: shared !== "none" }))
  ]
  return {
    seed,
    mood,
    processes,
    store: shared,
    trouble: mood === "storm" ? shape.pick(5, 15, 35, 60) : mood === "fleet" ? shape.pick(0, 0, 10) : 0,
    isLiedTo,
    timeout: shape.pick(2, 5, 10) * second,
    maxConcurrentRequests: shape.pick(100, 100, 2),
    isRequestBound: shape.percent(20),
    settings,
    books,
    lasts,
    spared: new Set(),
    events: placed(events, seed, { lasts, mood, processes })
  }
}

/** An event that has no time and no process yet. */
export type Unplaced = PlannedEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, "at" | "process">
    : never
  : never

/** Each event has its time and its process by its own name. */
export const placed = (
  events: ReadonlyArray<Unplaced>,
  seed: number,
  { lasts, mood, processes }: Pick<Plan, "lasts" | "mood" | "processes">
): ReadonlyArray<PlannedEvent> =>
  events
    .map((event): PlannedEvent => {
      const chance = new Chance(seed, `time of ${event.name}`)
      const at = 10 + (mood === "strangers" && event.kind === "strangers" ? 0 : chance.below(lasts))
      const process = chance.below(processes)
      // Events that belong to no process do not use it.
      return Object.assign({ at, process }, event)
    })
    .sort((one, other) => one.at - other.at)

const beginning = (seed: number, mood: Mood) => {
  const payments: Array<NonNullable<SeedContent["payments"]>[number]> = []
  const cards: Array<NonNullable<SeedContent["cards"]>[number]> = []
  const tasks: Array<Unplaced> = []
  const chance = new Chance(seed, "payments")
  const count = mood === "strangers" ? 2 : mood === "fleet" ? 3 : chance.between(2, 6)
  for (let place = 0; place < count; place++) {
    const { changes, isDoneByOne = false, payment } = groups[chance.below(groups.length)] ?? { changes: [] }
    const id = firstPaymentId + 13 * place
    const cardId = firstCardId + 11 * place
    const callback = { return_url: "https://shop.example/return", notification_url: notificationUrl }
    payments.push({
      id,
      amount,
      currency: "CZK",
      state: "PAID",
      order_number: `before-${place}`,
      callback,
      created_at: "-PT1H",
      ...payment
    })
    cards.push({ card_id: cardId })
    const planned = changes.map(({ amount: part = amount, isSameOrder = false, operation }, step): PlannedChange => ({
      name: `${operation}-${place}-${step}`,
      operation,
      id: operation === "deleteCard" ? cardId : id,
      amount: part,
      ...(isSameOrder ? { orderNumber: `before-${place}` } : {})
    }))
    for (const changes of isDoneByOne ? [planned] : planned.map((change) => [change])) {
      const name = `changes ${changes[0]?.name}`
      const own = new Chance(seed, name)
      tasks.push({
        kind: "changes",
        name,
        changes,
        isOnlyWriter: isDoneByOne,
        isHurried: own.percent(25),
        ...(mood === "storm" && own.percent(15) ? { interruptAfter: own.below(3_000) } : {})
      })
    }
  }
  return { books: { payments, cards } satisfies SeedContent, tasks }
}

/** What shops do, whatever goes wrong. */
const work = (seed: number, { mood }: Pick<Plan, "lasts" | "mood" | "processes">): ReadonlyArray<Unplaced> => {
  const chance = new Chance(seed, "work")
  const count = mood === "fleet" ? chance.between(2, 6) : chance.between(1, 4)
  return Array.from({ length: count }, (_, index): Unplaced => {
    const kind =
      mood === "fleet" ? chance.pick("order", "reads", "rush", "rush") : chance.pick("order", "order", "reads", "await")
    const name = `${kind} ${index}`
    const own = new Chance(seed, name)
    switch (kind) {
      case "order":
        return {
          kind: "order",
          name,
          order: { name: `order-${index}`, operation: "createPayment", id: 0, amount: own.between(1, 5) * 1_000 },
          payer: own.pick("pays", "pays", "transfers", "is declined", "cancels", "stays away"),
          after: own.below(20 * second)
        }
      case "reads":
        return {
          kind: "reads",
          name,
          ids: Array.from({ length: own.between(1, mood === "fleet" ? 6 : 3) }, () => firstPaymentId),
          isHurried: own.percent(30)
        }
      case "rush":
        return { kind, name, id: firstPaymentId, within: own.pick(1, 20, 100) }
      case "await":
        return { kind, name, id: firstPaymentId }
    }
  })
}

/** What goes wrong. */
const mishaps = (
  seed: number,
  { hasStore, mood, lasts }: Pick<Plan, "lasts" | "mood" | "processes"> & { readonly hasStore: boolean }
): ReadonlyArray<Unplaced> => {
  const chance = new Chance(seed, "mishaps")
  if (mood === "strangers") {
    const claims = chance.pick("nothing", "a known parent", "a known parent", "known payments", "one known payment")
    const every = claims === "one known payment" ? chance.pick(50, 200) : chance.pick(250, 400, 800)
    return [{ kind: "strangers", name: "strangers", lasts: 80 * second, every, claims }]
  }
  const count = mood === "fleet" ? chance.between(0, 3) : chance.between(0, 5)
  return Array.from({ length: count }, (_, index): Unplaced => {
    const kind =
      mood === "fleet"
        ? chance.pick("revoke", "revoke", "revoke", "revoke", "clock", "kill", "stop")
        : chance.pick(
            "kill",
            "kill",
            "stop",
            "revoke",
            "clock",
            "outage",
            hasStore ? "storeOutage" : "kill",
            "strangers"
          )
    const name = `${kind} ${index}`
    const own = new Chance(seed, name)
    switch (kind) {
      case "kill":
        return { kind, name, afterTasks: own.below(40), isDownFor: own.pick(100, 5 * second, minute) }
      case "stop":
        return { kind, name, isDownFor: own.pick(100, 5 * second, minute) }
      case "clock":
        return { kind, name, by: own.pick(-3_600_000, -40_000, -900, 900, 40_000, 3_600_000) }
      case "revoke":
        return { kind, name }
      case "outage":
        return { kind, name, lasts: own.below(lasts / 2), isSilent: own.percent(50) }
      case "storeOutage":
        return { kind, name, lasts: own.below(lasts / 2), isSilent: own.percent(50) }
      case "strangers":
        return { kind, name, lasts: own.below(10 * second), every: 200, claims: own.pick("nothing", "a known parent") }
    }
  })
}
