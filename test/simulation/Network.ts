/**
 * The network between shops and the gateway: it delays, loses, cuts, delivers late and twice, and something in it
 * answers in the gateway's place. It knows the truth: what the gateway itself answered.
 *
 * What no client could see through is left out: a lie that agrees with the request in every member, and a change that
 * the network itself sends twice and that is done twice. A ledger sees through one whose second request is refused.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { Chance } from "./Chance.js"
import type { Judge } from "./Invariants.js"
import { countDown, countUp, type Observation } from "./Observation.js"
import type { Plan } from "./Plan.js"
import { epoch, type Process, type Simulator } from "./Simulator.js"

/** Which call of a shop a request belongs to: its chance is drawn from this name. */
export const CallName: Context.Reference<string> = Context.Reference("simulation/CallName", {
  defaultValue: () => "no one"
})

/** A response, or its beginning. */
interface Wire {
  readonly status: number
  readonly body: string
  readonly headers: { readonly [name: string]: string }
}

/** What comes back to a shop. */
type Delivery =
  | {
      readonly kind: "response"
      readonly wire: Wire
      readonly cut?: "with an error" | "silently"
      readonly pieces?: number
    }
  | { readonly kind: "failure"; readonly code: string }
  | { readonly kind: "nothing" }

/** What a request meets with. */
interface Fate {
  /** For the story. */
  readonly name: string
  /** When it reaches the gateway; never when absent. */
  readonly arrives?: number
  readonly isRepeated?: boolean
  /** When the shop learns of it without the gateway, and what. */
  readonly instead?: { readonly after: number; readonly delivery: Delivery }
  /** What becomes of the gateway's response. */
  readonly change?: (wire: Wire) => Delivery
  readonly delayBack: number
}

interface Sent {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly authorization: string
  /** Of the payment or the card, as in the path. */
  readonly subject: string
}

const words = ["REJECTED", "ERROR", "", "failed", " FAILED", "DECLINED", "PENDING", "finished"] as const

/** What the network does to a request, and what comes back. */
export class Network {
  /** Nothing goes wrong any more. */
  isQuiet = false
  /** Until when nothing gets through. */
  outage: { readonly until: number; readonly isSilent: boolean } | undefined
  /** Called for each request of a change when it is handed over. */
  onChange: (process: Process, name: string, operation: string, subject: string) => void = () => {}
  /** Called for each list of refunds that comes to a process. */
  onListed: (process: Process, paymentId: string, body: string) => void = () => {}
  /** Told before a process hears what became of a change. */
  onAnswer: (process: Process) => void = () => {}
  private readonly simulator: Simulator
  private readonly observation: Observation
  private readonly plan: Plan
  private readonly gateway: Process
  private readonly http: () => HttpClient.HttpClient
  private readonly judge: Judge
  private readonly counts = new Map<string, number>()
  /** Genuine responses, to be delivered again to the wrong request. */
  private readonly earlier: Array<{ readonly sent: Sent; readonly wire: Wire }> = []

  constructor(
    simulator: Simulator,
    observation: Observation,
    plan: Plan,
    gateway: Process,
    http: () => HttpClient.HttpClient,
    judge: Judge
  ) {
    this.judge = judge
    this.simulator = simulator
    this.observation = observation
    this.plan = plan
    this.gateway = gateway
    this.http = http
  }

