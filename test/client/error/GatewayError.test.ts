import { describe, expect, it } from "vitest"
import * as Main from "../../../src/index.js"
import { GatewayError } from "../../../src/promise/index.js"

const failure = {
  operation: "refundPayment",
  reason: { _tag: "GatewayUnavailable", isRetryable: true, message: "not now" }
} as const

describe.each([
  ["programs", Main.GatewayError],
  ["promises", GatewayError]
] as const)("the error of a call, for %s", (_, Error) => {
  it("says what failed, and has a cause only where there is one", () => {
    const error = new Error(failure)
    expect([error.name, error._tag, error.message]).toEqual(["GatewayError", "GatewayError", "refundPayment: not now"])
    expect("cause" in error).toBe(false)
    expect(new Error({ ...failure, cause: "c" }).cause).toBe("c")
  })

  it("is told from everything else, and a class made of it from it", () => {
    class Own extends Error {}
    expect(new Own(failure)).toBeInstanceOf(Error)
    expect(new GatewayError(failure)).toBeInstanceOf(Error)
    expect(new Main.GatewayError(failure)).toBeInstanceOf(Error)
    expect(new Own(failure)).toBeInstanceOf(Own)
    expect(new Error(failure)).not.toBeInstanceOf(Own)
    for (const other of [null, undefined, "GatewayError", {}, { _tag: "GatewayError" }, new globalThis.Error("m")]) {
      expect(other instanceof Error).toBe(false)
    }
  })
})
