/**
 * Members that GoPay has added, in what a shop's own interface returns.
 */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { GatewaySchema } from "../../src/index.js"
import { Payment } from "../../src/schema/index.js"
import { PaymentV4 } from "../../src/schema/v4/index.js"
import { paymentId } from "../support/GatewayV4.js"

const extraFields = { new_member: { a: 1, b: ["text", null] } }
const paid = { id: 1, order_number: "1", state: "PAID", amount: 1, currency: "CZK", extraFields }
const paidV4 = { ...paid, id: paymentId, payment_secret: "ps_1", gw_url: "https://gw.example/1" }

const passedOn = Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))

/** What callers of an `HttpApi` get. */
const sent = (schema: Schema.Encoder<unknown>, payment: unknown) =>
  Schema.encodeUnknownSync(Schema.toCodecJson(schema))(payment)

describe("extraFields", () => {
  it.each([
    ["Payment", Payment, paid],
    ["GatewaySchema.Payment", GatewaySchema.Payment, paid],
    ["PaymentV4", PaymentV4, paidV4]
  ])("are not passed on by %s, which documents what callers get", (_, schema, payment) => {
    expect(sent(schema, payment)).not.toHaveProperty("extraFields")
  })

  it("are passed on by a struct that has them", () => {
    expect(sent(Schema.Struct({ ...Payment.fields, extraFields: passedOn }), paid)).toMatchObject({ extraFields })
    expect(sent(Schema.Struct({ ...PaymentV4.fields, extraFields: passedOn }), paidV4)).toMatchObject({ extraFields })
  })
})
