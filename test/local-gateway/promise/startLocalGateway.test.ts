import { execFile } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import {
  LocalGatewayError,
  startLocalGateway,
  TestCards,
  type LocalGatewayErrorReason,
  type RunningLocalGateway,
  type StartLocalGatewayOptions
} from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient, type CreatePaymentRequest, type GatewayClient } from "../../../src/promise/index.js"
import { gatewayErrorOf, rejectionOf } from "../../support/Rejection.js"
import { selfSignedCertificate } from "../../support/SelfSignedCertificate.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "http://127.0.0.1:1/notify" }
}

/** A local gateway and a client of it, for as long as the test runs. */
const withGateway = async (
  test: (local: RunningLocalGateway, gateway: GatewayClient) => Promise<void>,
  options?: StartLocalGatewayOptions
): Promise<void> => {
  await using local = await startLocalGateway(options)
  await using gateway = createGatewayClient(local.merchant)
  await test(local, gateway)
}

/** The `LocalGatewayError` that the promise rejects with. */
const errorOf = async (promise: Promise<unknown>): Promise<LocalGatewayError> => {
  const error = await rejectionOf(promise)
  if (error instanceof LocalGatewayError) return error
  return expect.fail(`rejected with something else than a LocalGatewayError: ${String(error)}`)
}

const reasonOf = async (promise: Promise<unknown>): Promise<LocalGatewayErrorReason> => (await errorOf(promise)).reason

const root = fileURLToPath(new URL("../../..", import.meta.url))

