/**
 * The functions that a call passes through, as `docs/architecture.md` lists them.
 */
import { describe, expect, it } from "vitest"
import { faultsOf, wayBelow } from "./Way.js"

describe("the way of createPayment", () => {
  const way = wayBelow("The way of `createPayment`")

  it("has no more than twelve functions, from the method to the socket", () => {
    expect(way.length).toBeGreaterThan(5)
    expect(way.length).toBeLessThanOrEqual(12)
    expect(way.at(0)?.file).toBe("promise/createGatewayClient.ts")
    expect(way.at(-1)?.file).toBe("client/transport/SocketSender.ts")
  })

  it("is that of the code: each function is where the list says, and is called on the way there", () => {
    expect(faultsOf(way)).toEqual([])
  })

  it("would be found to be another", () => {
    expect(
      faultsOf([
        { name: "make", file: "client/call/Calls.ts" },
        { name: "gone", file: "client/call/Calls.ts" },
        { name: "make", file: "client/call/Gone.ts" },
        { name: "readBody", file: "client/transport/ResponseBody.ts" }
      ])
    ).toEqual([
      "2. client/call/Calls.ts has no gone",
      "3. client/call/Gone.ts has no make",
      "4. no earlier step calls readBody of client/transport/ResponseBody.ts"
    ])
  })
})
