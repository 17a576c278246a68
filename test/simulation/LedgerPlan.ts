/**
 * What a seed makes of a shop that keeps a ledger: several processes, orders, changes by key, and what goes wrong.
 */
import type { SeedContent } from "../../src/local-gateway/index.js"
import { Chance } from "./Chance.js"
import { byHandAmount } from "./LedgerJudge.js"
import {
  firstPaymentId,
  type KeyedChange,
  type Moment,
  notificationUrl,
  placed,
  type Plan,
  type Sale,
  type Unplaced
} from "./Plan.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

type SeedPayment = NonNullable<SeedContent["payments"]>[number]

const paid = 10_000

const refund = (amount: number) => ({ operation: "refund", amount }) as const

/** Payments that are there already, and what the shop wants of each. */
const wishes: ReadonlyArray<{
  readonly isHeld?: boolean
  readonly changes: ReadonlyArray<Omit<KeyedChange, "of">>
}> = [
  { changes: [refund(1_000), refund(1_000), refund(1_000)] },
  { changes: [refund(900), refund(1_100), refund(1_100)] },
  { changes: [refund(paid), refund(1_000)] },
  { changes: [refund(2_500), refund(7_500)] },
  { isHeld: true, changes: [{ operation: "capture" }, refund(1_000), refund(1_000)] },
  { isHeld: true, changes: [{ operation: "capturePartial", amount: 4_000 }, { operation: "release" }] },
  { isHeld: true, changes: [{ operation: "release" }, { operation: "capture" }] }
]

/** What the shop wants of a payment, by its place. */
const wishOf = (seed: number, place: number): (typeof wishes)[number] =>
  wishes[new Chance(seed, `wish ${place}`).below(wishes.length)] ?? { changes: [] }

const results = ["finished", "finished", "finished", "failed", "acceptedThenFinished", "acceptedThenFailed"] as const

const second = 1_000
const minute = 60 * second

/** The plan that a seed makes for a shop with a ledger. */
export const ledgerPlanOf = (seed: number): Plan => {
  const shape = new Chance(seed, "ledger")
  const isCalm = shape.percent(10)
  const processes = shape.pick(1, 2, 2, 3, 3)
  const lasts = shape.pick(minute, 2 * minute, 4 * minute)
  const isRestored = !isCalm && new Chance(seed, "backup").percent(20)
  const result = () => {
    const drawn = shape.pick(...results)
    // What failed and is forgotten may be made again: no money was returned.
    return isRestored && drawn === "acceptedThenFailed" ? "acceptedThenFinished" : drawn
  }
  const { books, events: changes } = beginning(seed)
  // The orders that a backup lacks are for operators, and so is what becomes of them.
  const sales = isRestored ? [] : [...salesOf(seed), ...chargesOf(seed)]
  const events = [
    ...changes,
    ...sales,
    ...(isCalm ? [] : mishaps(seed, { lasts, books })),
    ...(isRestored ? [restoration(seed)] : []),
    ...(!isCalm && new Chance(seed, "edited row").percent(20) ? [edit(seed)] : [])
  ]
  return {
    seed,
    mood: "ledger",
    processes,
    store: "none",
    trouble: isCalm ? 0 : shape.pick(0, 5, 10, 25),
    isLiedTo: false,
    timeout: shape.pick(2, 5, 10) * second,
    maxConcurrentRequests: shape.pick(100, 100, 2),
    isRequestBound: false,
    settings: {
      ...partsAtOnce,
      refund: result(),
      refusedRefund: new Chance(seed, "refused refund").percent(50) ? "listed" : "unlisted",
      capture: result(),
      recurrenceChild: new Chance(seed, "recurrence child").pick("paid", "paid", "declined", "pending"),
      voidAuthorization: result(),
      timeToProcessSeconds: shape.pick(1, 20, 200),
      tokenLifetimeSeconds: shape.pick(20, 60, 300, 1_800),
      refusedTokenStatus: shape.pick(401, 403),
      notificationRetryDelaySeconds: 15,
      notificationMaxRetryDelaySeconds: 60,
      notificationAttempts: 20,
      notificationCopies: shape.pick(0, 1, 1, 2),
      notificationOrder: shape.pick("inOrder", "reversed")
    },
    books,
    lasts,
    spared: new Set(),
    events: placed(events, seed, { lasts, mood: "ledger", processes }),
    ledger: {
      database: isCalm ? "prompt" : shape.pick("prompt", "slow", "broken", "broken"),
      lease: shape.pick(5, 5, 30) * second,
      pollEvery: shape.pick(3, 10, 20) * second,
      escalateAfter: shape.pick(20, 600) * second,
      changeTrouble: isCalm ? 0 : shape.pick(0, 15, 35, 50),
      listLag: isCalm ? 0 : shape.pick(0, 0, 5, 30, 60) * second,
      isStale: !isCalm && shape.percent(15),
      handlerFails: isCalm ? 0 : shape.pick(0, 0, 20, 50)
    }
  }
}

