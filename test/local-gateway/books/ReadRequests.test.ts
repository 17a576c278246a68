/**
 * What is read of the bodies of requests, and what is refused, field by field.
 */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { defaultSettings } from "../../../src/local-gateway/books/DefaultSettings.js"
import {
  readAmount,
  readCaptureAmount,
  readChargeOrder,
  readPaymentOrder,
  readStatementOrder,
  readTokenOrder,
  sumOfItems
} from "../../../src/local-gateway/books/RequestDecoder.js"
import type { Refusal } from "../../../src/local-gateway/books/Refusal.js"

const body = (content: unknown, contentType: string | undefined = "application/json") => ({
  content: typeof content === "string" ? content : JSON.stringify(content),
  contentType
})

const form = (content: string) => body(content, "application/x-www-form-urlencoded")

const order = {
  target: { goid: 1 },
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

const strict = { ...defaultSettings, itemsSum: "checked", orderChecks: "documented" } as const
const lenient = { ...defaultSettings, itemsSum: "ignored", orderChecks: "lenient" } as const

const payment = (change: object, settings: typeof strict | typeof lenient = lenient) =>
  readPaymentOrder(body({ ...order, ...change }), settings, "2026-06-30")

/** The codes and fields of a refusal. */
const refused = (result: Result.Result<unknown, Refusal>): ReadonlyArray<string> =>
  Result.isFailure(result) ? result.failure.errors.map(({ code, field }) => `${code} ${field ?? ""}`.trim()) : []

const descriptions = (result: Result.Result<unknown, Refusal>) =>
  Result.isFailure(result) ? result.failure.errors.map(({ description }) => description) : []

describe("a new payment", () => {
  it.each([
    [{ amount: "100" }, []],
    [{ amount: " 100 " }, []],
    [{ amount: "100x" }, ["111 amount"]],
    [{ amount: "x100" }, ["111 amount"]],
    [{ amount: ["100"] }, ["111 amount"]],
    [{ amount: true }, ["111 amount"]],
    [{ amount: 0 }, ["111 amount"]],
    [{ amount: 0, preauthorization: true }, []],
    [{ amount: 0, preauthorization: "true" }, []],
    [{ amount: 0, preauthorization: "false" }, ["111 amount"]],
    [{ preauthorization: "yes" }, ["111 preauthorization"]],
    [{ target: { goid: 1 } }, []],
    [{ target: { goid: 0 } }, ["111 goid"]],
    [{ order_number: 7 }, []],
    [{ order_number: true }, ["111 order_number"]],
    [{ order_number: "" }, ["110 order_number"]],
    [{ order_number: "x".repeat(128) }, []],
    [{ order_number: "x".repeat(129) }, ["111 order_number"]],
    [{ callback: { return_url: "shop.example" } }, ["111 return_url"]],
    [{ callback: { return_url: "see https://shop.example" } }, ["111 return_url"]],
    [{ callback: { return_url: "https://shop.example/a b" } }, ["111 return_url"]],
    [{ payer: { verify_pin: "1234" } }, []],
    [{ payer: { verify_pin: "12345" } }, ["111 verify_pin"]],
    [{ payer: { verify_pin: "x1234" } }, ["111 verify_pin"]],
    [{ payer: { contact: [] } }, []],
    [{ payer: { contact: "" } }, ["111 contact"]],
    [{ payer: { contact: "x" } }, ["111 contact"]],
    [{ items: [{ name: 1, amount: "5", count: "2" }, {}] }, []]
  ] as const)("%j", (change, codes) => {
    expect(refused(payment(change))).toEqual(codes)
  })

  it.each([
    [{ recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2026-07-01" }, []],
    [{ recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2026-06-30" }, ["recurrence_date_to"]],
    [{ recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2026-02-30" }, ["recurrence_date_to"]],
    [{ recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to: "2026-07-01" }, []],
    [{ recurrence_cycle: "DAY", recurrence_period: 0, recurrence_date_to: "2026-07-01" }, ["recurrence_period"]],
    [{ recurrence_cycle: "DAY", recurrence_date_to: "2026-07-01" }, ["recurrence_period"]]
  ])("that recurs, %j", (recurrence, fields) => {
    expect(refused(payment({ recurrence })).map((error) => error.split(" ")[1])).toEqual(fields)
  })

  it("is refused with the path of the field, in words", () => {
    const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2026-06-30" }
    expect(descriptions(payment({ recurrence }))).toEqual(["recurrence.recurrence_date_to must be in the future"])
    expect(descriptions(payment({ items: [{}, { name: {} }] }))).toEqual([
      expect.stringMatching(/^items\[1\]\.name must /)
    ])
    expect(descriptions(payment({ callback: { return_url: "x" } }))).toEqual([
      "callback.return_url must be an address with its protocol"
    ])
    expect(descriptions(payment({ payer: { verify_pin: "x" } }))).toEqual(["payer.verify_pin must have four digits"])
    expect(refused(payment({ items: [1] }))).toEqual(["111 items"])
  })

  it("is refused for its first hundred errors, however many it has", () => {
    const items = Array.from({ length: 300 }, () => ({ amount: "x" }))
    expect(refused(payment({ items }))).toEqual(Array.from({ length: 100 }, () => "111 amount"))
  })

  it.each([null, [], "text", 1])("is refused as a whole when it is no object: %j", (content) => {
    expect(refused(readPaymentOrder(body(JSON.stringify(content)), lenient, "2026-06-30"))).toEqual(["116"])
  })

  it("is told that this is v3 when it is written for API v4", () => {
    const hint = expect.stringMatching(
      /one of GoPay's API v4, which is below \/gp-gw\/api\/4\.0, and this is v3: node_modules\/effect-gopay\/docs\/guides\/v3-or-v4\.md$/
    )
    const customer = { email: "payer@shop.test" }
    expect(descriptions(payment({ target: undefined, customer }))[0]).toEqual(hint)
    expect(descriptions(payment({ target: undefined }))[0]).not.toEqual(hint)
    expect(descriptions(payment({ amount: 0.5, customer }))[0]).not.toEqual(hint)
    expect(refused(payment({ customer }))).toEqual([])
  })

  it("has items that add up, where that is checked", () => {
    expect(refused(payment({ items: [{ amount: 60 }, { amount: 40 }, {}] }, strict))).toEqual([])
    expect(descriptions(payment({ items: [{ amount: 60 }] }, strict))).toEqual([
      "The items sum to 60, the amount is 100."
    ])
    expect(refused(payment({ items: [] }, strict))).toEqual([])
    expect(refused(payment({ items: [{ amount: 60 }] }))).toEqual([])
    expect(sumOfItems({ items: [] })).toBeUndefined()
  })
})

describe("a charge", () => {
  const charge = { amount: 100, currency: "CZK", order_number: "1" }

  it("has a description and items, where that is checked", () => {
    expect(refused(readChargeOrder(body(charge), lenient))).toEqual([])
    expect(refused(readChargeOrder(body(charge), strict))).toEqual(["110 order_description", "110 items"])
    const whole = { ...charge, order_description: "x", items: [{ amount: 100 }] }
    expect(refused(readChargeOrder(body(whole), strict))).toEqual([])
  })
})

describe("an amount", () => {
  it.each([
    [form("amount=5"), []],
    [form(" amount=5\n"), []],
    [form("amount=%205"), []],
    [body('{"amount":5}', undefined), []],
    [body(' {"amount":5}', undefined), []],
    [form("amount=5&note={"), []],
    [body("amount=5"), ["116"]],
    [form(""), ["110 amount"]],
    [form("amount=0"), ["111 amount"]]
  ])("%j", (given, codes) => {
    expect(refused(readAmount(given, lenient))).toEqual(codes)
  })

  it("to capture is all of it without a body, and has items where that is checked", () => {
    expect(readCaptureAmount(body(" \n"), strict)).toEqual(Result.succeed("all"))
    expect(readCaptureAmount(body({ amount: 5 }), lenient)).toEqual(Result.succeed(5))
    expect(refused(readCaptureAmount(body({ amount: 5 }), strict))).toEqual(["110 items"])
    expect(readCaptureAmount(body({ amount: 5, items: [{ amount: 5 }] }), strict)).toEqual(Result.succeed(5))
  })
})

describe("a statement", () => {
  const statement = { date_from: "2026-01-01", date_to: "2026-01-01", goid: 1, currency: "CZK", format: "CSV_A" }

  it.each([
    [{}, []],
    [{ date_to: "2025-12-31" }, ["111 date_to"]],
    [{ date_to: "2026-01-32" }, ["111 date_to"]],
    [{ goid: 0 }, ["111 goid"]]
  ])("%j", (change, codes) => {
    expect(refused(readStatementOrder(body({ ...statement, ...change })))).toEqual(codes)
  })

  it("says what is wrong with a day", () => {
    expect(descriptions(readStatementOrder(body({ ...statement, date_from: "1.1.2026" })))).toEqual([
      "date_from must be a day that exists, written yyyy-mm-dd"
    ])
  })
})

describe("a request for a token", () => {
  it.each([
    ["grant_type=client_credentials&scope=payment-create", "client_credentials", "payment-create"],
    [" grant_type=client_credentials", "client_credentials", "payment-all"],
    ["scope=payment-create", undefined, "payment-create"],
    ["", undefined, "payment-all"]
  ])("%j", (content, grantType, scope) => {
    expect(readTokenOrder(form(content))).toEqual({ grantType, scope })
  })
})
