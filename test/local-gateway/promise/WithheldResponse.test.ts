/**
 * Responses that a gateway withholds, and its time, which a test moves.
 */
import { describe, expect, it } from "vitest"
import { mountLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../../src/promise/index.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" }
}

/** A gateway whose notifications lead to a read of the payment. */
const withGateway = async (
  test: (local: ReturnType<typeof mountLocalGateway>, gateway: GatewayClient) => Promise<void>
): Promise<void> => {
  await using local = mountLocalGateway({
    notificationReceiver: async (url) => {
      await gateway.getPayment(new URL(url).searchParams.get("id") ?? "")
      return 200
    }
  })
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("there is no merchant")
  await using gateway = createGatewayClient({
    ...merchant,
    fetch: (input, init) => local.fetch(new Request(input, init))
  })
  await test(local, gateway)
}

describe("a response that is withheld", () => {
  it.each([
    { type: "latency", milliseconds: 3_600_000 },
    { type: "slowBody", milliseconds: 3_600_000 }
  ] as const)("comes when time has moved past it: $type", (fault) =>
    withGateway(async (local, gateway) => {
      await local.armFault(fault, { operation: "createPayment" })
      const created = gateway.createPayment(order)
      await expect.poll(async () => (await local.listRequests()).at(-1)?.fault).toBe(fault.type)
      await local.advanceTime("1 hour")
      expect(await created).toMatchObject({ state: "CREATED" })
    })
  )

  it("holds up no move of time, though a notification waits for it", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await gateway.createPayment({ ...order, order_number: "2026-0043" })
      await local.armFault({ type: "noResponse" }, { operation: "getPayment" })
      await local.payByCard(id)
      // The other payment times out on the way.
      await local.advanceTime("7 days")
      expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID", "TIMEOUTED"])
    }))
})