const ways = ["waited for", "asked for in passing", "asked for in passing", "submitted"] as const

/** Each change is requested once or more often, by any process. */
const asked = (seed: number, key: string, change: KeyedChange): ReadonlyArray<Unplaced> => {
  const chance = new Chance(seed, `asking ${key}`)
  const times = chance.pick(1, 2, 3)
  const askings = Array.from({ length: times }, (_, time): Unplaced => ({
    kind: "change",
    name: `${key} ${time}`,
    key,
    change,
    way: chance.pick(...ways)
  }))
  return chance.percent(20)
    ? [
        ...askings,
        { kind: "change", name: `${key} half`, key: `${key}-half`, change, way: "submitted, and rolled back" }
      ]
    : askings
}

/** The first payment of a recurrence that the shop had before its ledger. */
const recurring = {
  id: firstPaymentId + 13 * 9,
  amount: paid,
  currency: "CZK",
  state: "PAID",
  order_number: "before-recurring",
  callback: { return_url: "https://shop.example/return", notification_url: notificationUrl },
  created_at: "-PT1H",
  recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31", recurrence_state: "STARTED" }
} satisfies SeedPayment

/** Charges of a recurrence that existed before, or whose first payment is bought; one may also be made without the ledger. */
const chargesOf = (seed: number): ReadonlyArray<Unplaced> => {
  const chance = new Chance(seed, "charges")
  if (chance.percent(40)) return []
  const order = "order-recurring"
  const isBought = chance.percent(60)
  const of = isBought ? { order } : recurring.id
  const amount = 2_000
  const sale = {
    orderNumber: order,
    amount: 3_000,
    isByCard: false,
    isRecurring: true as const,
    replace: false
  }
  const charges = Array.from({ length: chance.between(1, 3) }, (_, index) => {
    // Without an order number of its own it is reported under that of the first order.
    const orderNumber = isBought && chance.percent(25) ? order : `order-charge-${index}`
    return asked(seed, `charge-${index}`, { operation: "charge", amount, of, orderNumber })
  }).flat()
  return [
    ...(isBought
      ? [{ kind: "sale", name: "recurring 0", sale, payer: "pays", after: chance.below(5 * second) } as const]
      : []),
    ...charges,
    ...(chance.percent(40)
      ? [{ kind: "chargedByHand", name: "charged by hand", of, orderNumber: "order-charge-0", amount } as const]
      : [])
  ]
}

const beginning = (seed: number) => {
  const chance = new Chance(seed, "payments of a ledger")
  const payments = Array.from({ length: chance.between(2, 4) }, (_, place): SeedPayment => {
    const { isHeld = false } = wishOf(seed, place)
    return {
      id: firstPaymentId + 13 * place,
      amount: paid,
      currency: "CZK",
      state: isHeld ? "AUTHORIZED" : "PAID",
      order_number: `before-${place}`,
      callback: { return_url: "https://shop.example/return", notification_url: notificationUrl },
      created_at: "-PT1H",
      ...(isHeld ? { preauthorization: {} } : {})
    }
  })
  const events = payments.flatMap(({ id = 0 }, place) => {
    return wishOf(seed, place).changes.flatMap((change, index) =>
      asked(seed, `key-${place}-${index}`, { ...change, of: id })
    )
  })
  return { books: { payments: [...payments, recurring] } satisfies SeedContent, events }
}

/** How the ledger ends a hold: while much goes wrong, or long after it. */
const holdOf = (seed: number, orderNumber: string): NonNullable<Sale["hold"]> => {
  const chance = new Chance(seed, `hold ${orderNumber}`)
  return { atMost: chance.pick(20 * second, minute, 60 * minute), end: chance.pick("capture", "release") }
}

