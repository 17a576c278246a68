import { describe, expect, it } from "vitest"
import { ChangeRecord, createGatewayClient } from "../../src/promise/index.js"
import { payment, paymentId } from "../support/OperationCases.js"
import { gatewayErrorOf, rejectionOf } from "../support/Rejection.js"
import { fetchTokensOnly, refusal, startScriptedGateway, watchedFetch } from "../support/ScriptedGateway.js"

const thePayment = `GET /payments/payment/${paymentId}` as const
const theRefunds = `GET /payments/payment/${paymentId}/refunds` as const
const theRefund = `POST /payments/payment/${paymentId}/refund` as const

const sending = { sentAt: new Date() }
const release = ChangeRecord.voidAuthorization(paymentId, sending)

/** A payment whose hold is in a state, and which is in the state that goes with it. */
const held = (state: string) => ({
  body: { ...payment, state: state === "CAPTURED" ? "PAID" : state, preauthorization: { requested: true, state } }
})

/** What is in doubt; fails when nothing is. */
const changeInDoubt = async (call: Promise<unknown>): Promise<ChangeRecord> => {
  const { reason } = await gatewayErrorOf(call)
  return reason._tag === "OutcomeUnknown" ? reason.change : expect.fail(reason._tag)
}

describe("finding out with promises", () => {
  it("what became of a refund whose connection was cut, from what was stored before it", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    gateway.on(theRefunds, { body: [] }, { body: [{ id: 1, state: "REQUESTED", amount: 5_000, currency: "CZK" }] })
    gateway.on(theRefund, "cut the connection")
    gateway.on(thePayment, { body: { ...payment, state: "PAID" } })
    const refundsBefore = await client.getPaymentRefunds(paymentId)
    const record = ChangeRecord.refundPayment(
      paymentId,
      { amount: 5_000 },
      { sentAt: new Date(), refundsBefore, isOnlyWriter: true }
    )
    const stored = JSON.stringify(record)
    await changeInDoubt(client.refundPayment(paymentId, { amount: 5_000 }))

    const found = await client.reconcile(ChangeRecord.parse(stored))
    expect(found).toMatchObject({ _tag: "Happened", id: 1, state: "REQUESTED", isPending: true })
    expect(gateway.calls.map(({ method }) => method)).toEqual(["GET", "POST", "GET", "GET"])
  })

  it("what became of it from the error alone, and how long ago it was", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    gateway.on(`POST /payments/payment/${paymentId}/void-authorization`, { status: 502 })
    gateway.on(thePayment, held("AUTHORIZED"), held("CANCELED"))
    const change = await changeInDoubt(client.voidAuthorization(paymentId))
    const found = await client.reconcile(change)
    expect(found).toMatchObject({ _tag: "NotSeenYet", state: "AUTHORIZED" })
    expect(found._tag === "NotSeenYet" ? found.ageMillis : -1).toBeGreaterThanOrEqual(0)
    await expect(client.reconcile(change)).resolves.toMatchObject({ _tag: "StateReached", state: "CANCELED" })
  })

  it("takes options as its last argument, and refuses those that it does not know", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    gateway.on(thePayment, held("CAPTURED"))
    const { signal } = new AbortController()
    await expect(client.reconcile(release, { signal, timeout: 30_000 })).resolves.toMatchObject({
      _tag: "DidNotHappen",
      state: "CAPTURED"
    })
    // @ts-expect-error a misspelt option
    const { operation, reason } = await gatewayErrorOf(client.reconcile(release, { timeOut: 1 }))
    expect(operation).toBe("reconcile")
    expect(reason).toMatchObject({ _tag: "InvalidRequest", errors: [{ field: "options.timeOut" }] })
  })

  it("rejects with the error of a read that fails", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    gateway.on(thePayment, refusal(404, 304, "PAYMENT_NOT_FOUND"))
    const { operation, reason } = await gatewayErrorOf(client.reconcile(release))
    expect({ operation, tag: reason._tag }).toEqual({ operation: "getPayment", tag: "PaymentNotFound" })
  })

  it.each<readonly [field: string, change: object | undefined | null]>([
    ["change", undefined],
    ["change", null],
    ["change", []],
    ["change.operation", { paymentId }],
    ["change.paymentId", { operation: "voidAuthorization", sentAt: release.sentAt }],
    ["change.sentAt", { ...release, sentAt: new Date() }],
    ["change.goid", { ...release, goid: 8_222_222_222 }]
  ])("refuses what is no record, naming %s, before anything is sent", async (field, change) => {
    await using gateway = await startScriptedGateway()
    const { called, fetch } = watchedFetch()
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    const call: unknown = Reflect.apply(client.reconcile, client, [change])
    const { operation, reason } = await gatewayErrorOf(Promise.resolve(call))
    expect(operation).toBe("reconcile")
    expect(reason).toMatchObject({ _tag: "InvalidRequest", refusedBy: "client" })
    expect(reason._tag === "InvalidRequest" ? reason.errors.map((error) => error.field) : []).toContain(field)
    expect(await called()).toEqual([])
  })

  it("rejects with the signal's reason when it is aborted", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const read = gateway.hold(thePayment)
    const call = rejectionOf(client.reconcile(release, { signal: controller.signal }))
    await read.arrived
    controller.abort("enough")
    await expect(call).resolves.toBe("enough")
    await read.abandoned
  })

  it("is interrupted by the client's end, and refused after it", async () => {
    await using gateway = await startScriptedGateway()
    const client = createGatewayClient(gateway.merchant)
    const read = gateway.hold(thePayment)
    const call = gatewayErrorOf(client.reconcile(release))
    await read.arrived
    await client.close()
    await expect(call).resolves.toMatchObject({ operation: "reconcile", reason: { _tag: "GatewayUnavailable" } })
    const late = await gatewayErrorOf(client.reconcile(release))
    expect(late.reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: false })
  })

  it("rejects with a GatewayError when a response cannot even be checked", async () => {
    await using gateway = await startScriptedGateway()
    const headers = { get: () => expect.fail("read") }
    const fetch = fetchTokensOnly(() =>
      Promise.resolve(Object.defineProperty(new Response("{}"), "headers", { value: headers }))
    )
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    const { reason } = await gatewayErrorOf(client.reconcile(release))
    expect(reason._tag).toBe("GatewayUnavailable")
  })
})
