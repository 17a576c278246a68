import { describe, expect, it } from "vitest"
import { documents } from "../../../src/package/Documents.js"
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

  it("has the address of its section: the code's where the code decides, else the reason's", () => {
    const page = `${documents}/errors.md`
    const details = { isRetryable: false, message: "m" }
    const errors = [{ error_code: 332 }, { error_code: 303 }]
    const helps = (
      [
        { _tag: "OperationRefused", code: 333, status: 409, errors, goalReached: false, ...details },
        { _tag: "OperationRefused", status: 409, errors, goalReached: false, ...details },
        { _tag: "OperationRefused", code: 999, status: 409, errors, goalReached: false, ...details },
        { _tag: "PermissionDenied", status: 403, errors: [{ error_code: 200 }], ...details },
        { _tag: "GatewayUnavailable", status: 500, errors: [{ error_code: 100 }], ...details },
        { _tag: "RateLimited", status: 429, ...details }
      ] as const
    ).map((reason) => new Error({ operation: "refundPayment", reason }).help.replace(page, ""))
    expect(helps).toEqual(["#333", "#332", "#operationrefused", "#200", "#gatewayunavailable", "#ratelimited"])
  })
})