  /** What a process sends its requests with. */
  clientOf(process: Process): HttpClient.HttpClient {
    return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
      (request) =>
        Effect.flatMap(request, (request) => Effect.flatMap(CallName, (name) => this.send(process, name, request))),
      Effect.succeed
    )
  }

  private send(
    process: Process,
    name: string,
    request: HttpClientRequest.HttpClientRequest
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> {
    return Effect.callback((resume) => {
      const { observation, simulator } = this
      const sent = sentIn(request)
      const event = `${name}, ${sent.operation}`
      const count = (this.counts.get(event) ?? 0) + 1
      this.counts.set(event, count)
      const fate = this.fateOf(sent, `network ${event} ${count}`)
      observation.requests++
      if (fate.name !== "") observation.hit(`request: ${fate.name}`)
      const what = `${name}: ${sent.operation} ${sent.subject}`
      simulator.tell(process, `${what} is sent${fate.name === "" ? "" : `, ${fate.name}`}`)
      countUp(observation.requestsUnderWay, process)
      if (sent.operation === "getAccessToken") {
        countUp(observation.tokenRequests, process)
        this.judge.askedForToken(process)
      } else if (sent.method !== "GET") this.onChange(process, name, sent.operation, sent.subject)

      let isOpen = true
      const end = (): boolean => {
        if (!isOpen) return false
        isOpen = false
        countDown(observation.requestsUnderWay, process)
        if (sent.operation === "getAccessToken") countDown(observation.tokenRequests, process)
        return true
      }
      const deliver = (delivery: Delivery, after: number) => {
        if (delivery.kind === "nothing") return
        simulator.after(process, after, () => {
          if (!end()) return
          if (sent.method !== "GET" && sent.operation !== "getAccessToken") this.onAnswer(process)
          if (sent.operation === "getPaymentRefunds" && delivery.kind === "response" && delivery.wire.status === 200) {
            if (delivery.cut === undefined && parsed(delivery.wire.body) !== undefined) {
              this.onListed(process, sent.subject, delivery.wire.body)
            }
          }
          simulator.tell(process, `${what} hears ${shown(delivery)}`)
          resume(
            delivery.kind === "failure"
              ? Effect.fail(failureOf(request, delivery.code))
              : Effect.succeed(responseOf(request, delivery))
          )
        })
      }

      if (fate.instead !== undefined) deliver(fate.instead.delivery, fate.instead.after)
      if (fate.arrives !== undefined) {
        const times = fate.isRepeated === true ? 2 : 1
        for (let time = 1; time <= times; time++) {
          simulator.after(this.gateway, fate.arrives * time, () => {
            this.process(name, sent, arriving(request, sent), (wire) => {
              if (fate.instead === undefined) {
                deliver(fate.change?.(wire) ?? { kind: "response", wire }, fate.delayBack)
              }
            })
          })
        }
      }
      return Effect.sync(() => {
        if (end()) simulator.tell(process, `${what} is given up`)
      })
    })
  }

  /** The gateway's own part; it continues whatever happens to the shop. */
  private process(
    name: string,
    sent: Sent,
    request: HttpClientRequest.HttpClientRequest,
    onResponse: (wire: Wire) => void
  ): void {
    const answer = Effect.gen({ self: this }, function* () {
      const response = yield* this.http().execute(request)
      const bytes = yield* Effect.orElseSucceed(response.arrayBuffer, () => new ArrayBuffer(0))
      return { status: response.status, body: new TextDecoder().decode(bytes), headers: { ...response.headers } }
    })
    this.gateway.start(answer, Context.empty(), (exit) => {
      if (Exit.isFailure(exit)) return
      this.learn(name, sent, exit.value)
      onResponse(exit.value)
    })
  }

  /** What the gateway answered, in truth. */
  private learn(name: string, sent: Sent, wire: Wire): void {
    const { observation, simulator } = this
    simulator.tell(this.gateway, `answers ${name}: ${sent.operation} ${sent.subject} with ${brief(wire)}`)
    const json = parsed(wire.body)
    if (wire.status < 200 || wire.status > 299) return
    if (sent.operation === "getAccessToken") {
      for (const member of ["access_token", "refresh_token"]) {
        const token = Predicate.isObject(json) ? json[member] : undefined
        if (typeof token === "string") observation.addSecret(token, member)
      }
      return
    }
    this.earlier.push({ sent, wire })
    if (sent.method === "GET") return
    if (Predicate.isObject(json) && json["result"] === "FAILED") return
    const truth = observation.truthOf(name)
    truth.taken++
    if (Predicate.isObject(json) && json["result"] === "ACCEPTED") truth.isAccepted = true
    // The payment of a charge may be declined, at once or later.
    if (sent.operation === "createRecurrence" && this.plan.ledger !== undefined) truth.isAccepted = true
    if (Predicate.isObject(json) && typeof json["id"] === "number") truth.id = json["id"]
    // The gateway takes the deletion of a card as often as it comes.
    if (truth.taken > 1 && sent.operation !== "deleteCard") {
      this.judge.violate("once", `the gateway took ${name} ${truth.taken} times`)
    }
    if (truth.isDenied) {
      this.judge.violate("definite", `${name} was told to be not done, and the gateway took it now`)
    }
  }

  private fateOf(sent: Sent, event: string): Fate {
    const { outage, plan, simulator } = this
    const chance = simulator.chance(event)
    const there = chance.between(1, 60)
    const delayBack = chance.between(1, 60)
    const reached = { arrives: there, delayBack }
    if (this.isQuiet) return { name: "", ...reached }
    const { isStale: mayBeStale = false, listLag = 0 } = plan.ledger ?? {}
    const lag = listLag > 0 && sent.operation === "getPaymentRefunds" && chance.percent(50) ? listLag : 0
    const isStale = mayBeStale && sent.operation === "getPayment" && chance.percent(30)
    const isDoubled =
      plan.mood === "ledger" && sent.operation === "getPaymentRefunds" && plan.trouble > 0 && chance.percent(30)
    const behind: Pick<Fate, "change"> = isStale
      ? { change: (wire) => this.readBefore(sent, wire, chance) }
      : lag > 0
        ? { change: (wire) => this.listBehind(wire, lag) }
        : isDoubled
          ? { change: doubled }
          : {}
    if (outage !== undefined && simulator.now < outage.until) {
      return {
        name: "into an outage",
        delayBack,
        instead: {
          after: there,
          delivery: outage.isSilent ? { kind: "nothing" } : { kind: "failure", code: "ECONNREFUSED" }
        }
      }
    }
    const isChange = sent.method !== "GET" && sent.operation !== "getAccessToken"
    const isTroubled = chance.percent(isChange ? (plan.ledger?.changeTrouble ?? plan.trouble) : plan.trouble)
    const isSlow = !isTroubled && chance.percent(3) && plan.mood !== "calm"
    if ((!isTroubled && !isSlow) || plan.spared.has(event)) return { name: "", ...reached, ...behind }
    this.observation.troubles.add(event)
    return isTroubled
      ? this.troubleOf(sent, chance, there, delayBack)
      : { name: "slow", arrives: there * 20, delayBack: delayBack * 20 }
  }

  /**
   * A ledger whose reads are not behind recognises a refusal that is the answer to a repetition. Only a notification
   * reveals a payment that was created.
   */
  private seesThroughRepetition({ operation }: Sent): boolean {
    const { ledger, settings } = this.plan
    const isReported = operation !== "createPayment" || settings.notificationCopies !== 0
    return ledger !== undefined && ledger.listLag === 0 && !ledger.isStale && isReported
  }

  /** The earlier state of a payment, as from a cache. */
  private readBefore(sent: Sent, wire: Wire, chance: Chance): Delivery {
    const before = this.earlier.filter((other) => other.sent.path === sent.path && other.sent.method === "GET")
    return { kind: "response", wire: before[chance.below(Math.max(1, before.length))]?.wire ?? wire }
  }

  /** A list of refunds that does not show the latest ones yet. */
  private listBehind(wire: Wire, lag: number): Delivery {
    const list = parsed(wire.body)
    if (!Array.isArray(list)) return { kind: "response", wire }
    const shown = list.filter((refund: unknown) => {
      const date = Predicate.hasProperty(refund, "date_requested") ? String(refund.date_requested) : ""
      return !(timeOf(date) > epoch + this.simulator.now - lag)
    })
    return { kind: "response", wire: { ...wire, body: JSON.stringify(shown) } }
  }

  private troubleOf(sent: Sent, chance: Chance, there: number, delayBack: number): Fate {
    const isChange = sent.method !== "GET" && sent.operation !== "getAccessToken"
    const reached = { arrives: there, delayBack }
    const silence: Delivery = { kind: "nothing" }
    const reset: Delivery = { kind: "failure", code: chance.pick("ECONNRESET", "UND_ERR_SOCKET", "EPIPE") }
    /** Something on the way answers: with the gateway behind it, or before anything got there. */
    const box = (name: string, wire: Wire): Fate =>
      chance.percent(50)
        ? { name: `${name}, in place of the gateway`, delayBack, instead: answered(wire, there) }
        : { name: `${name}, after the gateway has done it`, ...reached, change: () => ({ kind: "response", wire }) }
    const boxed = (name: string, wire: Wire): Fate => ({ name, delayBack, instead: answered(wire, there) })
    const json = (status: number, body: unknown): Wire => ({
      status,
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json" }
    })
    const page = (status: number, headers: Wire["headers"] = {}): Wire => ({
      status,
      body: `<html><body><h1>${status}</h1></body></html>`,
      headers: { "content-type": "text/html", ...headers }
    })
    const refusal = (...codes: ReadonlyArray<number>): Wire =>
      json(409, { errors: codes.map((error_code) => ({ scope: "G", error_code })) })
    const goal = goals[sent.operation]
    const misfortunes: ReadonlyArray<() => Fate> = [
      () => ({ name: "no connection", delayBack, instead: failing("ECONNREFUSED", there) }),
      () => ({ name: "reset before the gateway", delayBack, instead: { after: there, delivery: reset } }),
      () => ({ name: "lost", delayBack, instead: { after: there, delivery: silence } }),
      () => ({ name: "reset after the gateway", ...reached, change: () => reset }),
      () => ({ name: "response lost", ...reached, change: () => silence }),
      () => ({
        name: "reset, and it arrives late",
        arrives: chance.pick(1_000, 15_000, 200_000),
        delayBack,
        instead: { after: there, delivery: reset }
      }),
      () => ({ name: "it arrives late", arrives: chance.pick(1_000, 15_000, 200_000), delayBack }),
      () => ({ name: "response late", arrives: there, delayBack: chance.pick(1_000, 15_000, 200_000) }),
      () => ({
        name: "response cut",
        ...reached,
        change: (wire) => ({ kind: "response", wire, cut: "with an error" })
      }),
      () => ({ name: "response cut off", ...reached, change: (wire) => ({ kind: "response", wire, cut: "silently" }) }),
      () => ({
        name: "slow body",
        ...reached,
        change: (wire) => ({ kind: "response", wire, pieces: chance.pick(100, 5_000) })
      }),
      () =>
        box(
          "bad gateway",
          chance.pick(page(502), page(503, { "retry-after": "1" }), page(504), page(500), json(500, ""))
        ),
      () => box("failure of the gateway", json(500, { errors: [{ scope: "G", error_code: chance.pick(100, 500) }] })),
      () =>
        box(
          "odd status",
          chance.pick(
            page(302, { location: "https://elsewhere.example/" }),
            page(408),
            page(421),
            page(404),
            page(418),
            refusal(chance.pick(0, -1, 101, 501, 999)),
            refusal(303, 999)
          )
        ),
      () =>
        box(
          "empty success",
          chance.pick(json(200, ""), json(200, "null"), json(200, "[]"), json(200, "{}"), page(200))
        ),
      () => boxed("firewall", page(403)),
      () => boxed("rate limit", page(429, chance.percent(50) ? { "retry-after": String(chance.pick(0, 1, 20)) } : {})),
      () => boxed("token refused", json(chance.pick(401, 403), { errors: [{ scope: "G", error_code: 200 }] })),
      () =>
        boxed(
          "refused with an echo",
          json(409, {
            errors: [
              {
                scope: "F",
                field: "x",
                error_code: 111,
                error_name: "INVALID",
                message: `Wrong: ${sent.authorization} ${sent.body}`
              }
            ]
          })
        ),
      ...(isChange && this.seesThroughRepetition(sent)
        ? [
            () => ({
              name: "sent twice, done, and the second refused",
              ...reached,
              change: (wire: Wire): Delivery => ({
                kind: "response",
                wire: wire.status === 200 ? refusal(chance.pick(330, 110, 304, 360)) : wire
              })
            }),
            ...(goal === undefined ? [] : [() => boxed("the answer to another one: it is so already", refusal(goal))])
          ]
        : []),
      ...(isChange || sent.operation === "getAccessToken"
        ? []
        : [() => ({ name: "sent twice", ...reached, isRepeated: true })])
    ]
    const lies: ReadonlyArray<() => Fate> = isChange
      ? [
          () => this.unlistedResult(sent, chance, there, reached) ?? boxed("firewall", page(403)),
          () => this.anothersResponse(sent, chance, there, reached) ?? boxed("firewall", page(403))
        ]
      : sent.operation === "getPaymentRefunds" || sent.operation === "getPayment"
        ? [
            () => this.anothersResponse(sent, chance, there, reached) ?? { name: "", ...reached },
            ...(sent.operation === "getPaymentRefunds" ? [() => this.foreignRefund(sent, chance, reached)] : [])
          ]
        : []
    const [first, ...others] = chance.percent(25) && this.plan.isLiedTo && lies.length > 0 ? lies : misfortunes
    return first === undefined ? { name: "", ...reached } : chance.pick(first, ...others)()
  }

  /** A success whose `result` is in no list: instead of the gateway's response, or in that response. */
  private unlistedResult(
    { operation, subject }: Sent,
    chance: Chance,
    there: number,
    reached: Pick<Fate, "arrives" | "delayBack">
  ): Fate | undefined {
    if (/^(create|delete)/.test(operation)) return undefined
    const word = chance.pick(...words)
    const wire: Wire = {
      status: 200,
      body: JSON.stringify({ id: Number(subject), result: word }),
      headers: { "content-type": "application/json" }
    }
    const name = `answered ${JSON.stringify(word)}`
    return chance.percent(50)
      ? { name: `${name} in place of the gateway`, delayBack: reached.delayBack, instead: answered(wire, there) }
      : { name: `${name} after the gateway`, ...reached, change: () => ({ kind: "response", wire }) }
  }

  /** A refund in another currency than the payment's, of an amount that the shop searches for. */
  private foreignRefund({ subject }: Sent, chance: Chance, reached: Pick<Fate, "arrives" | "delayBack">): Fate {
    const refunds = this.plan.events
      .flatMap((event) => (event.kind === "changes" ? event.changes : []))
      .filter(({ id, operation }) => operation === "refundPayment" && String(id) === subject)
    const { amount } = refunds[chance.below(Math.max(1, refunds.length))] ?? { amount: 1 }
    const refund = { id: 4_000_000_000 + chance.below(1_000), state: "SUCCESS", amount, currency: "EUR" }
    return {
      name: `with a refund of ${amount} in EUR in the list`,
      ...reached,
      change: (wire) => {
        const list = parsed(wire.body)
        return {
          kind: "response",
          wire: Array.isArray(list) ? { ...wire, body: JSON.stringify([...list, refund]) } : wire
        }
      }
    }
  }

  /** A response that is true, and about something else. */
  private anothersResponse(
    sent: Sent,
    chance: Chance,
    there: number,
    reached: Pick<Fate, "arrives" | "delayBack">
  ): Fate | undefined {
    const isCreation = sent.operation.startsWith("create")
    const others = this.earlier.filter(
      (other) =>
        (other.sent.operation === sent.operation ||
          (isCreation && /^(create|getPayment$)/.test(other.sent.operation))) &&
        (other.sent.subject !== sent.subject || (isCreation && other.sent.body !== sent.body)) &&
        // An empty list or body is everybody's.
        !/^(\[\])?$/.test(other.wire.body)
    )
    const other = others[chance.below(Math.max(1, others.length))]
    if (other === undefined) return undefined
    const { wire } = other
    if (sent.operation === "getPaymentRefunds") this.observation.misledLists.add(sent.subject)
    const name = `gets the response to ${other.sent.operation} ${other.sent.subject} ${orderNumberOf(other.sent)}`
    return chance.percent(50)
      ? { name: `${name}, in place of the gateway`, delayBack: reached.delayBack, instead: answered(wire, there) }
      : { name, ...reached, change: () => ({ kind: "response", wire }) }
  }
}

