/**
 * What can go wrong between the client and the gateway, as bytes.
 */
import { gzipSync } from "node:zlib"
import { ErrorCodes } from "../../src/promise/index.js"
import { echo } from "../support/PersonalOrder.js"
import { type Ending, http, type RawAnswer } from "../support/RawGateway.js"

/** The response that would be right. */
export interface RightAnswer {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers: ReadonlyArray<string>
  /** The same about another payment and another card. */
  readonly aboutAnother: string
}

export interface Fault {
  readonly name: string
  /** What the gateway answers; or where the connection goes in place of the gateway. */
  readonly answer: ((right: RightAnswer) => RawAnswer) | "refusing address" | "stalling address"
  /** Nothing more comes: the call ends by its time limit. */
  readonly isStalled?: true
  /** The token has been used before, so that it may be replaced. */
  readonly isTokenInUse?: true
  /** Whether a gateway that answers like this may have carried the request out. */
  readonly mayBeDone: boolean
}

export const right = ({ body, headers, status }: RightAnswer): RawAnswer => ({
  bytes: http(status, body, headers),
  ending: "stay"
})

const json = "content-type: application/json"

/** The right response with other members, where it has them at all. */
const withOther =
  (others: Readonly<Record<string, unknown>>) =>
  ({ body, headers, status }: RightAnswer): RawAnswer => {
    const isJson = headers.includes(json) && typeof body === "string" && body.startsWith("{")
    const right: Readonly<Record<string, unknown>> = isJson ? JSON.parse(body) : {}
    const changed = Object.fromEntries(Object.entries(others).filter(([name]) => name in right))
    return { bytes: http(status, isJson ? JSON.stringify({ ...right, ...changed }) : body, headers), ending: "stay" }
  }
const html = "content-type: text/html;charset=utf-8"

const page = `<!doctype html><html><body><h1>Sorry</h1>${echo}</body></html>`

/** The gateway's own error body, from a gateway that repeats the whole request. */
const errorBody = (...codes: ReadonlyArray<number>): string =>
  JSON.stringify({
    date_issued: "2026-01-01T12:00:00.000+0100",
    errors: codes.map((error_code) => ({
      scope: "G",
      error_code,
      error_name: "NAME",
      message: echo,
      description: echo
    }))
  })

const whole =
  (bytes: Uint8Array, ending: Ending = "stay") =>
  () => ({ bytes, ending })

const withPage = (status: number) => whole(http(status, page, [html]))

const withCodes = (status: number, codes: ReadonlyArray<number>) => whole(http(status, errorBody(...codes), [json]))

const withCode = (status: number, code: number) => withCodes(status, [code])

const hundred = Array.from({ length: 100 }, () => 303)

/** The right response where there is a body, else one that a body could be in. */
const bodyOf = ({ body }: RightAnswer): Buffer => (body.length === 0 ? Buffer.from(`{"id":1}`) : Buffer.from(body))

const cutIn = (share: number, ending: Ending) => (answer: RightAnswer) => {
  const bytes = http(200, bodyOf(answer), answer.headers)
  const head = bytes.indexOf("\r\n\r\n") + 4
  return { bytes: bytes.subarray(0, head + Math.ceil((bytes.length - head) * share)), ending }
}

const tenMegabytes = Buffer.alloc(10_000_000, " ")

/** The same compressed: what is compressed may be put together from parts. */
const tenMegabytesCompressed = gzipSync(tenMegabytes)

const chunkOf = (length: number): string => `${length.toString(16)}\r\n`

const taken = { mayBeDone: true } as const
const refused = { mayBeDone: false } as const

const connections: ReadonlyArray<Fault> = [
  { name: "connection refused", answer: "refusing address", ...refused },
  { name: "stalled connect", answer: "stalling address", isStalled: true, ...taken },
  { name: "stalled headers", answer: whole(Buffer.from("HTTP/1.1 200 OK\r\ncontent-")), isStalled: true, ...taken },
  { name: "stalled body", answer: cutIn(0.5, "stay"), isStalled: true, ...taken },
  { name: "reset before headers", answer: whole(Buffer.alloc(0), "reset"), ...taken },
  { name: "closed before headers", answer: whole(Buffer.alloc(0), "close"), ...taken },
  { name: "reset in body", answer: cutIn(0.5, "reset"), ...taken },
  { name: "truncated body", answer: cutIn(0.5, "close"), ...taken },
  {
    name: "reset of a kept-alive connection",
    answer: whole(Buffer.alloc(0), "reset"),
    isTokenInUse: true,
    ...taken
  }
]

