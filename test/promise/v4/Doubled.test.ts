/**
 * Each change of API v4 that something on the way doubles: its request, so that the gateway gets it twice, or the response
 * of the change before it, which comes again in place of its own. What the client says then, what reading finds, and how
 * often it was made.
 */
import * as Struct from "effect/Struct"
import { describe, expect, it } from "vitest"
import { ChangeRecordV4, type ChangeOperationV4 } from "../../../src/promise/v4/index.js"
import { startDoublingProxy, type Doubling } from "../../support/DoublingProxy.js"
import {
  losableV4,
  order,
  outcomeUnknown,
  paid,
  reasonOf,
  scene,
  started,
  subscription,
  type Scene
} from "../../support/LosableChangesV4.js"

interface DoubledScene extends Scene {
  readonly next: (fate: Doubling) => void
}

/** A client that calls the gateway through a proxy. */
const doubledScene = (test: (scene: DoubledScene) => Promise<void>): Promise<void> => {
  let next: DoubledScene["next"] = () => expect.unreachable()
  return scene(
    (all) => test({ ...all, next: (fate) => next(fate) }),
    async (url) => {
      const proxy = await startDoublingProxy(url)
      next = proxy.next
      return proxy
    }
  )
}

const succeeded = "success"

/** What a call ended with: a success, or the reason's tag. */
const endOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => succeeded,
    async () => (await reasonOf(call))._tag
  )

describe("a change that reaches the gateway twice", () => {
  /** How often it is made, the end of a call that gets the second one's response, and what is found if both are lost. */
  const rows: {
    readonly [Name in ChangeOperationV4]: readonly [made: number, second: string, found: string, why?: string]
  } = {
    createPayment: [2, succeeded, "CannotTell", "NotSearchable"],
    cancelPayment: [1, "OperationRefused", "StateReached"],
    refundPayment: [2, succeeded, "CannotTell", "EqualAmounts"],
    // No one sees a recurrence that is not started.
    createRecurrence: [0, succeeded, "CannotTell", "NotSearchable"],
    startRecurrence: [1, "OperationRefused", "Happened"],
    // Only the newest of the two is shown.
    nextPayment: [2, succeeded, "Happened"],
    stopRecurrence: [1, "OperationRefused", "StateReached"]
  }

  describe.each(Struct.keys(rows))("%s", (name) => {
    const [made, second, found, why] = rows[name]

    it.each([
      ["first", succeeded],
      ["second", second]
    ] as const)("ends by the response of the %s one", (which, end) =>
      doubledScene(async (all) => {
        const { call, effects } = await losableV4[name](all)
        const before = await effects()
        all.next(`twice, ${which}`)
        expect(await endOf(call())).toBe(end)
        expect((await effects()) - before).toBe(made)
      })
    )

    it("is found out, as far as reading can, where both responses are lost", () =>
      doubledScene(async (all) => {
        const { call, effects, record } = await losableV4[name](all)
        const before = await effects()
        all.next("twice, lost")
        const { change } = await outcomeUnknown(call())
        const finding = await all.gateway.reconcile(record(ChangeRecordV4.parse(JSON.stringify(change))))
        expect(finding).toMatchObject({ _tag: found, ...(why === undefined ? {} : { why }) })
        expect((await effects()) - before).toBe(made)
      }))
  })

  it("as a refund of all is refused the second time, although the money is on its way: the list says so", () =>
    doubledScene(async (all) => {
      const { gateway, next } = all
      const id = await paid(all)
      next("twice, second")
      expect(await endOf(gateway.refundPayment(id, { amount: order.amount }))).toBe("OperationRefused")
      expect((await gateway.getPaymentRefunds(id)).map(({ state }) => state)).toEqual(["REQUESTED", "FAILED"])
    }))
})

describe("a change that gets the response of the one before it", () => {
  /** Another change of the same kind than `losableV4` makes, then that one. */
  const rows: {
    readonly [Name in ChangeOperationV4]: readonly [
      end: string,
      found: string | undefined,
      before: (scene: Scene) => Promise<() => Promise<unknown>>
    ]
  } = {
    createPayment: [
      "OutcomeUnknown",
      "CannotTell",
      async ({ gateway }) =>
        () =>
          gateway.createPayment({ ...order, order_number: "another" })
    ],
    // A response without a body is about anything.
    cancelPayment: [
      succeeded,
      undefined,
      async ({ gateway }) => {
        const { id } = await gateway.createPayment(order)
        return () => gateway.cancelPayment(id)
      }
    ],
    refundPayment: [
      "OutcomeUnknown",
      "Happened",
      async (all) => {
        const id = await paid(all)
        return () => all.gateway.refundPayment(id, { amount: 399 })
      }
    ],
    createRecurrence: [
      "OutcomeUnknown",
      "CannotTell",
      async ({ gateway }) =>
        () =>
          gateway.createRecurrence({ ...subscription, payment: { ...order, order_number: "another" } })
    ],
    // Without an amount or an order number of its own nothing tells it from another one's.
    startRecurrence: [
      succeeded,
      undefined,
      async ({ gateway }) => {
        const { id } = await gateway.createRecurrence(subscription)
        return () => gateway.startRecurrence(id)
      }
    ],
    nextPayment: [
      "OutcomeUnknown",
      "Happened",
      async (all) => {
        const { id } = await started(all)
        return () => all.gateway.nextPayment(id, { order_number: "april" })
      }
    ],
    stopRecurrence: [
      succeeded,
      undefined,
      async (all) => {
        const { id } = await started(all)
        return () => all.gateway.stopRecurrence(id)
      }
    ]
  }

  it.each(Struct.keys(rows))("%s is in doubt where the response can be told from its own", (name) =>
    doubledScene(async (all) => {
      const [end, found, prepareBefore] = rows[name]
      const before = await prepareBefore(all)
      const { call, record } = await losableV4[name](all)
      await before()
      all.next("older")
      const called = call()
      expect(await endOf(called)).toBe(end)
      if (found === undefined) return
      const { change } = await outcomeUnknown(called)
      expect((await all.gateway.reconcile(record(change)))._tag).toBe(found)
    })
  )

  it("is taken for its own after a charge without an order number of its own, which nothing tells from another's", () =>
    doubledScene(async (all) => {
      const { gateway, next } = all
      const [one, other] = [await started(all), await started(all)]
      const charged = await gateway.nextPayment(one.id)
      next("older")
      expect((await gateway.nextPayment(other.id)).id).toBe(charged.id)
    }))

  it("is in doubt after a refusal of another payment", () =>
    doubledScene(async (all) => {
      const { gateway, next } = all
      const { id: unpaid } = await gateway.createPayment(order)
      const id = await paid(all)
      expect(await endOf(gateway.refundPayment(unpaid, { amount: 400 }))).toBe("OperationRefused")
      next("older")
      expect(await endOf(gateway.refundPayment(id, { amount: 400 }))).toBe("OutcomeUnknown")
      expect((await gateway.getPaymentRefunds(id)).map(({ state }) => state)).toEqual(["REQUESTED"])
    }))
})
