import { assert, describe, it } from "@effect/vitest"
import { notifiedPaymentV4 } from "../../../src/client/v4/index.js"

describe("a notification of API v4 names the payment", () => {
  it.each([
    ["in its address", "/notify?id=7310000001", undefined],
    ["by PHP's name", "https://shop.example/notify?shop=1&payment_id=7310000001#top", undefined],
    ["in JSON", "/notify", '{"id":"7310000001","state":"PAID"}'],
    ["as a number in JSON", "/notify", '{"id":7310000001}'],
    ["as text and as a number", "/notify?id=7310000001", '{"payment_id":7310000001}'],
    ["in a form", "/notify", "payment_id=7310000001"],
    ["twice, alike", "/notify?id=7310000001", '{"id":"7310000001"}']
  ])("%s", (_, address, body) => assert.strictEqual(notifiedPaymentV4(address, body), "7310000001"))

  it.each([
    ["nothing", "/notify", ""],
    ["two payments", "/notify?id=1&id=2", ""],
    ["two payments by two names", "/notify?id=1&payment_id=2", ""],
    ["two payments by two names in JSON", "/notify", '{"id":"1","payment_id":"2"}'],
    ["two payments in a form", "/notify", "id=1&id=2"],
    ["an id and a blank", "/notify?id=7310000001%20", ""],
    ["another path", "/notify?id=..%2Frefunds", ""],
    ["an empty id", "/notify?id=", ""],
    ["digits of another script", "/notify?id=%D9%A7", ""],
    ["more digits than an id has", `/notify?id=${"1".repeat(41)}`, ""],
    ["a list in JSON", "/notify", '{"id":["7310000001"]}'],
    ["one payment in the address and another in the body", "/notify?id=1", '{"id":"2"}'],
    ["a number that has lost digits", "/notify", '{"id":73100000010000000001}'],
    ["a number with a fraction", "/notify", '{"id":7310000001.5}'],
    ["a number below 0", "/notify", '{"id":-7310000001}'],
    ["no digits", "/notify?id=7e9", ""],
    ["JSON that is broken", "/notify", '{"id":'],
    ["a list", "/notify", "[1]"]
  ])("not by %s", (_, address, body) => assert.isUndefined(notifiedPaymentV4(address, body)))

  it("not by what every object has since another library put it there", () => {
    // oxlint-disable-next-line no-extend-native -- as another library does
    Object.defineProperty(Object.prototype, "id", { value: "7310000001", configurable: true })
    try {
      assert.isUndefined(notifiedPaymentV4("/notify", "{}"))
    } finally {
      Reflect.deleteProperty(Object.prototype, "id")
    }
  })
})