const malformed: ReadonlyArray<Fault> = [
  { name: "no HTTP at all", answer: whole(Buffer.from("220 mail.example ESMTP\r\n"), "close"), ...taken },
  {
    name: "length too short",
    answer: (answer) => ({
      bytes: http(200, bodyOf(answer), [...answer.headers, "content-length: 3", "connection: close"]),
      ending: "close"
    }),
    ...taken
  },
  { name: "length that is no number", answer: whole(http(200, "{}", ["content-length: some"]), "close"), ...taken },
  {
    name: "two lengths that disagree",
    answer: whole(http(200, "{}", ["content-length: 2", "content-length: 1"]), "close"),
    ...taken
  },
  {
    name: "duplicate headers",
    answer: ({ body, headers, status }) => ({
      bytes: http(status, body, [...headers, ...headers, "retry-after: 1", "retry-after: 2"]),
      ending: "stay"
    }),
    ...taken
  },
  { name: "204 where a body was due", answer: whole(http(204)), ...taken },
  { name: "empty 200", answer: whole(http(200)), ...taken },
  { name: "HTML 200", answer: withPage(200), ...taken },
  { name: "malformed JSON", answer: whole(http(200, `{"id":30900`, [json])), ...taken },
  { name: "wrong shape", answer: whole(http(200, `{"id":{},"state":[1],"result":{}}`, [json])), ...taken },
  {
    name: "success about another payment",
    answer: ({ aboutAnother, headers, status }) => ({ bytes: http(status, aboutAnother, headers), ending: "stay" }),
    ...taken
  },
  { name: "unlisted result", answer: withOther({ result: "REJECTED" }), ...taken },
  { name: "empty result", answer: withOther({ result: "" }), ...taken },
  { name: "result with a blank", answer: withOther({ result: " FAILED" }), ...taken },
  { name: "other order number", answer: withOther({ order_number: "2026-9999" }), ...taken },
  { name: "other amount", answer: withOther({ amount: 1 }), ...taken },
  { name: "other currency", answer: withOther({ currency: "EUR" }), ...taken },
  { name: "other parent", answer: withOther({ parent_id: 3_000_006_633 }), ...taken },
  {
    name: "another payment's success",
    answer: withOther({ id: 3_000_006_700, order_number: "2026-9999", amount: 1, currency: "EUR" }),
    ...taken
  },
  { name: "error body with status 200", answer: withCode(200, 303), ...taken },
  {
    name: "wrong content type",
    answer: ({ body, status }) => ({ bytes: http(status, body, [html]), ending: "stay" }),
    ...taken
  },
  // Blanks after it leave JSON as it is.
  {
    name: "10 MB body, declared",
    answer: (answer) => {
      const body = bodyOf(answer)
      const length = `content-length: ${body.length + tenMegabytes.length}`
      return { bytes: http(200, body, [...answer.headers, length]), more: [tenMegabytes], ending: "stay" }
    },
    ...taken
  },
  {
    name: "10 MB body, in chunks",
    answer: (answer) => {
      const body = bodyOf(answer)
      const first = Buffer.concat([
        Buffer.from(chunkOf(body.length)),
        body,
        Buffer.from(`\r\n${chunkOf(tenMegabytes.length)}`)
      ])
      return {
        bytes: http(200, first, [...answer.headers, "transfer-encoding: chunked"]),
        more: [tenMegabytes, Buffer.from("\r\n0\r\n\r\n")],
        ending: "stay"
      }
    },
    ...taken
  },
  {
    name: "10 MB body, compressed to 10 kB",
    answer: (answer) => ({
      bytes: http(200, Buffer.concat([gzipSync(bodyOf(answer)), tenMegabytesCompressed]), [
        ...answer.headers,
        "content-encoding: gzip"
      ]),
      ending: "stay"
    }),
    ...taken
  },
  {
    name: "gzip garbage",
    answer: ({ headers }) => ({
      bytes: http(200, Buffer.from("1f8b0800cafebabe00000000000000000000", "hex"), [
        ...headers,
        "content-encoding: gzip"
      ]),
      ending: "stay"
    }),
    ...taken
  },
  {
    name: "invalid UTF-8 as the body",
    answer: ({ headers }) => ({ bytes: http(200, Buffer.from("fffec3283c", "hex"), headers), ending: "stay" }),
    ...taken
  },
  {
    name: "invalid UTF-8 in a text",
    answer: ({ body, headers, status }) => ({
      bytes: http(
        status,
        Buffer.from(Buffer.from(body).toString("latin1").replace("CZK", "C\xff\xfe"), "latin1"),
        headers
      ),
      ending: "stay"
    }),
    ...taken
  }
]

