/**
 * An order full of what nobody else may read.
 */
import { order } from "./Operations.js"
import { credentials } from "./ScriptedGateway.js"

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
    verify_pin: "4711",
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
const ofOrder: ReadonlyArray<string> = [...Object.values(person), ...Object.values(account), "4711"]

/** What must not appear in any error, however it is printed. */
export const secrets: ReadonlyArray<string> = [...ofCalls, ...ofOrder, basicCredentials]

/** What a careless gateway may answer to a call: everything that it was told. */
export const echo = `Wrong values: ${ofCalls.join(", ")}.`

/** What it may answer to the order itself. */
export const echoOfOrder = `Wrong values: ${[...ofOrder, basicCredentials].join(", ")}.`

/** What it may answer to the request for a token. */
export const echoOfCredentials = `Wrong values: ${basicCredentials}, ${credentials.clientSecret}.`
