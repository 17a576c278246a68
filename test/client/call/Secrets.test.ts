/**
 * A run in which everything reports all that it can: spans, metrics, log messages at debug level in every format,
 * errors. None of it may hold a secret or personal data.
 */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import { TestClock } from "effect/testing"
import * as Client from "../../../src/index.js"
import { RetryPolicy } from "../../../src/index.js"
import {
  accessToken,
  echo,
  echoOfCredentials,
  echoOfOrder,
  leaksIn,
  personalOrder
} from "../../support/PersonalOrder.js"
import { startScriptedGateway, tokenResponse as tokenAnswerOfServer } from "../../support/ScriptedGateway.js"
import { changes, id, reads } from "../../support/OperationPrograms.js"
import { runClient } from "../../support/Program.js"
import { record } from "../../support/Recorder.js"
import { firstOf } from "../../support/Runs.js"
import {
  errorBody,
  gatewayOver,
  json,
  paid,
  scripted,
  type ScriptedTransport,
  type SentRequest,
  settled,
  tokenResponse
} from "../../support/ScriptedTransport.js"

const programs = { ...reads, ...changes, createPayment: () => Client.createPayment(personalOrder) }

const everything = `${echo} ${echoOfOrder} ${echoOfCredentials}`

/** A response of a careless gateway: it repeats everything in the request. */
const careless =
  (status: number, code: number) =>
  ({ method, url }: SentRequest) => {
    const isOrder = method === "POST" && url.endsWith("/payments/payment")
    const text = isOrder ? everything : `${echo} ${echoOfCredentials}`
    return json(errorBody(code, text, { field: text, message: text, description: text }), status)
  }

/** Valid for most operations, and full of what the request contained. */
const rich = () =>
  json({
    ...paid,
    parent_id: id,
    result: "FINISHED",
    gw_url: "https://gateway.example/gw",
    payer: personalOrder.payer,
    card_id: 3003000011,
    card_number: "444444******4448",
    card_token: accessToken
  })

/** What a transport may throw: it holds the whole request. */
const indiscreet = (code?: string) =>
  Effect.suspend(() =>
    Effect.fail(
      Object.assign(new TypeError(everything, { cause: { authorization: `Bearer ${accessToken}` } }), { code })
    )
  )

const answering = (answer: Parameters<typeof scripted>[0]) => scripted(answer, () => tokenResponse(accessToken))

const interruption = "silence, until it is interrupted"

const faults: { readonly [fault: string]: () => ScriptedTransport } = {
  none: () => answering(rich),
  ...Object.fromEntries(
    [
      [400, 110],
      [401, 200],
      [403, 200],
      [404, 304],
      [409, 303],
      [409, 340],
      [429, 0],
      [500, 100],
      [503, 500],
      [200, 303]
    ].map(([status = 0, code = 0]) => [`status ${status} with code ${code}`, () => answering(careless(status, code))])
  ),
  "a redirect": () =>
    answering(() => new Response(everything, { status: 302, headers: { location: `/?${encodeURIComponent(echo)}` } })),
  "no JSON": () => answering(() => new Response(everything)),
  "another shape": () => answering(() => json({ id: everything, state: [everything], [echo]: everything })),
  "a lost connection": () => answering(() => indiscreet("ECONNRESET")),
  "no connection": () => answering(() => indiscreet("ECONNREFUSED")),
  "a transport that fails": () => answering(() => indiscreet(everything)),
  "a transport that throws": () => answering(() => Effect.die(new Error(everything))),
  silence: () => answering(() => Effect.never),
  [interruption]: () => answering(() => Effect.never),
  "wrong credentials": () => scripted(rich, careless(403, 202)),
  "a token endpoint that fails": () => scripted(rich, careless(500, 100)),
  "a token that cannot be used": () =>
    scripted(rich, () => json({ access_token: `${accessToken}\n`, expires_in: { token: accessToken } }))
}

const atOnce: RetryPolicy = { schedule: Schedule.recurs(2), renewToken: true }

/** All that can be seen of a cause. */
const printed = (cause: Cause.Cause<unknown>): string =>
  [
    Cause.pretty(cause),
    JSON.stringify(cause),
    inspect(cause, { depth: null }),
    ...Cause.prettyErrors(cause).map((error) => inspect(error, { depth: null, showHidden: true, customInspect: false }))
  ].join("\n")

/**
 * Runs a program to its end, or interrupts it after a time. Returns everything that it reported: logs, spans, metrics.
 */
