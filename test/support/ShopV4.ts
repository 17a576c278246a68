/**
 * Requests of a shop by GoPay's API v4, as they go over HTTP, by plain `fetch`.
 */
import * as Schema from "effect/Schema"
import { basePathV4 } from "../../src/contract/EndpointV4.js"
import {
  startLocalGateway,
  type LocalMerchant,
  type RunningLocalGateway,
  type StartLocalGatewayOptions
} from "../../src/local-gateway/promise/index.js"
import { orderV4, recurrenceV4 } from "./GatewayV4.js"

const text = Schema.optionalKey(Schema.String)

/** These members, and whatever others there are. */
const open = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)])

/** Members of a payment that tests check. */
const paymentFields = {
  id: text,
  state: text,
  order_number: text,
  amount: Schema.optionalKey(Schema.Number),
  customer: Schema.optionalKey(Schema.Unknown),
  gw_url: text,
  payment_secret: text,
  charge: Schema.optionalKey(Schema.NullOr(open({ id: text, state: text, href: text })))
}

/** Members of every body that tests check. */
const Body = open({
  ...paymentFields,
  payment: Schema.optionalKey(open(paymentFields)),
  qr_code: Schema.optionalKey(open({ spayd: text, paybysquare: text })),
  schedule: Schema.optionalKey(Schema.Unknown),
  stop_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  fail_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  code: Schema.optionalKey(Schema.Number),
  error: text,
  message: text,
  detail: text,
  path: text,
  access_token: text
})

type BodyV4 = typeof Body.Type

const decodeBody = Schema.decodeUnknownSync(Schema.fromJsonString(Body))
const decodeList = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Body)))

/** A response, read to its end. */
export interface AnswerV4 {
  readonly status: number
  readonly text: string
  /** What its JSON holds; nothing of a list, and of no JSON. */
  readonly body: BodyV4
  /** The elements of its JSON, where that is a list. */
  readonly list: ReadonlyArray<BodyV4>
}

const answerOf = async (response: Response): Promise<AnswerV4> => {
  const text = await response.text()
  const isList = text.startsWith("[")
  return {
    status: response.status,
    text,
    body: text === "" || isList ? {} : decodeBody(text),
    list: isList ? decodeList(text) : []
  }
}

/** What is new, with the members that every such thing has. */
const created = ({ body, status, text }: AnswerV4) => {
  const { gw_url = "", id, payment_secret = "" } = body
  if (status !== 201 || id === undefined) throw new Error(`${status} ${text}`)
  return { ...body, id, gw_url, payment_secret }
}

/** The address of the API of a gateway. */
export const addressV4 = (url: string): string => `${url}${basePathV4}`

/** Asks for a token. */
export const requestTokenV4 = async (
  url: string,
  credentials: string,
  form: { readonly [name: string]: string }
): Promise<AnswerV4> =>
  answerOf(
    await fetch(`${addressV4(url)}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(credentials)}` },
      body: new URLSearchParams(form)
    })
  )

const allScopes = "payment:write payment:read card:write card:read shared:read"

/** Calls with a token. A POST is JSON, also without a body. */
export const callerV4 =
  (url: string, token: string) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = {}
  ): Promise<AnswerV4> =>
    answerOf(
      await fetch(`${addressV4(url)}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(method === "POST" ? { "content-type": "application/json" } : {}),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
    )

/** A shop with a merchant's token; `scope` in place of all scopes. `url` is where requests go, if not to the merchant's gateway. */
export const openShopV4 = async (
  { clientId, clientSecret, environment, goid }: LocalMerchant,
  { scope = allScopes, url = environment }: { readonly scope?: string; readonly url?: string } = {}
) => {
  const credentials = `${clientId}:${clientSecret}`
  const { body } = await requestTokenV4(url, credentials, { grant_type: "client_credentials", scope })
  const call = callerV4(url, body.access_token ?? "")
  return {
    goid,
    call,
    get: (path: string) => call("GET", path),
    post: (path: string, body?: unknown) => call("POST", path, body),
    remove: (path: string) => call("DELETE", path),
    /** A new payment. */
    create: async (changes: object = {}) =>
      created(await call("POST", `/eshops/${goid}/payments`, { ...orderV4, ...changes })),
    /** A new recurrence. */
    recur: async (changes: object = {}) =>
      created(await call("POST", `/eshops/${goid}/recurrences`, { ...recurrenceV4, ...changes })),
    /** The first payment of a recurrence, which is started with an override. */
    start: async (id: string, override?: object) => created(await call("POST", `/recurrences/${id}/start`, override))
  }
}

/** A shop that calls API v4. */
export type ShopV4 = Awaited<ReturnType<typeof openShopV4>>

/** A local gateway behind a server, and a shop, for as long as the test runs. */
export const withShopV4 = async (
  test: (shop: ShopV4, local: RunningLocalGateway) => Promise<void>,
  options?: StartLocalGatewayOptions
): Promise<void> => {
  await using local = await startLocalGateway(options)
  await test(await openShopV4(local.merchant), local)
}
