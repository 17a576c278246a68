/**
 * The messages of the gateway as schemas of their own: an `HttpApi` that hands them on documents them.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Client from "../../src/index.js"
import { id } from "../support/OperationPrograms.js"
import { gatewayOver, json, paid, scripted } from "../support/ScriptedTransport.js"

const { GatewaySchema } = Client

const payments = HttpApi.make("shop").add(
  HttpApiGroup.make("payments").add(
    HttpApiEndpoint.get("read", "/payments/:id", {
      success: GatewaySchema.Payment,
      error: Client.GatewayErrorSchema
    }),
    HttpApiEndpoint.post("create", "/payments", {
      payload: GatewaySchema.CreatePaymentRequest,
      success: GatewaySchema.CreatedPayment,
      error: Client.GatewayErrorSchema
    })
  )
)

describe("an HttpApi that hands on payments", () => {
  const document = OpenApi.fromApi(payments)
  const text = JSON.stringify(document)
  const { schemas } = document.components

  it("documents them, each once and by name", () => {
    assert.containsAllKeys(schemas, [
      "Payment",
      "CreatedPayment",
      "PayerResponse",
      "CreatePaymentRequest",
      "GatewayError"
    ])
    assert.deepNestedInclude(schemas["Payment"], {
      "properties.id": { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      "properties.payer": { $ref: "#/components/schemas/PayerResponse" }
    })
    assert.isBelow(text.length, 24_000)
  })

  it("promises no value but what it hands on", () => {
    assert.notMatch(text, /"schema":\{\}/)
  })

  it("takes amounts as integers that JSON has, within their bounds", () => {
    assert.deepNestedInclude(schemas["CreatePaymentRequest"], {
      "properties.amount": { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    })
    assert.notInclude(text, "NaN")
  })

  it("responds to each reason with a status that says who can do something about it", () => {
    const statusOf = (error: Schema.Top) =>
      Object.keys(
        OpenApi.fromApi(
          HttpApi.make("shop").add(
            HttpApiGroup.make("payments").add(HttpApiEndpoint.get("read", "/", { success: Schema.Void, error }))
          )
        ).paths["/"]?.get?.responses ?? {}
      ).find((status) => !status.startsWith("2"))
    assert.deepStrictEqual(
      [
        Client.GatewayErrorSchema,
        Client.GatewayErrorReason,
        Client.InvalidRequest,
        Client.PaymentNotFound,
        Client.CardNotFound,
        Client.OperationRefused,
        Client.RateLimited,
        Client.GatewayUnavailable,
        Client.OutcomeUnknown,
        Client.AuthenticationFailed,
        Client.PermissionDenied,
        Client.UnexpectedResponse
      ].map(statusOf),
      ["424", "424", "422", "404", "404", "409", "503", "503", "424", "502", "502", "502"]
    )
  })
})

it.each(Object.entries({ ...GatewaySchema, ChangeRecord: Client.ChangeRecord, Reconciliation: Client.Reconciliation }))(
  "an HttpApi documents %s",
  (_, schema) => {
    const { definitions, schema: described } = Schema.toJsonSchemaDocument(Schema.toCodecJson(schema))
    assert.isNotEmpty(described)
    assert.notMatch(JSON.stringify([described, ...Object.values(definitions)]), /NaN|:\{\}[,}]/)
  }
)

describe("a message as a client gives it", () => {
  it.effect("is encoded and decoded as it is, without what the schema does not know", () =>
    Effect.gen(function* () {
      const response = { ...paid, payer: { card_id: 7 }, target: { type: "ACCOUNT", goid: 8123456781 }, new_field: 1 }
      const payment = yield* Client.getPayment(id).pipe(Effect.provide(gatewayOver(scripted(() => json(response)))))
      const { new_field: _, ...known } = response
      const encoded = yield* Schema.encodeEffect(GatewaySchema.Payment)(payment)
      assert.deepStrictEqual<unknown>({ ...encoded, extraFields: undefined }, { ...known, extraFields: undefined })
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(GatewaySchema.Payment)(known), known)
    })
  )

  it("has its fields, for schemas made of them", () => {
    const Summary = Schema.Struct({ id: GatewaySchema.Payment.fields.id, amount: GatewaySchema.Refund.fields.amount })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Summary)({ id: 1, amount: 2 }), { id: 1, amount: 2 })
    assert.throws(() => Schema.decodeUnknownSync(Summary)({ id: "1", amount: 2 }))
  })

  it("is what the client's operations give", () => {
    expectTypeOf<Client.PaymentResponse>().toExtend<typeof GatewaySchema.Payment.Type>()
    expectTypeOf<Client.CreatePaymentResponse>().toExtend<typeof GatewaySchema.CreatedPayment.Type>()
    expectTypeOf<Client.PaymentOperationResponse>().toExtend<typeof GatewaySchema.PaymentOperation.Type>()
    expectTypeOf<Client.RefundHistoryItem>().toExtend<typeof GatewaySchema.Refund.Type>()
    expectTypeOf<Client.CardDetailsResponse>().toExtend<typeof GatewaySchema.CardDetails.Type>()
    expectTypeOf<Client.PaymentInstrumentsResponse>().toExtend<typeof GatewaySchema.PaymentInstruments.Type>()
    expectTypeOf<Client.PaymentQrResponse>().toExtend<typeof GatewaySchema.PaymentQr.Type>()
  })
})
