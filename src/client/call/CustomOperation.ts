/**
 * A caller-defined request as an operation.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import { withoutPrototype } from "../../basics/OwnMember.js"
import { isWellFormed, jsonText, notWellFormed, plainCopy } from "../../basics/PlainData.js"
import type { AnyReason, ApiTypes, LostOutcome } from "../error/AnyReason.js"
import type { InvalidField } from "../error/GatewayError.js"
import type { ReadReason } from "../error/GatewayFailure.js"
import type { CustomRequest } from "../../contract/GatewayOperations.js"
import type { Operation, Sending } from "./ApiOperation.js"
import { unusable } from "./FailureReason.js"
import { formContentType, jsonFields, urlEncoded } from "./RequestEncoder.js"
import { type RefusalLanguage, responseReader } from "./ResponseReader.js"
import { mark } from "../error/Redaction.js"

const path = Schema.String.check(Schema.makeFilter((path) => pathProblem(path) ?? true))

const formText = Schema.String.check(Schema.makeFilter((text) => isWellFormed(text) || notWellFormed))

const customRequest = Schema.Struct({
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path,
  kind: Schema.Literals(["read", "change"]).annotate({ message: "must be read or change: does repeating it do harm?" }),
  body: Schema.optional(Schema.Unknown),
  form: Schema.optional(Schema.Record(formText, Schema.Union([formText, Schema.Finite, Schema.Boolean])))
}).check(
  Schema.makeFilter((request) => {
    const { body, form, method } = withoutPrototype(request)
    if (body !== undefined && form !== undefined) return { path: ["form"], issue: "is not allowed beside body" }
    return method === "GET" && (body !== undefined || form !== undefined)
      ? { path: [body === undefined ? "form" : "body"], issue: "is not allowed with GET: put it into the path's query" }
      : true
  })
)

/** A request to one API, in which a read that is not a GET has to be one that the contract knows. */
const requestOf = (operations: CustomApi<ApiTypes>["operations"]) =>
  customRequest.check(
    Schema.makeFilter((request) => {
      const { kind, method, path } = withoutPrototype(request)
      const isKnownRead = Object.values(operations).some(
        (operation) => operation.kind === "read" && operation.method === method && operation.path === path.split("?")[0]
      )
      return kind === "change" || method === "GET" || isKnownRead
        ? true
        : { path: ["kind"], issue: `must be change with ${method}: a read is repeated, which may pay twice` }
    })
  )

/** An API as seen by requests of the caller's own. */
interface CustomApi<in out Types extends ApiTypes> {
  /** The name of such a request. */
  readonly name: Types["name"]
  readonly language: RefusalLanguage
  readonly operations: {
    readonly [name: string]: Pick<Operation<unknown, AnyReason, ApiTypes>, "kind" | "method" | "path">
  }
  /** What to do about a change whose outcome is unknown, if the API has advice. */
  readonly advice?: string
  /** Makes the record of a change from the part of its path that may be shown. */
  readonly recordOf: (path: string, sent: Sending) => Types["change"]
}

/** The reasons that a request of the caller's own fails with. */
type CustomReason<Types extends ApiTypes> = ReadReason | LostOutcome<Types["change"]>

/** Decodes the JSON of a response. */
type DecodeJson<Response> = (json: unknown) => Result.Result<Response, SchemaIssue.Issue>

const asItCame: DecodeJson<unknown> = Result.succeed

/** Makes operations from requests. They are called without arguments. */
export interface CustomOperations<out Types extends ApiTypes> {
  /** Decodes the response; an empty one, which is not JSON, as `undefined`. */
  readonly decoded: <Response>(
    request: CustomRequest,
    decodeJson: DecodeJson<Response>
  ) => Operation<Response, CustomReason<Types>, Types>
  /** Returns the JSON of the response as it came. */
  readonly undecoded: (request: CustomRequest) => Operation<unknown, CustomReason<Types>, Types>
}

