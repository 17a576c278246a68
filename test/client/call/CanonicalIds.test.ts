/**
 * Ids are compared by the number that they name, never by its spelling.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../../../src/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { credentials } from "../../support/Credentials.js"
import { payment, statement } from "../../support/OperationPrograms.js"
import { finished, gatewayOver, json, paid, refusal, scripted } from "../../support/ScriptedTransport.js"

const id = 3000000003
const spellings = [id, String(id), `0${id}`, `000000000000000000000${id}`]

const sentAt = new Date("2026-01-01T12:00:00Z")

type ById = (id: Client.GatewayId) => Effect.Effect<unknown, Client.GatewayError, Client.Gateway>

/** The operations: the compiler names one that is missing here. And the ids to search for. */
const programs: { readonly [Name in keyof Client.GatewayOperations]: ById } & { readonly [name: string]: ById } = {
  getPayment: (id) => Client.getPayment(id),
  getPaymentRefunds: (id) => Client.getPaymentRefunds(id),
  getPaymentQr: (id) => Client.getPaymentQr(id),
  refundPayment: (id) => Client.refundPayment(id, { amount: 1 }),
  createRecurrence: (id) => Client.createRecurrence(id, { amount: 1, currency: "CZK", order_number: "1" }),
  voidRecurrence: (id) => Client.voidRecurrence(id),
  captureAuthorization: (id) => Client.captureAuthorization(id),
  captureAuthorizationPartial: (id) => Client.captureAuthorizationPartial(id, { amount: 1 }),
  voidAuthorization: (id) => Client.voidAuthorization(id),
  getCardDetails: (id) => Client.getCardDetails(id),
  deleteCard: (id) => Client.deleteCard(id),
  getPaymentInstruments: (id) => Client.getPaymentInstruments(id, "CZK"),
  getPaymentInstrumentsAll: (id) => Client.getPaymentInstrumentsAll(id),
  getAccountStatement: (goid) => Client.getAccountStatement({ ...statement, goid }),
  createPayment: (goid) => Client.createPayment({ ...payment, target: { type: "ACCOUNT", goid } }),
  reconcile: (paymentId) => Client.reconcile(Client.ChangeRecord.voidRecurrence(paymentId, { sentAt })),
  reconcileStored: (paymentId) =>
    Client.reconcile({ operation: "voidRecurrence", paymentId, sentAt: sentAt.toISOString() }),
  reconcileCard: (cardId) => Client.reconcile({ operation: "deleteCard", cardId, sentAt: sentAt.toISOString() }),
  reconcileCharge: (childId) =>
    Client.reconcile({
      ...Client.ChangeRecord.createRecurrence(7, { amount: 1, currency: "CZK", order_number: "1" }, { sentAt }),
      childId
    })
}

