/**
 * What a caller hands over: what is checked is what is sent, and what cannot be sent as it is, is refused with its name.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as Client from "../../../src/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { gatewayErrorOf } from "../../support/Rejection.js"
import { startScriptedGateway } from "../../support/ScriptedGateway.js"
import { finished, gatewayOver, json, scripted, type SentRequest } from "../../support/ScriptedTransport.js"

type Untyped = Effect.Effect<unknown, Client.GatewayError, Client.Gateway>

const id = 3090066980

/** What a call sent, and the fields that it was refused for. */
const outcomeOf = (call: Untyped) => {
  const transport = scripted(() => json(finished))
  return Effect.map(
    Effect.result(Effect.provide(call, Layer.orDie(gatewayOver(transport)))),
    (result): { readonly sent: ReadonlyArray<SentRequest>; readonly fields: ReadonlyArray<string | undefined> } => ({
      sent: transport.sent,
      fields:
        result._tag === "Failure" && result.failure.reason._tag === "InvalidRequest"
          ? result.failure.reason.errors.map(({ field }) => field)
          : []
    })
  )
}

/** A call from JavaScript, which knows no types. */
const untyped = (call: object, ...args: ReadonlyArray<unknown>): Untyped =>
  typeof call === "function" ? Reflect.apply(call, undefined, args) : assert.fail("no function")

const custom = (request: object): Untyped =>
  untyped(Client.sendRequest, { method: "POST", path: "/x", kind: "change", ...request })

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example.com/return" }
}

