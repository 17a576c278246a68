/**
 * What each fault means, written by hand: for a read, for a change, and for the operations that it means something else
 * to.
 */
import type { GatewayErrorReason } from "../../src/promise/index.js"
import type { OperationCase } from "../support/OperationCases.js"
import { codes, unlistedCodes } from "./WireFaults.js"

/** The operations, and the token call that comes before them. */
export type Name = OperationCase["name"] | "getAccessToken"

/** What a call comes to. */
export interface Outcome {
  readonly reason: GatewayErrorReason["_tag"] | "success"
  readonly isRetryable: boolean
  /** How often the request was sent. */
  readonly requests: number
}

export interface Rule {
  readonly faults: ReadonlyArray<string>
  readonly read: Outcome
  readonly change: Outcome
  readonly except?: { readonly [name in Name]?: Outcome }
}

const once = (reason: Outcome["reason"], isRetryable = false): Outcome => ({ reason, isRetryable, requests: 1 })
const success: Outcome = once("success")
const unknown: Outcome = once("OutcomeUnknown")
const unusable: Outcome = once("UnexpectedResponse")
/** Tried four times. */
const unavailable: Outcome = { reason: "GatewayUnavailable", isRetryable: true, requests: 4 }

const both = (outcome: Outcome) => ({ read: outcome, change: outcome })

/** Operations on something that is neither a payment nor a card of the path. */
const withoutSubject = {
  createPayment: once("OperationRefused"),
  getPaymentInstruments: once("OperationRefused"),
  getPaymentInstrumentsAll: once("OperationRefused"),
  getAccountStatement: once("OperationRefused"),
  getAccessToken: once("OperationRefused")
}

const notFound = {
  ...both(once("PaymentNotFound")),
  except: { ...withoutSubject, getCardDetails: once("CardNotFound"), deleteCard: once("CardNotFound") }
}

/** The codes that only some operations are refused with. */
const families: ReadonlyArray<{ readonly family: ReadonlyArray<Name>; readonly numbers: ReadonlyArray<number> }> = [
  { family: ["createRecurrence", "voidRecurrence"], numbers: [340, 342, 343] },
  { family: ["captureAuthorization", "captureAuthorizationPartial"], numbers: [350, 351] },
  { family: ["voidAuthorization"], numbers: [352, 353] }
]

const special: ReadonlySet<number> = new Set([
  ...families.flatMap(({ numbers }) => numbers),
  100,
  110,
  111,
  112,
  113,
  114,
  115,
  116,
  200,
  201,
  202,
  203,
  304,
  360,
  500,
  ...unlistedCodes
])

const with409 = (...numbers: ReadonlyArray<number>): ReadonlyArray<string> =>
  numbers.map((code) => `409 with code ${code}`)

