/**
 * The schemas of `effect-gopay/v4/schema`: an `HttpApi` that takes and gives them documents each member, beside those of v3, and they are those
 * of the client.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Client from "../../src/client/v4/index.js"
import * as V3 from "../../src/schema/index.js"
import * as Documented from "../../src/schema/v4/index.js"
import { undocumented } from "./undocumented.js"

const everySchema = { ...Documented, readReasons: undefined, reasonsV4: undefined }

it.each(
  Object.entries(everySchema).flatMap(([name, schema]) => (Schema.isSchema(schema) ? [[name, schema] as const] : []))
)("%s documents each of its members", (_, schema) => {
  const { definitions, schema: own } = Schema.toJsonSchemaDocument(Schema.toCodecJson(schema))
  assert.deepStrictEqual(undocumented([own, definitions]), [])
})

describe("an HttpApi of both APIs", () => {
  const both = HttpApi.make("shop").add(
    HttpApiGroup.make("payments").add(
      HttpApiEndpoint.get("read", "/payments/:id", {
        params: { id: V3.GatewayId },
        success: V3.Payment,
        error: V3.reasons.getPayment
      }),
      HttpApiEndpoint.get("readV4", "/v4/payments/:id", {
        params: { id: Documented.PaymentIdV4 },
        success: Documented.PaymentV4,
        error: Documented.reasonsV4.getPayment
      }),
      HttpApiEndpoint.post("createV4", "/v4/payments", {
        payload: Documented.CreatePaymentRequestV4,
        success: Documented.CreatedPaymentV4,
        error: Documented.GatewayErrorSchemaV4
      }),
      HttpApiEndpoint.post("recurV4", "/v4/recurrences", {
        payload: Documented.CreateRecurrenceRequestV4,
        success: Documented.RecurrenceV4,
        error: Documented.reasonsV4.createRecurrence
      })
    )
  )

  it("has each schema once beside those of v3, and describes each member", () => {
    const { components, paths } = OpenApi.fromApi(both)
    assert.deepStrictEqual(undocumented(components.schemas), [])
    assert.deepStrictEqual(
      Object.keys(components.schemas).filter((name) => /_\d+$/.test(name)),
      []
    )
    assert.containsAllKeys(components.schemas, ["Payment", "PaymentV4", "PaymentNotFound", "PaymentNotFoundV4"])
    assert.notMatch(JSON.stringify(components.schemas), /_(?:spec|types|observed)_/)
    assert.containsAllKeys(paths["/v4/payments/{id}"]?.get?.responses, ["200", "404", "409", "422", "502", "503"])
    assert.containsAllKeys(paths["/v4/recurrences"]?.post?.responses, ["200", "424"])
  })

  it("lets a payment and an error cross as JSON", () => {
    const payment = { id: Client.paymentIdV4("7310000001"), state: "PAID", amount: 100, currency: "CZK" }
    const crossed = Schema.toCodecJson(Documented.PaymentV4)
    const json: unknown = JSON.parse(JSON.stringify(Schema.encodeUnknownSync(crossed)(payment)))
    assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(crossed)(json), payment)
    assert.throws(() => Schema.decodeUnknownSync(crossed)({ ...payment, id: 7_310_000_001 }), /digits as text/)

    const error = new Client.GatewayErrorV4({
      operation: "v4.refundPayment",
      reason: {
        _tag: "OutcomeUnknown",
        isRetryable: false,
        message: "The outcome is unknown.",
        change: Client.changeRecordConstructorsV4.refundPayment(payment.id, { amount: 100 }, { sentAt: new Date(0) })
      }
    })
    const encoded = Schema.encodeSync(Documented.GatewayErrorSchemaV4)(error)
    const decoded = Schema.decodeSync(Documented.GatewayErrorSchemaV4)(JSON.parse(JSON.stringify(encoded)))
    assert.instanceOf(decoded, Client.GatewayErrorV4)
    assert.strictEqual(decoded.operation, "v4.refundPayment")
    assert.deepStrictEqual<unknown>(decoded.reason, error.reason)
  })

  it("has the reasons that each operation can fail for, and schemas that decode to its messages", () => {
    type Reasons = typeof Documented.reasonsV4
    expectTypeOf<{ [Name in keyof Reasons]: Reasons[Name][number]["Type"] }>().toEqualTypeOf<{
      [Name in keyof Reasons]: Client.ReasonOfV4<Name>
    }>()
    expectTypeOf<(typeof Documented.PaymentV4)["Type"]>().toEqualTypeOf<Client.PaymentResponseV4>()
    expectTypeOf<(typeof Documented.CreatedPaymentV4)["Type"]>().toEqualTypeOf<Client.CreatedPaymentV4>()
    expectTypeOf<(typeof Documented.RefundV4)["Type"]>().toEqualTypeOf<Client.RefundResponseV4>()
    expectTypeOf<(typeof Documented.RecurrenceV4)["Type"]>().toEqualTypeOf<Client.RecurrenceResponseV4>()
    expectTypeOf<(typeof Documented.CreatePaymentRequestV4)["Type"]>().toEqualTypeOf<Client.CreatePaymentRequestV4>()
    expectTypeOf<(typeof Documented.ChangeRecordV4)["Type"]>().toExtend<Client.ChangeRecordV4>()
  })
})
