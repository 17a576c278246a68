/**
 * What a call costs: `npm run bench`. Every figure is a ratio to a plain `fetch` measured in the same run.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { Gateway, GatewaySchema, getPayment, refundPayment } from "effect-gopay"
import { createGatewayClient } from "effect-gopay/promise"

const rounds = 30
const callsPerRound = 300
const id = 3090060402

const server = fork(new URL("./server.ts", import.meta.url), { execArgv: ["--import", "tsx"] })
const [{ port }] = await once(server, "message")
const url = `http://127.0.0.1:${port}`

const merchant = { goid: 8123456781, clientId: "1234567890", environment: url }
const layer = Layer.provide(
  Gateway.layer({ ...merchant, clientSecret: Redacted.make("secret") }),
  FetchHttpClient.layer
)
const runtime = ManagedRuntime.make(layer)
const exporting = Otlp.layerJson({
  baseUrl: url,
  resource: { serviceName: "bench" },
  metricsExportInterval: "1 second"
})
const watchedRuntime = ManagedRuntime.make(Layer.merge(layer, Layer.provide(exporting, FetchHttpClient.layer)))
const gateway = createGatewayClient({ ...merchant, clientSecret: "secret" })
const watchedGateway = createGatewayClient({ ...merchant, clientSecret: "secret", observer: () => {} })

const headers = {
  accept: "application/json",
  "accept-language": "en-US",
  "user-agent": "effect-gopay/0.1.0",
  authorization: "Bearer token"
}

const times = async (call: () => Promise<unknown>) => {
  for (let index = 0; index < callsPerRound; index++) await call()
}

const plainGet = async (): Promise<unknown> =>
  JSON.parse(await (await fetch(`${url}/api/payments/payment/${id}`, { headers, redirect: "manual" })).text())

const plainRefund = async (): Promise<unknown> => {
  const response = await fetch(`${url}/api/payments/payment/${id}/refund`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: "amount=5000",
    redirect: "manual"
  })
  return JSON.parse(await response.text())
}

const decodePayment = Schema.decodeUnknownSync(GatewaySchema.PaymentResponse)
const decodeOperation = Schema.decodeUnknownSync(GatewaySchema.PaymentOperationResponse)

const repeated = <A, E>(program: Effect.Effect<A, E, Gateway>, { runPromise } = runtime) =>
  runPromise(
    Effect.gen(function* () {
      for (let index = 0; index < callsPerRound; index++) yield* program
    })
  )

const contenders = {
  getPayment: {
    "fetch + JSON.parse": () => times(plainGet),
    "fetch + JSON.parse + schema": () => times(async () => decodePayment(await plainGet())),
    program: () => repeated(getPayment(id)),
    "program, exporting spans and metrics": () => repeated(getPayment(id), watchedRuntime),
    facade: () => times(() => gateway.getPayment(id)),
    "facade with observer": () => times(() => watchedGateway.getPayment(id))
  },
  refundPayment: {
    "fetch + JSON.parse": () => times(plainRefund),
    "fetch + JSON.parse + schema": () => times(async () => decodeOperation(await plainRefund())),
    program: () => repeated(refundPayment(id, { amount: 5_000 })),
    "program, exporting spans and metrics": () => repeated(refundPayment(id, { amount: 5_000 }), watchedRuntime),
    facade: () => times(() => gateway.refundPayment(id, { amount: 5_000 })),
    "facade with observer": () => times(() => watchedGateway.refundPayment(id, { amount: 5_000 }))
  }
}

const counts = async (): Promise<{ readonly tokens: number; readonly operations: number }> =>
  (await fetch(`${url}/counts`)).json()

const quantile = (values: ReadonlyArray<number>, q: number): number =>
  Array.from(values).sort((a, b) => a - b)[Math.round(q * (values.length - 1))] ?? Number.NaN

const spread = (values: ReadonlyArray<number>, digits: number): string =>
  [0.5, 0.25, 0.75]
    .map((q) => quantile(values, q).toFixed(digits))
    .map((value, index) => (index === 0 ? value : index === 1 ? ` (${value}–` : `${value})`))
    .join("")

for (const [operation, programs] of Object.entries(contenders)) {
  const measured = new Map<string, Array<number>>()
  const entries = Object.entries(programs)
  for (const [, program] of entries) await program()
  for (let round = 0; round < rounds; round++) {
    const order = entries
      .map((_, index) => entries[(index + round) % entries.length])
      .filter((each) => each !== undefined)
    for (const [name, program] of order) {
      const start = performance.now()
      await program()
      const list = measured.get(name) ?? []
      measured.set(name, list)
      list.push(((performance.now() - start) * 1000) / callsPerRound)
    }
  }
  const plain = measured.get("fetch + JSON.parse") ?? []
  console.log(`\n${operation}: ${rounds} rounds of ${callsPerRound} calls each, in turn; median (quartiles)`)
  console.table(
    Object.fromEntries(
      [...measured].map(([name, values]) => [
        name,
        {
          "µs per call": spread(values, 0),
          "ratio to plain fetch": spread(
            values.map((value, round) => value / (plain[round] ?? Number.NaN)),
            2
          )
        }
      ])
    )
  )
}

const before = await counts()
await gateway.getPayment(id)
const after = await counts()
console.log(
  `\nrequests of a warm operation: ${after.operations - before.operations}, for tokens: ${after.tokens - before.tokens}`
)

const cold = createGatewayClient({ ...merchant, clientSecret: "secret" })
const beforeCold = await counts()
await Promise.all(Array.from({ length: 1_000 }, () => cold.getPayment(id)))
const afterCold = await counts()
console.log(
  `a thousand concurrent cold calls: ${afterCold.tokens - beforeCold.tokens} token request(s), ${afterCold.operations - beforeCold.operations} operations`
)

await Promise.all([gateway.close(), watchedGateway.close(), cold.close(), runtime.dispose(), watchedRuntime.dispose()])
server.disconnect()
