/**
 * Another library may let a stranger put members on `Object.prototype`: they decide nothing about a payment.
 */
import { FetchHttpClient } from "effect/http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterEach, describe, expect, it } from "vitest"
import * as Program from "../../src/index.js"
import { NodeHttpClient } from "../../src/node/index.js"
import { createGatewayClient, GatewayError } from "../../src/promise/index.js"
import { order, paymentId } from "../support/OperationCases.js"
import { type ScriptedGateway, startScriptedGateway, tokenRoute } from "../support/ScriptedGateway.js"

const never = (): Promise<never> => Promise.reject(new Error("polluted"))

/** Names that something here, in Node.js or in Effect reads, each with a value that would do harm. */
const pollution: { readonly [name: string]: unknown } = {
  // Options of the client and of a call.
  fetch: never,
  agent: {},
  observer: () => {},
  retry: { attempts: 1 },
  tokenStore: { get: never, set: never },
  waitUntil: () => {},
  timeout: 1,
  maxResponseBytes: 1,
  maxConcurrentRequests: 1,
  scope: "payment-create",
  language: "DE",
  userAgent: "polluted",
  allowInsecure: true,
  beforeSend: () => false,
  signal: AbortSignal.abort(),
  until: [],
  waitAtMost: 1,
  // Requests.
  extraFields: { polluted: 1 },
  preauthorization: true,
  payer: { allowed_card_token: "polluted" },
  target: { type: "ACCOUNT", goid: 1 },
  lang: "DE",
  recurrence: { recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to: "2030-01-01" },
  items: [{ name: "polluted", amount: 1 }],
  eet: { polluted: 1 },
  amount: 1,
  body: "polluted",
  form: { polluted: 1 },
  toJSON: () => ({ polluted: 1 }),
  // Responses.
  errors: [{ scope: "G", error_code: 303, error_name: "POLLUTED" }],
  error_code: 303,
  result: "FAILED",
  sub_state: "_5047",
  parent_id: 1,
  description: "polluted",
  "retry-after": "60",
  "content-encoding": "gzip",
  gzip: never,
  // Records.
  isOnlyWriter: true,
  childId: 1,
  refundsBefore: [],
  // Outcomes.
  _tag: "TransportFailure",
  wasSent: "certainly not",
  // What Node.js reads.
  host: "elsewhere.example",
  socketPath: "/nowhere",
  auth: "polluted:polluted",
  path: "/polluted",
  method: "DELETE",
  headers: { polluted: "1" },
  dispatcher: {},
  // What Effect reads.
  times: 9,
  while: () => true,
  schedule: {}
}

const clean = Reflect.ownKeys(Object.prototype)

afterEach(() => {
  for (const name of Reflect.ownKeys(Object.prototype)) {
    if (!clean.includes(name)) Reflect.deleteProperty(Object.prototype, name)
  }
})

/** Runs with members on every object, until what it gives is there, or only until it has begun. */
const polluted = <A>(names: ReadonlyArray<string>, isBrief: boolean, run: () => A): A => {
  for (const name of names) {
    Reflect.defineProperty(Object.prototype, name, {
      value: pollution[name],
      configurable: true,
      enumerable: true,
      writable: true
    })
  }
  const end = (): void => names.forEach((name) => Reflect.deleteProperty(Object.prototype, name))
  const running = run()
  if (!isBrief && running instanceof Promise) running.then(end, end)
  else end()
  return running
}

/** Names that break Node's own connections, or its own `fetch`: these are there only until a call has begun. */
const readByNode: ReadonlySet<string> = new Set(["timeout", "signal"])
const readByFetch: ReadonlySet<string> = new Set(["body", "dispatcher", "socketPath"])

/** Names that may decide whether a read is tried again: with these, it has to be. */
const readByRetries: ReadonlySet<string> = new Set(["retry", "times", "while", "until", "schedule", "timeout"])