const toldBy = (
  program: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>,
  transport: ScriptedTransport,
  patience: Duration.Input
) =>
  Effect.gen(function* () {
    const recorder = record("All")
    const lines: Array<unknown> = []
    const keep = (line: unknown): void => void lines.push(line)
    const loggers = Logger.layer(
      [
        Logger.map(Logger.formatSimple, keep),
        Logger.map(Logger.formatLogFmt, keep),
        Logger.map(Logger.formatJson, keep),
        Logger.map(Logger.formatStructured, keep)
      ],
      { mergeWithExisting: true }
    )
    const call = yield* Effect.forkChild(
      program.pipe(
        Effect.tapCause((cause) => Effect.logError("a call failed", cause)),
        Effect.withSpan("checkout"),
        Effect.provideService(RetryPolicy, atOnce),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => false),
        Effect.provideService(HttpClient.TracerHeaderFilter, () => true),
        Effect.provide(gatewayOver(transport)),
        Effect.provide(Layer.provideMerge(loggers, recorder.layer))
      )
    )
    yield* settled
    yield* TestClock.adjust(patience)
    yield* Fiber.interrupt(call)
    const exit = yield* Fiber.await(call)
    const { logs, spans } = recorder
    assert.isNotEmpty(lines)
    const told = [
      inspect([lines, logs], { depth: null }),
      ...spans.map(({ attributes, events, links, name, status }) => {
        const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? printed(status.exit.cause) : ""
        return inspect([name, attributes, events, links, failure], { depth: null })
      }),
      inspect(recorder.series(), { depth: null }),
      Exit.isFailure(exit) ? printed(exit.cause) : ""
    ].join("\n")
    return { told, recorder }
  })

describe("a program that tells everything", () => {
  it.effect.each(Object.keys(faults))("tells no secret of a gateway with: %s", (fault) =>
    Effect.forEach(Object.entries(programs), ([name, program]) =>
      Effect.gen(function* () {
        const transport = faults[fault]?.() ?? scripted(rich)
        const { recorder, told } = yield* toldBy(program(), transport, fault === interruption ? "10 seconds" : "1 hour")
        const requests = [...transport.sent, ...transport.tokenRequests]
        const sent = requests.flatMap(({ body, headers }) => [body, headers["authorization"] ?? ""])
        assert.isNotEmpty(requests)
        assert.include(told, `gopay.${name}`)
        assert.isNotEmpty(recorder.attributesOf(name))
        assert.isNotEmpty(recorder.logs)
        assert.isTrue(recorder.spans.some((span) => /^(GET|POST)$/.test(span.name)))
        assert.deepStrictEqual(
          leaksIn(
            told,
            sent.filter((text) => text !== "")
          ),
          [],
          name
        )
      })
    )
  )

  it("would be caught at it", () => {
    const { email } = personalOrder.payer.contact
    for (const text of [
      `Bearer ${accessToken}`,
      `?email=${encodeURIComponent(email)}`,
      Buffer.from(`{"email":"${email}"}`).toString("base64"),
      Buffer.from(`x{"email":"${email}"}`).toString("base64url"),
      `pin: 0047,`
    ]) {
      assert.isNotEmpty(leaksIn(text), text)
    }
    assert.isEmpty(leaksIn("0.0047 100471 a0047f"))
  })
})

describe("a process", () => {
  const ends = [
    ["a refusal", { status: 409, body: errorBody(110, "INVALID", { message: everything }) }],
    ["an unknown outcome", { status: 500, body: everything }],
    ["a broken connection", "cut the connection"]
  ] as const

  it.live.each(firstOf(1, ends))(
    "that ends with %s that no one catches prints no secret, though it logs at debug and traces",
    ([, answer]) =>
      Effect.promise(async () => {
        await using gateway = await startScriptedGateway()
        gateway.on("POST /oauth2/token", tokenAnswerOfServer(accessToken))
        gateway.on("POST /payments/payment", answer)
        const { errors, output } = await runClient("traced", [gateway.url])
        const printed = output + errors
        assert.strictEqual(gateway.calls.length, 1)
        assert.include(printed, "GatewayError: createPayment: ")
        assert.include(printed, "createPayment: attempt 1")
        assert.include(printed, `"name":"gopay.createPayment"`)
        assert.deepStrictEqual(leaksIn(printed), [])
      }),
    30_000
  )
})
