import { describe, expect, it } from "vitest"
import { createGatewayClient, GatewayError } from "../../src/promise/index.js"
import { operations, order, payment, paymentId } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import { startScriptedGateway, watchedFetch } from "../support/ScriptedGateway.js"

/** A client as plain JavaScript sees it: methods that take anything. */
const untyped =
  (client: object) =>
  (method: string, ...args: ReadonlyArray<unknown>): Promise<unknown> => {
    const implementation: unknown = Reflect.get(client, method)
    if (typeof implementation !== "function") return expect.fail(`${method} is no method`)
    return Promise.resolve(Reflect.apply(implementation, client, args))
  }

/** The fields that the call is refused for; it must not have sent anything. */
const refusedFields = async (method: string, ...args: ReadonlyArray<unknown>) => {
  await using gateway = await startScriptedGateway()
  const { called, fetch } = watchedFetch()
  await using client = createGatewayClient({ ...gateway.merchant, fetch })
  const { operation, reason } = await gatewayErrorOf(untyped(client)(method, ...args))
  expect(operation).toBe(method)
  expect(reason).toMatchObject({ _tag: "InvalidRequest", refusedBy: "client", isRetryable: false })
  expect(reason.message).toMatch(/^Nothing was sent\. /)
  expect(await called()).toEqual([])
  return reason._tag === "InvalidRequest" ? reason.errors.map(({ field }) => field) : expect.fail(reason._tag)
}

describe.each(operations)("$name", ({ answer, call, name, result, route }) => {
  it("refuses an option that it does not know, before anything is sent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    const { called, fetch } = watchedFetch()
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    // @ts-expect-error a misspelt option
    const { operation, reason } = await gatewayErrorOf(call(client, { timeOut: 1_000 }))
    expect(operation).toBe(name)
    expect(reason).toMatchObject({
      _tag: "InvalidRequest",
      refusedBy: "client",
      errors: [{ field: "options.timeOut", message: "is not known here; check its spelling" }]
    })
    expect(await called()).toEqual([])
    await expect(call(client, { timeout: 30_000 })).resolves.toEqual(result)
  })
})

describe("options of a call", () => {
  it.each([
    ["options.signal", { signal: {} }],
    ["options.signal", { signal: null }],
    ["options.signal", { signal: new AbortController() }],
    ["options.timeout", { timeout: 0 }],
    ["options.timeout", { timeout: -1 }],
    ["options.timeout", { timeout: Number.NaN }],
    ["options.timeout", { timeout: Number.POSITIVE_INFINITY }],
    ["options.timeout", { timeout: "50" }],
    ["options.timeout", Object.create({ timeout: 0 })],
    ["options.timeout", Object.create({ timeout: 5e9, signal: undefined }, { timeout: { value: "50" } })],
    ["options.toString", { toString: 5 }],
    ["options", { s3cr3tXY: 1 }],
    ["options.__proto__", JSON.parse(`{"__proto__":5}`)],
    ["options", null],
    ["options", 5_000],
    ["options", "signal"],
    ["options", []],
    ["options", new AbortController().signal]
  ])("must be right: %s of %o", async (field, options) => {
    expect(await refusedFields("getPayment", paymentId, options)).toEqual([field])
  })

  it("are all named when several are wrong", async () => {
    expect(await refusedFields("getPayment", paymentId, { signal: 1, timeout: 0, retries: 3 })).toEqual([
      "options.retries",
      "options.signal",
      "options.timeout"
    ])
  })
})