describe("a request for the capture of the whole", () => {
  it.effect("is refused before anything is sent, and names what captures a part", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(untyped(Client.captureAuthorization, id, { amount: 100 }))
      assert.strictEqual(reason._tag, "InvalidRequest")
      assert.include(reason.message, "captureAuthorizationPartial")
    }).pipe(Effect.provide(Layer.orDie(gatewayOver(scripted(() => assert.fail("sent"))))))
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// Paths
// ---------------------------------------------------------------------------------------------------------------------

describe("the path of a request of one's own", () => {
  it.effect.each([
    "/..\u0001",
    "/..\u0000/admin",
    "/\u0085../admin",
    "/..%2fadmin",
    "/%2e%2e/admin",
    "/%2E%2e%2Fadmin",
    "/.%2e/admin",
    "/%252e%252e%252fadmin",
    "/%25252e%25252e/admin",
    "/a/..",
    "/a/.",
    "/./a",
    "/..;/admin",
    "/..;a=b/admin",
    "/a/..%3b/admin",
    "/..%20/admin",
    "/..%09/admin",
    "/..%00/admin",
    "/..%c0%afadmin",
    "/..%25c0%25afadmin",
    "/..%u002fadmin",
    "/．．/admin",
    "/..／admin",
    "/..\\admin",
    "/..%5cadmin",
    "/..%255cadmin",
    "\\..\\admin",
    "//other.example/a",
    "/\\other.example/a",
    "/\t/other.example",
    "/a\n/b",
    "/a/%2f%2fb",
    "/a%3fb",
    "/a%23b",
    "/a#b",
    "/%",
    "/%zz",
    "/a\ud800",
    "https://other.example/a",
    "@other.example",
    "",
    " /a"
  ])("is refused when it might lead elsewhere: %j", (path) =>
    Effect.map(outcomeOf(custom({ path })), (outcome) =>
      assert.deepStrictEqual(outcome, { sent: [], fields: ["path"] })
    )
  )

  it.effect.each([
    "/payments/payment/3090066980/new-thing?detail=1&to=/../x",
    "/a?b=https%3A%2F%2Fshop.example%2F..%2F",
    "/a/",
    "/a//b",
    "/a;b=c/d",
    "/...",
    "/a..b/.c",
    "/cen%C3%ADk/100%25",
    "/ceník",
    "/a@b:c"
  ])("stays below the API's address: %j", (path) =>
    Effect.map(outcomeOf(custom({ path })), ({ fields, sent }) => {
      assert.deepStrictEqual(fields, [])
      assert.strictEqual(sent[0]?.url, new URL(`https://gateway.example/api${path}`).href)
      assert.match(new URL(sent[0]?.url ?? "").pathname, /^\/api\//)
    })
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// What JSON cannot hold
// ---------------------------------------------------------------------------------------------------------------------

class Money {
  readonly amount = 5
  get doubled(): number {
    return this.amount * 2
  }
}

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

/** Its second element is a hole. */
const sparse = Object.assign([1], { 2: 3 })

let deep: unknown = "end"
for (let depth = 0; depth < 20_000; depth++) deep = [deep]

const unwritable: { readonly [what: string]: unknown } = {
  "a function": () => 1,
  "a symbol": Symbol("amount"),
  "a bigint": 1n,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "a Date": new Date(0),
  "a Map": new Map([["amount", 1]]),
  "a Set": new Set([1]),
  "a regular expression": /a/,
  "an error": new Error("a"),
  "a promise": Promise.resolve(1),
  bytes: new Uint8Array([1]),
  "a boxed number": Object(1),
  "a class with toJSON": new (class {
    toJSON() {
      return 1
    }
  })(),
  "half a surrogate pair": "a\ud800"
}

describe.each(Object.entries(unwritable))("%s", (_, value) => {
  it.effect("is refused in a body and in extra fields, with the path to it", () =>
    Effect.gen(function* () {
      const fieldsOf = (call: Untyped) =>
        Effect.map(outcomeOf(call), (outcome) => [outcome.sent.length, ...outcome.fields])
      const create = (extraFields: object) => untyped(Client.createPayment, { ...order, extraFields })
      assert.deepStrictEqual(yield* fieldsOf(custom({ path: "/payments/payment/1/capture", body: value })), [0, "body"])
      assert.deepStrictEqual(yield* fieldsOf(custom({ body: { list: [1, { it: value }] } })), [0, "body.list[1].it"])
      assert.deepStrictEqual(yield* fieldsOf(create({ it: value })), [0, "extraFields.it"])
      assert.deepStrictEqual(yield* fieldsOf(create({ list: [null, value] })), [0, "extraFields.list[1]"])
      const refund = untyped(Client.refundPayment, id, { amount: 1, extraFields: { it: value } })
      assert.deepStrictEqual(yield* fieldsOf(refund), [0, "extraFields.it"])
      assert.deepStrictEqual((yield* fieldsOf(custom({ form: { it: value } }))).slice(0, 1), [0])
      assert.deepStrictEqual(
        (yield* fieldsOf(untyped(Client.createPayment, { ...order, payer: { contact: value } }))).slice(0, 1),
        [0]
      )
    })
  )
})

describe("a body", () => {
  it.effect.each([
    ["a list with a hole", sparse, ["body[1]"]],
    ["a list with undefined", [undefined], ["body[0]"]],
    ["one within itself", cyclic, ["body.self"]],
    ["a name with half a surrogate pair", { "a\udfff": 1 }, ["body"]],
    ["what must not be shown as a name", { "4111 1111 1111 1111": { amount: 1n } }, ["body.amount"]]
  ] as const)("is refused: %s", ([, body, fields]) =>
    Effect.map(outcomeOf(custom({ body })), (outcome) => assert.deepStrictEqual(outcome, { sent: [], fields }))
  )

  it.effect("nested beyond all measure is refused, and does not overflow the stack", () =>
    Effect.map(outcomeOf(custom({ body: deep })), ({ fields, sent }) => {
      assert.deepStrictEqual(sent, [])
      assert.lengthOf(fields, 1)
    })
  )

  it.effect.each([
    [null, "null"],
    ["text", `"text"`],
    [0, "0"],
    [-0, "0"],
    [false, "false"],
    [[], "[]"],
    [{ a: undefined, b: [{}], ž: "\u2028😀" }, `{"b":[{}],"ž":"\u2028😀"}`],
    [Object.create(null), "{}"],
    [new Money(), `{"amount":5}`],
    [JSON.parse(`{"__proto__":{"a":1},"constructor":2}`), `{"__proto__":{"a":1},"constructor":2}`]
  ] as const)("is sent as JSON has it: %j", ([body, text]) =>
    Effect.map(outcomeOf(custom({ body })), ({ sent }) =>
      assert.deepStrictEqual(
        sent.map(({ body }) => body),
        [text]
      )
    )
  )

  it.effect("of extra fields keeps a member called __proto__", () =>
    Effect.map(
      outcomeOf(Client.createPayment({ ...order, extraFields: JSON.parse(`{"__proto__":{"a":1}}`) })),
      ({ sent }) => assert.include(sent[0]?.body, `"__proto__":{"a":1}`)
    )
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// What changes while it is read
// ---------------------------------------------------------------------------------------------------------------------

/** A value that is another one each time it is read. */
const changing = (first: unknown, then: unknown) => {
  let isFirst = true
  return () => {
    const value = isFirst ? first : then
    isFirst = false
    return value
  }
}

const withGetter = (name: string, read: () => unknown): object =>
  Object.defineProperty({}, name, { get: read, enumerable: true })

describe("what was checked is what is sent", () => {
  const bodies = (call: Untyped) => Effect.map(outcomeOf(call), ({ sent }) => sent.map(({ body }) => body))

  it.effect("by a getter that changes its mind", () =>
    Effect.gen(function* () {
      const request = withGetter("amount", changing(1, 1_000_000))
      assert.deepStrictEqual(yield* bodies(untyped(Client.refundPayment, id, request)), ["amount=1"])
      const capture = { amount: 1, items: [{ name: "a", amount: 1 }] }
      const read = changing(capture.items, [])
      const sent = yield* bodies(untyped(Client.captureAuthorizationPartial, id, withGetterOf(capture, "items", read)))
      assert.include(sent[0], `"items":[{"name":"a","amount":1}]`)
      assert.deepStrictEqual(yield* bodies(custom({ body: withGetter("amount", changing(1, 2)) })), [`{"amount":1}`])
      const form = withGetterOf({ method: "POST", path: "/x", kind: "change" }, "form", changing({ a: 1 }, { a: 2 }))
      assert.deepStrictEqual(yield* bodies(untyped(Client.sendRequest, form)), ["a=1"])
    })
  )

  it.effect("by a proxy that changes its mind", () =>
    Effect.gen(function* () {
      const read = changing(1, 1_000_000)
      const proxy = new Proxy({ amount: 1 }, { get: (_, name) => (name === "amount" ? read() : undefined) })
      assert.deepStrictEqual(yield* bodies(untyped(Client.refundPayment, id, proxy)), ["amount=1"])
      const readExtra = changing({ note: "first" }, { amount: 1_000_000 })
      const extra = new Proxy(
        { extraFields: {}, amount: 1 },
        { get: (target, name) => (name === "extraFields" ? readExtra() : Reflect.get(target, name)) }
      )
      assert.deepStrictEqual(yield* bodies(untyped(Client.refundPayment, id, extra)), ["amount=1&note=first"])
    })
  )

  it.effect.each(["own", "inherited"])("not what %s toJSON says: it is refused", (how) =>
    Effect.gen(function* () {
      const methods = { toJSON: () => ({ amount: 1_000_000 }) }
      const withToJson = (data: object): object =>
        how === "own"
          ? Object.defineProperty({ ...data }, "toJSON", { value: methods.toJSON })
          : Object.assign(Object.create(methods), data)
      const calls = [
        untyped(Client.refundPayment, id, withToJson({ amount: 1 })),
        untyped(Client.createPayment, withToJson(order)),
        untyped(Client.createPayment, { ...order, extraFields: withToJson({ a: 1 }) }),
        untyped(Client.createPayment, { ...order, extraFields: { a: withToJson({ b: 1 }) } }),
        untyped(Client.createPayment, { ...order, eet: withToJson({ celk_trzba: 1 }) }),
        untyped(Client.createPayment, { ...order, callback: withToJson(order.callback) }),
        custom({ body: withToJson({ amount: 1 }) }),
        untyped(Client.sendRequest, withToJson({ method: "POST", path: "/x", kind: "change" }))
      ]
      for (const call of calls) {
        const { fields, sent } = yield* outcomeOf(call)
        assert.deepStrictEqual(sent, [])
        assert.isNotEmpty(fields)
      }
    })
  )

  it.effect("whatever the caller does to it afterwards", () => {
    const transport = scripted(() => json(finished))
    const body = { amount: 1 }
    return Effect.gen(function* () {
      const call = yield* Effect.map(Client.Gateway, ({ sendRequest }) =>
        sendRequest({ method: "POST", path: "/x", kind: "change", body })
      )
      body.amount = 1_000_000
      yield* call
      assert.deepStrictEqual(
        transport.sent.map(({ body }) => body),
        [`{"amount":1}`]
      )
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

const withGetterOf = (data: object, name: string, get: () => unknown): object =>
  Object.defineProperty({ ...data }, name, { get, enumerable: true })

describe("the promise client", () => {
  it("refuses the same, and sends nothing", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    for (const wrong of [{ path: "/..\u0001" }, { path: "/..%2fadmin" }, { body: () => 1 }, { body: [Number.NaN] }]) {
      const request: unknown = { method: "POST", path: "/x", kind: "change", ...wrong }
      const promise: Promise<unknown> = Reflect.apply(client.sendRequest, client, [request])
      const { reason } = await gatewayErrorOf(promise)
      expect(reason).toMatchObject({ _tag: "InvalidRequest", refusedBy: "client" })
    }
    expect(gateway.requests).toEqual([])
  })
})