export const customOperations = <Types extends ApiTypes>({
  advice,
  language,
  name,
  operations,
  recordOf
}: CustomApi<Types>): CustomOperations<Types> => {
  const decode = SchemaParser.decodeUnknownResult(requestOf(operations), { errors: "all", onExcessProperty: "error" })
  const readJson = responseReader({ type: "json", schema: Schema.Unknown }, language)
  const decoded: CustomOperations<Types>["decoded"] = (request, decodeJson) => {
    const checked = decodeSafely(request, decode)
    const { kind, method, path } = Result.getOrElse(checked, () => unreadable)
    const template = shownPath(path)
    return {
      name,
      kind,
      method,
      carries: "json",
      path: template,
      arity: 0,
      ...(advice === undefined ? undefined : { advice }),
      isReason: (reason): reason is CustomReason<Types> => isReason(reason),
      prepare: () =>
        Result.map(checked, ({ body, form }) => ({
          path,
          contentType: form === undefined ? (body === undefined ? undefined : "application/json") : formContentType,
          body: form === undefined ? (body === undefined ? undefined : jsonText(body)) : urlEncoded(form),
          subject: undefined,
          sent: [body, form, sentInPath(path)],
          recordOf: kind === "change" ? (sent) => recordOf(template, sent) : undefined,
          extraFields: []
        })),
      read: (response, reading) => {
        const isEmpty = response.data?.byteLength === 0 && response.status >= 200 && response.status < 300
        return Result.flatMap(isEmpty ? Result.succeed(undefined) : readJson(response, reading), (json) =>
          Result.mapError(decodeJson(json), (issue) =>
            // The path to the wrong field consists of member names chosen by the gateway.
            unusable(reading.call, response.status, reading.redact(describeFields(invalidFields(issue))))
          )
        )
      }
    }
  }
  return { decoded, undecoded: (request) => decoded(request, asItCame) }
}

const unreadable = { method: "GET", path: "/", kind: "read" } as const

/** Reads the request only once, so that exactly what was checked is sent. A getter may throw. */
const decodeSafely = (
  request: unknown,
  decode: (request: unknown) => Result.Result<typeof customRequest.Type, SchemaIssue.Issue>
): Result.Result<typeof customRequest.Type, ReadonlyArray<InvalidField>> => {
  try {
    const given = plainCopy(request)
    const wrongBody =
      Predicate.isObject(given) && given["body"] !== undefined ? jsonFields(given["body"], ["body"]) : []
    return Result.match(decode(given), {
      onFailure: (issue) => Result.fail([...invalidFields(issue), ...wrongBody]),
      onSuccess: (decoded) =>
        wrongBody.length > 0 ? Result.fail(wrongBody) : Result.succeed(withoutPrototype(decoded))
    })
  } catch {
    return Result.fail([{ field: "request", message: "cannot be read" }])
  }
}

const isReason = (reason: AnyReason): boolean => !reason._tag.endsWith("NotFound")

const leavesFolder =
  "must have no . or .. in it, no backslash, and no /, ? or # that is encoded: it has to stay below the API's address"

/**
 * Why a path cannot be sent, if it cannot. It has to stay in the API's folder for everyone who reads it on the way: URL
 * parsers drop control characters and resolve dots, proxies may decode repeatedly, and servers cut off parameters.
 */
const pathProblem = (path: string): string | undefined => {
  if (!/^\/(?!\/)/.test(path)) return "must start with one slash, such as /payments/payment/1"
  if (!isWellFormed(path) || /[\s\p{Cc}#]/u.test(path)) return "must have no blanks, control characters or #"
  const [folders = ""] = path.split("?")
  const decoded = /%(?![\da-f]{2})/i.test(folders) ? undefined : fullyDecoded(folders)
  if (decoded === undefined) return "must be percent-encoded correctly, as UTF-8"
  const hasMore = /[\\?#\p{Cc}]/u.test(decoded) || decoded.split("/").length > folders.split("/").length
  return hasMore || /(^|\/)\s*\.{1,2}\s*(;[^/]*)?(\/|$)/.test(decoded) ? leavesFolder : undefined
}

/**
 * Percent-decodes until nothing changes, and replaces compatible characters, such as a full-width dot, by what they
 * stand for. `undefined` if the text is not valid UTF-8.
 */
const fullyDecoded = (text: string): string | undefined => {
  try {
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent).normalize("NFKC")
    return decoded === text ? text : fullyDecoded(decoded)
  } catch {
    return undefined
  }
}

/**
 * Whether a folder may be shown: a word, like the API's own folders and versions, or an id of a payment or a card.
 * Anything else in a path may be secret.
 */
const isPublic = (folder: string): boolean =>
  folder === "" || (folder.length <= 40 && /^(?:[a-z]+\d?(?:[-_][a-z]+\d?)*|\d{1,11})$/i.test(folder))

/** The path with folders that may be secret replaced. */
const shownPath = (path: string): string =>
  foldersOf(path)
    .map((folder) => (isPublic(folder) ? folder : mark))
    .join("/")

/** The texts in a path that may be secret: folders, and the members of its query. */
const sentInPath = (path: string): ReadonlyArray<string | { readonly [name: string]: string }> => {
  const [, query = ""] = path.split(/\?(.*)/s)
  return [
    ...foldersOf(path).filter((folder) => !isPublic(folder)),
    ...Array.from(new URLSearchParams(query), ([name, value]) => ({ [name]: value }))
  ]
}

const foldersOf = (path: string): ReadonlyArray<string> => (path.split("?")[0] ?? "").split("/")
