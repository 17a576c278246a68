/**
 * Reads requests as leniently as the gateway does. The schemas are the local gateway's own: if it shared those of the
 * client, it would share their mistakes. Only facts about GoPay, such as maximum lengths, are shared.
 *
 * The official clients differ: numbers come as text, codes as integers, absent members as `null`, `false` or an empty
 * array. All of that is accepted here, and unknown members are ignored. Anything else that is wrong is refused field by
 * field: 110 if a required value is missing, 111 if it is wrong.
 */
import * as Arr from "effect/Array"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as CodeLists from "../../contract/CodeLists.js"
import { maxLengths } from "../../contract/MaxLengths.js"
import { isDay } from "../../basics/Day.js"
import { versionsPage } from "../../package/Documents.js"
import { type IssuePath, keysOf, pathText, firstProblems } from "../../basics/InvalidFields.js"
import { withoutNulls } from "../../basics/Nulls.js"
import { readAfter } from "../../basics/ReadAfter.js"
import * as Fields from "./Fields.js"
import { refusal, refusedFields, Refusal, type RequestError } from "./Refusal.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { basePathV4, type EndpointV4, endpointsV4 } from "../../contract/EndpointV4.js"

// ---------------------------------------------------------------------------------------------------------------------
// Building blocks
// ---------------------------------------------------------------------------------------------------------------------

const { codeOf, list, object } = Fields

/** The problem with a required value that is missing. */
const missing = new SchemaIssue.MissingKey(undefined)

/** An integer, or its digits as text. */
const integer = (minimum: number, message: string, maximum: number = Number.MAX_SAFE_INTEGER) =>
  readAfter(Fields.whole(minimum, maximum, message), (value) =>
    typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  )

const anyInteger = integer(Number.MIN_SAFE_INTEGER, "must be an integer")
/** Ten thousand million crowns: sums of many such amounts are still exact. */
export const maxAmount = 1_000_000_000_000
const positiveAmount = integer(1, "must be an integer in minor units, more than 0, at most 1000000000000", maxAmount)

/** Text, or a number that is read as text. */
const text = (maxLength: number) =>
  readAfter(Fields.text(maxLength), (value) => (typeof value === "number" ? String(value) : value))

const anyText = text(Number.MAX_SAFE_INTEGER)

const filledText = (maxLength: number) => text(maxLength).check(Schema.makeFilter((value) => value !== "" || missing))

/** `true` or `false`, also as text. */
const flag = readAfter(Fields.flag, (value) => (value === "true" ? true : value === "false" ? false : value))

const day = anyText.check(Schema.makeFilter((value) => isDay(value) || "must be a day that exists, written yyyy-mm-dd"))

const address = (maxLength: number) =>
  text(maxLength).check(
    Schema.makeFilter((value) => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) || "must be an address with its protocol")
  )

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** PHP writes an empty object as an empty list. */
const emptyListAsObject = <S extends Schema.Top>(schema: S) =>
  readAfter(schema, (value) => (Array.isArray(value) && value.length === 0 ? {} : value))

const Contact = object({
  first_name: Schema.optionalKey(text(maxLengths.first_name)),
  last_name: Schema.optionalKey(text(maxLengths.last_name)),
  email: Schema.optionalKey(text(maxLengths.email)),
  phone_number: Schema.optionalKey(text(maxLengths.phone_number)),
  city: Schema.optionalKey(text(maxLengths.city)),
  street: Schema.optionalKey(text(maxLengths.street)),
  postal_code: Schema.optionalKey(text(maxLengths.postal_code)),
  country_code: Schema.optionalKey(text(maxLengths.country_code))
})

/** Reads the payer of a new payment. */
export const Payer = object({
  allowed_payment_instruments: Schema.optionalKey(list(anyText)),
  allowed_swifts: Schema.optionalKey(list(anyText)),
  default_payment_instrument: Schema.optionalKey(anyText),
  default_swift: Schema.optionalKey(anyText),
  allowed_bnpl_types: Schema.optionalKey(list(anyText)),
  default_bnpl_type: Schema.optionalKey(anyText),
  contact: Schema.optionalKey(emptyListAsObject(Contact)),
  verify_pin: Schema.optionalKey(
    anyText.check(Schema.makeFilter((pin) => /^\d{4}$/.test(pin) || "must have four digits"))
  ),
  allowed_card_token: Schema.optionalKey(anyText),
  request_card_token: Schema.optionalKey(flag)
})

