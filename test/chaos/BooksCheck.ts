/**
 * Compares the outcomes that a shop got with the gateway's books.
 */
import { assert } from "@effect/vitest"
import type { Reconciliation } from "../../src/index.js"
import type { SeedContent } from "../../src/local-gateway/index.js"
import type { PlannedChange } from "./Plan.js"
import type { Remembered } from "./RememberingShop.js"

type Payments = NonNullable<SeedContent["payments"]>

const refundsOf = ({ refunds = [] }: Payments[number]) => refunds.filter(({ state }) => state !== "FAILED")

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** How often the books show a change. */
export const effectsOf = ({ amount, id, operation, orderNumber }: PlannedChange, books: SeedContent): number => {
  const { cards = [], payments = [] } = books
  const payment = payments.find((payment) => payment.id === id)
  const count = (isSo: boolean | undefined) => (isSo === true ? 1 : 0)
  switch (operation) {
    case "createPayment":
      return payments.filter(({ order_number, parent_id }) => order_number === orderNumber && parent_id === undefined)
        .length
    case "createRecurrence":
      return payments.filter(({ order_number, parent_id }) => order_number === orderNumber && parent_id === id).length
    case "refundPayment":
      return payment === undefined ? 0 : refundsOf(payment).filter((refund) => refund.amount === amount).length
    case "captureAuthorization":
    case "captureAuthorizationPartial":
      return count(payment?.received === amount)
    case "voidAuthorization":
      return count(payment?.state === "CANCELED")
    case "voidRecurrence":
      return count(payment?.recurrence?.recurrence_state === "STOPPED")
    case "deleteCard":
      return count(cards.find(({ card_id }) => card_id === id)?.status === "DELETED")
  }
}

/** Money is neither made nor lost, and the books hold nothing that was not requested. */
const checkBooks = (books: SeedContent, changes: ReadonlyArray<PlannedChange>) => {
  const { payments = [] } = books
  for (const payment of payments) {
    const { id, preauthorization, received = 0, state } = payment
    const refunded = sum(refundsOf(payment).map(({ amount }) => amount))
    assert.isAtMost(refunded, received, `payment ${id}`)
    assert.strictEqual(state === "REFUNDED", received > 0 && refunded === received, `payment ${id}`)
    assert.strictEqual(state === "PARTIALLY_REFUNDED", refunded > 0 && refunded < received, `payment ${id}`)
    if (preauthorization !== undefined && received > 0) {
      const captures = changes.filter((change) => change.id === id && change.operation.startsWith("capture"))
      assert.include(
        captures.map(({ amount }) => amount),
        received,
        `payment ${id}`
      )
    }
  }
  const askedFor = (...operations: ReadonlyArray<PlannedChange["operation"]>) =>
    sum(changes.filter(({ operation }) => operations.includes(operation)).map((change) => effectsOf(change, books)))
  assert.strictEqual(sum(payments.map((payment) => refundsOf(payment).length)), askedFor("refundPayment"))
  const added = payments.filter(({ order_number = "" }) => !order_number.startsWith("before-"))
  assert.strictEqual(added.length, askedFor("createPayment", "createRecurrence"))
}

/** Fails if the outcome that the shop got for a change is not what the books show. */
export const checkTold = ({ change, record, told }: Remembered, effects: number): void => {
  const story = JSON.stringify({ change, told, effects, record })
  if (told.outcome === "done") assert.strictEqual(effects, 1, story)
  else if (told.outcome === "notDone") assert.strictEqual(effects, 0, story)
  else assert.isAtMost(effects, 1, story)
}

/** Fails where what is found out at last, when nothing can come any more, is not what the books show. */
const checkFound = (
  { change, record }: Remembered,
  found: Reconciliation["_tag"] | "unread" | "pending",
  effects: number
): void => {
  const story = JSON.stringify({ change, found, effects, record })
  const isCapture = change.operation.startsWith("capture")
  assert.notStrictEqual(found, "unread", story)
  if (found === "Happened") assert.strictEqual(effects, 1, story)
  // Another capture may have reached the state.
  else if (found === "StateReached" && !isCapture) assert.strictEqual(effects, 1, story)
  else if (found === "DidNotHappen" || found === "NotSeenYet") assert.strictEqual(effects, 0, story)
}

/** What a run came to, in short. */
export interface Summary {
  readonly changes: number
  readonly done: number
  readonly notDone: number
  readonly undecided: ReadonlyArray<Undecided>
}

/** A change whose outcome the shop does not know, with what the books show. */
export interface Undecided {
  readonly orderNumber: string
  readonly operation: string
  readonly why: string
  readonly effects: number
}

/** Compares every outcome that a shop got, and what it finds out in the end, with the books. */
export const compare = (
  remembered: ReadonlyArray<Remembered & { readonly found: Reconciliation["_tag"] | "unread" | "pending" }>,
  books: SeedContent
): Summary => {
  checkBooks(
    books,
    remembered.map(({ change }) => change)
  )
  const told = (outcome: string) => remembered.filter(({ told }) => told.outcome === outcome)
  for (const one of remembered) {
    const effects = effectsOf(one.change, books)
    checkTold(one, effects)
    checkFound(one, one.found, effects)
  }
  return {
    changes: remembered.length,
    done: told("done").length,
    notDone: told("notDone").length,
    undecided: told("undecided").map(({ change, told: { why } }) => ({
      orderNumber: change.orderNumber,
      operation: change.operation,
      why,
      effects: effectsOf(change, books)
    }))
  }
}
