/**
 * The states of a payment, of its hold and of its recurrence in words, for those who know no codes.
 */
import { ownMember } from "../basics/OwnMember.js"
import type { PaymentStates, PreauthorizationStates, RecurrenceStates } from "./CodeLists.js"

type Words = { readonly [Language in "cs" | "en"]: string }

const payments: { readonly [State in keyof typeof PaymentStates]: Words } = {
  CREATED: { en: "not paid yet", cs: "zatím nezaplaceno" },
  PAYMENT_METHOD_CHOSEN: { en: "payment method chosen", cs: "zvolen způsob platby" },
  PAID: { en: "paid", cs: "zaplaceno" },
  AUTHORIZED: { en: "held on the card", cs: "blokováno na kartě" },
  CANCELED: { en: "cancelled", cs: "zrušeno" },
  TIMEOUTED: { en: "timed out", cs: "vypršelo" },
  REFUNDED: { en: "refunded", cs: "vráceno" },
  PARTIALLY_REFUNDED: { en: "partly refunded", cs: "vráceno částečně" }
}

const holds: { readonly [State in keyof typeof PreauthorizationStates]: Words } = {
  REQUESTED: { en: "requested", cs: "vyžádána" },
  AUTHORIZED: { en: "held", cs: "platí" },
  CAPTURED: { en: "captured", cs: "stržena" },
  CANCELED: { en: "released", cs: "uvolněna" }
}

const recurrences: { readonly [State in keyof typeof RecurrenceStates]: Words } = {
  REQUESTED: { en: "requested", cs: "vyžádána" },
  STARTED: { en: "started", cs: "zahájena" },
  STOPPED: { en: "stopped", cs: "ukončena" }
}

/** A code in words. One that is not known is left as it is, with spaces. */
const wordsIn =
  (list: { readonly [code: string]: Words }) =>
  (code: string, language: keyof Words): string =>
    ownMember(list, code)?.[language] ?? code.replaceAll("_", " ")

/** The state of a payment. */
export const paymentStateWords = wordsIn(payments)

/** The state of a hold (a preauthorization); in Czech of a *blokace*. */
export const holdStateWords = wordsIn(holds)

/** The state of a recurrence; in Czech of an *opakovaná platba*. */
export const recurrenceStateWords = wordsIn(recurrences)
