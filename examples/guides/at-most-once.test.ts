/**
 * The refund in steps, with an engine that is killed at each of its points.
 */
import { assert, describe, it } from "@effect/vitest"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { afterEach, vi } from "vitest"
import { refundInSteps, type Steps } from "./at-most-once.js"

class Killed extends Error {}

/** An engine that is killed at the point of this number, and keeps what it has stored. */
const engine = (killAt: number) => {
  const stored = new Map<string, string>()
  const started = new Set<string>()
  const runs = new Map<string, number>()
  let point = 0
  const mayDie = () => {
    if (point++ === killAt) throw new Killed()
  }
  const finish = async (name: string, step: () => Promise<string>): Promise<string> => {
    runs.set(name, (runs.get(name) ?? 0) + 1)
    mayDie()
    const result = await step()
    mayDie() // What it has done is done, and no one knows.
    stored.set(name, result)
    mayDie()
    return result
  }
  const steps: Steps = {
    run: async (name, step) => stored.get(name) ?? finish(name, step),
    once: async (name, step) => {
      const result = stored.get(name)
      if (result !== undefined || started.has(name)) return result
      started.add(name)
      return finish(name, step)
    }
  }
  return { steps, runs, wasKilled: () => point > killAt }
}

const faults = [
  { name: "nothing", fault: undefined, outcome: "refunded" },
  { name: "its response is lost", fault: { type: "connectionReset", effect: "committed" }, outcome: "refunded" },
  { name: "it does not arrive", fault: { type: "connectionReset", effect: "none" }, outcome: "an operator decides" },
  { name: "it is refused", fault: { type: "refusal", code: 330 }, outcome: "not refunded" }
] as const

/** Before a step, between what it does and the storing of it, and after that: three points for each of three steps. */
const points = Array.from({ length: 10 }, (_, point) => point)

describe("a refund in steps, of which one runs at most once", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each(faults)(
    "is sent once at most and reported as the books have it, wherever it is killed, when $name happens",
    async (one) => {
      await using local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
      await using gateway = createGatewayClient(local.merchant)
      for (const killAt of points) {
        const { id } = await gateway.createPayment({
          amount: 1_000,
          currency: "CZK",
          order_number: String(killAt),
          callback: { return_url: "https://shop.example/return" }
        })
        await local.payByCard(id)
        if (one.fault !== undefined) await local.armFault(one.fault, { operation: "refundPayment" })
        const { runs, steps, wasKilled } = engine(killAt)
        const attempt = () => refundInSteps(gateway, steps, id, 400).catch((error: unknown) => error)
        let outcome = await attempt()
        while (outcome instanceof Error) {
          if (!(outcome instanceof Killed)) {
            assert.strictEqual(outcome.message, "Not known yet.")
            vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ["Date"] })
          }
          outcome = await attempt()
        }
        vi.useRealTimers()
        const refunds = (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)
        const requests = (await local.listRequests()).filter(
          ({ operation, paymentId }) => operation === "refundPayment" && paymentId === id
        )
        assert.isAtMost(runs.get("send") ?? 0, 1)
        assert.isAtMost(requests.length, 1)
        assert.deepStrictEqual(refunds, one.outcome === "refunded" && requests.length === 1 ? [400] : [])
        const [said = ""] = String(outcome).split(":")
        assert.include(refunds.length === 1 ? ["refunded"] : ["not refunded", "an operator decides"], said)
        if (!wasKilled()) assert.strictEqual(said, one.outcome)
        await local.disarmFaults()
      }
    }
  )
})
