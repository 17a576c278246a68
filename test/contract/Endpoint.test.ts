import { describe, expect, it } from "@effect/vitest"
import * as Endpoint from "../../src/contract/Endpoint.js"
import type { Requested, ResponsePayload } from "../../src/contract/Endpoint.js"

/** Name, kind, method and path; what the request carries; what a success carries. */
const declared = `
getAccessToken               read    POST    /oauth2/token                                       form       json
createPayment                change  POST    /payments/payment                                   json       json
getPayment                   read    GET     /payments/payment/{id}                              none       json
refundPayment                change  POST    /payments/payment/{id}/refund                       form       json
getPaymentRefunds            read    GET     /payments/payment/{id}/refunds                      none       json
createRecurrence             change  POST    /payments/payment/{id}/create-recurrence            json       json
voidRecurrence               change  POST    /payments/payment/{id}/void-recurrence              emptyForm  json
captureAuthorization         change  POST    /payments/payment/{id}/capture                      emptyForm  json
captureAuthorizationPartial  change  POST    /payments/payment/{id}/capture                      json       json
voidAuthorization            change  POST    /payments/payment/{id}/void-authorization           emptyForm  json
getCardDetails               read    GET     /payments/cards/{card_id}                           none       json
deleteCard                   change  DELETE  /payments/cards/{card_id}                           none       none
getPaymentInstruments        read    GET     /eshops/eshop/{goid}/payment-instruments/{currency} none       json
getPaymentInstrumentsAll     read    GET     /eshops/eshop/{goid}/payment-instruments            none       json
getAccountStatement          read    POST    /accounts/account-statement                         json       file
getPaymentQr                 read    GET     /payments/payment/{id}/qr-payment                   query      json`
  .trim()
  .split("\n")
  .map((line) => line.split(/ +/))

describe("the endpoints", () => {
  it("are each declared once, under their method's name", () => {
    const table = Object.entries(Endpoint).map(
      ([name, { kind, method, name: declaredName, path, request, response }]) => {
        expect(declaredName).toBe(name)
        return [name, kind, method, path, request.type, response.type]
      }
    )
    expect(new Map(table.map((row) => [row[0], row]))).toStrictEqual(new Map(declared.map((row) => [row[0], row])))
    expect(table).toHaveLength(declared.length)
  })

  it("need a token, but for the one that gives it", () => {
    const basic = Object.values(Endpoint).filter(({ authorization }) => authorization === "basic")
    expect(basic).toStrictEqual([Endpoint.getAccessToken])
  })

  describe("doubt a response that does not prove what was asked:", () => {
    const doubt = <Response>(response: ResponsePayload<Response>, answer: Response, requested: Requested) =>
      response.type === "json" ? response.doubt?.(answer, requested) : undefined

    const payment = { id: 13, state: "PAID", amount: 1, currency: "CZK", order_number: "1" }
    const asked = { id: undefined, amount: 1, currency: "CZK", orderNumber: "1" }

    it("a read of another payment or card", () => {
      expect(doubt(Endpoint.getPayment.response, payment, { id: 13 })).toBeUndefined()
      expect(doubt(Endpoint.getPayment.response, payment, { id: 26 })).toBe("it is for another id, 13")
      expect(doubt(Endpoint.getCardDetails.response, { card_id: 7 }, { id: 7 })).toBeUndefined()
      expect(doubt(Endpoint.getCardDetails.response, { card_id: 7 }, { id: 8 })).toBe("it is for another id, 7")
    })

    describe.each([
      Endpoint.refundPayment,
      Endpoint.voidRecurrence,
      Endpoint.captureAuthorization,
      Endpoint.captureAuthorizationPartial,
      Endpoint.voidAuthorization
    ])("an operation on a payment, $name,", ({ response }) => {
      it.each(["FINISHED", "ACCEPTED", "FAILED"])("with the result %s says something", (result) => {
        expect(doubt(response, { id: 13, result }, { id: 13 })).toBeUndefined()
      })

      it.each(["REJECTED", "ERROR", "", "failed", " FAILED", "finished", "FINISHED\u0000"])(
        "with the result %j says nothing",
        (result) => {
          expect(doubt(response, { id: 13, result }, { id: 13 })).toBe("its result is unknown")
        }
      )

      it("is not about another payment", () => {
        expect(doubt(response, { id: 26, result: "FINISHED" }, { id: 13 })).toBe("it is for another id, 26")
      })
    })

    it.each([
      [{ amount: 2 }, "amount"],
      [{ currency: "EUR" }, "currency"],
      [{ order_number: "2" }, "order_number"],
      [{ amount: undefined, currency: undefined, order_number: undefined }, "order_number, amount, currency"]
    ])("a payment created with %o", (other, differing) => {
      const answer = JSON.parse(JSON.stringify({ ...payment, gw_url: "https://gate.example.com/", ...other }))
      const problem = `it is for another payment, as told by ${differing}`
      expect(doubt(Endpoint.createPayment.response, answer, asked)).toBe(problem)
      expect(doubt(Endpoint.createRecurrence.response, answer, { ...asked, id: 26 })).toBe(problem)
    })

    it("a charge that is another one", () => {
      const { response } = Endpoint.createRecurrence
      expect(doubt(response, payment, { ...asked, id: 26 })).toBeUndefined()
      expect(doubt(response, { ...payment, parent_id: 26 }, { ...asked, id: 26 })).toBeUndefined()
      expect(doubt(response, { ...payment, parent_id: 39 }, { ...asked, id: 26 })).toBe(
        "it is a charge of another recurrence, 39"
      )
      expect(doubt(response, payment, { ...asked, id: 13 })).toBe("it is the first payment itself")
    })
  })
})