const answered = (wire: Wire, after: number): NonNullable<Fate["instead"]> => ({
  after,
  delivery: { kind: "response", wire }
})

const failing = (code: string, after: number): NonNullable<Fate["instead"]> => ({
  after,
  delivery: { kind: "failure", code }
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The gateway writes `+0200`, without the colon that ISO 8601 asks for. */
export const timeOf = (date: string): number => Date.parse(date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))

const orderNumberOf = ({ body }: Sent): string => {
  const json = parsed(body)
  const orderNumber = Predicate.isObject(json) ? json["order_number"] : undefined
  return typeof orderNumber === "string" ? orderNumber : ""
}

const paths: ReadonlyArray<readonly [RegExp, (method: string, body: string) => string]> = [
  [/\/oauth2\/token$/, () => "getAccessToken"],
  [/\/payments\/payment$/, () => "createPayment"],
  [/\/payments\/payment\/\d+$/, () => "getPayment"],
  [/\/refund$/, () => "refundPayment"],
  [/\/refunds$/, () => "getPaymentRefunds"],
  [/\/create-recurrence$/, () => "createRecurrence"],
  [/\/void-recurrence$/, () => "voidRecurrence"],
  [/\/capture$/, (_, body) => (body === "" ? "captureAuthorization" : "captureAuthorizationPartial")],
  [/\/void-authorization$/, () => "voidAuthorization"],
  [/\/cards\/\d+$/, (method) => (method === "DELETE" ? "deleteCard" : "getCardDetails")]
]

const sentIn = (request: HttpClientRequest.HttpClientRequest): Sent => {
  const { body, headers, method, url } = request
  const path = url.replace(/^https?:\/\/[^/]+/, "").replace(/\?.*$/, "")
  const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  const operation = paths.find(([pattern]) => pattern.test(path))?.[1](method, text) ?? `${method} ${path}`
  return {
    operation,
    method,
    path,
    body: text,
    authorization: headers["authorization"] ?? "",
    subject: /\/(\d+)(\/|$)/.exec(path)?.[1] ?? ""
  }
}

/** The request as it comes out of a network, which has read it. */
const arriving = (request: HttpClientRequest.HttpClientRequest, { body }: Sent): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.setBody(
    request,
    body === "" ? HttpBody.empty : HttpBody.text(body, request.headers["content-type"])
  )

const failureOf = (request: HttpClientRequest.HttpClientRequest, code: string): HttpClientError.HttpClientError =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({
      request,
      cause: new TypeError("fetch failed", { cause: Object.assign(new Error(`it broke: ${code}`), { code }) })
    })
  })