let folder: string
let dataFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "start-local-gateway-"))
  dataFile = join(folder, "data.json")
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe("A local gateway with promises", () => {
  it("takes a payment that a client creates and the payer pays", () =>
    withGateway(async (local, gateway) => {
      const created = await gateway.createPayment(order)
      expect(created.state).toBe("CREATED")
      expect(created.gw_url).toContain(local.url)
      const paid = await local.payByCard(created.id, { card: "4188030000000003" })
      expect(paid).toMatchObject({ id: created.id, state: "PAID", amount: 139_950 })
      expect(await gateway.getPayment(created.id)).toEqual(paid)
      expect(await local.listPayments()).toEqual([paid])
    }))

  it("lets the payer do all that a payer does", () =>
    withGateway(async (local, gateway) => {
      const after = async (
        act: (id: number) => Promise<{ readonly state: string; readonly sub_state?: string }>,
        changes: Partial<CreatePaymentRequest> = {}
      ): Promise<string> => {
        const { id } = await gateway.createPayment({ ...order, ...changes })
        const { state, sub_state = "" } = await act(id)
        expect(await gateway.getPayment(id)).toMatchObject({ state })
        return `${state} ${sub_state}`.trim()
      }
      expect(await after((id) => local.choosePaymentMethod(id, "BANK_ACCOUNT"))).toBe("PAYMENT_METHOD_CHOSEN _102")
      expect(await after((id) => local.choosePaymentMethod(id, "PAYMENT_CARD"))).toBe("PAYMENT_METHOD_CHOSEN _101")
      expect(await after((id) => local.payByCard(id))).toMatch(/^PAID/)
      expect(await after((id) => local.payByCard(id), { preauthorization: true })).toMatch(/^AUTHORIZED/)
      expect(await after((id) => local.payByBankTransfer(id))).toBe("PAID _3002")
      expect(await after((id) => local.declineAttempt(id, "_5003"))).toBe("PAYMENT_METHOD_CHOSEN _5003")
      expect(await after((id) => local.declinePayment(id))).toBe("CANCELED _5006")
      expect(await after((id) => local.declinePayment(id, "_5005"))).toBe("CANCELED _5005")
      expect(await after((id) => local.cancelPayment(id))).toBe("CANCELED _5043")
      expect(await after((id) => local.timeOutPayment(id))).toMatch(/^TIMEOUTED/)
    }))

  it("moves its time forward by milliseconds or a text, and what is due by then happens", () =>
    withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment(order)
        await local.advanceTime(59_500)
        expect(await gateway.getPayment(id)).toMatchObject({ state: "CREATED" })
        await local.advanceTime("60 seconds")
        expect(await gateway.getPayment(id)).toMatchObject({ state: "TIMEOUTED" })
      },
      { settings: { timeToPaySeconds: 100 } }
    ))

  it("behaves as its settings say, which can be changed while it runs", () =>
    withGateway(
      async (local, gateway) => {
        expect(await local.getSettings()).toMatchObject({
          refund: "failed",
          defaultLanguage: "SK",
          capture: "finished"
        })
        const { id } = await gateway.createPayment(order)
        await local.payByCard(id)
        const { reason } = await gatewayErrorOf(gateway.refundPayment(id, { amount: 100 }))
        expect(reason._tag).toBe("OperationRefused")
        await local.changeSettings({ refund: "finished" })
        expect(await local.getSettings()).toMatchObject({ refund: "finished", defaultLanguage: "SK" })
        expect(await gateway.refundPayment(id, { amount: 100 })).toMatchObject({ result: "FINISHED" })
      },
      { settings: { ...partsAtOnce, refund: "failed", defaultLanguage: "SK" } }
    ))

  it("hands notifications to a receiver, and repeats them at once when told to deliver", async () => {
    const told: Array<string> = []
    const statuses = [500, 503]
    const notificationReceiver = async (url: string): Promise<number> => {
      told.push(url)
      const status = statuses.shift()
      if (status === 503) throw new Error("the shop is down")
      return status ?? 200
    }
    await withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment(order)
        await local.payByCard(id)
        await local.deliverNotifications()
        expect(told).toEqual(Array.from({ length: 3 }, () => `http://127.0.0.1:1/notify?id=${id}`))
        const notifications = (await local.listEvents()).filter(({ type }) => type === "notification")
        expect(notifications).toMatchObject([
          { attempt: 1, status: 500 },
          { attempt: 2, status: 0, problem: "the shop is down" },
          { attempt: 3, status: 200 }
        ])
      },
      { notificationReceiver }
    )
  })

  it("says what makes it trust the certificate of a shop's own", async () => {
    const shop = createSecureServer(selfSignedCertificate(), (_, response) => response.end())
    await once(shop.listen(0, "127.0.0.1"), "listening")
    onTestFinished(() => void shop.close())
    const address = shop.address()
    const notification_url = `https://localhost:${typeof address === "object" ? address?.port : ""}/notify`
    await withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment({ ...order, callback: { ...order.callback, notification_url } })
        await local.cancelPayment(id)
        await local.deliverNotifications()
        expect((await local.listEvents()).at(-1)).toMatchObject({
          problem: expect.stringMatching(/certificate: start the gateway with NODE_EXTRA_CA_CERTS/)
        })
      },
      { settings: { notificationAttempts: 1 } }
    )
  })

  it("refuses what throws when it is read, and does not repeat what was thrown", async () => {
    const thrower = (name: string) =>
      Object.defineProperty({}, name, {
        enumerable: true,
        get: () => {
          throw new Error("secret")
        }
      })
    const seeded = await reasonOf(startLocalGateway({ seed: thrower("merchants") }))
    expect(seeded).toMatchObject({ _tag: "InvalidSeed", message: expect.stringContaining("one of its members throws") })
    const set = await reasonOf(startLocalGateway(thrower("settings")))
    expect(set).toMatchObject({ _tag: "InvalidInput", message: expect.stringContaining("one of their members throws") })
    await withGateway(async (local) => {
      expect(await reasonOf(local.loadSeed(thrower("payments")))).toMatchObject({ _tag: "InvalidSeed" })
      expect(await reasonOf(local.changeSettings(thrower("refund")))).toMatchObject({ _tag: "InvalidInput" })
    })
  })

  it("says so when a receiver returns no status", () =>
    withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment(order)
        await local.cancelPayment(id)
        await local.deliverNotifications()
        expect((await local.listEvents()).at(-1)).toMatchObject({
          status: 0,
          problem: "notificationReceiver must return a status, such as 200"
        })
      },
      { settings: { notificationAttempts: 1 }, notificationReceiver: async () => JSON.parse('"200"') }
    ))

  it("logs the response of a shop, also of one whose body does not end", async () => {
    const shop = createServer((request, response) => {
      response.writeHead(request.url?.includes("endless") === true ? 200 : 503, { "x-shop": "example" })
      if (request.url?.includes("endless") === true) response.write("begun")
      else response.end("closed for the night")
    }).listen(0, "127.0.0.1")
    await once(shop, "listening")
    const address = shop.address()
    const port = typeof address === "object" ? address?.port : undefined
    try {
      await withGateway(
        async (local, gateway) => {
          for (const path of ["notify", "endless"]) {
            const callback = { ...order.callback, notification_url: `http://127.0.0.1:${port}/${path}` }
            await local.payByCard((await gateway.createPayment({ ...order, callback })).id)
          }
          await local.deliverNotifications()
          const events = (await local.listEvents()).filter(({ type }) => type === "notification")
          const notified = events.toSorted((a, b) => ("status" in a && "status" in b ? b.status - a.status : 0))
          expect(notified).toMatchObject([
            { status: 503, headers: { "x-shop": "example" }, responseBody: "closed for the night" },
            { status: 200, responseBody: "begun" }
          ])
        },
        { settings: { notificationAttempts: 1 } }
      )
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  })

  it("notifies a shop on loopback", async () => {
    const told: Array<string | undefined> = []
    const shop = createServer((request, response) => {
      told.push(request.url)
      response.end()
    }).listen(0, "127.0.0.1")
    await once(shop, "listening")
    try {
      await withGateway(async (local, gateway) => {
        const address = shop.address()
        const port = typeof address === "object" ? address?.port : undefined
        const notification_url = `http://127.0.0.1:${port}/notify`
        const { id } = await gateway.createPayment({ ...order, callback: { ...order.callback, notification_url } })
        await local.cancelPayment(id)
        await local.deliverNotifications()
        expect(told).toEqual([`/notify?id=${id}`])
      })
    } finally {
      shop.close()
    }
  })

  it("has the faults that are armed, until they are used or disarmed", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      const armed = await local.armFault({ type: "refusal" }, { operation: "getPayment", calls: 2 })
      expect(armed).toEqual({
        id: armed.id,
        fault: { type: "refusal", code: 303, status: 409 },
        operation: "getPayment",
        callsLeft: 2
      })
      const [reset] = await local.armFaults([{ fault: { type: "connectionReset" }, operation: "refundPayment" }])
      expect((await gatewayErrorOf(gateway.getPayment(id))).reason._tag).toBe("OperationRefused")
      expect((await local.listFaults()).map(({ callsLeft, fault }) => `${fault.type} ${callsLeft}`)).toEqual([
        "refusal 1",
        "connectionReset 1"
      ])
      await local.disarmFaults(armed.id)
      expect(await local.listFaults()).toEqual([reset])
      expect(await gateway.getPayment(id)).toMatchObject({ id })
      await local.disarmFaults()
      expect(await local.listFaults()).toEqual([])
    }))

  it("arms random faults until they are disarmed", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await local.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "htmlForbidden" }] })
      await gatewayErrorOf(gateway.getPayment(id))
      await local.disarmFaults()
      expect(await gateway.getPayment(id)).toMatchObject({ id })
    }))

  it("remembers requests and what happened, without secrets, and tells of each request", async () => {
    const heard: Array<string> = []
    await withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment(order)
        await local.payByCard(id)
        const requests = await local.listRequests()
        expect(requests).toMatchObject([
          { operation: "getAccessToken", status: 200 },
          { operation: "createPayment", method: "POST", path: "/api/payments/payment", paymentId: id, status: 200 }
        ])
        const { clientSecret } = local.merchant
        for (const secret of [clientSecret, btoa(`${local.merchant.clientId}:${clientSecret}`)])
          expect(JSON.stringify(requests)).not.toContain(secret)
        const states = (await local.listEvents()).filter(({ type }) => type === "state")
        expect(states).toMatchObject([
          { type: "state", paymentId: id, by: "merchant", to: "CREATED" },
          { type: "state", paymentId: id, by: "payer", from: "CREATED", to: "PAID" }
        ])
        expect(heard).toEqual(["getAccessToken", "createPayment"])
      },
      { onRequest: ({ operation }) => heard.push(operation ?? "none") }
    )
  })

  it("begins with a seed, begins anew with another, exports what it has, and resets to the first", () => {
    const payment = { amount: 100, currency: "CZK", state: "PAID" }
    const seed = {
      merchants: [
        { goid: 8_000_000_001, client_id: "first", client_secret: "first secret" },
        { goid: 8_000_000_002, client_id: "second", client_secret: "second secret" }
      ],
      payments: [payment]
    }
    return withGateway(
      async (local) => {
        const environment = local.url
        expect(local.merchant).toEqual({
          goid: 8_000_000_001,
          clientId: "first",
          clientSecret: "first secret",
          environment
        })
        expect((await local.listMerchants()).map(({ goid }) => goid)).toEqual([8_000_000_001, 8_000_000_002])
        const [first] = await local.listPayments()
        expect(first).toMatchObject(payment)
        const exported = await local.exportSeed()

        await local.loadSeed({ payments: [payment, { ...payment, amount: 200 }] })
        expect((await local.listPayments()).map(({ amount }) => amount)).toEqual([100, 200])
        expect(local.merchant.goid).not.toBe(8_000_000_001)
        await local.loadSeed(JSON.parse(JSON.stringify(exported)))
        expect(await local.listPayments()).toEqual([first])

        await local.loadSeed({})
        await local.reset()
        expect((await local.listPayments()).map(({ amount }) => amount)).toEqual([100])
        expect(local.merchant.goid).toBe(8_000_000_001)
      },
      { seed }
    )
  })

  it("refuses tokens that were revoked", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await local.revokeTokens()
      expect(await gateway.getPayment(id)).toMatchObject({ id })
      expect((await local.listRequests()).map(({ operation, status }) => `${operation} ${status}`)).toEqual([
        "getAccessToken 200",
        "createPayment 200",
        "getPayment 403",
        "getAccessToken 200",
        "getPayment 200"
      ])
    }))

  it("goes on from its data file", async () => {
    await withGateway(
      async (local, gateway) => {
        const { id } = await gateway.createPayment(order)
        await local.payByCard(id)
        await local.changeSettings({ refund: "failed" })
      },
      { dataFile }
    )
    await withGateway(
      async (local) => {
        expect(await local.listPayments()).toMatchObject([{ state: "PAID", amount: 139_950 }])
        expect(await local.getSettings()).toMatchObject({ refund: "failed" })
      },
      { dataFile }
    )
  })

  it("runs beside others that know nothing of it", async () => {
    await using one = await startLocalGateway()
    await using other = await startLocalGateway()
    await using gateway = createGatewayClient(one.merchant)
    const { id } = await gateway.createPayment(order)
    expect(one.url).not.toBe(other.url)
    expect(await other.listPayments()).toEqual([])
    await other.close()
    expect(await one.payByCard(id)).toMatchObject({ state: "PAID" })
  })

  it("listens where it is told", async () => {
    const free = await startLocalGateway()
    const port = Number(new URL(free.url).port)
    await free.close()
    await withGateway(
      async (local) => {
        expect(local.url).toBe(`http://localhost:${port}`)
      },
      { port, host: "localhost" }
    )
  })
})

