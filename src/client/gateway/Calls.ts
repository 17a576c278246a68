/**
 * What each method of the client calls, by its name.
 */
import * as Predicate from "effect/Predicate"
import type { Currency } from "../../api/CodeLists.plain.js"
import * as Endpoint from "../../api/Endpoint.js"
import type {
  AccountStatementRequest,
  CaptureAuthorizationPartialRequest,
  CreatePaymentRequest,
  CreateRecurrenceRequest,
  Id,
  PaymentQrRequest,
  RefundPaymentRequest
} from "../../api/Messages.plain.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import * as Operation from "../call/Operation.js"

const createPaymentAt = Operation.make(Endpoint.createPayment)

export const createPayment = (payment: CreatePaymentRequest, settings: GatewaySettings) =>
  createPaymentAt({}, () => withDefaults(payment, settings))

const withDefaults = (payment: CreatePaymentRequest, { goid, language }: GatewaySettings): CreatePaymentRequest =>
  // What is no object at all is left for the check to refuse.
  Predicate.isObject(payment)
    ? {
        ...payment,
        target: payment.target === undefined ? { type: "ACCOUNT", goid } : payment.target,
        lang: payment.lang === undefined ? language : payment.lang
      }
    : payment

const getPaymentAt = Operation.make(Endpoint.getPayment)

export const getPayment = (paymentId: Id) => getPaymentAt({ id: paymentId }, () => undefined)

const refundPaymentAt = Operation.make(Endpoint.refundPayment)

export const refundPayment = (paymentId: Id, refund: RefundPaymentRequest) =>
  refundPaymentAt({ id: paymentId }, () => refund)

const getPaymentRefundsAt = Operation.make(Endpoint.getPaymentRefunds)

export const getPaymentRefunds = (paymentId: Id) => getPaymentRefundsAt({ id: paymentId }, () => undefined)

const createRecurrenceAt = Operation.make(Endpoint.createRecurrence)

export const createRecurrence = (paymentId: Id, recurrence: CreateRecurrenceRequest) =>
  createRecurrenceAt({ id: paymentId }, () => recurrence)

const voidRecurrenceAt = Operation.make(Endpoint.voidRecurrence)

export const voidRecurrence = (paymentId: Id) => voidRecurrenceAt({ id: paymentId }, () => undefined)

const captureAuthorizationAt = Operation.make(Endpoint.captureAuthorization)

export const captureAuthorization = (paymentId: Id) => captureAuthorizationAt({ id: paymentId }, () => undefined)

const captureAuthorizationPartialAt = Operation.make(Endpoint.captureAuthorizationPartial)

export const captureAuthorizationPartial = (paymentId: Id, capture: CaptureAuthorizationPartialRequest) =>
  captureAuthorizationPartialAt({ id: paymentId }, () => capture)

const voidAuthorizationAt = Operation.make(Endpoint.voidAuthorization)

export const voidAuthorization = (paymentId: Id) => voidAuthorizationAt({ id: paymentId }, () => undefined)

const getCardDetailsAt = Operation.make(Endpoint.getCardDetails)

export const getCardDetails = (cardId: Id) => getCardDetailsAt({ card_id: cardId }, () => undefined)

const deleteCardAt = Operation.make(Endpoint.deleteCard)

export const deleteCard = (cardId: Id) => deleteCardAt({ card_id: cardId }, () => undefined)

const getPaymentInstrumentsAt = Operation.make(Endpoint.getPaymentInstruments)

export const getPaymentInstruments = (goid: Id, currency: Currency) =>
  getPaymentInstrumentsAt({ goid, currency }, () => undefined)

const getPaymentInstrumentsAllAt = Operation.make(Endpoint.getPaymentInstrumentsAll)

export const getPaymentInstrumentsAll = (goid: Id) => getPaymentInstrumentsAllAt({ goid }, () => undefined)

const getAccountStatementAt = Operation.make(Endpoint.getAccountStatement)

export const getAccountStatement = (statement: AccountStatementRequest) => getAccountStatementAt({}, () => statement)

const getPaymentQrAt = Operation.make(Endpoint.getPaymentQr)

export const getPaymentQr = (paymentId: Id, options?: PaymentQrRequest) =>
  getPaymentQrAt({ id: paymentId }, () => options ?? {})
