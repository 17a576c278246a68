/**
 * The scenario to record: what every shop does, and what no public source reliably says about the gateway.
 */
import { StatementFormats } from "../../contract/CodeLists.js"
import { type Json, type RequestStep, type Step, tokenStep } from "./Recorder.js"

const by =
  (method: RequestStep["method"]) =>
  (name: string, path: string, more: Partial<RequestStep> = {}): RequestStep => ({ name, method, path, ...more })

const [get, post, remove] = [by("GET"), by("POST"), by("DELETE")]

const tokenRequest = (name: string, changes: Partial<RequestStep> = {}): RequestStep =>
  post(name, "/oauth2/token", {
    headers: { authorization: "Basic {credentials}" },
    form: { grant_type: "client_credentials", scope: "payment-all" },
    ...changes
  })

const order = {
  payer: { contact: { email: "{email}" } },
  target: { type: "ACCOUNT", goid: "{goid}" },
  amount: 10_000,
  currency: "CZK",
  order_number: "parity-1",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" },
  lang: "CS"
} satisfies Json

/** Creates a payment. Members that are `undefined` are left out. */
const create = (
  name: string,
  changes: Readonly<Record<string, Json | undefined>> = {},
  more: Partial<RequestStep> = {}
): RequestStep => {
  const members = Object.entries({ ...order, ...changes }).flatMap(([member, value]): ReadonlyArray<[string, Json]> =>
    value === undefined ? [] : [[member, value]]
  )
  return post(name, "/payments/payment", { json: Object.fromEntries(members), ...more })
}

const refund = (name: string, id: string, amount: string): RequestStep =>
  post(name, `/payments/payment/${id}/refund`, { form: { amount } })

const charge = (name: string, id: string, amount: number): RequestStep =>
  post(name, `/payments/payment/${id}/create-recurrence`, {
    json: { amount, currency: "CZK", order_number: "parity-charge", order_description: "A charge", items: [] }
  })

/** Requests the statement of a month. */
const statement = (name: string, changes: Readonly<Record<string, string>>): RequestStep => {
  const month = { date_from: "2026-01-01", date_to: "2026-01-31", goid: "{goid}", currency: "CZK" }
  return post(name, "/accounts/account-statement", { json: { ...month, ...changes }, isContractual: true })
}