/** Not made of a web `Response`, whose body would arrive by promises: virtual time would run ahead of them. */
const responseOf = (
  request: HttpClientRequest.HttpClientRequest,
  { cut, pieces, wire: { body, headers, status } }: Extract<Delivery, { readonly kind: "response" }>
): HttpClientResponse.HttpClientResponse => {
  const bytes = new TextEncoder().encode(body)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  const options = { status, headers, contentType: headers["content-type"] ?? "application/json" }
  const broken = new TypeError("terminated", {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" })
  })
  const slow = (millis: number) =>
    Stream.mapEffect(Stream.make(half, bytes.subarray(half.length)), (piece) =>
      Effect.delay(Effect.succeed(piece), millis)
    )
  const response =
    cut === "with an error"
      ? HttpServerResponse.stream(Stream.concat(Stream.succeed(half), Stream.fail(broken)), options)
      : pieces !== undefined
        ? HttpServerResponse.stream(slow(pieces), options)
        : HttpServerResponse.uint8Array(cut === "silently" ? half : bytes, options)
  return HttpServerResponse.toClientResponse(response, { request })
}

const brief = ({ body, status }: Wire): string => `${status} ${body.length > 90 ? `${body.slice(0, 90)}…` : body}`

const shown = (delivery: Delivery): string => {
  switch (delivery.kind) {
    case "response":
      return `${brief(delivery.wire)}${delivery.cut === undefined ? "" : `, cut ${delivery.cut}`}`
    case "failure":
      return delivery.code
    case "nothing":
      return "nothing"
  }
}

/** A list with each entry twice. */
const doubled = (wire: Wire): Delivery => {
  const list = parsed(wire.body)
  return {
    kind: "response",
    wire: Array.isArray(list) ? { ...wire, body: JSON.stringify([...list, ...list]) } : wire
  }
}

/** The gateway's code for a hold that is captured or released already. */
const goals: { readonly [operation: string]: number | undefined } = {
  captureAuthorization: 351,
  captureAuthorizationPartial: 351,
  voidAuthorization: 353
}
