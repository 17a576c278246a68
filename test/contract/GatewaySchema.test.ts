import { describe, expect, it } from "@effect/vitest"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { notAnId } from "../../src/contract/CanonicalId.js"
import * as GatewaySchema from "../../src/contract/GatewaySchema.js"
import * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import * as Answers from "../support/ResponseExamples.js"
import { type Member, membersOf, type Path, replaced, valueAt, without } from "../support/JsonMembers.js"
import * as Requests from "../support/RequestExamples.js"

type AnySchema = Schema.Decoder<unknown>

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, as `items.0.amount: must be …`. */
const problems = ({ issue }: Schema.SchemaError): ReadonlyArray<string> =>
  issuesOf(issue).issues.map(({ message, path = [] }) => {
    const keys = path.map((segment) => String(typeof segment === "object" ? segment.key : segment))
    return `${keys.join(".")}: ${message}`
  })

/** Where something is wrong, as `items.0.amount`. */
const places = (error: Schema.SchemaError): ReadonlyArray<string> =>
  problems(error).map((problem) => problem.slice(0, problem.indexOf(": ")))

const cardNumber = "4444444444444448"

const inWrongShape = (value: unknown): unknown =>
  typeof value === "string" || typeof value === "number" ? { [cardNumber]: cardNumber } : cardNumber

/** What holds for each member, under its place. */
const forEach = <M extends Member>(members: ReadonlyArray<M>, result: (member: M) => unknown) =>
  Object.fromEntries(members.map((member) => [member.path.join("."), result(member)]))

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

const parse = (body: string): unknown => JSON.parse(body)

const read = (schema: AnySchema, json: unknown) => Schema.decodeUnknownResult(schema)(json)

const valueOf = (schema: AnySchema, json: unknown): unknown => Result.getOrThrow(read(schema, json))

/** Where something is wrong, and whether it is shown what was there. */
const failureOf = (result: Result.Result<unknown, Schema.SchemaError>): unknown =>
  Result.match(result, {
    onFailure: (error) => ({ places: places(error), showsTheValue: error.message.includes(cardNumber) }),
    onSuccess: () => "no failure"
  })

/** The value, or where the response is wrong. */
const outcome = (schema: AnySchema, json: unknown): unknown => Result.merge(Result.mapError(read(schema, json), places))

const preauthorizedPayment = replaced(
  parse(Answers.preauthorizedPayment),
  ["gw_url"],
  "https://gw.sandbox.gopay.com/gw/v3/dfgvmwTKK5hrJx2aGG8ZnFyBJhAvF"
)

const answers: ReadonlyArray<{
  readonly name: string
  readonly schema: AnySchema
  readonly body: string
  /** How it is read, where that is not simply how it came. */
  readonly value?: unknown
}> = [
  { name: "a payment just created", schema: ResponseSchema.CreatePaymentResponse, body: Answers.standardPayment },
  { name: "a payment", schema: ResponseSchema.PaymentResponse, body: Answers.standardPayment },
  {
    name: "the first payment of a recurrence",
    schema: ResponseSchema.CreatePaymentResponse,
    body: Answers.recurrentPayment
  },
  { name: "a refunded payment", schema: ResponseSchema.PaymentResponse, body: Answers.refundedPayment },
  { name: "a charge of a recurrence", schema: ResponseSchema.PaymentResponse, body: Answers.chargeOfRecurrence },
  {
    name: "a payment of 2016, full of nulls",
    schema: ResponseSchema.CreatePaymentResponse,
    body: Answers.paymentOf2016,
    value: {
      id: 3014446990,
      order_number: "order-1",
      state: "CREATED",
      amount: 10_000,
      currency: "CZK",
      payer: {
        allowed_payment_instruments: ["PAYMENT_CARD"],
        contact: { first_name: "John", email: "john@example.com" }
      },
      target: { type: "ACCOUNT", goid: 1111111111 },
      lang: "cs",
      gw_url: "https://gw.sandbox.gopay.com/gw/v3/fedcba9876543210fedcba9876543210"
    }
  },
  {
    name: "a payment just created, with blanks",
    schema: ResponseSchema.CreatePaymentResponse,
    body: Answers.preauthorizedPayment,
    value: preauthorizedPayment
  },
  {
    name: "a preauthorized payment, with blanks",
    schema: ResponseSchema.PaymentResponse,
    body: Answers.preauthorizedPayment,
    value: preauthorizedPayment
  },
  { name: "a payment by bank transfer", schema: ResponseSchema.PaymentResponse, body: Answers.paymentByTransfer },
  { name: "a payment that stored a card", schema: ResponseSchema.PaymentResponse, body: Answers.paymentWithStoredCard },
  { name: "an operation", schema: ResponseSchema.PaymentOperationResponse, body: Answers.operation },
  {
    name: "an operation of 2016",
    schema: ResponseSchema.PaymentOperationResponse,
    body: Answers.operationOf2016,
    value: { id: 3090066980, result: "FINISHED" }
  },
  {
    name: "an operation that failed",
    schema: ResponseSchema.PaymentOperationResponse,
    body: `{"id":3090066980,"result":"FAILED","description":"Not today."}`
  },
  {
    name: "the refunds of a payment",
    schema: ResponseSchema.RefundHistory,
    body: Answers.refunds,
    value: without(parse(Answers.refunds), ["1", "date_last_change"])
  },
  { name: "no refunds", schema: ResponseSchema.RefundHistory, body: "[]" },
  { name: "a card", schema: ResponseSchema.CardDetailsResponse, body: Answers.card },
  {
    name: "a deleted card",
    schema: ResponseSchema.CardDetailsResponse,
    body: Answers.deletedCard,
    value: { card_id: 3003000011, card_number: "444444******4448", status: "DELETED" }
  },
  {
    name: "the ways to pay in one currency",
    schema: ResponseSchema.PaymentInstrumentsResponse,
    body: Answers.instruments,
    value: without(parse(Answers.instruments), ["enabledPaymentInstruments", "0", "enabledSwifts"])
  },
  {
    name: "the ways to pay in all currencies",
    schema: ResponseSchema.PaymentInstrumentsAllResponse,
    body: Answers.instrumentsInAllCurrencies,
    value: {
      groups: { "card-payment": { label: { cs: "Platební karta" } } },
      enabledPaymentInstruments: [
        {
          paymentInstrument: "PAYMENT_CARD",
          label: { cs: "Platební karta" },
          image: {
            normal: "https://gate.gopay.cz/images/checkout/payment_card.png",
            large: "https://gate.gopay.cz/images/checkout/payment_card@2x.png"
          },
          currencies: ["CZK", "EUR"],
          group: "card-payment"
        },
        {
          paymentInstrument: "BANK_ACCOUNT",
          label: { cs: "Rychlý bankovní převod" },
          currencies: ["CZK"],
          group: "bank-transfer",
          enabledSwifts: [
            {
              swift: "GIBACZPX",
              label: { cs: "Platba 24" },
              image: { normal: "https://gate.gopay.cz/images/checkout/GIBACZPX.png" },
              currencies: { CZK: { isOnline: true }, EUR: { isOnline: false } }
            }
          ]
        }
      ]
    }
  },
  { name: "a QR payment", schema: ResponseSchema.PaymentQrResponse, body: Answers.qrPayment },
  {
    name: "an access token",
    schema: ResponseSchema.AccessTokenResponse,
    body: Answers.token,
    value: without(parse(Answers.token), ["refresh_token"])
  },
  { name: "a refusal of the whole request", schema: ResponseSchema.ErrorResponse, body: Answers.recurrenceRefused },
  { name: "a refusal of one field", schema: ResponseSchema.ErrorResponse, body: Answers.refundRefused },
  { name: "a payment that is not there", schema: ResponseSchema.ErrorResponse, body: Answers.paymentNotFound },
  { name: "a shop that is not there", schema: ResponseSchema.ErrorResponse, body: Answers.shopNotFound },
  {
    name: "a refusal of 2016",
    schema: ResponseSchema.ErrorResponse,
    body: Answers.refusalOf2016,
    value: { date_issued: "2016-03-03T10:00:00.000+0100", errors: [{ scope: "G", error_code: 500 }] }
  },
  {
    name: "a refusal timed in milliseconds",
    schema: ResponseSchema.ErrorResponse,
    body: Answers.refusalInMilliseconds,
    value: replaced(parse(Answers.refusalInMilliseconds), ["date_issued"], "2014-01-21T20:27:02.001Z")
  }
]

