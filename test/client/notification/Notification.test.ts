import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { NotificationError, parseNotification } from "../../../src/promise/index.js"
import * as Main from "../../../src/index.js"

const errorOf = (source: Parameters<typeof parseNotification>[0]): NotificationError => {
  try {
    parseNotification(source)
  } catch (error) {
    if (error instanceof NotificationError) return error
  }
  return expect.fail("throws no NotificationError")
}

describe("a notification", () => {
  it.each([
    ["an address", "https://shop.example/notify?id=3000006542"],
    ["a path", "/notify?id=3000006542"],
    ["a path with a query of its own", "/notify?shop=7&id=3000006542"],
    ["a path with a fragment", "/notify?id=3000006542#top"],
    ["a URL", new URL("https://shop.example/notify?id=3000006542")],
    ["a Request", new Request("https://shop.example/notify?id=3000006542")],
    [
      "a request with a body, which is not checked",
      new Request("https://shop.example/?id=3000006542", { method: "POST", body: "id=1" })
    ],
    ["leading zeros", "?id=0003000006542"],
    ["an empty parent", "?id=3000006542&parent_id="]
  ])("is read from %s", (_, source) => {
    expect(parseNotification(source)).toEqual({ id: 3000006542 })
  })

  it("has the id of the parent of a charge", () => {
    expect(parseNotification("?id=3000006568&parent_id=3000006555")).toEqual({ id: 3000006568, parent_id: 3000006555 })
  })

  it.each([
    ["nothing", "", "id"],
    ["no request", {}, "id"],
    ["only a fragment", "/notify#?id=1", "id"],
    ["an empty id", "?id=", "id"],
    ["zero", "?id=0", "id"],
    ["a sign", "?id=-5", "id"],
    ["a plus sign", "?id=%2B5", "id"],
    ["a blank", "?id=%205", "id"],
    ["letters", "?id=5e3", "id"],
    ["hexadecimal digits", "?id=0x10", "id"],
    ["a fraction", "?id=5.0", "id"],
    ["digits of another script", "?id=٣", "id"],
    ["an id that no number can hold", "?id=9007199254740992", "id"],
    ["an id without end", `?id=${"9".repeat(100_000)}`, "id"],
    ["two ids", "?id=1&id=2", "id"],
    ["one id twice", "?id=1&id=1", "id"],
    ["a wrong parent", "?id=1&parent_id=x", "parent_id"],
    ["two parents", "?id=1&parent_id=2&parent_id=3", "parent_id"],
    ["two parents, one of them empty", "?id=1&parent_id=&parent_id=3", "parent_id"],
    ["an id in another case", "?ID=5", "id"],
    ["broken percent signs", "?id=%E0%A4%A", "id"]
  ])("is refused, naming the parameter and repeating nothing: %s", (_, source, parameter) => {
    const { message, reason } = errorOf(source)
    expect(reason).toEqual({ _tag: "InvalidNotification", parameter, message })
    expect(message).toContain(`the parameter ${parameter} `)
    expect(message.length).toBeLessThan(150)
  })

  it("is refused with an error that both entries recognise, and that is fit for logs", () => {
    const error = errorOf("")
    expect(error).toBeInstanceOf(Main.NotificationError)
    expect(error.name).toBe("NotificationError")
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      _tag: "NotificationError",
      help: expect.stringMatching(/errors\.md#invalidnotification$/),
      message: error.message,
      reason: error.reason
    })
    expect({}).not.toBeInstanceOf(NotificationError)
  })
})

describe.each([
  ["programs", Main.NotificationError, (source: string) => Effect.runSync(Main.parseNotification(source))],
  ["promises", NotificationError, parseNotification]
] as const)("the error of a notification, for %s", (_, Error, parse) => {
  const failure = { reason: { _tag: "UnknownPayment", paymentId: 1, message: "m" } } as const

  it("is thrown for an address that names no payment, with what is wrong", () => {
    expect(parse("?id=1")).toEqual({ id: 1 })
    expect(() => parse("?")).toThrow("the parameter id is missing")
    expect(() => parse("?")).toThrow(Error)
  })

  it("has the name that minifiers leave it, and a cause only where there is one", () => {
    expect(Error.name).toBe("NotificationError")
    const error = new Error(failure)
    expect([error.name, error._tag, error.message]).toEqual(["NotificationError", "NotificationError", "m"])
    expect("cause" in error).toBe(false)
    expect(new Error({ ...failure, cause: "c" }).cause).toBe("c")
  })

  it("is told from everything else, and a class made of it from it", () => {
    class Own extends Error {}
    expect(new Own(failure)).toBeInstanceOf(Error)
    expect(new NotificationError(failure)).toBeInstanceOf(Error)
    expect(new Main.NotificationError(failure)).toBeInstanceOf(Error)
    expect(new Own(failure)).toBeInstanceOf(Own)
    expect(new Error(failure)).not.toBeInstanceOf(Own)
    for (const other of [null, undefined, "NotificationError", {}, new globalThis.Error("m")]) {
      expect(other instanceof Error).toBe(false)
    }
  })
})