describe("from plain JavaScript", () => {
  it.each([[[]], [[undefined]], [[null]], [[1_000]]])("a partial capture needs a request: %j", async (args) => {
    expect(await refusedFields("captureAuthorizationPartial", paymentId, ...args)).toHaveLength(1)
  })

  it.each([
    {},
    { amount: undefined },
    { amount: null },
    { amount: "all" },
    { amount: 0 },
    { amount: 0.5 },
    { amount: -1 }
  ])("a partial capture needs its amount: %o", async (capture) => {
    expect(await refusedFields("captureAuthorizationPartial", paymentId, capture)).toEqual(["amount"])
  })

  it("options in the place of a partial capture are not taken for one", async () => {
    expect(await refusedFields("captureAuthorizationPartial", paymentId, { timeout: 50 })).toEqual(
      expect.arrayContaining(["amount", "timeout"])
    )
  })

  it.each([[{ amount: 1_000 }], [{ amount: 1_000, items: [] }], [{ timeout: 50, amount: 1_000 }]])(
    "a full capture with an amount is refused: %j",
    async (options) => {
      expect(await refusedFields("captureAuthorization", paymentId, options)).toContain("options.amount")
    }
  )

  it("a full capture with an amount is told what captures a part", async () => {
    const client = createGatewayClient({ goid: 1, clientId: "1", clientSecret: "1", environment: "sandbox" })
    const { reason } = await gatewayErrorOf(untyped(client)("captureAuthorization", paymentId, { amount: 1_000 }))
    expect(reason.message).toContain("captureAuthorizationPartial")
  })

  it("a full capture with a bare amount is refused", async () => {
    expect(await refusedFields("captureAuthorization", paymentId, 1_000)).toEqual(["options"])
  })

  it.each([undefined, null, "", "3000006542/refund", "../cards/1", 0, -1, 1.5, 2 ** 53, Number.NaN, {}, [], true, 5n])(
    "an identifier must be one: %s",
    async (id) => {
      expect(await refusedFields("getPayment", id)).toEqual(["id"])
      expect(await refusedFields("refundPayment", id, { amount: 1 })).toEqual(["id"])
      expect(await refusedFields("deleteCard", id)).toEqual(["card_id"])
      // The configured shop is the default.
      expect(await refusedFields("getPaymentInstruments", id ?? null, "CZK")).toEqual(["goid"])
    }
  )

  it.each([undefined, null, "", "CZ/K", "..", {}, []])("a currency must be one: %j", async (currency) => {
    expect(await refusedFields("getPaymentInstruments", 8123456781, currency)).toEqual(["currency"])
  })

  it("a refund needs its amount", async () => {
    expect(await refusedFields("refundPayment", paymentId)).toEqual(["request"])
    expect(await refusedFields("refundPayment", paymentId, 5_000)).toEqual(["request"])
    expect(await refusedFields("refundPayment", paymentId, {})).toEqual(["amount"])
    expect(await refusedFields("refundPayment", paymentId, { amount: 50.5 })).toEqual(["amount"])
    expect(await refusedFields("refundPayment", paymentId, { amount: 5_000, currency: "CZK" })).toEqual(["currency"])
  })

  it("options in the place of the QR request are refused", async () => {
    expect(await refusedFields("getPaymentQr", paymentId, { timeout: 50 })).toEqual(["timeout"])
  })

  it("a payment names every field that is wrong", async () => {
    expect(await refusedFields("createPayment")).toEqual(["request"])
    expect(await refusedFields("createPayment", "2026-0042")).toEqual(["request"])
    expect(await refusedFields("createPayment", {})).toEqual(["amount", "currency", "order_number", "callback"])
    expect(
      await refusedFields("createPayment", {
        ...order,
        currency: undefined,
        amount: "1399.50",
        items: [{ name: "A book", amount: 1.5 }],
        callback: { return_url: "/return" },
        ammount: 1
      })
    ).toEqual(expect.arrayContaining(["currency", "amount", "items[0].amount", "callback.return_url", "ammount"]))
  })

  it("what throws when it is checked is refused, not thrown raw", async () => {
    const throwing = {
      get amount(): number {
        throw new Error("checked")
      }
    }
    expect(await refusedFields("createPayment", throwing)).toEqual(["request"])
    expect(await refusedFields("refundPayment", paymentId, throwing)).toEqual(["request"])
    const options = {
      get signal(): AbortSignal {
        throw new Error("checked")
      }
    }
    expect(await refusedFields("getPayment", paymentId, options)).toEqual(["options"])
    expect(await refusedFields("getPayment", paymentId, { signal: Object.create(AbortSignal.prototype) })).toEqual([
      "options"
    ])
  })

  it("an identifier that no number holds exactly is refused: no response could match it", async () => {
    expect(await refusedFields("refundPayment", "9007199254740993", { amount: 1 })).toEqual(["id"])
  })

  it("a payment that JSON cannot carry is refused, not thrown raw", async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    expect(await refusedFields("createPayment", { ...order, eet: { total: 1n } })).toEqual(["eet.total"])
    expect(await refusedFields("createPayment", { ...order, eet: circular })).toEqual(["eet.self"])
  })
})

describe("refusals by the client", () => {
  it("come from the promise, never from the call itself", async () => {
    await using gateway = await startScriptedGateway()
    const { called, fetch } = watchedFetch()
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    const calls = [
      () => untyped(client)("getPayment", Symbol.iterator),
      () => client.getPayment("x"),
      () => client.getPayment(paymentId, { timeout: -1 })
    ]
    for (const call of calls) expect(await call().catch((error: unknown) => error)).toBeInstanceOf(GatewayError)
    expect(await called()).toEqual([])
  })

  it("leave the client usable", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /payments/payment", { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    await gatewayErrorOf(client.createPayment({ ...order, amount: -1 }))
    await expect(client.createPayment(order)).resolves.toEqual(payment)
    expect(gateway.calls).toHaveLength(1)
  })
})