const onDemand = { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2030-12-31" } }

/** No payment has this id: it is not divisible by 13, as all ids seen so far are. */
const strangeId = 3_000_000_001

/** No payment has this id, although it is a possible one. */
const unknownId = 3_000_000_013

const tokens: ReadonlyArray<Step> = [
  tokenRequest(tokenStep, { keep: { token: "access_token" } }),
  tokenRequest("token to create payments only", {
    form: { grant_type: "client_credentials", scope: "payment-create" },
    keep: { createToken: "access_token" }
  }),
  tokenRequest("token, unknown grant type", { form: { grant_type: "password", scope: "payment-all" } }),
  tokenRequest("token, no grant type", { form: { scope: "payment-all" } }),
  tokenRequest("token, no scope", { form: { grant_type: "client_credentials" } }),
  tokenRequest("token, unknown scope", { form: { grant_type: "client_credentials", scope: "everything" } }),
  tokenRequest("token, wrong secret", { headers: { authorization: "Basic MTIzNDU2Nzg5MDp3cm9uZw==" } }),
  tokenRequest("token, Basic that is no base64", { headers: { authorization: "Basic ???" } }),
  tokenRequest("token, no authorization", { headers: { authorization: "" } }),
  tokenRequest("token, wrong secret, in Czech", {
    headers: { authorization: "Basic MTIzNDU2Nzg5MDp3cm9uZw==", "accept-language": "cs-CZ" }
  })
]

const authorization: ReadonlyArray<Step> = [
  get("read with a token that was never given", `/payments/payment/${unknownId}`, {
    headers: { authorization: "Bearer AAAA" }
  }),
  get("read without authorization", `/payments/payment/${unknownId}`, { headers: { authorization: "" } }),
  create("create with a token that was never given", {}, { headers: { authorization: "Bearer AAAA" } }),
  get("read with a token to create payments only", `/payments/payment/${unknownId}`, {
    headers: { authorization: "Bearer {createToken}" }
  })
]

const creation: ReadonlyArray<Step> = [
  create("create", {}, { keep: { payment: "id" } }),
  get("read a new payment", "/payments/payment/{payment}"),
  create("create without lang", { lang: undefined }),
  create("create with lang in lower case", { lang: "cs" }),
  create("create with an unknown lang", { lang: "XX" }),
  create("create without payer", { payer: undefined }),
  create("create without target", { target: undefined }),
  create("create without amount", { amount: undefined }),
  create("create with amount 0", { amount: 0 }),
  create("create with a fraction as amount", { amount: 10.5 }),
  create("create with text as amount", { amount: "10000" }),
  create("create with an amount of ten billion crowns", { amount: 1_000_000_000_000 }),
  create("create without currency", { currency: undefined }),
  create("create with an unknown currency", { currency: "XXX" }),
  create("create without order_number", { order_number: undefined }),
  create("create with a long order_number", { order_number: "A".repeat(129) }),
  create("create without callback", { callback: undefined }),
  create("create with addresses over http", {
    callback: { return_url: "http://shop.example/return", notification_url: "http://shop.example/notify" }
  }),
  create("create with VAT of 12 %", {
    items: [{ type: "ITEM", name: "Book", amount: 10_000, count: 1, vat_rate: 12 }]
  }),
  create("create with items that do not add up", { items: [{ name: "Book", amount: 9_000, count: 1 }] }),
  create("create with a count times amount that adds up", { items: [{ name: "Book", amount: 5_000, count: 2 }] }),
  create("create with an unknown member", { unknown_member: 1 }),
  create("create with additional parameters", { additional_params: [{ name: "invoice", value: "1" }] }),
  post("create from no JSON", "/payments/payment", { headers: { "content-type": "application/json" } })
]

const form = "application/x-www-form-urlencoded"
const json = "application/json"

const contentTypes: ReadonlyArray<Step> = [
  tokenRequest("token, sent as JSON", { headers: { authorization: "Basic {credentials}", "content-type": json } }),
  create("create, sent as a form", {}, { headers: { "content-type": form } }),
  create("create, sent as plain text", {}, { headers: { "content-type": "text/plain" } }),
  create("create with a charset", {}, { headers: { "content-type": `${json}; charset=utf-8` } }),
  create("create with letters", { order_description: "Kšiltovka" }),
  create("create with escaped letters", { order_description: "Kšiltovka" }, { isEscaped: true }),
  post("refund, sent as JSON", "/payments/payment/{payment}/refund", { json: { amount: 1_000 } }),
  post("refund, JSON sent as a form", "/payments/payment/{payment}/refund", {
    json: { amount: 1_000 },
    headers: { "content-type": form }
  }),
  post("capture all, sent as JSON", "/payments/payment/{payment}/capture", { headers: { "content-type": json } }),
  post("capture a part, sent as a form", "/payments/payment/{payment}/capture", { form: { amount: "1000" } }),
  post("void an authorization, sent as JSON", "/payments/payment/{payment}/void-authorization", {
    headers: { "content-type": json }
  }),
  post("void a recurrence, sent as JSON", "/payments/payment/{payment}/void-recurrence", {
    headers: { "content-type": json }
  }),
  get("read with the content type of a form", "/payments/payment/{payment}", { headers: { "content-type": form } })
]

const unpaid: ReadonlyArray<Step> = [
  get("read an unknown payment", `/payments/payment/${unknownId}`),
  get("read an id that no payment can have", `/payments/payment/${strangeId}`),
  get("read id 0", "/payments/payment/0"),
  get("read an id that is no number", "/payments/payment/abc"),
  refund("refund an unpaid payment", "{payment}", "1000"),
  refund("refund amount 0", "{payment}", "0"),
  refund("refund no number", "{payment}", "abc"),
  post("refund without amount", "/payments/payment/{payment}/refund", { form: {} }),
  refund("refund an unknown payment", String(unknownId), "1000"),
  refund("refund an id that no payment can have", String(strangeId), "1000"),
  get("refunds of an unpaid payment", "/payments/payment/{payment}/refunds"),
  get("refunds of an unknown payment", `/payments/payment/${unknownId}/refunds`),
  get("QR payment", "/payments/payment/{payment}/qr-payment?format=svg", { isContractual: true }),
  post("capture what was not preauthorized", "/payments/payment/{payment}/capture"),
  post("capture an unknown payment", `/payments/payment/${unknownId}/capture`),
  post("void what was not preauthorized", "/payments/payment/{payment}/void-authorization"),
  post("void the authorization of an unknown payment", `/payments/payment/${unknownId}/void-authorization`),
  charge("charge what is no recurrence", "{payment}", 1_000),
  charge("charge an unknown recurrence", String(unknownId), 1_000),
  post("void what is no recurrence", "/payments/payment/{payment}/void-recurrence"),
  post("void an unknown recurrence", `/payments/payment/${unknownId}/void-recurrence`),
  create("create a recurrence on demand", onDemand, { keep: { unpaidRecurrence: "id" } }),
  charge("charge an unpaid recurrence", "{unpaidRecurrence}", 1_000),
  post("void an unpaid recurrence", "/payments/payment/{unpaidRecurrence}/void-recurrence"),
  post("void an unpaid recurrence again", "/payments/payment/{unpaidRecurrence}/void-recurrence"),
  create("create with an unknown cycle", {
    recurrence: { recurrence_cycle: "YEAR", recurrence_date_to: "2030-12-31" }
  }),
  create("create a preauthorization", { preauthorization: true }, { keep: { unpaidHold: "id" } }),
  post("capture an unpaid preauthorization", "/payments/payment/{unpaidHold}/capture"),
  post("void an unpaid preauthorization", "/payments/payment/{unpaidHold}/void-authorization"),
  get("an unknown card", `/payments/cards/${unknownId}`),
  remove("delete an unknown card", `/payments/cards/${unknownId}`)
]

const shop: ReadonlyArray<Step> = [
  get("instruments for CZK", "/eshops/eshop/{goid}/payment-instruments/CZK", { isContractual: true }),
  get("instruments for an unknown currency", "/eshops/eshop/{goid}/payment-instruments/XXX"),
  get("all instruments", "/eshops/eshop/{goid}/payment-instruments", { isContractual: true }),
  get("instruments of an unknown shop", "/eshops/eshop/1/payment-instruments/CZK"),
  ...Object.keys(StatementFormats).map((format) => statement(`statement as ${format}`, { format })),
  statement("statement in an unknown format", { format: "DOC" }),
  statement("statement that ends before it begins", { date_from: "2026-02-01", format: "CSV_A" }),
  get("GET where only POST is known", "/payments/payment"),
  get("an unknown address", "/payments/unknown"),
  get("an unknown address, for a browser", "/payments/unknown", { headers: { accept: "text/html" } })
]

const paid: ReadonlyArray<Step> = [
  create("create to pay", {}, { keep: { paid: "id", paidUrl: "gw_url" } }),
  { name: "the payer pays", pays: { payment: "paid", gwUrl: "paidUrl" } },
  get("read a paid payment", "/payments/payment/{paid}"),
  refund("refund more than was paid", "{paid}", "10001"),
  refund("refund a part", "{paid}", "1000"),
  get("refunds after a part", "/payments/payment/{paid}/refunds"),
  get("read after a part", "/payments/payment/{paid}"),
  refund("refund the rest", "{paid}", "9000"),
  // The first refund of a payment: a partial one would have to wait for a day.
  refund("refund all", "{paid}", "10000"),
  refund("refund again", "{paid}", "1000"),
  get("refunds in the end", "/payments/payment/{paid}/refunds"),
  get("read a refunded payment", "/payments/payment/{paid}"),
  get("QR payment of a refunded payment", "/payments/payment/{paid}/qr-payment?format=svg"),
  create("create a hold", { preauthorization: true }, { keep: { hold: "id", holdUrl: "gw_url" } }),
  { name: "the payer authorizes", pays: { payment: "hold", gwUrl: "holdUrl" } },
  get("read a hold", "/payments/payment/{hold}"),
  refund("refund a hold", "{hold}", "1000"),
  post("capture more than is held", "/payments/payment/{hold}/capture", { json: { amount: 10_001, items: [] } }),
  post("capture a part", "/payments/payment/{hold}/capture", { json: { amount: 4_000, items: [] } }),
  post("capture again", "/payments/payment/{hold}/capture"),
  post("void what was captured", "/payments/payment/{hold}/void-authorization"),
  get("read what was captured", "/payments/payment/{hold}"),
  create("create a recurrence", onDemand, { keep: { recurrence: "id", recurrenceUrl: "gw_url" } }),
  { name: "the payer starts the recurrence", pays: { payment: "recurrence", gwUrl: "recurrenceUrl" } },
  get("read a recurrence", "/payments/payment/{recurrence}"),
  { ...charge("charge", "{recurrence}", 1_000), keep: { child: "id" } },
  get("read a charge", "/payments/payment/{child}"),
  post("void the recurrence", "/payments/payment/{recurrence}/void-recurrence"),
  post("void the recurrence again", "/payments/payment/{recurrence}/void-recurrence"),
  charge("charge a voided recurrence", "{recurrence}", 1_000),
  create(
    "create to store a card",
    { payer: { contact: { email: "{email}" }, request_card_token: true } },
    { keep: { storing: "id", storingUrl: "gw_url" } }
  ),
  { name: "the payer stores a card", pays: { payment: "storing", gwUrl: "storingUrl" } },
  get("read the payment that stored a card", "/payments/payment/{storing}", {
    keep: { card: "payer.card_id" }
  }),
  get("a stored card", "/payments/cards/{card}"),
  remove("delete a stored card", "/payments/cards/{card}"),
  remove("delete it again", "/payments/cards/{card}"),
  get("a deleted card", "/payments/cards/{card}")
]

/** Payments that the payer does not pay, or not by card. */
const notPaid: ReadonlyArray<Step> = [
  ...(
    [
      ["declined", "isDeclined"],
      ["cancelled", "cancels"],
      ["to be transferred", "choosesTransfer"],
      ["timed out", "letsTimeOut"]
    ] as const
  ).flatMap(([what, act]): ReadonlyArray<Step> => [
    create(`create what is ${what}`, {}, { keep: { [act]: "id", [`${act}Url`]: "gw_url" } }),
    { name: `the payer ${act}`, pays: { payment: act, gwUrl: `${act}Url`, act } },
    get(`read what is ${what}`, `/payments/payment/{${act}}`),
    refund(`refund what is ${what}`, `{${act}}`, "1000"),
    get(`refunds of what is ${what}`, `/payments/payment/{${act}}/refunds`)
  ]),
  create(
    "create an automatic recurrence",
    { recurrence: { recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to: "2030-12-31" } },
    { keep: { automatic: "id", automaticUrl: "gw_url" } }
  ),
  { name: "the payer starts the automatic recurrence", pays: { payment: "automatic", gwUrl: "automaticUrl" } },
  get("read an automatic recurrence", "/payments/payment/{automatic}"),
  charge("charge an automatic recurrence", "{automatic}", 1_000),
  post("void an automatic recurrence", "/payments/payment/{automatic}/void-recurrence")
]

export const scenario: ReadonlyArray<Step> = [
  ...tokens,
  ...authorization,
  ...creation,
  ...contentTypes,
  ...unpaid,
  ...shop,
  ...paid,
  ...notPaid
]
