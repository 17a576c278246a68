/**
 * The client of API v4 against the local gateway: each operation, and what becomes of each change whose response is lost.
 */
import * as Struct from "effect/Struct"
import { describe, expect, it } from "vitest"
import type { Fault } from "../../../src/local-gateway/promise/index.js"
import {
  ChangeRecordV4,
  type ChangeOperationV4,
  createGatewayClient,
  GatewayErrorV4,
  isPaid,
  paymentIdV4,
  recurrenceIdV4,
  refundIdV4
} from "../../../src/promise/v4/index.js"
import {
  losableV4 as losable,
  order,
  outcomeUnknown,
  paid,
  reasonOf,
  scene,
  started,
  subscription
} from "../../support/LosableChangesV4.js"

const unknownId = "9999999999"

describe("the client of API v4", () => {
  it("takes a payment, asks for its charge and QR code, and returns its money", () =>
    scene(async (all) => {
      const { gateway, local } = all
      const { gw_url, id, payment_secret, state } = await gateway.createPayment(order)
      expect({ state, url: gw_url.startsWith("http"), isSecret: payment_secret !== undefined }).toEqual({
        state: "CREATED",
        url: true,
        isSecret: true
      })
      expect(await reasonOf(gateway.getCharge(id))).toMatchObject({
        _tag: "ChargeNotFound",
        paymentId: id,
        status: 404
      })
      expect((await gateway.getPaymentQr(id, { format: "svg" })).qr_code.spayd).toBeTypeOf("string")
      expect(await gateway.getPaymentRefunds(id)).toEqual([])
      await local.payByCard(id)
      expect(isPaid(await gateway.getPayment(id))).toBe(true)
      expect(await gateway.getCharge(id)).toMatchObject({ state: "SUCCEEDED" })
      const refund = await gateway.refundPayment(id, { amount: 400 })
      expect(refund).toMatchObject({ state: "REQUESTED", amount: 400 })
      expect((await gateway.getPaymentRefunds(id)).map((listed) => listed.id)).toEqual([refund.id])
      expect(await gateway.getRefund(refund.id)).toMatchObject({ id: refund.id, amount: 400 })
    }))

  it("waits for the payer", () =>
    scene(async ({ gateway, local }) => {
      const { id } = await gateway.createPayment(order)
      const waiting = gateway.awaitPayment(id, { until: ["PAID"] })
      await local.payByCard(id)
      expect(await waiting).toMatchObject({ _tag: "Reached", payment: { id, state: "PAID" } })
      expect(await reasonOf(gateway.awaitPayment(id, { until: [] }))).toMatchObject({
        _tag: "InvalidRequest",
        errors: [{ field: "options.until" }]
      })
      expect(await reasonOf(gateway.awaitPayment(paymentIdV4(unknownId)))).toMatchObject({ _tag: "PaymentNotFound" })
    }))

  it("cancels a payment once", () =>
    scene(async ({ gateway }) => {
      const { id } = await gateway.createPayment(order)
      expect(await gateway.cancelPayment(id)).toBeUndefined()
      expect((await gateway.getPayment(id)).state).toBe("CANCELED")
      expect(await reasonOf(gateway.cancelPayment(id))).toMatchObject({
        _tag: "OperationRefused",
        status: 409,
        goalReached: false
      })
    }))

  it("creates, starts, charges and stops a recurrence", () =>
    scene(async ({ gateway, local }) => {
      const { id, state } = await gateway.createRecurrence(subscription)
      expect(state).toBe("NEW")
      expect(await reasonOf(gateway.nextPayment(id))).toMatchObject({ _tag: "OperationRefused", status: 409 })
      const first = await gateway.startRecurrence(id, { amount: 250 })
      expect(first).toMatchObject({ amount: 250, state: "CREATED" })
      await local.payByCard(first.id)
      const next = await gateway.nextPayment(id, { order_number: "march" })
      expect(next).toMatchObject({ order_number: "march", amount: 1_000 })
      expect((await gateway.getRecurrence(id)).payment?.id).toBe(next.id)
      await gateway.stopRecurrence(id)
      expect(await gateway.getRecurrence(id)).toMatchObject({ state: "STOPPED", stop_reason: "CANCELLED_VIA_API" })
      expect(await reasonOf(gateway.stopRecurrence(id))).toMatchObject({ _tag: "OperationRefused", goalReached: true })
    }))

  it("says which thing there is not", () =>
    scene(async ({ gateway }) => {
      const tags = await Promise.all(
        [
          gateway.getPayment(paymentIdV4(unknownId)),
          gateway.cancelPayment(paymentIdV4(unknownId)),
          gateway.getRefund(refundIdV4(unknownId)),
          gateway.getRecurrence(recurrenceIdV4(unknownId)),
          gateway.startRecurrence(recurrenceIdV4(unknownId))
        ].map(async (call: Promise<unknown>) => (await reasonOf(call))._tag)
      )
      expect(tags).toEqual([
        "PaymentNotFound",
        "PaymentNotFound",
        "RefundNotFound",
        "RecurrenceNotFound",
        "RecurrenceNotFound"
      ])
    }))

  it("refuses what cannot be right before it is sent, with each field's name", () =>
    scene(async ({ events, gateway }) => {
      const wrong = { ...order, amount: 12.5, customer: { email: "nobody" } }
      const reason = await reasonOf(gateway.createPayment(wrong))
      expect(reason).toMatchObject({ _tag: "InvalidRequest", refusedBy: "client" })
      expect(reason._tag === "InvalidRequest" && reason.errors.map(({ field }) => field)).toEqual([
        "amount",
        "customer.email"
      ])
      const auto = await reasonOf(gateway.createRecurrence({ ...subscription, type: "AUTO" }))
      expect(auto).toMatchObject({ errors: [{ field: "schedule" }] })
      expect(() => paymentIdV4("PAY-1")).toThrow("digits")
      expect(events.flatMap(({ attempts, operation }) => (attempts > 0 ? [operation] : []))).toEqual([])
    }))

  it("refuses options that API v4 does not have", () => {
    const options = { goid: 1, clientId: "1", clientSecret: "s", environment: "sandbox", language: "CS" }
    expect(() => createGatewayClient(options)).toThrow("language")
  })

  it("is where GoPay says that v4 is", () => {
    const addressOf = (environment: string) =>
      createGatewayClient({ goid: 1, clientId: "1", clientSecret: "s", environment }).baseUrl
    expect(
      ["sandbox", "production", "http://127.0.0.1:4646/", "http://127.0.0.1:4646/gp-gw/api/4.0"].map(addressOf)
    ).toEqual([
      "https://gw.sandbox.gopay.com/gp-gw/api/4.0",
      "https://gate.gopay.com/gp-gw/api/4.0",
      "http://127.0.0.1:4646/gp-gw/api/4.0",
      "http://127.0.0.1:4646/gp-gw/api/4.0"
    ])
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// Lost responses
// ---------------------------------------------------------------------------------------------------------------------

/** What is found, by whether it was carried out. */
const expected: { readonly [Name in ChangeOperationV4]: readonly [done: string, notDone: string] } = {
  createPayment: ["CannotTell", "CannotTell"],
  cancelPayment: ["StateReached", "NotSeenYet"],
  refundPayment: ["Happened", "NotSeenYet"],
  createRecurrence: ["CannotTell", "CannotTell"],
  startRecurrence: ["Happened", "NotSeenYet"],
  nextPayment: ["Happened", "NotSeenYet"],
  stopRecurrence: ["StateReached", "NotSeenYet"]
}

const fates: ReadonlyArray<readonly [string, Fault, boolean | "later"]> = [
  ["lost after it was done", { type: "connectionReset", effect: "committed" }, true],
  ["lost before it was done", { type: "connectionReset", effect: "none" }, false],
  ["done later", { type: "commitLater", seconds: 30 }, "later"],
  ["answered with 500 after it was done", { type: "serverError", effect: "committed" }, true],
  ["answered with 502 by a proxy", { type: "htmlBadGateway", effect: "none" }, false]
]

describe.each(Struct.keys(losable))("a %s", (name) => {
  it.each(fates)("%s is sent once, and found out by reading", (_, fault, isDone) =>
    scene(async (all) => {
      const { events, gateway, local } = all
      const { call, effects, record } = await losable[name](all)
      const before = await effects()
      await local.armFault(fault, { operation: `v4.${name}` })
      const { change } = await outcomeUnknown(call())
      expect(change.operation).toBe(`v4.${name}`)
      expect(events.findLast(({ operation }) => operation === `v4.${name}`)).toMatchObject({ attempts: 1 })
      // As after a crash: nothing is left but what was stored.
      const stored = record(ChangeRecordV4.parse(JSON.stringify(change)))
      const [done, notDone] = expected[name]
      const find = async () => (await gateway.reconcile(stored))._tag
      const [soon, later] = [isDone === true ? done : notDone, isDone === false ? notDone : done]
      expect(await find()).toBe(soon)
      if (isDone === "later") await local.advanceTime("31 seconds")
      expect(await find()).toBe(later)
      expect((await effects()) - before).toBe(isDone === false || name === "createRecurrence" ? 0 : 1)
    })
  )

  it("with a refused token is sent once more, with a new one, and done once", () =>
    scene(async (all) => {
      const { gateway, local } = all
      await gateway.warm()
      const { call, effects } = await losable[name](all)
      const before = await effects()
      await local.armFault({ type: "tokenRefused" }, { operation: `v4.${name}` })
      await call()
      expect((await effects()) - before).toBe(name === "createRecurrence" ? 0 : 1)
    }))
})

describe("what reading cannot decide", () => {
  it("is which of two equal refunds it is, and who made one that is new", () =>
    scene(async (all) => {
      const { gateway } = all
      const id = await paid(all)
      const record = ChangeRecordV4.refundPayment(id, { amount: 400 }, { sentAt: new Date(), refundsBefore: [] })
      await gateway.refundPayment(id, { amount: 400 })
      expect(await gateway.reconcile(record)).toMatchObject({ _tag: "CannotTell", why: "OtherWriters" })
      await gateway.refundPayment(id, { amount: 400 })
      expect(await gateway.reconcile({ ...record, isOnlyWriter: true })).toMatchObject({ why: "EqualAmounts" })
      expect(await gateway.reconcile({ ...record, refundsBefore: undefined })).toMatchObject({ why: "NoRefundsBefore" })
    }))

  it("is a refund that is listed as failed: it may have been refused", () =>
    scene(async ({ gateway, local }) => {
      const { id } = await gateway.createPayment(order)
      await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "v4.refundPayment" })
      const { change } = await outcomeUnknown(gateway.refundPayment(id, { amount: 400 }))
      expect(await gateway.reconcile({ ...change, refundsBefore: [], isOnlyWriter: true })).toMatchObject({
        _tag: "CannotTell",
        why: "RefundFailed"
      })
    }))

  it("is a next payment of which one does not know what was there before, or that another one followed", () =>
    scene(async (all) => {
      const { gateway } = all
      const { first, id } = await started(all)
      const timing = { sentAt: new Date(), paymentBefore: first }
      const record = ChangeRecordV4.nextPayment(id, { order_number: "march" }, timing)
      await gateway.nextPayment(id, { order_number: "march" })
      await gateway.nextPayment(id, { order_number: "april" })
      expect(await gateway.reconcile(record)).toMatchObject({ _tag: "CannotTell", why: "OtherPayment" })
      expect(await gateway.reconcile({ ...record, paymentBefore: undefined })).toMatchObject({ why: "NoPaymentBefore" })
      const unnamed = ChangeRecordV4.nextPayment(id, {}, timing)
      expect(await gateway.reconcile(unnamed)).toMatchObject({ _tag: "CannotTell", why: "OtherWriters" })
      expect(await gateway.reconcile({ ...unnamed, isOnlyWriter: true })).toMatchObject({ _tag: "Happened" })
    }))

  it("is nothing of v3, and nothing of another merchant: such a record is refused", () =>
    scene(async ({ gateway }) => {
      const record = ChangeRecordV4.cancelPayment(paymentIdV4(unknownId), { sentAt: new Date(0) })
      expect(await reasonOf(gateway.reconcile({ ...record, goid: 1 }))).toMatchObject({
        _tag: "InvalidRequest",
        errors: [{ field: "change.goid" }]
      })
      expect(() => ChangeRecordV4.parse({ ...record, operation: "refundPayment" })).toThrow("operation")
      expect(() => ChangeRecordV4.parse({ ...record, paymentId: undefined })).toThrow("paymentId")
      const refund = { ...record, operation: "v4.refundPayment" }
      expect(() => ChangeRecordV4.parse(refund)).toThrow("amount: is required for v4.refundPayment")
      expect(() => ChangeRecordV4.parse("no JSON")).toThrow("not JSON")
    }))

  it("can be ruled out: what is paid is not cancelled", () =>
    scene(async (all) => {
      const id = await paid(all)
      const record = ChangeRecordV4.cancelPayment(id, { sentAt: new Date() })
      expect(await all.gateway.reconcile(record)).toMatchObject({ _tag: "DidNotHappen", state: "PAID" })
    }))
})

it("errors print no secret of a payment", () =>
  scene(async ({ gateway, local }) => {
    const { id, payment_secret = "" } = await gateway.createPayment(order)
    expect(payment_secret).not.toBe("")
    await local.armFault({ type: "malformedJson" }, { operation: "v4.getPayment" })
    await local.armFault({ type: "wrongShape" }, { operation: "v4.getPayment" })
    for (let read = 0; read < 2; read++) {
      const error = await gateway.getPayment(id).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(GatewayErrorV4)
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(payment_secret)
    }
  }))