describe("an id", () => {
  it.effect.each(Object.entries(programs))("names one thing, however it is spelled: %s", ([, program]) =>
    Effect.gen(function* () {
      const transport = scripted(() => json(paid, 500))
      const failures = yield* Effect.forEach(spellings, (spelling) => Effect.flip(program(spelling))).pipe(
        Effect.provideService(Client.RetryPolicy, Client.RetryPolicy.none),
        Effect.provide(gatewayOver(transport))
      )
      const [first, ...others] = transport.sent.map(({ body, method, url }) => ({ body, method, url }))
      assert.include(`${first?.url} ${first?.body}`, String(id))
      assert.notInclude(`${first?.url} ${first?.body}`, `0${id}`)
      // The gateway's number of a shop is a number.
      assert.notInclude(first?.body ?? "", `"${id}"`)
      for (const other of others) assert.deepStrictEqual(other, first)
      assert.strictEqual(transport.sent.length, spellings.length)
      const reasons = failures.map(({ reason }) => JSON.stringify(reason))
      assert.deepStrictEqual(new Set(reasons).size, 1)
    })
  )

  it.effect("of a payment is recorded canonically, and so is told to the caller", () =>
    Effect.gen(function* () {
      const lost = yield* Effect.flip(Client.refundPayment(`0${id}`, { amount: 1 })).pipe(
        Effect.provide(gatewayOver(scripted(() => json({}, 500))))
      )
      assert.strictEqual("change" in lost.reason ? lost.reason.change.paymentId : undefined, id)
      const missing = yield* Effect.flip(Client.getPayment(`0${id}`)).pipe(
        Effect.provide(gatewayOver(scripted(() => refusal(404, 304))))
      )
      assert.deepInclude(missing.reason, { _tag: "PaymentNotFound", paymentId: id })
      const card = yield* Effect.flip(Client.getCardDetails(`0${id}`)).pipe(
        Effect.provide(gatewayOver(scripted(() => refusal(404, 304))))
      )
      assert.deepInclude(card.reason, { _tag: "CardNotFound", cardId: id })
    })
  )

  it.effect("of a stored record is canonical when it is read", () =>
    Effect.gen(function* () {
      const record = yield* Client.ChangeRecord.parse({
        operation: "createRecurrence",
        paymentId: `0${id}`,
        childId: `00${id}`,
        amount: 1,
        currency: "CZK",
        orderNumber: "1",
        sentAt: sentAt.toISOString()
      })
      assert.deepInclude(record, { paymentId: id, childId: id })
      assert.deepInclude(Client.ChangeRecord.deleteCard(`0${id}`, { sentAt }), { cardId: id })
      assert.deepInclude(Client.ChangeRecord.refundPayment(`0${id}`, { amount: 1 }, { sentAt }), { paymentId: id })
    })
  )

  it.effect("of the response may be asked for in any spelling", () =>
    Effect.gen(function* () {
      const { id: answered } = yield* Client.refundPayment(`0${paid.id}`, { amount: 1 })
      assert.strictEqual(answered, paid.id)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(finished)))))
  )

  it.effect.each([
    "+3000000003",
    "-3000000003",
    "3e9",
    "3.0",
    " 3",
    "3 ",
    "3\n",
    "",
    "0",
    "000",
    "0x10",
    "0b1",
    "1_000",
    "３",
    "٣",
    "9007199254740992",
    "12345678901234567890",
    "Infinity",
    "NaN",
    0,
    -0,
    -3,
    3.5,
    2 ** 53,
    Number.POSITIVE_INFINITY
  ])("is refused before anything is sent, by the field's name, when it is %j", (wrong) =>
    Effect.gen(function* () {
      const transport = scripted(() => json(paid))
      const failures = yield* Effect.forEach(Object.values(programs), (program) => Effect.flip(program(wrong))).pipe(
        Effect.provide(gatewayOver(transport))
      )
      assert.strictEqual(transport.sent.length, 0)
      for (const { message, reason } of failures) {
        assert.deepInclude(reason, { _tag: "InvalidRequest", refusedBy: "client" })
        assert.match(
          message,
          /\b(id|card_id|goid|paymentId|cardId|childId): must be a positive integer up to 9007199254740991, or its digits as text/
        )
      }
    })
  )

  it("of the shop is one number for all of the client", async () => {
    await using client = createGatewayClient({ ...credentials, goid: "08123456781", environment: "sandbox" })
    assert.strictEqual(client.goid, 8123456781)
    assert.throws(
      () => createGatewayClient({ ...credentials, goid: "12345678901234567890", environment: "sandbox" }),
      /goid: must be a positive integer up to 9007199254740991/
    )
  })

  it("that a notification names is a number of any spelling", () => {
    const parse = (address: string) => Effect.runSync(Client.parseNotification(address))
    assert.deepStrictEqual(parse(`?id=00000000000000000000${id}&parent_id=0${id}`), {
      id,
      parent_id: id
    })
    for (const wrong of ["%2B3", "3e9", "3.0", "%203", "%EF%BC%93", "0x3", "9007199254740992", "-3", "0", ""]) {
      assert.throws(() => parse(`?id=${wrong}`), /the parameter id must be/)
    }
  })
})
