/**
 * What comes from outside, generated: hostile responses and callers' values.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../src/contract/GatewaySchema.js"
import * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import { pathText } from "../../src/basics/InvalidFields.js"
import { withoutNulls } from "../../src/basics/Nulls.js"
import type { PreparedRequest } from "../../src/client/call/Operation.js"
import type { InvalidField } from "../../src/client/error/GatewayError.js"
import * as Operations from "../../src/client/call/Operation.js"
import { type Gateway, GatewayConfig, GatewayError, type GatewayErrorReason, RetryPolicy } from "../../src/index.js"
import { membersOf, replaced } from "../support/JsonMembers.js"
import * as Requests from "../support/RequestExamples.js"
import { changes, id, reads } from "../support/OperationPrograms.js"
import { gatewayOver, merchant, scripted } from "../support/ScriptedTransport.js"
import { operations } from "../support/OperationCases.js"
import { dice, type Dice, hostileBody, hostileHeaders, hostileStatus, large } from "./HostileResponse.js"
import { isCampaign, runs, sayHowToRepeat, seed } from "../support/Runs.js"

sayHowToRepeat()

const programs: { readonly [name: string]: () => Effect.Effect<unknown, GatewayError, Gateway> } = {
  ...reads,
  ...changes
}

const call = (name: string) => programs[name]?.() ?? assert.fail(`no operation ${name}`)

/** A right response to each operation: what hostile ones are made of. */
const rightBodies: ReadonlyArray<readonly [name: string, right: string]> = operations.map(({ answer, name }) => {
  const body = typeof answer === "string" ? undefined : answer.body
  return [
    name,
    body instanceof Uint8Array || body === undefined ? "{}" : JSON.stringify(body).replaceAll("3000006542", String(id))
  ]
})

const isRead = (name: string): boolean => name in reads || name === "getAccessToken"

/** What a response of a status may mean at all. */
const allowed = (name: string, status: number): ReadonlySet<GatewayErrorReason["_tag"]> => {
  if (isRead(name)) {
    return new Set<GatewayErrorReason["_tag"]>([
      "InvalidRequest",
      "AuthenticationFailed",
      "PermissionDenied",
      "PaymentNotFound",
      "CardNotFound",
      "OperationRefused",
      "RateLimited",
      "GatewayUnavailable",
      "UnexpectedResponse"
    ])
  }
  // A success that reports a failure is a refusal.
  if (status < 300) return new Set<GatewayErrorReason["_tag"]>(["OutcomeUnknown", "OperationRefused"])
  if (status < 400 || status === 408 || status >= 500) return new Set<GatewayErrorReason["_tag"]>(["OutcomeUnknown"])
  return new Set<GatewayErrorReason["_tag"]>([
    "InvalidRequest",
    "AuthenticationFailed",
    "PermissionDenied",
    "PaymentNotFound",
    "CardNotFound",
    "OperationRefused",
    "RateLimited",
    "OutcomeUnknown"
  ])
}

/** Texts that a careless pattern would search again and again. */
const patient = {
  "one word": "a",
  "one number": "1",
  "many addresses": "a@b ",
  "signs of addresses": "@",
  "halves of addresses": "a@",
  "card numbers": "4111 ",
  "masked card numbers": "411111*",
  "account numbers": "CZ65",
  blanks: " ",
  comments: "<!--",
  "opening brackets": "["
}

/** What is wrong with what came of a hostile response, if anything. */
const problemOf = (name: string, status: number, exit: Exit.Exit<unknown, GatewayError>): string | undefined => {
  if (Predicate.hasProperty({}, "polluted")) return "Object.prototype was changed"
  if (Exit.isSuccess(exit)) return problemOfValue(exit.value)
  const error = Cause.squash(exit.cause)
  if (!(error instanceof GatewayError)) return `a defect: ${Cause.pretty(exit.cause)}`
  const { reason } = error
  if (!allowed(name, status).has(reason._tag)) return `${reason._tag} for status ${status}: ${error.message}`
  if (error.message.length > 5_000) return `a message of ${error.message.length} characters`
  if (JSON.stringify(error).length > 200_000) return `an error of ${JSON.stringify(error).length} characters`
  return undefined
}