interface Client {
  readonly createPayment: () => Promise<unknown>
  readonly refund: () => Promise<unknown>
  readonly capture: () => Promise<unknown>
  readonly read: () => Promise<unknown>
  readonly request: () => Promise<unknown>
  readonly reconcile: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** A refund about which nothing more is known. */
const lost = { operation: "refundPayment", paymentId, amount: 500, sentAt: "2026-01-01T00:00:00.000Z" } as const

type Merchant = ScriptedGateway["merchant"]

const promises = (merchant: Merchant, fetch?: typeof globalThis.fetch): Client => {
  const client = createGatewayClient({ ...merchant, ...(fetch === undefined ? undefined : { fetch }) })
  return {
    createPayment: () => client.createPayment(order),
    refund: () => client.refundPayment(paymentId, { amount: 500 }, {}),
    capture: () => client.captureAuthorization(paymentId),
    read: () => client.getPayment(paymentId),
    request: () => client.sendRequest({ method: "POST", path: "/own", kind: "change" }),
    reconcile: () => client.reconcile(lost),
    close: client.close
  }
}

const programs = (merchant: Merchant, http: typeof FetchHttpClient.layer): Client => {
  const layer = Layer.suspend(() =>
    Program.Gateway.layer({ ...merchant, clientSecret: Redacted.make(merchant.clientSecret) })
  ).pipe(Layer.provide(http))
  const run = <A, E>(program: Effect.Effect<A, E, Program.Gateway>): Promise<A> =>
    Effect.runPromise(Effect.provide(program, layer))
  return {
    createPayment: () => run(Program.createPayment(order)),
    refund: () => run(Program.refundPayment(paymentId, { amount: 500 })),
    capture: () => run(Program.captureAuthorization(paymentId)),
    read: () => run(Program.getPayment(paymentId)),
    request: () => run(Program.sendRequest({ method: "POST", path: "/own", kind: "change" })),
    reconcile: () => run(Program.reconcile(lost)),
    close: async () => {}
  }
}

const clients: { readonly [way: string]: (merchant: Merchant) => Client } = {
  "promises over sockets": (merchant) => promises(merchant),
  "promises over fetch": (merchant) => promises(merchant, (input, init) => globalThis.fetch(input, init)),
  "programs over sockets": (merchant) => programs(merchant, Layer.orDie(NodeHttpClient.layer)),
  "programs over fetch": (merchant) => programs(merchant, FetchHttpClient.layer)
}

const payment = {
  id: paymentId,
  state: "CREATED",
  amount: order.amount,
  currency: "CZK",
  order_number: order.order_number
}

/** An answer that takes nothing from a prototype: the gateway runs in this process too. */
const raw = (status: number, body: unknown) => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  isUnfinished: false
})

const gatewayFor = async (isRetried: boolean): Promise<ScriptedGateway> => {
  const gateway = await startScriptedGateway()
  const error = { scope: "G", error_code: 303, error_name: "PAYMENT_WRONG_STATE", message: "A message." }
  gateway.on(tokenRoute, raw(200, { token_type: "bearer", access_token: "a-token", expires_in: 1800 }))
  gateway.on("POST /payments/payment", raw(200, { ...payment, gw_url: "https://gateway.example" }))
  gateway.on(`POST /payments/payment/${paymentId}/refund`, raw(409, { errors: [error] }))
  gateway.on(`POST /payments/payment/${paymentId}/capture`, raw(200, { id: paymentId, result: "FINISHED" }))
  gateway.on(`GET /payments/payment/${paymentId}`, ...(isRetried ? [raw(503, {})] : []), raw(200, payment))
  gateway.on("POST /own", raw(200, { any: 1 }))
  return gateway
}

/** What came of a call: of an error what it says, where nothing is inherited. */
const outcomeOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return describeValue(await call())
  } catch (error) {
    return error instanceof GatewayError ? describeValue(error.reason) : String(error)
  }
}

const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(describeValue).join()}]`
  if (typeof value !== "object" || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${describeValue(member)}`)
    .join()}}`
}

/** What is sent and decided, under a pollution; and what arrived. */
const seenWith = async (
  make: (merchant: Merchant) => Client,
  {
    isBrief = false,
    isRetried,
    names = []
  }: { readonly isBrief?: boolean; readonly isRetried: boolean; readonly names?: ReadonlyArray<string> }
) => {
  const gateway = await gatewayFor(isRetried)
  const client = polluted(names, true, () => make(gateway.merchant))
  const { capture, createPayment, read, reconcile, refund, request } = client
  const outcomes: Array<string> = []
  for (const call of [createPayment, refund, capture, read, request, reconcile]) {
    const outcome = await polluted(names, isBrief, () => outcomeOf(call))
    outcomes.push(outcome.replace(/\d{4}-[^,}]*Z/, ""))
  }
  await client.close()
  const arrived = gateway.requests.map(({ body, headers, method, url }) =>
    [method, url, body, headers["authorization"], headers["user-agent"], headers["accept-language"]].join(" ")
  )
  await gateway.close()
  return { outcomes, arrived }
}

describe.each(Object.entries(clients))("%s", (way, make) => {
  const once = seenWith(make, { isRetried: false })
  const again = seenWith(make, { isRetried: true })

  it("send and decide what they do", async () => {
    const { arrived, outcomes } = await again
    const [created, refunded, captured, read, own, reconciled] = outcomes
    expect(created).toContain(`{id:${paymentId},`)
    expect(refunded).toContain("{_tag:OperationRefused,")
    expect(captured).toBe(`{id:${paymentId},result:FINISHED}`)
    expect(read).toContain("state:CREATED")
    expect(own).toBe("{any:1}")
    expect(reconciled).toContain("why:NoRefundsBefore")
    expect(arrived).toHaveLength((await once).arrived.length + 1)
  })

  /** Names that are polluted at once and for as long, none of which a test uses for something else. */
  const batches = [true, false].flatMap((isBrief) =>
    [true, false].map((isRetried) => {
      const names = Object.keys(pollution).filter(
        (name) =>
          isBrief === (readByNode.has(name) || (way.endsWith("fetch") && readByFetch.has(name))) &&
          isRetried === readByRetries.has(name)
      )
      return { names, isBrief, isRetried }
    })
  )

  it.each(batches.filter(({ names }) => names.length > 0))(
    "do the same when every object has members $names",
    async (batch) => {
      expect(await seenWith(make, batch)).toEqual(await (batch.isRetried ? again : once))
    }
  )
})
