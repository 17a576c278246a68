import { describe, expect, it } from "@effect/vitest"
import * as Endpoint from "../../src/api/Endpoint.js"
import type { ResponsePayload } from "../../src/api/Endpoint.js"

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

  describe("know what an answer is about:", () => {
    const about = <Response>(response: ResponsePayload<Response>, answer: Response) =>
      response.type === "json" ? response.about?.(answer) : undefined

    const payment = { id: 13, state: "PAID", amount: 1, currency: "CZK" }

    it("a payment", () => {
      expect(about(Endpoint.getPayment.response, payment)).toBe(13)
    })

    it.each([
      Endpoint.refundPayment,
      Endpoint.voidRecurrence,
      Endpoint.captureAuthorization,
      Endpoint.captureAuthorizationPartial,
      Endpoint.voidAuthorization
    ])("an operation on a payment, $name", ({ response }) => {
      expect(about(response, { id: 13, result: "FINISHED" })).toBe(13)
    })

    it("the parent of a charge of a recurrence, when it is told", () => {
      expect(about(Endpoint.createRecurrence.response, { ...payment, parent_id: 26 })).toBe(26)
      expect(about(Endpoint.createRecurrence.response, payment)).toBeUndefined()
    })

    it("a card", () => {
      expect(about(Endpoint.getCardDetails.response, { card_id: 7 })).toBe(7)
    })

    it("but not a payment just created: nobody knew its id", () => {
      expect(
        about(Endpoint.createPayment.response, { ...payment, gw_url: "https://gate.example.com/" })
      ).toBeUndefined()
    })
  })
})