describe("startLocalGateway rejects", () => {
  const wrong: ReadonlyArray<readonly [option: string, options: object]> = [
    ["settings", { settings: "fast" }],
    ["port", { port: 65_536 }],
    ["port", { port: 1.5 }],
    ["port", { port: "4646" }],
    ["host", { host: "" }],
    ["host", { host: "http://127.0.0.1" }],
    ["settings.refund", { settings: { refund: "maybe" } }],
    ["settings.timeToPaySeconds", { settings: { timeToPaySeconds: -1 } }],
    ["settings.refunds", { settings: { refunds: "failed" } }],
    ["dataFile", { dataFile: "" }],
    ["notificationReceiver", { notificationReceiver: "http://127.0.0.1" }],
    ["onRequest", { onRequest: true }],
    ["prot", { prot: 4646 }]
  ]

  it.each(wrong)("a wrong %s by its name: %j", async (option, options) => {
    const error = await errorOf(startLocalGateway(options))
    expect(error.operation).toBe("startLocalGateway")
    expect(error.reason._tag).toBe("InvalidInput")
    expect(error.message).toContain(`${option}: `)
  })

  it.each([
    ["the seed", { seed: "shop.json" }],
    ["payments[0].amount", { seed: { payments: [{ amount: -1, currency: "CZK", state: "CREATED" }] } }]
  ] as const)("a wrong seed by the tag of the reason, and names %s", async (field, options) => {
    const error = await errorOf(startLocalGateway(options))
    expect(error.operation).toBe("startLocalGateway")
    expect(error.reason._tag).toBe("InvalidSeed")
    expect(error.message).toContain(`${field}: `)
  })

  it("options that are none", async () => {
    expect((await errorOf(startLocalGateway(JSON.parse("4646")))).message).toBe(
      "startLocalGateway: the options must be an object"
    )
  })

  it("all that is wrong at once", async () => {
    const { message } = await errorOf(startLocalGateway({ port: -1, host: "a host" }))
    expect(message).toContain("port: ")
    expect(message).toContain("host: ")
  })

  it("a password, with what to do instead", async () => {
    const options: object = { password: "eight letters" }
    expect(await reasonOf(startLocalGateway(options))).toMatchObject({
      _tag: "InvalidInput",
      message: expect.stringContaining(
        "password: the local gateway asks for no password. Leave it out, and let a proxy"
      )
    })
  })

  it("a port that is taken", async () => {
    await using local = await startLocalGateway()
    const port = Number(new URL(local.url).port)
    expect(await reasonOf(startLocalGateway({ port }))).toEqual({
      _tag: "ServerStartError",
      host: "127.0.0.1",
      port,
      code: "EADDRINUSE",
      message: `port ${port} of 127.0.0.1 is taken; choose another, or 0 for a free one`
    })
  })

  it("a data file that is no seed, and leaves it as it is", async () => {
    writeFileSync(dataFile, "{ nothing")
    expect(await reasonOf(startLocalGateway({ dataFile }))).toMatchObject({ _tag: "DataFileError", path: dataFile })
    expect(readFileSync(dataFile, "utf8")).toBe("{ nothing")
  })

  it("a data file that cannot be made", async () => {
    const nowhere = join(folder, "nowhere", "data.json")
    const reason = await reasonOf(startLocalGateway({ dataFile: nowhere }))
    expect(reason).toMatchObject({ _tag: "DataFileError", path: nowhere })
    expect(existsSync(nowhere)).toBe(false)
  })
})

