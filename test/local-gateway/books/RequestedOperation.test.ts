import { describe, expect, it } from "vitest"
import { operationOf } from "../../../src/local-gateway/books/RequestDecoder.js"

const of = (request: string, requestBody = "", responseBody = "") => {
  const [method = "", path = ""] = request.split(" ")
  return operationOf({ method, path, requestBody, responseBody })
}

describe("the operation that a request is for", () => {
  it.each([
    ["GET /api/payments/payment/7", { operation: "getPayment", paymentId: 7 }],
    ["GET /api/payments/payment/7/", { operation: "getPayment", paymentId: 7 }],
    ["POST /api/payments/payment/7/refund", { operation: "refundPayment", paymentId: 7 }],
    ["GET /api/payments/payment/7/refunds", { operation: "getPaymentRefunds", paymentId: 7 }],
    ["POST /api/payments/payment/x/refund", { operation: "refundPayment" }],
    ["GET /api/payments/cards/7", { operation: "getCardDetails" }],
    ["DELETE /api/payments/cards/7", { operation: "deleteCard" }],
    ["GET /api/eshops/eshop/7/payment-instruments/CZK", { operation: "getPaymentInstruments" }],
    ["POST /api/payments/payment/7", {}],
    ["GET /api/payments/payment", {}],
    ["GET /api/payments/payment/7/other", {}],
    ["GET /payments/payment/7", {}]
  ])("%s", (request, operation) => {
    expect(of(request)).toEqual(operation)
  })

  it("is a partial capture when an amount comes with it, or something else", () => {
    const capture = "POST /api/payments/payment/7/capture"
    expect(of(capture)).toEqual({ operation: "captureAuthorization", paymentId: 7 })
    expect(of(capture, " \n")).toEqual({ operation: "captureAuthorization", paymentId: 7 })
    expect(of(capture, '{"amount":1}')).toEqual({ operation: "captureAuthorizationPartial", paymentId: 7 })
    expect(of("POST /api/payments/payment/7/refund", "amount=1").operation).toBe("refundPayment")
  })

  it("of a new payment is about the one that was made", () => {
    const create = "POST /api/payments/payment"
    expect(of(create, "{}", '{"id":7,"order_number":"1"}')).toEqual({ operation: "createPayment", paymentId: 7 })
    expect(of(create, "{}", '{"errors":[{"id":7}]}')).toEqual({ operation: "createPayment" })
    expect(of(create, "{}", "")).toEqual({ operation: "createPayment" })
  })
})
