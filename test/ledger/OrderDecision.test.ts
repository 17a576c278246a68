/**
 * What a payment that moves makes of its order: tables of how the order stood, what moved, and what else there was.
 */
import { describe, expect, it } from "vitest"
import { decideOrder, type OrderPayment } from "../../src/ledger/order/OrderDecision.js"
import type { OrderState } from "../../src/ledger/store/OrderTable.js"
import type { Progress } from "../../src/ledger/order/PaymentProgress.js"

/** `A paid 100`, with `, offered` for the payment that the shop offers. */
const payment = (text: string): OrderPayment => {
  const [, payment_id = "", status = "", refunded = "0", offered] =
    /^(\w) (\w+)(?: (\d+))?(, offered)?$/.exec(text) ?? []
  const progress = ranks.find((rank) => rank === status)
  return { payment_id, progress, refunded: Number(refunded), isOffered: offered !== undefined }
}

const ranks: ReadonlyArray<Progress> = ["open", "closed", "authorized", "paid", "partiallyRefunded", "refunded"]

const stateOf = (text: string): OrderState => {
  const { payment_id, progress = "open", refunded } = payment(text)
  return { status: progress, refunded, payment_id: payment_id === "-" ? null : payment_id }
}

const textOf = ({ payment_id, refunded, status }: OrderState): string =>
  `${payment_id ?? "none"} ${status}${refunded > 0 ? ` ${refunded}` : ""}`

const unreported: OrderState = { status: "open", refunded: 0, payment_id: null }

describe("An order", () => {
  it.each<readonly [before: string | undefined, moved: string, others: ReadonlyArray<string>, after: string]>([
    // The first payment that has money is the order's, whatever else there is.
    [undefined, "A paid, offered", [], "A paid"],
    [undefined, "A authorized, offered", [], "A authorized"],
    [undefined, "A paid", ["B open, offered"], "A paid"],
    [undefined, "A refunded 100", ["B open, offered"], "A refunded 100"],
    ["A closed", "A paid", [], "A paid"],
    ["A closed", "B paid, offered", ["A closed"], "B paid"],
    ["A authorized", "A paid", [], "A paid"],
    ["A paid", "A partiallyRefunded 40", ["B paid"], "A partiallyRefunded 40"],
    // It is closed only while no other payment can be paid.
    [undefined, "A closed", [], "A closed"],
    [undefined, "A closed", ["B open, offered"], "none open"],
    [undefined, "A closed", ["B open"], "none open"],
    [undefined, "A closed", ["B nothing"], "A closed"],
    ["A closed", "B closed", ["A closed"], "B closed"],
    ["A closed", "B closed", ["A closed", "C open, offered"], "A closed"],
    // A payment that ends while another one has the money changes nothing.
    ["B paid", "A closed", ["B paid"], "B paid"],
    ["B authorized", "A closed", ["B authorized"], "B authorized"],
    ["B partiallyRefunded 40", "A closed", ["B partiallyRefunded 40"], "B partiallyRefunded 40"],
    // Nor does a second payment, nor its return.
    ["A paid", "B paid", ["A paid"], "A paid"],
    ["A partiallyRefunded 40", "B paid, offered", ["A partiallyRefunded 40"], "A partiallyRefunded 40"],
    ["A paid", "B refunded 100", ["A paid"], "A paid"],
    ["A paid", "B partiallyRefunded 40", ["A paid"], "A paid"],
    // Until nothing is left at the first one.
    ["A paid", "A refunded 100", ["B paid"], "B paid"],
    ["A partiallyRefunded 40", "A refunded 100", ["B partiallyRefunded 10"], "B partiallyRefunded 10"],
    ["A paid", "A refunded 100", ["B authorized", "C paid"], "C paid"],
    ["A paid", "A refunded 100", ["B authorized"], "B authorized"],
    ["A paid", "A refunded 100", ["B refunded 100"], "A refunded 100"],
    ["A paid", "A refunded 100", ["B open, offered"], "A refunded 100"],
    ["A authorized", "A closed", ["B paid"], "B paid"],
    // A released hold is reported, though another payment is payable: the shop believes that it has the money.
    ["A authorized", "A closed", ["B open, offered"], "A closed"],
    // After a refund, only money that the shop has requested since counts.
    ["A refunded 100", "B paid", ["A refunded 100"], "A refunded 100"],
    ["A refunded 100", "B paid, offered", ["A refunded 100"], "B paid"],
    ["A refunded 100", "B closed", ["A refunded 100"], "A refunded 100"],
    ["A refunded 100", "B refunded 100", ["A refunded 100"], "A refunded 100"],
    ["A refunded 100", "A refunded 100", ["B paid"], "A refunded 100"],
    // A refund that has failed gives its money back to the order.
    ["A refunded 100", "A partiallyRefunded 40", [], "A partiallyRefunded 40"],
    ["A refunded 100", "A paid", ["B paid"], "A paid"],
    ["B paid", "A paid", ["B paid"], "B paid"]
  ])("that is %s, with %s beside %j, is %s", (before, moved, others, after) => {
    const order = before === undefined ? unreported : stateOf(before)
    expect(textOf(decideOrder(order, payment(moved), others.map(payment)))).toBe(after)
  })

  const all = ["A", "B"].flatMap((id) =>
    ranks.flatMap((progress) => [`${id} ${progress}`, `${id} ${progress}, offered`])
  )

  it("stands, whatever moves, by a payment as that is, or as it stood", () => {
    for (const first of all) {
      for (const second of all.filter((other) => other[0] !== first[0])) {
        for (const status of ranks) {
          const order: OrderState = status === "open" ? unreported : { status, refunded: 0, payment_id: "A" }
          const state = decideOrder(order, payment(first), [payment(second)])
          const is = [
            order,
            ...[first, second]
              .map(payment)
              .map(({ payment_id, progress, refunded }) => ({ payment_id, status: progress, refunded }))
          ]
          expect(is).toContainEqual(state)
        }
      }
    }
  })

  it("is told that it has money while a payment that it stands by has", () => {
    for (const other of all.filter((text) => text.startsWith("B"))) {
      const state = decideOrder({ status: "paid", refunded: 0, payment_id: "A" }, payment("A refunded 100"), [
        payment(other)
      ])
      const hasMoney = /authorized|paid|partially/.test(other)
      expect(`${other}: ${state.payment_id}`).toBe(`${other}: ${hasMoney ? "B" : "A"}`)
    }
  })
})