const problemOfValue = (value: unknown): string | undefined =>
  [{ path: [], value }, ...membersOf(withoutUnknown(value))]
    .map(({ path, value }) => {
      if (typeof value === "number" && !Number.isFinite(value)) return `${path.join(".")} is ${value}`
      if (!Predicate.isObject(value)) return undefined
      const prototype: unknown = Object.getPrototypeOf(value)
      return prototype === Object.prototype ? undefined : `${path.join(".")} has another prototype`
    })
    .find((problem) => problem !== undefined)

/** What is passed through unread may be nested without end. */
const withoutUnknown = (value: unknown): unknown =>
  Predicate.isObject(value) ? { ...value, eet_code: undefined, data: undefined } : value

const responseOf = (body: Uint8Array, status: number, random: Dice): Response => {
  const headers = hostileHeaders(random)
  return new Response([204, 304].includes(status) ? null : Uint8Array.from(body), { status, headers })
}

const replay = (run: number, problem: string, input: unknown): string => {
  const shown = input instanceof Uint8Array ? Buffer.from(input.subarray(0, 500)).toString() : JSON.stringify(input)
  return `CHAOS_SEED=${run} CHAOS_RUNS=1: ${problem}\n${shown}`
}

/** As it is after JSON. */
const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("a hostile response", () => {
  it.effect(
    `is read or fails with a reason that fits, ${runs} times`,
    () => {
      let next = new Response()
      const transport = scripted(() => next)
      return Effect.gen(function* () {
        const seen = { statuses: new Set<number>(), altered: 0 }
        for (let run = seed; run < seed + runs; run++) {
          const random = dice(run)
          const [name, right] = rightBodies[random.below(rightBodies.length)] ?? assert.fail("no operation")
          const status = hostileStatus(random)
          const body = hostileBody(right, random)
          next = responseOf(body, status, random)
          seen.statuses.add(status)
          if (Buffer.from(body).toString() !== right) seen.altered++
          const problem = problemOf(name, status, yield* Effect.exit(call(name)))
          if (problem !== undefined) assert.fail(replay(run, `${name}, ${status}: ${problem}`, body))
        }
        if (!isCampaign) return
        assert.isAbove(seen.altered, runs / 2)
        assert.isAbove(seen.statuses.size, 5)
      }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(gatewayOver(transport)))
    },
    600_000
  )

  it.effect(
    `to the token call is read or fails, and the operation is not sent, ${runs / 10} times`,
    () =>
      Effect.gen(function* () {
        for (let run = seed; run < seed + runs / 10; run++) {
          const random = dice(run)
          const status = hostileStatus(random)
          const body = hostileBody(`{"token_type":"bearer","access_token":"a-token","expires_in":1800}`, random)
          const transport = scripted(
            () => new Response(`{"id":${id},"result":"FINISHED"}`),
            () => responseOf(body, status, random)
          )
          const exit = yield* Effect.exit(changes.voidAuthorization()).pipe(
            Effect.provideService(RetryPolicy, RetryPolicy.none),
            Effect.provide(gatewayOver(transport))
          )
          const problem = problemOf("getAccessToken", status, exit)
          if (problem !== undefined) assert.fail(replay(run, `getAccessToken, ${status}: ${problem}`, body))
          assert.strictEqual(transport.sent.length, Exit.isSuccess(exit) ? 1 : 0)
        }
      }),
    600_000
  )

  it.effect.each(Object.entries(large))(
    "of %s is read or fails, for every operation",
    ([, text]) => {
      const deepInside = `{"id":${id},"card_id":3003000011,"state":"PAID","amount":1,"currency":"CZK","gw_url":"x","eet_code":{"a":${text}}}`
      return Effect.forEach([text, `{"errors":${text}}`, deepInside], (body) =>
        Effect.forEach(Object.keys(programs), (name) =>
          Effect.map(
            Effect.exit(call(name)).pipe(Effect.provide(gatewayOver(scripted(() => new Response(body))))),
            (exit) => assert.isUndefined(problemOf(name, 200, exit), name)
          )
        )
      )
    },
    180_000
  )

  // Quadratic time would take hours for these.
  it.effect.each(Object.entries(patient))(
    "of %s takes no longer than its length",
    ([, text]) => {
      const long = text.repeat(Math.floor(300_000 / text.length))
      const said = JSON.stringify({ errors: [{ error_code: 303, message: long, description: long, error_name: long }] })
      const bodies = [
        said,
        JSON.stringify({ [long]: long }),
        `{"id":${long}`,
        `{"groups":{"a":{"label":{${JSON.stringify(long)}:1}}}}`
      ]
      return Effect.forEach(bodies, (body) =>
        Effect.forEach(["getPayment", "getPaymentInstruments", "getAccountStatement"] as const, (name) =>
          Effect.map(
            Effect.exit(call(name)).pipe(Effect.provide(gatewayOver(scripted(() => new Response(body))))),
            (exit) => assert.isUndefined(problemOf(name, 200, exit))
          )
        )
      )
    },
    180_000
  )
})