const statuses: ReadonlyArray<Fault> = [
  ...[302, 307].map((status) => ({
    name: `${status} to another host`,
    answer: whole(http(status, page, [html, "location: http://elsewhere.example/api"])),
    ...taken
  })),
  { name: "401", answer: whole(http(401)), ...refused },
  { name: "401, token used before", answer: whole(http(401)), isTokenInUse: true, ...refused },
  { name: "403 with code 200", answer: withCode(403, 200), ...refused },
  { name: "403 with code 200, token used before", answer: withCode(403, 200), isTokenInUse: true, ...refused },
  { name: "403 with code 202", answer: withCode(403, 202), ...refused },
  { name: "403 with code 100", answer: withCode(403, 100), ...taken },
  { name: "403 with code 999", answer: withCode(403, 999), ...taken },
  { name: "HTML 403", answer: withPage(403), ...refused },
  { name: "HTML 403, token used before", answer: withPage(403), isTokenInUse: true, ...refused },
  { name: "404 with code 304", answer: withCode(404, 304), ...refused },
  { name: "404 with code 111", answer: withCode(404, 111), ...refused },
  { name: "HTML 404", answer: withPage(404), ...taken },
  { name: "empty 404", answer: whole(http(404)), ...taken },
  { name: "408", answer: withPage(408), ...taken },
  { name: "unreadable 409", answer: whole(http(409, `{"errors":[{}]}`, [json])), ...taken },
  { name: "HTML 409", answer: withPage(409), ...taken },
  { name: "HTML 400", answer: withPage(400), ...taken },
  { name: "409 in another's JSON", answer: whole(http(409, `{"error":"conflict","code":303}`, [json])), ...taken },
  { name: "409 with codes 303 and 999", answer: withCodes(409, [303, 999]), ...taken },
  { name: "409 with code 303 a hundred times, then 500", answer: withCodes(409, [...hundred, 500]), ...taken },
  { name: "409 with code 303 a hundred times, then 999", answer: withCodes(409, [...hundred, 999]), ...taken },
  ...[413, 414, 431].map((status) => ({ name: `${status}`, answer: withPage(status), ...refused })),
  { name: "421", answer: withPage(421), ...refused },
  { name: "418", answer: withPage(418), ...taken },
  { name: "429", answer: withPage(429), ...refused },
  { name: "429 with code 500", answer: withCode(429, 500), ...taken },
  {
    name: "429 with Retry-After",
    answer: whole(http(429, "", ["retry-after: 1"])),
    ...refused
  },
  ...[500, 502, 503, 504].map((status) => ({ name: `${status}`, answer: withPage(status), ...taken })),
  { name: "500 with code 100", answer: withCode(500, 100), ...taken },
  { name: "500 with code 303", answer: withCode(500, 303), ...taken }
]

/** Codes that are in no list. */
export const unlistedCodes: ReadonlyArray<number> = [0, -1, 101, 501, 999]

/** Every documented code, and some that are not. */
export const codes: ReadonlyArray<number> = [...Object.keys(ErrorCodes).map(Number), ...unlistedCodes]

export const faults: ReadonlyArray<Fault> = [
  ...connections,
  ...malformed,
  ...statuses,
  ...codes.map((code) => ({
    name: `409 with code ${code}`,
    answer: withCode(409, code),
    mayBeDone: code === 100 || code === 500 || unlistedCodes.includes(code)
  }))
]