/** Whether the object at `path` is a dictionary, keyed by codes or languages, and not a record with known members. */
const isDictionary = (path: Path): boolean =>
  ["label", "groups", "eet_code", "currencies", "enabledPaymentInstruments", "enabledSwifts"].includes(
    path.at(-1) ?? ""
  )

/** Where a member is found after reading: objects that are keyed by code become arrays. */
const placeAfterReading = (json: unknown, path: Path): Path =>
  path.map((name, index) => {
    const parent = path.slice(0, index)
    const siblings = valueAt(json, parent)
    return Predicate.isObject(siblings) && parent.at(-1)?.startsWith("enabled") === true
      ? String(Object.keys(siblings).indexOf(name))
      : name
  })

describe.each(answers)("reading $name", ({ body, schema, ...expected }) => {
  const json = parse(body)
  const value = "value" in expected ? expected.value : json
  const members = membersOf(json).map((member) => ({ ...member, place: placeAfterReading(json, member.path) }))
  const membersRead = members.filter(({ path, place }) => {
    return valueAt(value, place) !== undefined && path.at(-2) !== "eet_code"
  })

  it("gives every member", () => {
    expect(valueOf(schema, json)).toStrictEqual(value)
  })

  it("takes null as absent, whatever the member", () => {
    const named = members.filter(({ path }) => !Array.isArray(valueAt(json, path.slice(0, -1))))
    expect(forEach(named, ({ path }) => outcome(schema, replaced(json, path, null)))).toStrictEqual(
      forEach(named, ({ path }) => outcome(schema, without(json, path)))
    )
  })

  it("ignores members that are not known, wherever they are", () => {
    const objects = [{ path: [], value: json }, ...members].filter(
      (member) => Predicate.isObject(member.value) && !isDictionary(member.path)
    )
    expect(
      forEach(objects, ({ path }) => valueOf(schema, replaced(json, [...path, "brand_new"], { deep: [null, 1] })))
    ).toStrictEqual(forEach(objects, () => value))
  })

  it("takes numbers that are written as text", () => {
    const numbers = members.filter(({ path, value }) => typeof value === "number" && path.at(-1) !== "date_issued")
    expect(forEach(numbers, ({ path, value }) => valueOf(schema, replaced(json, path, String(value))))).toStrictEqual(
      forEach(numbers, () => value)
    )
  })

  it("keeps every text as it is, a code that is not known too", () => {
    const texts = membersRead.filter(({ value }) => typeof value === "string")
    expect(forEach(texts, ({ path }) => valueOf(schema, replaced(json, path, "BRAND_NEW")))).toStrictEqual(
      forEach(texts, ({ place }) => replaced(value, place, "BRAND_NEW"))
    )
  })

  it("fails on a wrong shape, naming its place and not showing the value", () => {
    const reshaped = forEach(membersRead, ({ path, value }) =>
      failureOf(read(schema, replaced(json, path, inWrongShape(value))))
    )
    expect(reshaped).toStrictEqual(
      forEach(membersRead, ({ place }) => ({ places: [place.join(".")], showsTheValue: false }))
    )
  })
})

