import { describe, expect, it } from "vitest"
import { LedgerError } from "../../src/ledger/model/LedgerError.js"
import { LedgerError as YieldableLedgerError } from "../../src/ledger/model/YieldableLedgerError.js"

describe.each([
  { entry: "promises", Class: LedgerError },
  { entry: "programs", Class: YieldableLedgerError }
])("the LedgerError of $entry", ({ Class }) => {
  it("is worth repeating with the same key where the store could not be used, and in no other case", () => {
    const message = "What went wrong."
    const isRetryable = [
      new Class({ reason: { _tag: "LedgerUnavailable", message } }),
      new Class({ reason: { _tag: "KeyReused", message, key: "complaint-77" } }),
      new Class({ reason: { _tag: "InvalidArgument", message } }),
      new Class({ reason: { _tag: "NotResolved", message, key: "complaint-77" } })
    ].map((error) => error.isRetryable)
    expect(isRetryable).toEqual([true, false, false, false])
  })

  it("goes into a log with its reason and the page that says what to do, without its cause and its stack", () => {
    const reason = { _tag: "KeyReused", message: "What went wrong.", key: "complaint-77" } as const
    const error = new Class({ reason, cause: new Error("the database's own") })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      _tag: "LedgerError",
      message: "What went wrong.",
      help: "node_modules/effect-gopay/docs/errors.md#keyreused",
      reason
    })
  })
})