describe("a response made from a schema", () => {
  const { AccessTokenResponse, CardDetailsResponse, CreatePaymentResponse, ErrorResponse } = ResponseSchema
  const { PaymentInstrumentsResponse, PaymentOperationResponse, PaymentQrResponse, PaymentResponse } = ResponseSchema
  const schemas = {
    AccessTokenResponse,
    CardDetailsResponse,
    CreatePaymentResponse,
    ErrorResponse,
    PaymentInstrumentsResponse,
    PaymentOperationResponse,
    PaymentQrResponse,
    PaymentResponse,
    RefundHistory: ResponseSchema.RefundHistory
  } satisfies { readonly [name: string]: Schema.Codec<unknown, unknown> }

  it.effect.each(Object.entries<Schema.Codec<unknown, unknown>>(schemas))(
    "%s is read as it was written",
    ([, schema]) =>
      Effect.gen(function* () {
        const readBack = (value: unknown): boolean => {
          const read = Schema.decodeUnknownSync(schema)(written(Schema.encodeSync(schema)(value)))
          // What is passed through unread may hold nulls.
          const isSame = Equal.equals(written(read), withoutNulls(written(value)))
          return isSame && problemOfValue(read) === undefined
        }
        const options = { runs: Math.ceil(runs / 20), seed, size: 5 }
        const result = yield* Arbitrary.checkEffect(Arbitrary.schema(schema), readBack, options)
        assert.isUndefined(Arbitrary.formatCheckFailure(result))
      }),
    600_000
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

const settings = Effect.runSync(GatewayConfig.use(Effect.succeed).pipe(Effect.provide(GatewayConfig.layer(merchant))))

/** For each field of a request, a random value that replaces its own. */
const variants: { readonly [name: string]: ((random: Dice, texts: ReadonlyArray<string>) => unknown) | undefined } = {
  amount: ({ below, pick }) => pick(1, below(1_000_000_000) + 1, Number.MAX_SAFE_INTEGER),
  count: ({ below }) => below(100) + 1,
  vat_rate: ({ below }) => below(101),
  ean: ({ below, pick }) => pick<unknown>(below(2 ** 31), "1".repeat(below(14))),
  goid: ({ below, pick }) => pick<unknown>(below(2 ** 31) + 1, Number(`${"8".repeat(below(15))}7`)),
  recurrence_period: ({ below }) => below(1_000),
  recurrence_date_to: ({ below }) => new Date(below(40_000) * 86_400_000).toISOString().slice(0, 10),
  return_url: ({ below }) => `https://shop.example/${"a".repeat(below(490))}`,
  currency: ({ pick }) => pick("CZK", "EUR", "XXX"),
  name: ({ below }, texts) => texts[below(texts.length)],
  value: ({ below }, texts) => texts[below(texts.length)],
  first_name: ({ below }, texts) => texts[below(texts.length)],
  order_description: ({ below }, texts) => texts[below(texts.length)],
  eet: ({ pick }) => pick({ celk_trzba: 1 }, JSON.parse(`{"__proto__":{"polluted":true},"a":[null,{"b":1e300}]}`))
}

const required = new Set(
  "amount currency order_number callback return_url name value type goid recurrence_cycle recurrence_date_to".split(" ")
)

/** The same request with other values, and without some of its members. */
const varied = (value: unknown, random: Dice, texts: ReadonlyArray<string>, name = ""): unknown => {
  const variant = variants[name]
  if (variant !== undefined && random.below(2) === 0) return variant(random, texts)
  if (Array.isArray(value)) return value.slice(random.below(2)).map((element) => varied(element, random, texts))
  if (!Predicate.isObject(value) || name === "eet") return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      required.has(name) || random.below(3) > 0 ? [[name, varied(member, random, texts, name)]] : []
    )
  )
}

interface RequestCase {
  readonly example: unknown
  /** Callers in plain JavaScript may pass anything. */
  readonly prepare: (request: unknown) => Result.Result<PreparedRequest, ReadonlyArray<InvalidField>>
}

const requests: ReadonlyArray<RequestCase> = [
  {
    example: Requests.payment,
    prepare: (request) => Operations.operations.createPayment.prepare([request], settings)
  },
  {
    example: Requests.recurrence,
    prepare: (request) => Operations.operations.createRecurrence.prepare([id, request], settings)
  },
  {
    example: Requests.capture,
    prepare: (request) => Operations.operations.captureAuthorizationPartial.prepare([id, request], settings)
  }
]

const wrong: ReadonlyArray<unknown> = [
  null,
  true,
  Symbol("x"),
  () => 1,
  1n,
  Number.NaN,
  Infinity,
  "\ud800",
  [[]],
  { "": 1 }
]

describe("a request", () => {
  it.effect(
    `that is right is sent as it is, and a wrong member of it is named, ${runs} times`,
    () =>
      Effect.gen(function* () {
        const samples = yield* Arbitrary.sampleEffect(Arbitrary.schema(Schema.String), {
          count: 200,
          seed: 1,
          size: 50
        })
        const texts = samples.filter((text) => !/\p{Surrogate}/u.test(text))
        const payers = yield* Arbitrary.sampleEffect(Arbitrary.schema(GatewaySchema.Payer), { count: 200, seed: 1 })
        for (let run = seed; run < seed + runs; run++) {
          const random = dice(run)
          const { example, prepare } = requests[random.below(requests.length)] ?? assert.fail("no request")
          const request = varied(example, random, texts)
          const payer = random.below(2) === 0 ? { payer: payers[random.below(payers.length)] } : undefined
          const whole = Predicate.hasProperty(request, "payer") ? { ...request, ...payer } : request
          const prepared = prepare(whole)
          if (Result.isFailure(prepared)) return assert.fail(replay(run, JSON.stringify(prepared.failure), whole))
          assert.deepInclude(JSON.parse(prepared.success.body ?? ""), written(whole))

          const members = membersOf(whole).filter(({ path }) => !path.includes("eet"))
          const { path } = members[random.below(members.length)] ?? assert.fail("no members")
          const other = wrong[random.below(wrong.length)]
          if (other === true && /^(preauthorization|request_card_token)$/.test(path.at(-1) ?? "")) continue
          const refused = prepare(replaced(whole, path, other))
          const fields = Result.isFailure(refused) ? refused.failure.map(({ field }) => field) : []
          const field = pathText(path.map((key) => (/^\d+$/.test(key) ? Number(key) : key)))
          const isNamed = fields.some((named) => named?.startsWith(field))
          assert.isTrue(isNamed, replay(run, `${field}: ${String(other)} was taken, or ${fields.join()} named`, whole))
        }
      }),
    600_000
  )
})