describe("a response", () => {
  it.each([
    { schema: ResponseSchema.PaymentResponse, body: Answers.standardPayment, required: "id state amount currency" },
    {
      schema: ResponseSchema.CreatePaymentResponse,
      body: Answers.standardPayment,
      required: "id state amount currency gw_url"
    },
    { schema: ResponseSchema.PaymentOperationResponse, body: Answers.operation, required: "id result" },
    {
      schema: ResponseSchema.RefundHistoryItem,
      body: `{"id":1,"state":"SUCCESS","amount":1,"currency":"CZK"}`,
      required: "id state amount"
    },
    { schema: ResponseSchema.CardDetailsResponse, body: Answers.card, required: "card_id" },
    {
      schema: ResponseSchema.PaymentInstrumentsResponse,
      body: Answers.instruments,
      required: "enabledPaymentInstruments"
    },
    { schema: ResponseSchema.PaymentQrResponse, body: Answers.qrPayment, required: "qr_code" },
    { schema: ResponseSchema.AccessTokenResponse, body: Answers.token, required: "access_token" },
    { schema: ResponseSchema.ErrorResponse, body: Answers.refundRefused, required: "errors" }
  ])("cannot do without $required, and can without the rest", ({ body, required, schema }) => {
    const json = parse(body)
    const missing = Object.keys(json ?? {}).filter((name) => Result.isFailure(read(schema, without(json, [name]))))
    expect(new Set(missing)).toStrictEqual(new Set(required.split(" ")))
    for (const name of missing) expect(outcome(schema, without(json, [name]))).toStrictEqual([name])
  })

  it.each([{ json: null }, { json: true }, { json: 12 }, { json: cardNumber }, { json: [] }, { json: {} }])(
    "is not $json",
    ({ json }) => {
      for (const { schema } of answers.filter(({ schema }) => schema !== ResponseSchema.RefundHistory)) {
        expect(Result.mapError(read(schema, json), ({ message }) => message.includes(cardNumber))).toStrictEqual(
          Result.fail(false)
        )
      }
    }
  )

  it("about a payment just created has an address that is not blank", () => {
    expect(
      outcome(ResponseSchema.CreatePaymentResponse, replaced(parse(Answers.standardPayment), ["gw_url"], "  "))
    ).toStrictEqual(["gw_url"])
  })

  it.each([
    ["a number", 3003000011, 3003000011],
    ["the digits of a number", "3003000011", 3003000011],
    ["digits that no number holds exactly", "30030000113003000011", "30030000113003000011"],
    ["any other text", "card-1", "card-1"]
  ])("names a stored card by %s", (_, card_id, expected) => {
    const payment = replaced(parse(Answers.standardPayment), ["payer"], { card_id })
    expect(valueAt(valueOf(ResponseSchema.PaymentResponse, payment), ["payer", "card_id"])).toBe(expected)
  })

  it("may list currencies as an array or as an object, wherever it lists them", () => {
    const listed = (currencies: unknown, swiftCurrencies: unknown) =>
      valueOf(ResponseSchema.PaymentInstrumentsResponse, {
        enabledPaymentInstruments: [
          {
            paymentInstrument: "BANK_ACCOUNT",
            currencies,
            enabledSwifts: [{ swift: "GIBACZPX", currencies: swiftCurrencies }]
          }
        ]
      })
    expect(listed({ CZK: {} }, ["CZK"])).toStrictEqual(listed(["CZK"], { CZK: {} }))
  })

  it("may have null among the elements of an array", () => {
    const payment = replaced(parse(Answers.standardPayment), ["payer"], { allowed_swifts: ["GIBACZPX", null] })
    expect(valueAt(valueOf(ResponseSchema.PaymentResponse, payment), ["payer", "allowed_swifts"])).toStrictEqual([
      "GIBACZPX"
    ])
  })

  it("may give an EAN as text or as a number", () => {
    const items = [{ ean: "0012345678905" }, { ean: 12345678905 }]
    const payment = replaced(parse(Answers.standardPayment), ["items"], items)
    expect(valueAt(valueOf(ResponseSchema.PaymentResponse, payment), ["items"])).toStrictEqual(items)
  })

  it("may give the times of a refund in milliseconds", () => {
    const refund = { id: 1, state: "SUCCESS", amount: 1, date_requested: 1390336022001, date_last_change: 0 }
    expect(valueOf(ResponseSchema.RefundHistory, [refund])).toStrictEqual([
      { ...refund, date_requested: "2014-01-21T20:27:02.001Z", date_last_change: "1970-01-01T00:00:00.000Z" }
    ])
  })

  it("may be one error without the list around it", () => {
    expect(valueOf(ResponseSchema.ErrorResponse, parse(Answers.bareError))).toStrictEqual({
      errors: [{ scope: "G", error_code: 500 }]
    })
  })

  it("that lists no error is not a refusal", () => {
    expect(outcome(ResponseSchema.ErrorResponse, { errors: [] })).toStrictEqual(["errors"])
    expect(outcome(ResponseSchema.ErrorResponse, { errors: [{ scope: "G" }] })).toStrictEqual(["errors.0.error_code"])
  })

  it.each(["", "a token", "a\ntoken", "žeton"])("does not give %j as an access token", (access_token) => {
    expect(outcome(ResponseSchema.AccessTokenResponse, { access_token })).toStrictEqual(["access_token"])
  })

  describe("with ways to pay", () => {
    const all = ResponseSchema.PaymentInstrumentsAllResponse
    const one = ResponseSchema.PaymentInstrumentsResponse

    it("lists them in the same way, whether they came as an array or keyed by code", () => {
      const cards = { label: { cs: "Karty" }, enabledSwifts: [{ swift: "FIOBCZPP", isOnline: true }] }
      const asArray = { enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD", ...cards }] }
      const keyed = {
        enabledPaymentInstruments: { PAYMENT_CARD: { ...cards, enabledSwifts: { FIOBCZPP: { isOnline: true } } } }
      }
      for (const schema of [all, one]) {
        expect(valueOf(schema, asArray)).toStrictEqual(asArray)
        expect(valueOf(schema, keyed)).toStrictEqual(asArray)
      }
    })

    it("keeps codes, groups, languages and currencies that are not known", () => {
      const json = {
        groups: { "brand-new": { label: { xx: "?" } } },
        enabledPaymentInstruments: {
          BRAND_NEW: {
            group: "brand-new",
            currencies: ["XXX"],
            enabledSwifts: { NEWBANK1: { currencies: { XXX: { isOnline: false } } } },
            enabledBnplTypes: { PAY_IN_NINE: {} }
          }
        }
      }
      expect(valueOf(all, json)).toStrictEqual({
        groups: { "brand-new": { label: { xx: "?" } } },
        enabledPaymentInstruments: [
          {
            paymentInstrument: "BRAND_NEW",
            group: "brand-new",
            currencies: ["XXX"],
            enabledSwifts: [{ swift: "NEWBANK1", currencies: { XXX: { isOnline: false } } }],
            enabledBnplTypes: [{ bnplType: "PAY_IN_NINE" }]
          }
        ]
      })
    })

    it("can have none", () => {
      expect(valueOf(all, { enabledPaymentInstruments: {} })).toStrictEqual({ enabledPaymentInstruments: [] })
      expect(valueOf(one, { groups: {}, enabledPaymentInstruments: [] })).toStrictEqual({
        groups: {},
        enabledPaymentInstruments: []
      })
    })
  })
})

describe("a hostile response", () => {
  const payment = `"id":3090066980,"state":"PAID","amount":10000,"currency":"CZK"`
  const readText = (body: string) => valueOf(ResponseSchema.PaymentResponse, parse(body))
  const plain = { id: 3090066980, state: "PAID", amount: 10_000, currency: "CZK" }

  it("cannot set a prototype", () => {
    const evil = `"__proto__":{"state":"REFUNDED","polluted":true}`
    expect(readText(`{${evil},${payment},"payer":{${evil}}}`)).toStrictEqual({ ...plain, payer: {} })
    expect(outcome(ResponseSchema.PaymentResponse, parse(`{"__proto__":{${payment}}}`))).toStrictEqual(["id"])
    expect("polluted" in {}).toBe(false)
  })

  it("cannot set a prototype through a dictionary either", () => {
    const evil = `"__proto__":{"label":{"__proto__":"x"}}`
    const answer = valueOf(
      ResponseSchema.PaymentInstrumentsAllResponse,
      parse(`{"groups":{${evil}},"enabledPaymentInstruments":{${evil}}}`)
    )
    expect(Object.getPrototypeOf(valueAt(answer, ["groups"]))).toBe(Object.prototype)
    const [instrument] = Object.values(valueAt(answer, ["enabledPaymentInstruments"]) ?? {})
    expect(Object.getPrototypeOf(instrument)).toBe(Object.prototype)
    expect(valueAt(instrument, ["paymentInstrument"])).toBe("__proto__")
    expect("label" in {}).toBe(false)
  })

  it("that repeats a member means the last one", () => {
    expect(readText(`{"id":1,${payment},"state":"CREATED","state":"PAID"}`)).toStrictEqual(plain)
  })

  const levels = 100_000
  const deepObject = `${`{"a":`.repeat(levels)}1${"}".repeat(levels)}`
  const deepErrors = `${`{"errors":[`.repeat(levels)}1${"]}".repeat(levels)}`
  const deepArray = `${"[".repeat(levels)}${"]".repeat(levels)}`

  it.each([
    ["objects", deepObject],
    ["lists of errors", deepErrors],
    ["arrays", deepArray]
  ])("of 100 000 nested %s is refused or read, without exhausting the stack", (_, nested) => {
    const deep = parse(nested)
    const ends = ({ body, schema }: (typeof answers)[number]) => {
      const json = parse(body)
      return forEach([{ path: [], value: json }, ...membersOf(json)], ({ path }) =>
        Result.isSuccess(read(schema, replaced(json, path, deep)))
      )
    }
    for (const answer of answers) expect(() => ends(answer)).not.toThrow()
  })

  it.each([
    ["objects", deepObject],
    ["arrays", deepArray]
  ])("with 100 000 nested %s in a member that is not known is read without it", (_, nested) => {
    expect(readText(`{${payment},"brand_new":${nested}}`)).toStrictEqual(plain)
  })

  it.each([
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "1e400",
    "123456789012345678901234567890",
    "0.5",
    `"9007199254740993"`,
    `"1e3"`,
    `"0x10"`,
    `" 1 "`,
    `""`,
    `"1.0"`,
    `"NaN"`,
    "true"
  ])("cannot give %s as an id or an amount", (number) => {
    for (const member of ["id", "amount", "parent_id"]) {
      const body = `{${payment},"${member}":${number}}`
      expect(outcome(ResponseSchema.PaymentResponse, parse(body))).toStrictEqual([member])
    }
  })

  it("can give the greatest number that is exact", () => {
    expect(readText(`{${payment},"id":9007199254740991,"amount":"-9007199254740991"}`)).toStrictEqual({
      ...plain,
      id: Number.MAX_SAFE_INTEGER,
      amount: Number.MIN_SAFE_INTEGER
    })
  })

  it.each(["1e300", "8640000000000001", "-8640000000000001", "1.5", "{}"])("cannot give %s as a time", (time) => {
    const body = `{"date_issued":${time},"errors":[{"error_code":111}]}`
    expect(outcome(ResponseSchema.ErrorResponse, parse(body))).toStrictEqual(["date_issued"])
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** Checks a request as the client does before sending it. */
const check = (schema: AnySchema, request: unknown) =>
  Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(request)

/** What is wrong with a request: nothing, when it passes. */
const wrong = (schema: AnySchema, request: unknown): ReadonlyArray<string> =>
  Result.match(check(schema, request), { onFailure: problems, onSuccess: () => [] })

const wrongPlaces = (schema: AnySchema, request: unknown): ReadonlyArray<string> =>
  Result.match(check(schema, request), { onFailure: places, onSuccess: () => [] })

const itemMembers = /^items\.\d+(\.(name|amount))?$/
const paramMembers = /^additional_params\.\d+(\.(name|value))?$/

const requests: ReadonlyArray<{
  readonly name: string
  readonly schema: AnySchema
  readonly request: unknown
  /** The members that must be there where their object is. */
  readonly required: ReadonlyArray<RegExp>
}> = [
  {
    name: "a payment",
    schema: GatewaySchema.CreatePaymentRequest,
    request: Requests.payment,
    required: [
      /^(amount|currency|order_number|callback|callback\.return_url)$/,
      /^(target\.(type|goid)|recurrence\.recurrence_(cycle|date_to))$/,
      /^payer\.allowed_\w+\.\d+$/,
      itemMembers,
      paramMembers
    ]
  },
  { name: "a refund", schema: GatewaySchema.RefundPaymentRequest, request: { amount: 5_000 }, required: [/^amount$/] },
  {
    name: "a charge of a recurrence",
    schema: GatewaySchema.CreateRecurrenceRequest,
    request: Requests.recurrence,
    required: [/^(amount|currency|order_number)$/, itemMembers, paramMembers]
  },
  {
    name: "a partial capture",
    schema: GatewaySchema.CaptureAuthorizationPartialRequest,
    request: Requests.capture,
    required: [/^amount$/, itemMembers]
  },
  {
    name: "a statement",
    schema: GatewaySchema.AccountStatementRequest,
    request: Requests.statement,
    required: [/^(date_from|date_to|goid|currency|format)$/]
  },
  { name: "QR codes", schema: GatewaySchema.PaymentQrRequest, request: { format: "svg" }, required: [] },
  {
    name: "an access token",
    schema: GatewaySchema.AccessTokenRequest,
    request: { grant_type: "client_credentials", scope: "payment-all" },
    required: [/^(grant_type|scope)$/]
  }
]

/** The places of codes, which any text may fill. */
const codes = /(currency|format|scope|(^|\.)type|lang|cycle|bnpl_type|swift|instrument|payer\.allowed_\w+\.\d+)$/

describe.each(requests)("asking for $name", ({ request, required, schema }) => {
  const members = membersOf(request).filter(({ path }) => path.at(-2) !== "eet")
  const isRequired = ({ path }: Member) => required.some((pattern) => pattern.test(path.join(".")))

  it("passes with every member, unchanged", () => {
    expect(check(schema, request)).toStrictEqual(Result.succeed(request))
  })

  it("passes with undefined wherever a member may be absent, and only there", () => {
    expect(forEach(members, ({ path }) => wrongPlaces(schema, replaced(request, path, undefined)))).toStrictEqual(
      forEach(members, (member) => (isRequired(member) ? [member.path.join(".")] : []))
    )
  })

  it("passes without whatever may be absent, and names what may not", () => {
    const named = members.filter(({ path }) => !Array.isArray(valueAt(request, path.slice(0, -1))))
    expect(forEach(named, ({ path }) => wrong(schema, without(request, path)))).toStrictEqual(
      forEach(named, (member) => (isRequired(member) ? [`${member.path.join(".")}: Missing key`] : []))
    )
  })

  it("fails with null, naming its place", () => {
    expect(forEach(members, ({ path }) => wrongPlaces(schema, replaced(request, path, null)))).toStrictEqual(
      forEach(members, ({ path }) => [path.join(".")])
    )
  })

  it.each([{ value: 1 }, { value: undefined }])(
    "fails with a key that is not known, naming it: $value",
    ({ value }) => {
      const objects = [{ path: [], value: request }, ...members]
        .filter(({ path, value }) => Predicate.isObject(value) && path.at(-1) !== "eet")
        .map(({ path, value }) => ({ path: [...path, "ammount"], value }))
      expect(forEach(objects, ({ path }) => wrong(schema, replaced(request, path, value)))).toStrictEqual(
        forEach(objects, ({ path }) => [`${path.join(".")}: Expected no excess property`])
      )
    }
  )

  it("fails with a wrong shape, naming its place and not showing the value", () => {
    const reshaped = forEach(members, ({ path, value }) =>
      failureOf(check(schema, replaced(request, path, inWrongShape(value))))
    )
    expect(reshaped).toStrictEqual(forEach(members, ({ path }) => ({ places: [path.join(".")], showsTheValue: false })))
  })

  it("passes with a code that is not known", () => {
    const openCodes = members.filter(({ path, value }) => typeof value === "string" && codes.test(path.join(".")))
    expect(forEach(openCodes, ({ path }) => wrong(schema, replaced(request, path, "BRAND_NEW")))).toStrictEqual(
      forEach(openCodes, () => [])
    )
  })

  it.each([{ value: undefined }, { value: null }, { value: "text" }, { value: 1 }, { value: [] }])(
    "fails with $value in place of the request",
    ({ value }) => {
      expect(wrong(schema, value)).toStrictEqual([": must be an object"])
    }
  )
})

describe("a bound of a request", () => {
  const all = GatewaySchema.CreatePaymentRequest

  /** The payment with one member changed; the path is written with dots. */
  const paymentWith = (place: string, value: unknown) => replaced(Requests.payment, place.split("."), value)

  const lengths: ReadonlyArray<readonly [place: string, characters: number]> = [
    ["order_number", 128],
    ["order_description", 256],
    ["items.0.name", 256],
    ["items.0.product_url", 512],
    ["items.0.ean", 13],
    ["payer.contact.first_name", 256],
    ["payer.contact.last_name", 256],
    ["payer.contact.email", 128],
    ["payer.contact.phone_number", 128],
    ["payer.contact.city", 128],
    ["payer.contact.street", 128],
    ["payer.contact.postal_code", 16],
    ["payer.contact.country_code", 3],
    ["payer.bank_account.iban", 50],
    ["payer.bank_account.bic", 11],
    ["payer.bank_account.prefix", 64],
    ["payer.bank_account.account_number", 128],
    ["payer.bank_account.bank_code", 8],
    ["payer.bank_account.account_name", 70],
    ["payer.bank_account.country", 3]
  ]

  it.each(lengths)("%s has at most %i characters", (place, characters) => {
    for (const length of [place === "order_number" ? 1 : 0, 1, characters]) {
      expect(wrong(all, paymentWith(place, "ž".repeat(length)))).toStrictEqual([])
    }
    expect(wrong(all, paymentWith(place, "\ud800"))).toStrictEqual([`${place}: must not have half a surrogate pair`])
    expect(wrong(all, paymentWith(place, "ž".repeat(characters + 1)))).toStrictEqual([
      `${place}: must have at most ${characters} characters`
    ])
  })

  it.each([
    ["order_number", 128, GatewaySchema.CreateRecurrenceRequest, Requests.recurrence],
    ["order_description", 256, GatewaySchema.CreateRecurrenceRequest, Requests.recurrence],
    ["items.1.name", 256, GatewaySchema.CreateRecurrenceRequest, Requests.recurrence],
    ["items.1.name", 256, GatewaySchema.CaptureAuthorizationPartialRequest, Requests.capture]
  ])("%s of a charge or a partial capture has at most %i characters", (place, characters, schema, request) => {
    const path = place.split(".")
    expect(wrong(schema, replaced(request, path, "x".repeat(characters)))).toStrictEqual([])
    expect(wrong(schema, replaced(request, path, "x".repeat(characters + 1)))).toStrictEqual([
      `${place}: must have at most ${characters} characters`
    ])
  })

  it("an order number is not empty", () => {
    expect(wrong(all, paymentWith("order_number", ""))).toStrictEqual(["order_number: must not be empty"])
  })

  it.each(["callback.return_url", "callback.notification_url"])(
    "%s is an absolute address of at most 512 characters",
    (place) => {
      const address = (length: number) => "https://shop.example.com/".padEnd(length, "x")
      for (const good of [
        address(512),
        "http://localhost/return",
        "http://127.0.0.1:8080/?a=1&b=ž",
        "https://kůň.example.com/",
        "HTTPS://SHOP.EXAMPLE.COM",
        "com.example.shop://return"
      ]) {
        expect([good, ...wrong(all, paymentWith(place, good))]).toStrictEqual([good])
      }
      expect(wrong(all, paymentWith(place, address(513)))).toStrictEqual([`${place}: must have at most 512 characters`])
      for (const bad of [
        "",
        "/return",
        "shop.example.com/return",
        "//shop.example.com",
        "https://",
        "https://shop.example.com/a b",
        "https://shop.example.com/\n",
        "mailto:shop@example.com",
        "javascript:alert(1)"
      ]) {
        expect([bad, ...wrong(all, paymentWith(place, bad))]).toStrictEqual([
          bad,
          `${place}: must be an absolute address, such as https://shop.example/`
        ])
      }
    }
  )

  const fractions = [
    [0.5, "0.50"],
    [1399.5, "1399.50"],
    [1998.9999999999998, "1999.00"],
    [4111_1111_1111_1111.5, "13.99"]
  ] as const
  const advice = (price: string) => `; amountFromDecimal("${price}") converts a decimal price`
  const noIntegers = [Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1, 1e21]

  it.each([0, 1, 139_950, Number.MAX_SAFE_INTEGER])("a payment can be of %i", (amount) => {
    expect(wrong(all, paymentWith("amount", amount))).toStrictEqual([])
  })

  it.each([-1, Number.MIN_SAFE_INTEGER, ...noIntegers])("a payment cannot be of %f", (amount) => {
    expect(wrong(all, paymentWith("amount", amount))).toStrictEqual([
      "amount: must be an integer in minor units (haléře, cents), 0 or more"
    ])
  })

  it.each(fractions)("a payment cannot be of %f, and the message says what converts %s", (amount, price) => {
    expect(wrong(all, paymentWith("amount", amount))).toStrictEqual([
      `amount: must be an integer in minor units (haléře, cents), 0 or more${advice(price)}`
    ])
  })

  describe.each([
    ["a refund", GatewaySchema.RefundPaymentRequest, { amount: 1 }],
    ["a charge of a recurrence", GatewaySchema.CreateRecurrenceRequest, Requests.recurrence],
    ["a partial capture", GatewaySchema.CaptureAuthorizationPartialRequest, Requests.capture]
  ])("%s", (_, schema, request) => {
    it.each([1, Number.MAX_SAFE_INTEGER])("can be of %i", (amount) => {
      expect(wrong(schema, replaced(request, ["amount"], amount))).toStrictEqual([])
    })

    it.each([0, -0, -1, ...noIntegers])("cannot be of %f", (amount) => {
      expect(wrong(schema, replaced(request, ["amount"], amount))).toStrictEqual([
        "amount: must be an integer in minor units (haléře, cents), more than 0"
      ])
    })

    it.each(fractions)("cannot be of %f, and the message says what converts %s", (amount, price) => {
      expect(wrong(schema, replaced(request, ["amount"], amount))).toStrictEqual([
        `amount: must be an integer in minor units (haléře, cents), more than 0${advice(price)}`
      ])
    })
  })

  it.each(["5000", 5000n, new Date(5000), true])("an amount is never taken from %o", (amount) => {
    expect(wrong(GatewaySchema.RefundPaymentRequest, { amount })).toStrictEqual([
      "amount: must be a number, an integer in minor units (haléře, cents), more than 0"
    ])
  })

  it.each(["items", "eet", "currency", "order_number"])("a refund has an amount only, and no %s", (member) => {
    expect(wrong(GatewaySchema.RefundPaymentRequest, { amount: 1, [member]: [] })).toStrictEqual([
      `${member}: Expected no excess property`
    ])
  })

  const rowOfAnOrder: ReadonlyArray<
    readonly [member: string, message: string, passes: ReadonlyArray<unknown>, fails: ReadonlyArray<unknown>]
  > = [
    [
      "amount",
      "must be an integer in minor units (haléře, cents)",
      [0, -1, 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
      [...noIntegers, Number.MIN_SAFE_INTEGER - 1]
    ],
    ["amount", `must be an integer in minor units (haléře, cents)${advice("1399.50")}`, [], [1399.5]],
    ["count", "must be a positive integer", [1, 1_000_000], [0, -1, 0.5, 1399.5, ...noIntegers]],
    [
      "vat_rate",
      "must be a percentage, 0 to 100",
      [0, 10, 12, 15, 21, 12.5, 100],
      [-1, -0.1, 100.1, Number.NaN, Number.POSITIVE_INFINITY]
    ],
    ["ean", "must have at most 13 digits", [0, 12345678905, 9_999_999_999_999], [10_000_000_000_000]],
    ["ean", "must be an integer", [], [-1, 0.5]]
  ]

  it.each(rowOfAnOrder)("%s of a row of an order %s", (member, message, passes, fails) => {
    const place = `items.1.${member}`
    const verdicts = (values: ReadonlyArray<unknown>) =>
      values.map((value) => [value, ...wrong(all, paymentWith(place, value))])
    expect(verdicts(passes)).toStrictEqual(passes.map((value) => [value]))
    expect(verdicts(fails)).toStrictEqual(fails.map((value) => [value, `${place}: ${message}`]))
  })

  const days: ReadonlyArray<
    readonly [name: string, schema: AnySchema, request: (day: string) => unknown, place: string]
  > = [
    [
      "the end of a recurrence",
      all,
      (day) => paymentWith("recurrence.recurrence_date_to", day),
      "recurrence.recurrence_date_to"
    ],
    [
      "the first day of a statement",
      GatewaySchema.AccountStatementRequest,
      (day) => ({ ...Requests.statement, date_from: day, date_to: "9999-12-31" }),
      "date_from"
    ],
    [
      "the last day of a statement",
      GatewaySchema.AccountStatementRequest,
      (day) => ({ ...Requests.statement, date_from: "1000-01-01", date_to: day }),
      "date_to"
    ]
  ]

  describe.each(days)("%s", (_, schema, request, place) => {
    it.each(["2026-01-01", "2028-02-29", "2000-02-29", "2026-12-31", "2100-04-01", "2099-12-31", "9999-12-31"])(
      "can be %s",
      (day) => {
        expect(wrong(schema, request(day))).toStrictEqual([])
      }
    )

    it.each([
      "2026-02-30",
      "2026-02-29",
      "2100-02-29",
      "2026-04-31",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "2026-1-1",
      "26-01-01",
      "02026-01-01",
      "+012026-01-01",
      "2026/01/01",
      "01.01.2026",
      "2026-01-01T00:00:00Z",
      "2026-01-01 ",
      "2026-01-01\n",
      "tomorrow",
      ""
    ])("cannot be %j", (day) => {
      expect(wrong(schema, request(day))).toStrictEqual([`${place}: must be a day that exists, written yyyy-mm-dd`])
    })
  })

  it("the days of a statement are in their order", () => {
    const schema = GatewaySchema.AccountStatementRequest
    const between = (date_from: string, date_to: string) => wrong(schema, { ...Requests.statement, date_from, date_to })
    expect(between("2026-01-31", "2026-01-31")).toStrictEqual([])
    expect(between("2025-12-31", "2026-01-01")).toStrictEqual([])
    expect(between("2026-02-01", "2026-01-31")).toStrictEqual(["date_to: must not be before date_from"])
  })

  it.each([
    1,
    8123456789,
    Number.MAX_SAFE_INTEGER,
    "1",
    "0001",
    "8123456789",
    "00000000000000000000000000008123456789"
  ])("an id can be %j", (goid) => {
    expect(wrong(all, paymentWith("target.goid", goid))).toStrictEqual([])
    expect(wrong(GatewaySchema.AccountStatementRequest, { ...Requests.statement, goid })).toStrictEqual([])
  })

  it.each([
    0,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER + 1,
    Number.NaN,
    "0",
    "000",
    "",
    "-1",
    "+1",
    "1e3",
    "1.0",
    " 1",
    "1\n",
    "1/refund",
    "..",
    "0x1",
    "١٢٣",
    "１",
    "9007199254740992",
    "123456789012345678901234567890"
  ])("an id cannot be %o", (goid) => {
    expect(wrong(all, paymentWith("target.goid", goid))).toStrictEqual([`target.goid: ${notAnId}`])
    expect(wrong(GatewaySchema.GatewayId, goid)).toStrictEqual([`: ${notAnId}`])
  })

  it.each(["", "123", "12345", "12a4", "1234\n", "١٢٣٤"])("a PIN is not %j: it has four digits", (pin) => {
    expect(wrong(all, paymentWith("payer.verify_pin", "0000"))).toStrictEqual([])
    expect(wrong(all, paymentWith("payer.verify_pin", pin))).toStrictEqual(["payer.verify_pin: must have four digits"])
  })

  it.each([-1, 0.5, Number.NaN])("a recurrence has no period of %f cycles", (period) => {
    expect(wrong(all, paymentWith("recurrence.recurrence_period", period))).toStrictEqual([
      "recurrence.recurrence_period: must be an integer, 0 or more"
    ])
  })

  it("a token is asked for with client credentials only", () => {
    expect(wrong(GatewaySchema.AccessTokenRequest, { grant_type: "password", scope: "payment-all" })).toStrictEqual([
      `grant_type: Expected "client_credentials"`
    ])
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle

  it.each([
    ["refers to itself", cycle, "eet.self.self: must be a JSON value"],
    ["has a bigint", { celk_trzba: 1n }, "eet.celk_trzba: must be a JSON value"],
    ["has what is no number", { celk_trzba: Number.NaN }, "eet.celk_trzba: must be a JSON value"],
    ["has a day that is no text", { dat_trzby: new Date(0) }, "eet.dat_trzby: must be a JSON value"]
  ])("eet cannot be sent when it %s", (_, eet, problem) => {
    for (const [schema, request] of [
      [all, Requests.payment],
      [GatewaySchema.CreateRecurrenceRequest, Requests.recurrence],
      [GatewaySchema.CaptureAuthorizationPartialRequest, Requests.capture]
    ] as const) {
      expect(wrong(schema, { ...request, eet })).toStrictEqual([expect.stringContaining(problem)])
    }
  })

  it("is named beside every other one that is not kept", () => {
    const request = {
      amount: -1,
      currency: 203,
      order_number: "x".repeat(129),
      items: [{ name: "Obuv" }, { name: "Sleva", amount: 0.5, ammount: 1 }],
      payer: { contact: { postal_code: "x".repeat(17) }, verify_pin: "12" },
      recurrence: { recurrence_cycle: "MONTH", recurrence_date_to: "2026-02-30" }
    }
    expect(new Set(wrongPlaces(all, request))).toStrictEqual(
      new Set([
        "amount",
        "currency",
        "order_number",
        "items.0.amount",
        "items.1.amount",
        "items.1.ammount",
        "callback",
        "payer.contact.postal_code",
        "payer.verify_pin",
        "recurrence.recurrence_date_to"
      ])
    )
  })
})

describe("what the gateway accepts passes", () => {
  const least = {
    amount: 10_000,
    currency: "CZK",
    order_number: "order-1",
    callback: { return_url: "https://shop.example.com/return" }
  }
  const item = { name: "Obuv", amount: 10_000 }

  it.each<readonly [why: string, changes: object]>([
    ["neither items nor a payer", {}],
    ["an e-mail address as the only contact", { payer: { contact: { email: "jana@example.com" } } }],
    ["a payer of whom nothing is known", { payer: { contact: {} } }],
    ["no items in the list", { items: [] }],
    ["items whose sum is another than the amount", { items: [{ ...item, amount: 1 }] }],
    ["a discount without a type", { items: [item, { name: "Sleva", amount: -1 }] }],
    ["the Czech VAT rate of 12 percent", { items: [{ ...item, vat_rate: 12 }] }],
    ["an amount of 0, to verify a card", { amount: 0, preauthorization: true }],
    ["an order number with other signs than letters and digits", { order_number: "2026/0042 – č. 1 #&?" }],
    ["an order number of one sign", { order_number: "1" }],
    ["a description with quotes and diacritics", { order_description: `„Obuv" <40 €> 👟` }],
    [
      "callbacks on localhost",
      { callback: { return_url: "http://localhost/r", notification_url: "http://localhost/n" } }
    ],
    [
      "the same address for both callbacks",
      { callback: { return_url: "http://localhost", notification_url: "http://localhost" } }
    ],
    [
      "a recurrence on demand without a period",
      { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } }
    ],
    [
      "a recurrence until 2100-04-01",
      { recurrence: { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2100-04-01" } }
    ],
    [
      "a recurrence until 2050-01-01 with a period of 0",
      { recurrence: { recurrence_cycle: "DAY", recurrence_period: 0, recurrence_date_to: "2050-01-01" } }
    ],
    [
      "a recurrence that is also preauthorized",
      {
        recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2050-01-01" },
        preauthorization: true
      }
    ],
    ["empty lists, which restrict nothing", { payer: { allowed_payment_instruments: [], allowed_swifts: [] } }],
    ["the language in lower case", { lang: "cs" }],
    ["a currency that was removed from the lists", { currency: "HRK" }],
    [
      "more than four parameters, and empty ones",
      { additional_params: Array.from({ length: 12 }, (_, index) => ({ name: `p${index}`, value: "" })) }
    ],
    ["flags that are false", { preauthorization: false, payer: { request_card_token: false } }],
    ["sums of the sales registration as they are", { eet: { celk_trzba: "100", dan1: null, mena: "CZK", x: [{}] } }]
  ])("%s", (_, changes) => {
    const request = { ...least, ...changes }
    expect(check(GatewaySchema.CreatePaymentRequest, request)).toStrictEqual(Result.succeed(request))
  })

  it("a charge of a recurrence without a description and items", () => {
    const request = { amount: 1, currency: "CZK", order_number: "order-1" }
    expect(check(GatewaySchema.CreateRecurrenceRequest, request)).toStrictEqual(Result.succeed(request))
  })

  it("a partial capture without items", () => {
    expect(wrong(GatewaySchema.CaptureAuthorizationPartialRequest, { amount: 1 })).toStrictEqual([])
  })

  it("a statement of any length of time", () => {
    const request = { ...Requests.statement, date_from: "2000-01-01", date_to: "2099-12-31" }
    expect(wrong(GatewaySchema.AccountStatementRequest, request)).toStrictEqual([])
  })

  it("QR codes in the format that the gateway chooses", () => {
    expect(wrong(GatewaySchema.PaymentQrRequest, {})).toStrictEqual([])
  })
})

describe("an id that comes as text, as the parameter of a path does", () => {
  const Text = Schema.toCodecStringTree(GatewaySchema.GatewayId)

  it("is decimal digits", () => {
    expect(["1500", "007"].map((text) => Schema.decodeUnknownSync(Text)(text))).toEqual([1500, 7])
    for (const text of ["1.5e3", "1500.0", "+15", "-15", " 15", "0x10", "0", "", "9007199254740993"]) {
      expect(() => Schema.decodeUnknownSync(Text)(text)).toThrow(notAnId)
    }
  })

  it("is written as its digits", () => {
    expect(Schema.encodeSync(Text)(1500)).toBe("1500")
    expect(Schema.encodeSync(Text)("007")).toBe("007")
  })
})
