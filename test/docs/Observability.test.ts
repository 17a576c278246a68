/**
 * docs/observability.md: its example runs, and what arrives at a collector has the names that it promises.
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { LocalGateway } from "effect-gopay/local-gateway"
import { runNode } from "../support/Program.js"

const doc = readFileSync("docs/observability.md", "utf8")
const example = readFileSync("examples/observability.ts", "utf8")

/** The first column of the tables under a heading, in order. */
const documented = (heading: string): ReadonlySet<string> => {
  const [, section = ""] = doc.split(`\n## ${heading}\n`)
  const [text = ""] = section.split("\n## ")
  return new Set([...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? ""))
}

// What is read of the OpenTelemetry protocol's JSON.
const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.Unknown }))
const DataPoints = Schema.Struct({ dataPoints: Schema.Array(Schema.Struct({ attributes: Attributes })) })
const Traces = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({
      scopeSpans: Schema.Array(
        Schema.Struct({
          spans: Schema.Array(
            Schema.Struct({
              name: Schema.String,
              kind: Schema.Number,
              spanId: Schema.String,
              parentSpanId: Schema.optional(Schema.String),
              attributes: Attributes,
              events: Schema.Array(Schema.Struct({ name: Schema.String, attributes: Attributes }))
            })
          )
        })
      )
    })
  )
})
const Metrics = Schema.Struct({
  resourceMetrics: Schema.Array(
    Schema.Struct({
      scopeMetrics: Schema.Array(
        Schema.Struct({
          metrics: Schema.Array(
            Schema.Struct({
              name: Schema.String,
              unit: Schema.String,
              sum: Schema.optional(DataPoints),
              histogram: Schema.optional(DataPoints)
            })
          )
        })
      )
    })
  )
})
const Logs = Schema.Struct({
  resourceLogs: Schema.Array(
    Schema.Struct({
      scopeLogs: Schema.Array(
        Schema.Struct({
          logRecords: Schema.Array(
            Schema.Struct({ severityText: Schema.String, body: Schema.Unknown, attributes: Attributes })
          )
        })
      )
    })
  )
})

/** A collector on this machine, and all that arrived, by path. */
const startCollector = Effect.acquireRelease(
  Effect.promise(async () => {
    const bodies: Array<readonly [path: string | undefined, body: string]> = []
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk) => (body += chunk))
      request.on("end", () => {
        bodies.push([request.url, body])
        response.setHeader("content-type", "application/json").end("{}")
      })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    return { server, url: `http://127.0.0.1:${port}`, bodies }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

const names = (attributes: typeof Attributes.Type) => attributes.map(({ key }) => key)

describe("docs/observability.md", () => {
  it("shows what the example does", () => {
    const [shown = "", run = ""] = [...doc.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? "")
    assert.include(example, shown)
    assert.include(example, run)
  })

  it.live(
    "promises the names that a collector gets",
    () =>
      Effect.gen(function* () {
        const collector = yield* startCollector
        const { merchant } = yield* LocalGateway
        const environment = {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          GOPAY_GOID: String(merchant.goid),
          GOPAY_CLIENT_ID: merchant.clientId,
          GOPAY_CLIENT_SECRET: merchant.clientSecret,
          GOPAY_ENVIRONMENT: merchant.environment
        }
        const { code, errors, output } = yield* Effect.promise(() =>
          runNode(["--import", "tsx", "examples/observability.ts"], environment)
        )
        assert.strictEqual(code, 0, output + errors)

        const arrived = <A>(path: string, schema: Schema.Decoder<A>): ReadonlyArray<A> => {
          const decode = Schema.decodeUnknownSync(Schema.fromJsonString(schema))
          return collector.bodies.flatMap(([at, body]) => (at === path ? [decode(body)] : []))
        }

        const spans = arrived("/v1/traces", Traces).flatMap(({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        )
        const [payment] = yield* LocalGateway.listPayments
        const calls = spans.filter(({ name }) => name.startsWith("gopay."))
        assert.sameMembers(
          calls.map(({ name }) => name),
          ["gopay.createPayment", "gopay.getAccessToken", "gopay.getPayment", "gopay.refundPayment"]
        )
        const checkout = spans.find(({ name }) => name === "checkout")
        const read = calls.find(({ name }) => name === "gopay.getPayment")
        const kindClient = 3
        assert.deepStrictEqual([read?.kind, read?.parentSpanId], [kindClient, checkout?.spanId])
        assert.deepStrictEqual(read?.attributes.find(({ key }) => key === "gopay.payment_id")?.value, {
          stringValue: String(payment?.id)
        })
        const spanNames = documented("Spans")
        for (const { attributes, events } of calls) {
          const attempts = events.filter(({ name }) => name === "gopay.attempt")
          assert.strictEqual(attempts.length, 1)
          for (const name of [attributes, ...attempts.map(({ attributes }) => attributes)].flatMap(names)) {
            assert.isTrue(spanNames.has(name), `${name} is documented`)
          }
        }

        const metrics = arrived("/v1/metrics", Metrics).flatMap(({ resourceMetrics }) =>
          resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        )
        const metricNames = documented("Metrics")
        assert.includeMembers(
          metrics.map(({ name }) => name),
          ["gopay.client.calls", "gopay.client.call.duration", "gopay.client.token_refreshes"]
        )
        for (const { histogram, name, sum, unit } of metrics) {
          assert.isTrue(metricNames.has(name), `${name} is documented`)
          assert.strictEqual(unit, histogram === undefined ? "1" : "s")
          for (const { attributes } of [...(sum?.dataPoints ?? []), ...(histogram?.dataPoints ?? [])]) {
            assert.includeMembers(["gopay.operation", "gopay.outcome", "unit"], names(attributes))
          }
        }

        const logs = arrived("/v1/logs", Logs).flatMap(({ resourceLogs }) =>
          resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
        )
        const attempts = logs.filter(({ attributes }) => names(attributes).includes("gopay.attempt"))
        assert.sameMembers(
          attempts.map(({ body, severityText }) => `${severityText} ${JSON.stringify(body)}`.replace(/\d+ ms/, "… ms")),
          ["getAccessToken", "createPayment", "getPayment"]
            .map((name) => `Debug {"stringValue":"${name}: attempt 1, status 200, … ms"}`)
            .concat(`Debug {"stringValue":"refundPayment: attempt 1, status 409, … ms"}`)
        )
      }).pipe(Effect.scoped, Effect.provide(LocalGateway.layerServer())),
    30_000
  )
})
