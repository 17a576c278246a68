/**
 * The page about errors: a section for each reason and each code, and the link to it that an error carries.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ErrorCodes } from "../../src/contract/CodeLists.js"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { documents } from "../../src/package/Documents.js"
import type { FailedCall } from "../../src/client/call/FailureReason.js"
import { refused } from "../../src/client/call/RefusalReason.js"
import { GatewayError } from "../../src/client/error/YieldableGatewayError.js"
import { GatewayErrorReason } from "../../src/client/error/GatewayErrorSchema.js"
import { NotificationError as PlainNotificationError } from "../../src/client/notification/Notification.js"
import { NotificationError } from "../../src/client/notification/NotificationError.js"
import { LedgerError } from "../../src/ledger/model/LedgerError.js"
import { payerMessage } from "../../src/client/payment/PayerMessage.js"

const page = readFileSync("docs/errors.md", "utf8")

const sections = new Map(
  page
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section] as const)
)

const operations = Object.values(Endpoint).map(({ name }) => name)

const errorOf = (code: number, named: string | undefined): GatewayError => {
  const operation = operations.find((name) => name === named) ?? "getPayment"
  const change = { operation: "refundPayment", paymentId: 1, amount: 1, sentAt: "2026-01-01T00:00:00Z" } as const
  const isRead = operation === "getPayment"
  const call: FailedCall = { operation, subject: { paymentId: 1 }, change: isRead ? undefined : change }
  const status = code === 100 || code === 500 ? 500 : 409
  const reason = refused(call, {
    status,
    errors: [{ error_code: code }],
    codes: new Set([code]),
    retryAfter: undefined
  })
  return new GatewayError({ operation, reason: reason._tag === "OutcomeUnknown" ? { ...reason, change } : reason })
}

describe("the page about errors", () => {
  it("is a file of the package, which whoever reads an error has", () => {
    const manifest: { readonly name: string; readonly files: ReadonlyArray<string> } = JSON.parse(
      readFileSync("package.json", "utf8")
    )
    expect(documents).toBe(`node_modules/${manifest.name}/docs`)
    expect(manifest.files).toContain("docs")
    expect(manifest.files).not.toContain("!docs/errors.md")
  })

  it("has a section for each reason, and errors lead to it", () => {
    const tags = GatewayErrorReason.members.map(({ fields }) => fields._tag.schema.literal)
    expect(tags.length).toBe(10)
    for (const tag of tags) expect([...sections.keys()]).toContain(tag)
  })

  it("has a section for each reason of a notification's error", () => {
    const source = readFileSync("src/client/notification/Notification.ts", "utf8")
    const tags = Array.from(source.matchAll(/^export interface \w+ extends \w+<"(\w+)">/gm), ([, tag]) => tag)
    expect(tags.length).toBe(7)
    expect([...sections.keys()]).toEqual(expect.arrayContaining(tags))
  })

  it("has a section for each reason of a ledger's error", () => {
    const source = readFileSync("src/ledger/model/LedgerError.ts", "utf8")
    const tags = Array.from(source.matchAll(/^export interface \w+ extends \w+<"(\w+)">/gm), ([, tag]) => tag)
    expect(tags.length).toBe(4)
    expect([...sections.keys()]).toEqual(expect.arrayContaining(tags))
  })

  it("has a section for each reason of a statement's error", () => {
    const source = readFileSync("src/statement/StatementError.ts", "utf8")
    const tags = Array.from(source.matchAll(/^ {2}readonly _tag: "(\w+)"$/gm), ([, tag]) => tag)
    expect(tags.length).toBe(6)
    expect([...sections.keys()]).toEqual(expect.arrayContaining(tags))
  })

  it.each([
    new NotificationError({ reason: { _tag: "UnknownPayment", message: "", paymentId: 1 } }),
    new PlainNotificationError({ reason: { _tag: "UnknownPayment", message: "", paymentId: 1 } }),
    new LedgerError({ reason: { _tag: "KeyReused", message: "", key: "complaint-77" } })
  ])("is linked to by what is no failed call: $_tag", (error) => {
    expect(error.help).toBe(`${documents}/errors.md#${error.reason._tag.toLowerCase()}`)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      _tag: error._tag,
      message: "",
      help: error.help,
      reason: { ...error.reason }
    })
  })

  it("has a section for each code and for no other", () => {
    const codes = [...sections.keys()].filter((heading) => /^\d/.test(heading))
    expect(codes).toEqual(Object.keys(ErrorCodes))
  })

  it.each(Object.keys(ErrorCodes))("says of %s what the client makes of it, and what the payer reads", (code) => {
    const section = sections.get(code) ?? ""
    const [, tag, operation] = /^- \*\*Reason\.\*\* \[`(\w+)`\]\(#\w+\) of `(\w+)`/m.exec(section) ?? []
    const error = errorOf(Number(code), operation)
    expect(error.reason._tag).toBe(tag)
    expect(section).toContain(`_${payerMessage(error, "en").title}_`)
    expect(section).toMatch(/\*\*Cause\.\*\* .[^]*\*\*Do\.\*\* ./)
    const isOfReason = tag === "OutcomeUnknown" || tag === "PaymentNotFound"
    expect(error.help).toBe(`${documents}/errors.md#${isOfReason ? tag?.toLowerCase() : code}`)
    expect(error.toJSON().help).toBe(error.help)
  })

  it("is linked to by the reason where a code is not listed, or not the gateway's", () => {
    expect(errorOf(399, "getPayment").help).toMatch(/#operationrefused$/)
    expect(errorOf(399, "refundPayment").help).toMatch(/#outcomeunknown$/)
    const unavailable = { _tag: "GatewayUnavailable", message: "", isRetryable: true, code: "ECONNREFUSED" } as const
    expect(new GatewayError({ operation: "getPayment", reason: unavailable }).help).toMatch(/#gatewayunavailable$/)
  })
})