const salesOf = (seed: number): ReadonlyArray<Unplaced> => {
  const count = new Chance(seed, "sales").between(0, 3)
  return Array.from({ length: count }, (_, index) => {
    const orderNumber = `order-${index}`
    const own = new Chance(seed, orderNumber)
    const isByCard = own.percent(15)
    const isHeld = own.percent(35)
    const hold = isHeld ? holdOf(seed, orderNumber) : undefined
    const amount = own.between(1, 5) * 1_000
    const times = own.pick(1, 2, 2, 3)
    const sales = Array.from({ length: times }, (_, time): Unplaced => {
      const chance = new Chance(seed, `sale ${index} ${time}`)
      const replace = !isByCard && chance.percent(40)
      return {
        kind: "sale",
        name: `sale ${index} ${time}`,
        sale: {
          orderNumber,
          // A cart that has changed.
          amount: replace && chance.percent(50) ? amount + 100 : amount,
          isByCard,
          hold,
          replace,
          ...(chance.percent(30) ? { payWithin: 30 * second } : {})
        },
        payer: chance.pick("pays", "pays", "pays", "transfers", "is declined", "cancels", "stays away"),
        // Who takes long comes to a payment that was replaced, or is offered no more.
        after: chance.below((time % 2 === 0 ? 120 : 40) * second),
        ...(chance.percent(30) ? { comesBackTo: chance.below(3) } : {})
      }
    })
    const of = { order: orderNumber }
    const wanted: ReadonlyArray<KeyedChange> = isHeld
      ? new Chance(seed, `left to the ledger ${orderNumber}`).percent(40)
        ? []
        : [
            own.pick(
              { operation: "capturePartial", amount: amount / 2, of },
              { operation: "capturePartial", amount: amount / 2, of },
              { operation: "capture", of },
              { operation: "release", of }
            )
          ]
      : own.percent(50)
        ? [{ operation: "refund", amount: 300, of }]
        : []
    // All of it is returned, so that the order may stand by another payment, or by none.
    const returned: ReadonlyArray<KeyedChange> =
      !isHeld && new Chance(seed, `return ${orderNumber}`).percent(50) ? [{ operation: "refund", amount, of }] : []
    return [
      ...sales,
      ...wanted.flatMap((change) => asked(seed, `key-${orderNumber}`, change)),
      ...returned.flatMap((change) => asked(seed, `return-${orderNumber}`, change))
    ]
  }).flat()
}

/** Half of them come when it matters. */
const momentOf = (own: Chance): { readonly moment?: Moment } =>
  own.percent(60) ? { moment: own.pick("locked", "marked", "marked", "sent", "answered") } : {}

const restoration = (seed: number): Unplaced => {
  const own = new Chance(seed, "restore")
  return { kind: "restore", name: "restore", back: own.pick(6, 20, 60) * second, isDownFor: own.pick(1, 20) * second }
}

const edit = (seed: number): Unplaced => {
  const own = new Chance(seed, "edit")
  return { kind: "edit", name: "edit", row: own.below(8), lasts: own.pick(5, 30, 90) * second }
}

/** What goes wrong. */
const mishaps = (
  seed: number,
  { books, lasts }: { readonly lasts: number; readonly books: SeedContent }
): ReadonlyArray<Unplaced> => {
  const chance = new Chance(seed, "mishaps of a ledger")
  return Array.from({ length: chance.between(1, 7) }, (_, index): Unplaced => {
    const kind = chance.pick(
      "kill",
      "kill",
      "kill",
      "stop",
      "pause",
      "pause",
      "pause",
      "revoke",
      "clock",
      "outage",
      "storeOutage",
      "strangers",
      "byHand",
      "byHand",
      "decide",
      "decide"
    )
    const name = `${kind} ${index}`
    const own = new Chance(seed, `ledger ${name}`)
    switch (kind) {
      case "kill":
        return {
          kind,
          name,
          ...momentOf(own),
          afterTasks: own.below(80),
          isDownFor: own.pick(100, 5 * second, minute)
        }
      case "stop":
        return { kind, name, isDownFor: own.pick(100, 5 * second, minute) }
      case "pause":
        return { kind, name, ...momentOf(own), lasts: own.pick(2, 12, 40, 90) * second }
      case "clock":
        return { kind, name, by: own.pick(-3_600_000, -40_000, 40_000, 3_600_000) }
      case "revoke":
        return { kind, name }
      case "outage":
      case "storeOutage":
        return { kind, name, lasts: own.below(lasts / 2), isSilent: own.percent(50) }
      case "strangers":
        return { kind, name, lasts: own.below(5 * second), every: 400, claims: own.pick("nothing", "known payments") }
      case "byHand": {
        const place = own.below((books.payments?.length ?? 2) - 1)
        const { id = firstPaymentId } = books.payments?.[place] ?? {}
        // For another complaint, of the amount of one of the shop's: long after that was sent.
        const alike = wishOf(seed, place).changes.find(({ operation }) => operation === "refund")?.amount
        return own.percent(40) && alike !== undefined
          ? { kind, name, id, amount: alike, later: own.pick(3, 6, 20) * minute }
          : { kind, name, id, amount: byHandAmount, later: 0 }
      }
      case "decide":
        return { kind, name }
    }
  })
}