describe("A call of a local gateway rejects", () => {
  it("for a payment that is not there", () =>
    withGateway(async (local) => {
      const error = await errorOf(local.cancelPayment(3_000_000_003))
      expect(error).toBeInstanceOf(Error)
      expect(error.name).toBe("LocalGatewayError")
      expect(error.operation).toBe("cancelPayment")
      expect(error.message).toBe("cancelPayment: there is no payment 3000000003 here")
      expect(error.reason).toMatchObject({ _tag: "PaymentNotFound", paymentId: 3_000_000_003 })
      expect(error.stack).toContain("startLocalGateway.test.ts")
    }))

  it("for a payment in another state, and says which", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await local.payByCard(id)
      for (const again of [local.payByCard(id), local.declinePayment(id), local.timeOutPayment(id)])
        expect(await reasonOf(again)).toMatchObject({ _tag: "WrongPaymentState", paymentId: id, state: "PAID" })
    }))

  it("for an instrument that is not offered", () =>
    withGateway(async (local, gateway) => {
      const { id } = await gateway.createPayment({ ...order, payer: { allowed_payment_instruments: ["PAYMENT_CARD"] } })
      expect(await reasonOf(local.payByBankTransfer(id))).toMatchObject({ _tag: "InstrumentNotOffered", paymentId: id })
    }))

  // Also what only JavaScript lets through.
  const invalid: ReadonlyArray<
    readonly [field: string, call: (local: RunningLocalGateway, id: number) => Promise<unknown>]
  > = [
    ["instrument", (local, id) => local.choosePaymentMethod(id, "")],
    ["card", (local, id) => local.payByCard(id, JSON.parse('{"card":"4111"}'))],
    ["the options", (local, id) => local.payByCard(id, JSON.parse("4111"))],
    ["settings", (local) => local.changeSettings(JSON.parse("null"))],
    ["cards", (local, id) => local.payByCard(id, JSON.parse('{"cards":1}'))],
    ["subState", (local, id) => local.declineAttempt(id, JSON.parse('"5006"'))],
    ["subState", (local, id) => local.declinePayment(id, JSON.parse("5006"))],
    ["duration", (local) => local.advanceTime(-1)],
    ["duration", (local) => local.advanceTime(Number.NaN)],
    ["duration", (local) => local.advanceTime(Number.POSITIVE_INFINITY)],
    ["duration", (local) => local.advanceTime("-1 seconds")],
    ["duration", (local) => local.advanceTime("400000 days")],
    ["duration", (local) => local.advanceTime(JSON.parse('"PT20S"'))],
    ["fault", (local) => local.armFault(JSON.parse('{"type":"gremlins"}'))],
    ["fault.milliseconds", (local) => local.armFault({ type: "latency", milliseconds: -1 })],
    ["calls", (local) => local.armFault({ type: "latency" }, { calls: 0 })],
    ["[1].fault", (local) => local.armFaults([{ fault: { type: "latency" } }, JSON.parse("{}")])],
    ["probability", (local) => local.armRandomFaults({ seed: 1, probability: 2, faults: [{ type: "latency" }] })],
    ["refund", (local) => local.changeSettings(JSON.parse('{"refund":"maybe"}'))],
    ["payments[0].state", (local) => local.loadSeed({ payments: [{ amount: 1, currency: "CZK", state: 7 }] })]
  ]

  it.each(invalid)("when %s is wrong, and does nothing", (field, call) =>
    withGateway(async (local, gateway) => {
      const payment = await gateway.createPayment(order)
      const before = await local.exportSeed()
      const error = await errorOf(call(local, payment.id))
      expect(error.reason._tag).toBe(field === "payments[0].state" ? "InvalidSeed" : "InvalidInput")
      expect(error.message).toContain(field)
      expect(await gateway.getPayment(payment.id)).toEqual(payment)
      expect({ ...(await local.exportSeed()), time_ahead: 0 }).toEqual({ ...before, time_ahead: 0 })
      expect(await local.listFaults()).toEqual([])
    })
  )

  it("after it was closed, every one", async () => {
    const local = await startLocalGateway()
    await local.close()
    const calls: ReadonlyArray<Promise<unknown>> = [
      local.listMerchants(),
      local.choosePaymentMethod(1, "PAYMENT_CARD"),
      local.payByCard(1),
      local.payByBankTransfer(1),
      local.declineAttempt(1, "_5006"),
      local.declinePayment(1),
      local.cancelPayment(1),
      local.timeOutPayment(1),
      local.advanceTime(1),
      local.deliverNotifications(),
      local.armFault({ type: "latency" }),
      local.armFaults([]),
      local.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "latency" }] }),
      local.listFaults(),
      local.disarmFaults(),
      local.getSettings(),
      local.changeSettings({}),
      local.loadSeed({}),
      local.exportSeed(),
      local.reset(),
      local.revokeTokens(),
      local.listPayments(),
      local.listRequests(),
      local.listEvents()
    ]
    for (const call of calls) expect(await reasonOf(call)).toMatchObject({ _tag: "LocalGatewayClosed" })
    await local.close()
  })

  it("when it is closed meanwhile", async () => {
    const told: Array<string> = []
    const local = await startLocalGateway({
      notificationReceiver: (url) => {
        told.push(url)
        return new Promise(() => {})
      }
    })
    await using gateway = createGatewayClient(local.merchant)
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const delivered = errorOf(local.deliverNotifications())
    await expect.poll(() => told).toHaveLength(1)
    await Promise.all([local.close(), local.close()])
    expect(await delivered).toMatchObject({ operation: "deliverNotifications", reason: { _tag: "LocalGatewayClosed" } })
  })
})

describe("A local gateway that is closed", () => {
  it("frees its port, also when a client keeps its connection and when a request hangs", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient(local.merchant)
    const { id } = await gateway.createPayment(order)
    await local.armFault({ type: "noResponse" })
    const lost = gatewayErrorOf(gateway.refundPayment(id, { amount: 100 }))
    await expect.poll(local.listFaults).toEqual([])
    await local.close()
    await lost
    await using again = await startLocalGateway({ port: Number(new URL(local.url).port) })
    expect(again.url).toBe(local.url)
  })

  it("lets the process end by itself", { timeout: 60_000 }, async () => {
    const program = `
      import { startLocalGateway } from "effect-gopay/local-gateway/promise"
      const local = await startLocalGateway()
      await fetch(local.url)
      await local.close()
      console.log("closed")`
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: root,
      timeout: 50_000
    })
    expect(stdout).toBe("closed\n")
  })
})

it("the test cards are told", () => {
  expect(Object.keys(TestCards).sort()).toEqual(["4188030000000003", "4444444444444448"])
})