const cycleNumbers = ["MONTH", "WEEK", "DAY", "ON_DEMAND"]

/** The .NET client sends the number of the cycle. */
const cycle = readAfter(codeOf(CodeLists.RecurrenceCycles), (value) =>
  typeof value === "number" ? cycleNumbers[value] : value
)

/** Reads how a payment recurs. */
export const Recurrence = object({
  recurrence_cycle: cycle,
  recurrence_period: Schema.optionalKey(integer(0, "must be an integer, 0 or more")),
  recurrence_date_to: day
}).check(
  Schema.makeFilter(({ recurrence_cycle, recurrence_period }) =>
    recurrence_cycle === "ON_DEMAND" || (recurrence_period ?? 0) > 0
      ? true
      : {
          path: ["recurrence_period"],
          issue: recurrence_period === undefined ? missing : "must be more than 0 for this cycle"
        }
  )
)

const Items = list(
  object({
    name: Schema.optionalKey(text(maxLengths.name)),
    amount: Schema.optionalKey(anyInteger),
    count: Schema.optionalKey(anyInteger)
  })
)

const AdditionalParams = list(object({ name: anyText, value: anyText }))

/** Reads a new payment. */
export const PaymentOrder = object({
  payer: Schema.optionalKey(emptyListAsObject(Payer)),
  target: object({
    type: Schema.optionalKey(codeOf({ ACCOUNT: "the merchant's account" })),
    goid: integer(1, "must be a GoID")
  }),
  amount: integer(0, "must be an integer in minor units, 0 or more, at most 1000000000000", maxAmount),
  currency: codeOf(CodeLists.Currencies),
  order_number: filledText(maxLengths.order_number),
  order_description: Schema.optionalKey(text(maxLengths.order_description)),
  items: Schema.optionalKey(Items),
  callback: object({
    return_url: address(maxLengths.return_url),
    notification_url: Schema.optionalKey(address(maxLengths.notification_url))
  }),
  additional_params: Schema.optionalKey(AdditionalParams),
  lang: Schema.optionalKey(anyText),
  recurrence: Schema.optionalKey(Recurrence),
  preauthorization: Schema.optionalKey(flag)
}).check(
  Schema.makeFilter(({ amount, preauthorization, recurrence }) =>
    amount > 0 || recurrence !== undefined || preauthorization === true
      ? true
      : { path: ["amount"], issue: "must be more than 0 without a recurrence or a preauthorization" }
  )
)

const ChargeOrder = object({
  amount: positiveAmount,
  currency: codeOf(CodeLists.Currencies),
  order_number: filledText(maxLengths.order_number),
  order_description: Schema.optionalKey(text(maxLengths.order_description)),
  items: Schema.optionalKey(Items),
  additional_params: Schema.optionalKey(AdditionalParams)
})

const AmountOrder = object({ amount: positiveAmount, items: Schema.optionalKey(Items) })

const StatementOrder = object({
  date_from: day,
  date_to: day,
  goid: integer(1, "must be a GoID"),
  currency: codeOf(CodeLists.Currencies),
  format: codeOf(CodeLists.StatementFormats)
}).check(
  Schema.makeFilter(({ date_from, date_to }) =>
    date_from <= date_to ? true : { path: ["date_to"], issue: "must not be before date_from" }
  )
)

/** The order of a new payment. Amounts are integers in minor units. */
export type PaymentOrder = typeof PaymentOrder.Type

/** The order of the next charge of a recurrence. Amounts are integers in minor units. */
export type ChargeOrder = typeof ChargeOrder.Type

/** Which statement a merchant asks for. */
export type StatementOrder = typeof StatementOrder.Type

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

/** The documentation and recordings name only the field, so its path goes into the description. */
const fieldError = (code: 110 | 111, path: IssuePath, problem: string): RequestError => {
  const field = keysOf(path).filter(Predicate.isString).at(-1)
  return field === undefined
    ? { code: 116, description: `The request ${problem}.` }
    : { code, field, description: `${pathText(path)} ${problem}` }
}

