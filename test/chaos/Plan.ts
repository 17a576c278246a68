/**
 * What a chaos run does: payments to begin with, and changes of them, each of which can be recognised in the gateway's
 * books. It depends on the seed alone, so another process makes the same plan.
 */
import * as Array from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { changeFacts } from "../../src/contract/ChangeFacts.js"
import type * as Client from "../../src/index.js"
import { readSeed, type Seed, type SeedContent } from "../../src/local-gateway/index.js"
import { dice } from "./HostileResponse.js"

/**
 * A change that is made once. Its amount is the only one of its kind at its payment, its order number the only one at
 * all.
 */
export const PlannedChange = Schema.Struct({
  index: Schema.Int,
  operation: Schema.Literals(Struct.keys(changeFacts)),
  /** Of the payment or the card; 0 for a payment that is created. */
  id: Schema.Int,
  /** An integer in minor units. */
  amount: Schema.Int,
  orderNumber: Schema.String
})
export type PlannedChange = typeof PlannedChange.Type

/** What several workers do at the same time. */
export interface Plan {
  /** What the gateway begins with. */
  readonly beginning: Seed
  /** Changes by who makes them: those of one list are made one after another, and no one else refunds their payment. */
  readonly tasks: ReadonlyArray<ReadonlyArray<PlannedChange>>
}

const amount = 10_000

/** Changes of one payment, and who makes them. */
interface Group {
  readonly payment?: Partial<NonNullable<SeedContent["payments"]>[number]>
  readonly changes: ReadonlyArray<{
    readonly operation: Client.ChangeOperation
    readonly amount?: number
  }>
  readonly isDoneByOne?: boolean
}

/** More in all than was paid, so that some are refused. */
const refunds = [900, 1_000, 1_100, 1_300, 1_700, 2_500, 3_100].map((amount) => ({
  operation: "refundPayment" as const,
  amount
}))

const groups: ReadonlyArray<Group> = [
  { changes: refunds },
  { changes: refunds.slice(0, 4), isDoneByOne: true },
  {
    payment: { state: "AUTHORIZED", preauthorization: {} },
    changes: [
      { operation: "captureAuthorizationPartial", amount: 4_000 },
      { operation: "captureAuthorizationPartial", amount: 5_000 },
      { operation: "voidAuthorization" }
    ]
  },
  { payment: { state: "AUTHORIZED", preauthorization: {} }, changes: [{ operation: "captureAuthorization" }] },
  {
    payment: {
      recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31", recurrence_state: "STARTED" }
    },
    changes: [
      { operation: "createRecurrence" },
      { operation: "createRecurrence" },
      { operation: "createRecurrence" },
      { operation: "voidRecurrence" }
    ]
  },
  { changes: [{ operation: "deleteCard" }] },
  { changes: [{ operation: "createPayment" }, { operation: "createPayment" }] }
]

const firstPaymentId = 3_000_000_003
const firstCardId = 3_003_000_011

const results = ["finished", "finished", "failed", "acceptedThenFinished"] as const

/** A plan of at least the given number of changes, of all kinds. */
export const makePlan = (seed: number, atLeast: number): Plan => {
  const { below, pick } = dice(seed)
  const payments: Array<unknown> = []
  const cards: Array<unknown> = []
  const tasks: Array<ReadonlyArray<PlannedChange>> = []
  const all: Array<PlannedChange> = []
  for (let place = 0; all.length < atLeast; place++) {
    const { changes, isDoneByOne = false, payment } = groups[place % groups.length] ?? { changes: [] }
    const paymentId = firstPaymentId + 13 * place
    const cardId = firstCardId + 11 * place
    payments.push({
      id: paymentId,
      amount,
      currency: "CZK",
      state: "PAID",
      order_number: `before-${place}`,
      ...payment
    })
    cards.push({ card_id: cardId })
    const planned = changes.map(({ amount: part = amount, operation }, step): PlannedChange => {
      const index = all.length + step
      const id = operation === "deleteCard" ? cardId : operation === "createPayment" ? 0 : paymentId
      return { index, operation, id, amount: part, orderNumber: `order-${index}` }
    })
    all.push(...planned)
    tasks.push(...(isDoneByOne ? [planned] : planned.map((change) => [change])))
  }
  const settings = { refund: pick(...results), capture: pick(...results), voidAuthorization: pick(...results) }
  return {
    beginning: Result.getOrThrow(readSeed({ settings, payments, cards })),
    tasks: shuffled(tasks, below)
  }
}

const shuffled = <A>(list: ReadonlyArray<A>, below: (n: number) => number): ReadonlyArray<A> =>
  Array.map(
    Array.sort(
      list.map((value) => ({ value, place: below(2 ** 30) })),
      (a: { readonly place: number }, b: { readonly place: number }) =>
        a.place < b.place ? -1 : a.place > b.place ? 1 : 0
    ),
    ({ value }) => value
  )
