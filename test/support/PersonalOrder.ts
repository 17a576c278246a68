/**
 * An order full of what no one else may read.
 */
import { order } from "./OperationCases.js"
import { credentials } from "./Credentials.js"

export const accessToken = Buffer.alloc(80, "an access token ").toString("base64")

const cardToken = Buffer.alloc(48, "a card token ").toString("base64")
const cardNumber = "4111111111111111"
const email = "jana.novakova@example.com"
const person = { first_name: "Jana", last_name: "Nováková", phone_number: "+420777456123", street: "Dlouhá 1" }
const account = { iban: "CZ6508000000192000145399", account_number: "192000145399" }

export const personalOrder = {
  ...order,
  payer: {
    allowed_card_token: cardToken,
    masked_pan: cardNumber,
    verify_pin: "0047",
    contact: { ...person, email, country_code: "CZE" },
    bank_account: account
  }
}

const basicCredentials = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64")

const ofCalls: ReadonlyArray<string> = [
  credentials.clientSecret,
  accessToken,
  cardToken,
  cardNumber,
  "4111 1111 1111 1111",
  "4111-1111-1111-1111",
  "PAN4111111111111111",
  "card_4111.1111.1111.1111",
  "411111******1111",
  "CZ6508000000192000145399",
  email
]

/** What a gateway knows of the payer only from the order. */
const ofOrder: ReadonlyArray<string> = [...Object.values(person), ...Object.values(account), "0047"]

/** What must not appear in anything that is printed. */
const secrets: ReadonlyArray<string> = [...ofCalls, ...ofOrder, basicCredentials]

/** Base64 of a text that others stand before and after: without the ends, which hold parts of these. */
const innerBase64 = (text: string, before: number): string => {
  const encoded = Buffer.from(" ".repeat(before) + text).toString("base64url")
  return encoded.slice(Math.ceil((before * 8) / 6), -2)
}

/** A text as it is, quoted, in an address and in a form. */
const plainForms = (text: string): ReadonlyArray<string> => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  new URLSearchParams({ "": text }).toString().slice(1)
]

/** A text in base64, wherever it may begin. */
const base64Forms = (text: string): ReadonlyArray<string> =>
  text.length < 8 ? [] : [0, 1, 2].map((before) => innerBase64(text, before))

const formsOf = (secret: string) => ({
  secret,
  plain: [...new Set(plainForms(secret))],
  base64: base64Forms(secret)
})

const formsOfSecrets = secrets.map(formsOf)

/** Digits may be a part of a longer number that has nothing to do with them. */
const occursIn = (text: string, form: string): boolean =>
  text.includes(form) && (!/^\d{1,6}$/.test(form) || new RegExp(`(?<![\\w.])${form}(?![\\w.])`).test(text))

/** The secrets that appear in a text, in any form; `others` are searched for as well. */
export const leaksIn = (text: string, others: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const inUrlForm = text.replaceAll("+", "-").replaceAll("/", "_")
  return [...formsOfSecrets, ...others.map(formsOf)].flatMap(({ base64, plain, secret }) =>
    plain.some((form) => occursIn(text, form)) || base64.some((form) => inUrlForm.includes(form)) ? [secret] : []
  )
}

/** The response of a careless gateway to a call: everything that it received. */
export const echo = `Wrong values: ${ofCalls.join(", ")}.`

/** Its response to the order: everything that it received. */
export const echoOfOrder = `Wrong values: ${[...ofOrder, basicCredentials].join(", ")}.`

/** What it may answer to the request for a token. */
export const echoOfCredentials = `Wrong values: ${basicCredentials}, ${credentials.clientSecret}.`