const missingField = (path: IssuePath): RequestError => fieldError(110, path, "is missing")

const wrongField = (path: IssuePath, problem: string): RequestError => fieldError(111, path, problem)

/** A short request can be wrong in half a million places: the response names only the first ones. */
const maxErrors = 100

const refusalFor = (error: Schema.SchemaError): Refusal => {
  const errors = firstProblems(error.issue, maxErrors).map(({ code, message, path }) =>
    code === "Required" ? missingField(path) : wrongField(path, message)
  )
  return Arr.isReadonlyArrayNonEmpty(errors) ? refusedFields(errors) : refusal(116)
}

/** A request's body, as text, with the content type that it claims to have. */
export interface RequestBody {
  readonly content: string
  readonly contentType: string | undefined
}

/** Decided by the content type, or without one by the beginning of the body. */
const isJson = ({ content, contentType = "" }: RequestBody): boolean =>
  contentType.trim() === "" ? /^\s*[{[]/.test(content) : /\bjson\b/i.test(contentType)

const json = ({ content }: RequestBody): Result.Result<unknown, Refusal> =>
  Result.try({
    try: (): unknown => JSON.parse(content),
    catch: () => refusal(116, "The body is not well-formed JSON.")
  })

const form = ({ content }: RequestBody): unknown => Object.fromEntries(new URLSearchParams(content.trim()))

const decoding = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (value: unknown): Result.Result<S["Type"], Refusal> => Result.mapError(decode(withoutNulls(value)), refusalFor)
}

const wholeAmount = {
  rounded: Math.round,
  cut: Math.trunc,
  refused: (amount: number): number => amount
} satisfies { readonly [Setting in LocalGatewaySettings["fractionalAmounts"]]: (amount: number) => number }

/** A request in which fractional `amount`s are rounded, if the setting says so: its own and those of its items. */
const withWholeAmounts = (request: unknown, setting: LocalGatewaySettings["fractionalAmounts"]): unknown => {
  if (!Predicate.isObject(request) || Array.isArray(request)) return request
  const { amount, items }: { readonly amount?: unknown; readonly items?: unknown } = request
  return {
    ...request,
    ...(typeof amount === "number" ? { amount: wholeAmount[setting](amount) } : {}),
    ...(Array.isArray(items) ? { items: items.map((item: unknown) => withWholeAmounts(item, setting)) } : {})
  }
}

/** The JSON of a body with amounts. */
const jsonOrder = (body: RequestBody, { fractionalAmounts }: LocalGatewaySettings): Result.Result<unknown, Refusal> =>
  Result.map(json(body), (request) => withWholeAmounts(request, fractionalAmounts))

const decodePayment = decoding(PaymentOrder)
const decodeCharge = decoding(ChargeOrder)
const decodeAmount = decoding(AmountOrder)
const decodeStatement = decoding(StatementOrder)

interface Itemized {
  readonly amount: number
  readonly items?: ReadonlyArray<{ readonly amount?: number }>
}

/** The sum of the items; undefined without any. */
export const sumOfItems = ({ items = [] }: Pick<Itemized, "items">): number | undefined =>
  items.length === 0 ? undefined : items.reduce((total, item) => total + (item.amount ?? 0), 0)

/** Refuses items that do not add up to the amount, if that is checked. */
const withItemsSum = <Order extends Itemized>(
  order: Result.Result<Order, Refusal>,
  itemsSum: LocalGatewaySettings["itemsSum"]
): Result.Result<Order, Refusal> =>
  Result.flatMap(order, (itemized) => {
    const { amount } = itemized
    const sum = sumOfItems(itemized)
    return itemsSum === "ignored" || sum === undefined || sum === amount
      ? Result.succeed(itemized)
      : Result.fail(refusal(360, `The items sum to ${sum}, the amount is ${amount}.`))
  })

/** Refuses an order that lacks what the documentation requires, if that is checked. */
const withRequired = <Order extends Itemized>(
  order: Result.Result<Order, Refusal>,
  orderChecks: LocalGatewaySettings["orderChecks"],
  ...required: ReadonlyArray<keyof Order & string>
): Result.Result<Order, Refusal> =>
  Result.flatMap(order, (given) => {
    if (orderChecks === "lenient") return Result.succeed(given)
    const errors = required
      .filter((name) => !Object.hasOwn(given, name) || given[name] === undefined)
      .map((name) => missingField([name]))
      .concat(given.amount === 0 ? [wrongField(["amount"], "must be more than 0")] : [])
    return Arr.isReadonlyArrayNonEmpty(errors) ? Result.fail(refusedFields(errors)) : Result.succeed(given)
  })

/** Names API v4 and its address, and where its differences from v3 are documented. */
export const versionHint = `The request is one of GoPay's API v4, which is below ${basePathV4}, and this is v3: ${versionsPage}`

/**
 * Whether a payment is written for API v4: there, `customer` is required and `target` is part of the address; v3 has no
 * `customer`. Source: `PaymentCreateRequest` of GoPay's SDK for PHP, gopay-php-api-v4.
 */
const isOfV4 = (order: unknown): boolean =>
  Predicate.hasProperty(order, "customer") && !Predicate.hasProperty(order, "target")

/** A refusal whose first error says that the payment is written for API v4. */
const withVersionHint = ({ errors: [first, ...others], status }: Refusal): Refusal =>
  new Refusal({
    status,
    errors: [{ ...first, description: [first.description, versionHint].filter(Boolean).join(" ") }, ...others]
  })

const decodeV3Payment = (order: unknown): ReturnType<typeof decodePayment> =>
  Result.mapError(decodePayment(order), (refused) => (isOfV4(order) ? withVersionHint(refused) : refused))

/** Reads the order of a payment. `today` is `yyyy-mm-dd`: a recurrence must end later. */
export const readPaymentOrder = (
  body: RequestBody,
  settings: LocalGatewaySettings,
  today: string
): Result.Result<PaymentOrder, Refusal> =>
  Result.flatMap(
    withItemsSum(
      withRequired(Result.flatMap(jsonOrder(body, settings), decodeV3Payment), settings.orderChecks),
      settings.itemsSum
    ),
    (order) =>
      order.recurrence === undefined || order.recurrence.recurrence_date_to > today
        ? Result.succeed(order)
        : Result.fail(refusedFields([wrongField(["recurrence", "recurrence_date_to"], "must be in the future")]))
  )

/** Reads the order of the next charge of a recurrence. */
export const readChargeOrder = (
  body: RequestBody,
  settings: LocalGatewaySettings
): Result.Result<ChargeOrder, Refusal> =>
  withItemsSum(
    withRequired(
      Result.flatMap(jsonOrder(body, settings), decodeCharge),
      settings.orderChecks,
      "order_description",
      "items"
    ),
    settings.itemsSum
  )

/** Reads which statement is requested. */
export const readStatementOrder = (body: RequestBody): Result.Result<StatementOrder, Refusal> =>
  Result.flatMap(json(body), decodeStatement)

const readAmountOrder = (body: RequestBody, settings: LocalGatewaySettings) =>
  Result.flatMap(isJson(body) ? jsonOrder(body, settings) : Result.succeed(form(body)), decodeAmount)

/** Reads an amount in minor units: form-encoded, or as JSON. */
export const readAmount = (body: RequestBody, settings: LocalGatewaySettings): Result.Result<number, Refusal> =>
  Result.map(withItemsSum(readAmountOrder(body, settings), settings.itemsSum), ({ amount }) => amount)

/** Whether the whole hold is captured: the body is empty, or has no amount as JSON, if that is accepted. */
const isFullCapture = (body: RequestBody, { jsonFullCapture }: LocalGatewaySettings): boolean =>
  body.content.trim() === "" ||
  (jsonFullCapture === "accepted" && isJson(body) && /^\s*(null|\{\s*\})\s*$/.test(body.content))

/** Reads how much to capture: the amount, in minor units, or `"all"`. */
export const readCaptureAmount = (
  body: RequestBody,
  settings: LocalGatewaySettings
): Result.Result<number | "all", Refusal> =>
  isFullCapture(body, settings)
    ? Result.succeed("all")
    : Result.map(
        withItemsSum(withRequired(readAmountOrder(body, settings), settings.orderChecks, "items"), settings.itemsSum),
        ({ amount }) => amount
      )

/** Whether JSON escapes characters as `\uXXXX`: a firewall in front of the gateway is said to refuse that. */
export const hasUnicodeEscapes = ({ content }: RequestBody): boolean => /\\u[\da-f]{4}/i.test(content)

/** The content of a token request. */
interface TokenOrder {
  readonly grantType: string | undefined
  readonly scope: string
}

/** Reads a token request; without a scope, it is for everything. */
export const readTokenOrder = (body: RequestBody): TokenOrder => {
  const fields = new URLSearchParams(body.content.trim())
  return { grantType: fields.get("grant_type") ?? undefined, scope: fields.get("scope") ?? "payment-all" }
}

type AnyEndpoint = (typeof Endpoint)[keyof typeof Endpoint]

const formType = "application/x-www-form-urlencoded"
const jsonType = "application/json"

/**
 * The content types that an operation accepts. A refund may be JSON, as documented for the registration of sales. An
 * empty body captures everything, and official clients send it with different types.
 */
const typesOf = ({ name, request }: AnyEndpoint, isEmpty: boolean): ReadonlyArray<string> => {
  if (name === "refundPayment") return [formType, jsonType]
  if (name === "captureAuthorization") return isEmpty ? [formType, jsonType] : [jsonType]
  switch (request.type) {
    case "json":
      return [jsonType]
    case "form":
    case "emptyForm":
      return [formType]
    case "query":
    case "none":
      return []
  }
}

/**
 * Refuses a body whose content type the operation does not accept, as the gateway refused a `voidRecurrence` sent as
 * JSON (contributte/gopay-inline, pull request 98). A body without a type is accepted, and a read has no body.
 */
export const wrongContentType = (
  endpoint: AnyEndpoint,
  { content, contentType = "" }: RequestBody
): Refusal | undefined => {
  const [type = ""] = contentType.split(";")
  const types = typesOf(endpoint, content.trim() === "")
  if (type.trim() === "" || types.length === 0 || types.includes(type.trim().toLowerCase())) return undefined
  return new Refusal({
    status: 500,
    errors: [
      {
        code: 500,
        scope: "F",
        message: "RESTEASY003065: Cannot consume content type",
        description: `The content type is ${type.trim()}, and must be ${types.join(" or ")}.`
      }
    ]
  })
}

/** A request and its response, for the log. */
interface LoggedExchange {
  readonly method: string
  readonly path: string
  readonly requestBody: string
  readonly responseBody: string
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}/?$`)

/** An endpoint of either API, as used to recognise requests for it. */
interface KnownEndpoint {
  readonly method: string
  readonly name: string
  readonly pattern: RegExp
  readonly isAboutPayment: boolean
  readonly createsPayment: boolean
}

const endpointsV3: ReadonlyArray<KnownEndpoint> = Object.values(Endpoint).map(({ method, name, path }) => ({
  method,
  name,
  pattern: patternOf(`/api${path}`),
  isAboutPayment: path.includes("{id}"),
  createsPayment: name === "createPayment"
}))

const endpoints: ReadonlyArray<KnownEndpoint> = [
  ...endpointsV3,
  ...Object.entries<EndpointV4>(endpointsV4).map(([name, { createsPayment = false, method, path }]) => ({
    method,
    name: `v4.${name}`,
    pattern: patternOf(`${basePathV4}${path}`),
    isAboutPayment: path.includes("{id}"),
    createsPayment
  }))
]

/** The methods of API v3 at a path. */
export const methodsAt = (path: string): ReadonlyArray<string> => [
  ...new Set(endpointsV3.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : [])))
]

/** The client's method that sends such a request, and the payment that it is about, if known. */
export const operationOf = ({
  method,
  path,
  requestBody,
  responseBody
}: LoggedExchange): { readonly operation?: string; readonly paymentId?: number } => {
  const found = endpoints.find((endpoint) => endpoint.method === method && endpoint.pattern.test(path))
  if (found === undefined) return {}
  const operation =
    found.name === "captureAuthorization" && requestBody.trim() !== "" ? "captureAuthorizationPartial" : found.name
  const about = found.createsPayment
    ? /^\{"id":"?(\d+)/.exec(responseBody)?.[1]
    : found.isAboutPayment
      ? found.pattern.exec(path)?.[1]
      : undefined
  const paymentId = Number(about)
  return Number.isSafeInteger(paymentId) ? { operation, paymentId } : { operation }
}
