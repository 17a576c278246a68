/**
 * Statements about the types of API v4: the compiler checks them, and running them shows nothing more.
 */
import { describe, expectTypeOf, it } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import type * as V4 from "../../src/client/v4/index.js"
import type * as V3 from "../../src/index.js"
import type * as PromisesV3 from "../../src/promise/index.js"
import type * as PromisesV4 from "../../src/promise/v4/index.js"

describe("ids of API v4", () => {
  it("are text of their own: neither v3's, nor any text, nor each other's", () => {
    expectTypeOf<number>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<string>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<V3.GatewayId>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<V3.PaymentResponse["id"]>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<V4.RefundIdV4>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<V4.RecurrenceIdV4>().not.toExtend<V4.PaymentIdV4>()
    expectTypeOf<V4.PaymentIdV4>().toExtend<string>()
    expectTypeOf<Parameters<PromisesV4.GatewayClientV4["refundPayment"]>[0]>().toEqualTypeOf<V4.PaymentIdV4>()
  })
})

describe("errors of API v4", () => {
  it("say in their type what an operation can fail with", () => {
    type ErrorOf<Program> = Program extends Effect.Effect<unknown, infer E, never> ? E : never
    type Tag<Name extends keyof V4.GatewayProgramsV4> =
      ErrorOf<ReturnType<V4.GatewayServiceV4[Name]>> extends V4.GatewayErrorV4<infer Reason> ? Reason["_tag"] : never
    expectTypeOf<"OutcomeUnknown">().toExtend<Tag<"refundPayment">>()
    expectTypeOf<"OutcomeUnknown">().not.toExtend<Tag<"getPayment">>()
    expectTypeOf<"PaymentNotFound">().toExtend<Tag<"getPayment">>()
    expectTypeOf<"PaymentNotFound">().not.toExtend<Tag<"getRecurrence">>()
    expectTypeOf<"ChargeNotFound">().toExtend<Tag<"getCharge">>()
    expectTypeOf<"PaymentNotFound">().not.toExtend<Tag<"createPayment">>()
  })

  it("of notifications are those of v3: both are told from a gateway's by one list", () => {
    expectTypeOf<V4.NotificationErrorReasonV4["_tag"]>().toEqualTypeOf<V3.NotificationErrorReason["_tag"]>()
  })
})

describe("records of changes of API v4", () => {
  it("are none of v3, and the other way", () => {
    expectTypeOf<V4.ChangeRecordV4>().not.toExtend<V3.ChangeRecord>()
    expectTypeOf<V3.ChangeRecord>().not.toExtend<V4.ChangeRecordV4>()
    expectTypeOf<V4.ChangeRecordV4["operation"]>().toEqualTypeOf<V4.ChangeNameV4 | "v4.sendRequest">()
  })
})

describe("configuration of API v4", () => {
  it("has no language, and scopes of its own", () => {
    expectTypeOf<keyof V4.GatewayConfigOptionsV4>().toEqualTypeOf<keyof V4.GatewayOptionsV4>()
    expectTypeOf<"language">().not.toExtend<keyof V4.GatewayOptionsV4>()
    expectTypeOf<ReturnType<typeof PromisesV4.optionsFromEnv>>().toExtend<PromisesV4.GatewayClientOptionsV4>()
    expectTypeOf<V3.GatewayConfig>().not.toExtend<V4.GatewayConfigV4>()
    expectTypeOf<Effect.Services<ReturnType<typeof V4.sendRequest>>>().toEqualTypeOf<V4.GatewayV4>()
  })
})

describe("verified payments of API v4", () => {
  it("are expected by ids of v4, and their errors have them", () => {
    type Verify = PromisesV4.GatewayClientV4["verifyPayment"]
    type VerifyV3 = PromisesV3.GatewayClient["verifyPayment"]
    expectTypeOf<Parameters<Parameters<Verify>[1]>[0]>().toEqualTypeOf<V4.PaymentIdV4>()
    // A function that finds orders by ids of v3 does not compile.
    expectTypeOf<Parameters<VerifyV3>[1]>().not.toExtend<Parameters<Verify>[1]>()
    type Handled = Parameters<PromisesV4.NotificationHandlerOptionsV4["handler"]>[0]
    expectTypeOf<Handled["payment"]["id"]>().toEqualTypeOf<V4.PaymentIdV4>()
    expectTypeOf<V4.PaymentMismatchV4["paymentId"]>().toEqualTypeOf<V4.PaymentIdV4>()
    expectTypeOf<V4.NotificationErrorV4>().not.toExtend<V3.NotificationError>()
  })
})