export const rules: ReadonlyArray<Rule> = [
  { faults: ["connection refused"], read: unavailable, change: once("GatewayUnavailable", true) },
  {
    faults: [
      "stalled connect",
      "stalled headers",
      "stalled body",
      "reset before headers",
      "closed before headers",
      "reset of a kept-alive connection",
      "reset in body",
      "truncated body",
      "no HTTP at all",
      "length that is no number",
      "two lengths that disagree",
      "gzip garbage"
    ],
    read: unavailable,
    change: unknown
  },
  { faults: ["408", "500", "502", "503", "504", "500 with code 100"], read: unavailable, change: unknown },
  { faults: with409(100, 500), read: unavailable, change: unknown },
  {
    faults: ["empty 200", "HTML 200", "malformed JSON", "wrong shape"],
    read: unusable,
    change: unknown
  },
  {
    faults: ["length too short", "invalid UTF-8 as the body"],
    read: unusable,
    change: unknown,
    except: { getAccountStatement: success }
  },
  { faults: ["204 where a body was due"], read: unusable, change: unknown, except: { deleteCard: success } },
  {
    faults: ["10 MB body, declared", "10 MB body, in chunks", "10 MB body, compressed to 10 kB"],
    read: unusable,
    change: unknown,
    // A statement may be as long as that.
    except: { getAccountStatement: success }
  },
  {
    faults: ["success about another payment"],
    read: success,
    change: unknown,
    // Their answers do not say what they are about.
    except: { createPayment: success, deleteCard: success, getPayment: unusable, getCardDetails: unusable }
  },
  {
    faults: ["unlisted result", "empty result", "result with a blank"],
    read: success,
    change: unknown,
    // Their responses have no result.
    except: { createPayment: success, createRecurrence: success, deleteCard: success }
  },
  {
    faults: ["other order number", "other amount", "other currency"],
    ...both(success),
    except: { createPayment: unknown, createRecurrence: unknown }
  },
  { faults: ["other parent"], ...both(success), except: { createRecurrence: unknown } },
  {
    faults: ["another payment's success"],
    read: success,
    change: unknown,
    except: { deleteCard: success, getPayment: unusable }
  },
  { faults: ["error body with status 200"], read: once("OperationRefused"), change: unknown },
  { faults: ["wrong content type"], ...both(success), except: { getAccountStatement: unusable } },
  { faults: ["duplicate headers"], ...both(success) },
  // The text is the currency.
  {
    faults: ["invalid UTF-8 in a text"],
    ...both(success),
    except: { createPayment: unknown, createRecurrence: unknown }
  },
  {
    faults: [
      "302 to another host",
      "307 to another host",
      "HTML 404",
      "empty 404",
      "unreadable 409",
      "HTML 409",
      "409 in another's JSON",
      "HTML 400",
      "418"
    ],
    read: unusable,
    change: unknown
  },
  { faults: ["500 with code 303"], read: once("OperationRefused"), change: unknown },
  { faults: ["401"], ...both(once("AuthenticationFailed")) },
  {
    faults: ["401, token used before"],
    ...both({ ...once("AuthenticationFailed"), requests: 2 }),
    except: { getAccessToken: once("AuthenticationFailed") }
  },
  {
    faults: ["403 with code 200"],
    ...both(once("PermissionDenied")),
    except: { getAccessToken: once("AuthenticationFailed") }
  },
  {
    faults: ["403 with code 200, token used before"],
    ...both({ ...once("PermissionDenied"), requests: 2 }),
    except: { getAccessToken: once("AuthenticationFailed") }
  },
  { faults: ["403 with code 202"], ...both(once("AuthenticationFailed")) },
  {
    faults: ["403 with code 999"],
    read: once("OperationRefused"),
    change: unknown,
    except: { getAccessToken: once("AuthenticationFailed") }
  },
  {
    faults: ["403 with code 100"],
    read: once("PermissionDenied"),
    change: unknown,
    except: { getAccessToken: once("AuthenticationFailed") }
  },
  { faults: ["HTML 403"], ...both(once("PermissionDenied")) },
  {
    faults: ["HTML 403, token used before"],
    read: { ...once("PermissionDenied"), requests: 2 },
    change: once("PermissionDenied"),
    except: { getAccessToken: once("PermissionDenied") }
  },
  { faults: ["404 with code 304", ...with409(304)], ...notFound },
  { faults: ["404 with code 111"], ...both(once("InvalidRequest")) },
  { faults: with409(110, 111, 112, 113, 114, 115, 116, 360), ...both(once("InvalidRequest")) },
  { faults: with409(200), ...both(once("PermissionDenied")) },
  { faults: with409(201, 202, 203), ...both(once("AuthenticationFailed")) },
  { faults: with409(...codes.filter((code) => !special.has(code))), ...both(once("OperationRefused")) },
  // They are of one family of operations: to any other change it is another request's response.
  ...families.map(({ family, numbers }) => ({
    faults: with409(...numbers),
    read: once("OperationRefused"),
    change: unknown,
    except: Object.fromEntries(family.map((name) => [name, once("OperationRefused")]))
  })),
  // Their meaning is not known.
  {
    faults: [...with409(...unlistedCodes), "409 with codes 303 and 999", "409 with code 303 a hundred times, then 999"],
    read: once("OperationRefused"),
    change: unknown
  },
  { faults: ["409 with code 303 a hundred times, then 500"], read: unavailable, change: unknown },
  // Node's `fetch` itself sends a read once more, over another connection. A change must not be sent again.
  { faults: ["421"], read: { ...unusable, requests: 2 }, change: unknown },
  { faults: ["413", "414", "431"], ...both(once("InvalidRequest")) },
  {
    faults: ["429", "429 with Retry-After"],
    read: { reason: "RateLimited", isRetryable: true, requests: 4 },
    change: once("RateLimited", true)
  },
  {
    faults: ["429 with code 500"],
    read: { reason: "RateLimited", isRetryable: true, requests: 4 },
    change: unknown
  }
]

/**
 * What is different over Node's sockets: they repeat nothing by themselves, and take no more bytes than were announced.
 */
const rulesOverSockets: ReadonlyArray<Rule> = [
  { faults: ["421"], read: unusable, change: unknown },
  { faults: ["length too short"], read: unavailable, change: unknown }
]

const byFault = (rules: ReadonlyArray<Rule>): ReadonlyMap<string, Rule> =>
  new Map(rules.flatMap((rule) => rule.faults.map((fault) => [fault, rule] as const)))

const overFetch = byFault(rules)
const overSockets = byFault([...rules, ...rulesOverSockets])

/** What a fault must come to. */
export const expected = (
  fault: string,
  { kind, name }: { readonly kind: "read" | "change"; readonly name: Name },
  style: string
): Outcome => {
  const rule = (style === "sockets" ? overSockets : overFetch).get(fault)
  if (rule === undefined) throw new Error(`no rule says what "${fault}" means`)
  return rule.except?.[name] ?? rule[kind]
}
