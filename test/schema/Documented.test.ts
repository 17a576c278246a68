/**
 * The schemas of `effect-gopay/schema`: an `HttpApi` that takes and gives them documents each member, and they are those of the client.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Shop } from "../../examples/guides/http-api-effect.js"
import * as CodeLists from "../../src/contract/CodeLists.js"
import * as Client from "../../src/index.js"
import * as Documented from "../../src/schema/index.js"
import { objectsIn, undocumented } from "./undocumented.js"
import { paid } from "../support/ScriptedTransport.js"

const api = HttpApi.make("shop").add(
  HttpApiGroup.make("payments").add(
    HttpApiEndpoint.get("read", "/payments/:id", {
      params: { id: Documented.GatewayId },
      success: Documented.Payment,
      error: Documented.reasons.getPayment
    }),
    HttpApiEndpoint.post("create", "/payments", {
      payload: Documented.CreatePaymentRequest,
      success: Documented.CreatedPayment,
      error: Documented.GatewayErrorSchema
    })
  )
)

const everySchema = { ...Documented, reasons: undefined, readReasons: undefined }

describe("an HttpApi of two endpoints", () => {
  const document = OpenApi.fromApi(api)
  const text = JSON.stringify(document)
  const { schemas } = document.components

  it("describes each member of each message", () => {
    assert.deepStrictEqual(undocumented(schemas), [])
    assert.deepNestedInclude(schemas["Payment"], { "properties.id.description": "Id of the payment." })
  })

  it("lists the codes of each list, and takes others", () => {
    for (const [name, codes] of [
      ["PaymentState", CodeLists.PaymentStates],
      ["PaymentInstrument", CodeLists.PaymentInstruments],
      ["Currency", CodeLists.Currencies],
      ["RecurrenceCycle", CodeLists.RecurrenceCycles]
    ] as const) {
      assert.deepNestedInclude(schemas[name], {
        "anyOf[0]": { type: "string", enum: Object.keys(codes) },
        "anyOf[1].type": "string"
      })
    }
    assert.include(JSON.stringify(schemas["PaymentState"]), CodeLists.PaymentStates.PAID)
  })

  it("has bounds of each integer", () => {
    const unbounded = objectsIn(schemas, "").filter(
      ([, { maximum, minimum, type }]) =>
        type === "integer" && !(Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum))
    )
    assert.deepStrictEqual(unbounded, [])
  })

  it("has each schema once, and none that takes anything", () => {
    assert.deepStrictEqual(
      Object.keys(schemas).filter((name) => /_\d+$/.test(name)),
      []
    )
    assert.notMatch(JSON.stringify([document.paths, schemas]), /:\{\}[,}]|NaN/)
    assert.isBelow(text.length, 60_000)
  })

  it("answers each reason with its own status", () => {
    assert.containsAllKeys(document.paths["/payments/{id}"]?.get?.responses, ["200", "404", "409", "422", "502", "503"])
    assert.containsAllKeys(document.paths["/payments"]?.post?.responses, ["200", "424"])
  })
})

it.each(
  Object.entries(everySchema).flatMap(([name, schema]) => (Schema.isSchema(schema) ? [[name, schema] as const] : []))
)("%s documents each of its members", (_, schema) => {
  const { definitions, schema: own } = Schema.toJsonSchemaDocument(Schema.toCodecJson(schema))
  assert.deepStrictEqual(undocumented([own, definitions]), [])
})

it("the whole document of the guide's HttpApi describes each member, those of the ledger too", () => {
  const { components, paths } = OpenApi.fromApi(Shop)
  assert.deepStrictEqual(undocumented({ components, paths }), [])
})

describe("each of them", () => {
  it("takes codes that are not listed, as that of the client does", () => {
    const payment = { ...paid, state: "NEW_STATE", payer: { payment_instrument: "NEW" } }
    assert.deepStrictEqual(Schema.decodeUnknownSync(Documented.Payment)(payment), payment)
    assert.throws(() => Schema.decodeUnknownSync(Documented.Payment)({ ...paid, state: 1 }))
    assert.throws(() => Schema.decodeUnknownSync(Documented.RefundPaymentRequest)({ amount: 0 }), /more than 0/)
  })

  it("has its fields, which say what they are", () => {
    const Summary = Schema.Struct({ state: Documented.Payment.fields.state })
    const { definitions } = Schema.toJsonSchemaDocument(Schema.toCodecJson(Summary))
    assert.containsAllKeys(definitions, ["PaymentState"])
  })

  it("lets an error cross, and makes it one again", () => {
    const error = new Client.GatewayError({
      operation: "getPayment",
      reason: { _tag: "PaymentNotFound", isRetryable: false, message: "No such payment.", paymentId: 7, status: 404 }
    })
    const encoded = Schema.encodeSync(Documented.GatewayErrorSchema)(error)
    const decoded = Schema.decodeSync(Documented.GatewayErrorSchema)(JSON.parse(JSON.stringify(encoded)))
    assert.instanceOf(decoded, Client.GatewayError)
    assert.deepStrictEqual<unknown>(decoded.reason, error.reason)
  })
})

it("the reasons of each operation are those that it can fail for", () => {
  type Reasons = typeof Documented.reasons
  expectTypeOf<{ [Name in keyof Reasons]: Reasons[Name][number]["Type"] }>().toEqualTypeOf<{
    [Name in keyof Reasons]: Client.ReasonOf<Name>
  }>()
})
