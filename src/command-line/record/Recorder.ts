/**
 * Runs the steps of a scenario at a gateway and records its responses: their form, and only those values that are the
 * same for every merchant. Credentials, tokens, identifiers, contacts and card numbers are never recorded.
 */

export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [member: string]: Json }

/**
 * A request. Placeholders such as `{payment}` in its path, headers and body stand for values kept by an earlier step.
 */
export interface RequestStep {
  /** The step's name, unique in its scenario. */
  readonly name: string
  readonly method: "GET" | "POST" | "DELETE"
  /** Begins after `/api`. */
  readonly path: string
  /** Default: `Accept: application/json`, and the token kept by an earlier step. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as `application/json`. */
  readonly json?: Json
  /**
   * Whether characters beyond ASCII are escaped as `\uXXXX` in the JSON. A firewall may refuse that, which is recorded.
   */
  readonly isEscaped?: true
  /** Members of the response that later steps use, by the name of their placeholder. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether the values depend on the merchant's contract, so that only their types are compared. */
  readonly isContractual?: true
}

/** What the payer does on the pay page, and the resulting states of the payment. */
const payerActs = {
  pays: ["PAID", "AUTHORIZED"],
  isDeclined: ["PAYMENT_METHOD_CHOSEN", "CANCELED"],
  cancels: ["CANCELED"],
  choosesTransfer: ["PAYMENT_METHOD_CHOSEN"],
  letsTimeOut: ["TIMEOUTED"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type PayerAct = keyof typeof payerActs

/** A step in which the payer does something on the pay page. */
export interface PayerStep {
  readonly name: string
  /**
   * The placeholders of a payment and of its pay page. Default of `act`: `pays`, with the card that is never declined.
   */
  readonly pays: { readonly payment: string; readonly gwUrl: string; readonly act?: PayerAct }
}

export type Step = RequestStep | PayerStep

/** The part of a response that is compared. */
export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body's form; `null` if it is empty. */
  readonly body: Json
}

/** A step with its response; without one if it was skipped. */
export type RecordedStep = (RequestStep & { readonly response?: RecordedResponse }) | PayerStep

export interface Recording {
  readonly format: 1
  /** The gateway's address. */
  readonly gateway: string
  /** The day, `yyyy-mm-dd`. */
  readonly recordedOn: string
  readonly steps: ReadonlyArray<RecordedStep>
}

/** A payment that the payer has to act on. */
export interface PayerTask {
  readonly id: number
  readonly gwUrl: string
  readonly act: PayerAct
  /** The payment's state according to the gateway, if the payer was said to have acted but has not. */
  readonly state?: string
}

export interface RecorderOptions {
  /** The gateway's address, without `/api`. */
  readonly gateway: string
  readonly merchant: { readonly goid: number; readonly clientId: string; readonly clientSecret: string }
  readonly steps: ReadonlyArray<RecordedStep>
  /**
   * Asks for the payer's action: `false` if no one acts. Then the steps that need the payment are skipped. Called again
   * if the gateway says that the payer has not acted.
   */
  readonly act: (task: PayerTask) => Promise<boolean>
  /** Called after each step with everything recorded so far. */
  readonly onRecorded?: (recording: Recording) => void
  /** Called when a step has ended, with the status of its response; without one if it was skipped. */
  readonly onStep?: (name: string, status: number | undefined) => void
  /** Waits before a request is repeated. */
  readonly wait?: (millis: number) => Promise<void>
}

/** A step needs a value that no earlier step has kept. */
class Missing extends Error {}

/** In milliseconds: a step that takes longer ends the recording. */
const patience = 60_000

/** How often a request is sent if a rate limit or a firewall refuses it. */
const attempts = 6

/**
 * Runs the steps one after another. Rejects if the gateway cannot be reached, issues no token or keeps refusing because
 * of too many requests; and also rather than record anything that belongs to the merchant or a payer.
 */
export const record = (options: RecorderOptions): Promise<Recording> => new Recorder(options).run()

/** The first step of every scenario. Without its token the others make no sense. */
export const tokenStep = "token"

/** The steps may come from a recording, so their responses are removed. */
const withoutResponse = (step: RecordedStep): Step => {
  if ("pays" in step) return step
  const { response: _, ...request } = step
  return request
}

class Recorder {
  private readonly options: RecorderOptions
  /** Credentials, tokens, identifiers and addresses, keyed by the names of their placeholders. */
  private readonly kept = new Map<string, string | number>()
  private readonly secrets: Set<string>

  constructor(options: RecorderOptions) {
    const { clientId, clientSecret, goid } = options.merchant
    this.options = options
    this.secrets = new Set([clientId, clientSecret, String(goid)])
    this.keep("goid", goid)
    this.keep("credentials", Buffer.from(`${clientId}:${clientSecret}`).toString("base64"))
    this.keep("email", "payer@example.com")
  }

  async run(): Promise<Recording> {
    const { gateway, onRecorded, onStep } = this.options
    const recordedOn = new Date().toISOString().slice(0, 10)
    const toRun = this.options.steps.map(withoutResponse)
    const steps: Array<RecordedStep> = [...toRun]
    const recording = (): Recording => ({ format: 1, gateway, recordedOn, steps: [...steps] })
    for (const [index, step] of toRun.entries()) {
      const recorded = await ("pays" in step ? this.acted(step) : this.requested(step))
      if (step.name === tokenStep && !this.kept.has("token")) {
        throw new Error(`${gateway} issues no token for these credentials. Nothing was recorded.`)
      }
      const text = JSON.stringify(recorded)
      if ([...this.secrets].some((secret) => text.includes(secret))) {
        throw new Error(
          `The response to "${step.name}" repeats a credential, a token or an identifier. It is not recorded.`
        )
      }
      steps[index] = recorded
      onRecorded?.(recording())
      onStep?.(step.name, "response" in recorded ? recorded.response?.status : undefined)
    }
    return recording()
  }

  private keep(name: string, value: Json | undefined): void {
    if (typeof value !== "string" && typeof value !== "number") {
      this.kept.delete(name)
      return
    }
    this.kept.set(name, value)
    // A short value is not a secret, and may occur anywhere.
    if (String(value).length > 8) this.secrets.add(String(value))
  }

  private async requested(step: RequestStep): Promise<RecordedStep> {
    const found = await this.responseTo(step)
    if (found === undefined) return step
    const { content, response } = found
    for (const [name, path] of Object.entries(step.keep ?? {})) this.keep(name, memberAt(content, path))
    const recorded: RecordedResponse = {
      status: response.status,
      headers: headersOf(response.headers),
      body: typeof content === "string" ? "<text>" : formOf(content)
    }
    return { ...step, response: recorded }
  }

  /** The response to a step's request; `undefined` if it needs a value that no earlier step has kept. */
  private async responseTo(
    step: RequestStep
  ): Promise<{ readonly response: Response; readonly content: Json } | undefined> {
    const { gateway, wait = sleep } = this.options
    for (let attempt = 1; ; attempt++) {
      let request: Request
      try {
        request = this.requestOf(step)
      } catch (error) {
        if (!(error instanceof Missing)) throw error
        return undefined
      }
      const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(patience) })
      const content = contentOf(await response.text())
      if (!isTurnedAway(step, response)) return { response, content }
      if (attempt === attempts) {
        throw new Error(`${gateway} keeps responding to "${step.name}" with ${response.status}. It is not recorded.`)
      }
      await wait(pauseAfter(response, attempt))
    }
  }

  /**
   * Asks for the payer's action until the gateway confirms it. The token may have expired meanwhile, so a new one is
   * requested.
   */
  private async acted(step: PayerStep): Promise<RecordedStep> {
    const { act = "pays", gwUrl: page, payment } = step.pays
    const [id, gwUrl] = [this.kept.get(payment), this.kept.get(page)]
    if (typeof id !== "number" || typeof gwUrl !== "string") return step
    const states: ReadonlyArray<string> = payerActs[act]
    const renewal = this.options.steps.find(({ name }) => name === tokenStep)
    let task: PayerTask = { id, gwUrl, act }
    while (await this.options.act(task)) {
      if (renewal !== undefined && !("pays" in renewal)) await this.requested(renewal)
      const found = await this.responseTo({ name: step.name, method: "GET", path: `/payments/payment/{${payment}}` })
      const state = memberAt(found?.content ?? null, "state")
      if (typeof state === "string" && states.includes(state)) return step
      task = { id, gwUrl, act, state: typeof state === "string" ? state : "unknown" }
    }
    this.kept.delete(payment)
    return step
  }

  private requestOf({ form, headers, isEscaped, json, method, path }: RequestStep): Request {
    const filled = (texts: Readonly<Record<string, string>>): ReadonlyArray<[string, string]> =>
      Object.entries(texts).map(([name, value]) => [name, this.filled(value)])
    const given = filled({ accept: "application/json", authorization: "Bearer {token}", ...headers })
    const isNamed = json === undefined || given.some(([name]) => name === "content-type")
    const text = json === undefined ? undefined : JSON.stringify(this.fill(json))
    const body = isEscaped === true ? text?.replaceAll(/[\u0080-\uffff]/g, escaped) : text
    return new Request(`${this.options.gateway}/api${this.filled(path)}`, {
      method,
      headers: [
        ...given.filter(([, value]) => value !== ""),
        ...(isNamed ? [] : [["content-type", "application/json"] satisfies [string, string]])
      ],
      ...(form === undefined ? {} : { body: new URLSearchParams([...filled(form)]) }),
      ...(body === undefined ? {} : { body })
    })
  }

  /** Replaces placeholders by the kept values. */
  private filled(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = this.kept.get(name)
      if (value === undefined) throw new Missing(name)
      return String(value)
    })
  }

  /** The same within JSON. A text that is only a placeholder becomes its value, which may be a number. */
  private fill(value: Json): Json {
    if (typeof value === "string") return this.kept.get(/^\{(\w+)\}$/.exec(value)?.[1] ?? "") ?? this.filled(value)
    if (value === null || typeof value !== "object") return value
    if (isList(value)) return value.map((element) => this.fill(element))
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, this.fill(content)]))
  }
}

/** A letter escaped for ASCII-only JSON. */
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Whether the request did not reach the gateway, because of a rate limit or a firewall. */
const isTurnedAway = ({ isEscaped }: RequestStep, { headers, status }: Response): boolean =>
  status === 429 || (status === 403 && isEscaped !== true && /^text\/html\b/i.test(headers.get("content-type") ?? ""))

/** The pause that the response asks for, at most a minute, or else twice as long each time. */
const pauseAfter = ({ headers }: Response, attempt: number): number => {
  const seconds = Number(headers.get("retry-after") ?? NaN)
  return Math.min(60, seconds > 0 ? seconds : 2 ** attempt) * 1000
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const contentOf = (text: string): Json => {
  if (text === "") return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const memberAt = (value: Json, path: string): Json | undefined =>
  path
    .split(".")
    .reduce<Json | undefined>(
      (inner, name) =>
        inner !== null && typeof inner === "object" && !isList(inner) && Object.hasOwn(inner, name)
          ? inner[name]
          : undefined,
      value
    )

/** Members whose values are the gateway's own words: they reveal nothing about a merchant or a payer. */
const ownWords = new Set(
  `allowed_payment_instruments amount card_brand currency currencies default_payment_instrument description error_code
  error_name expires_in field format group isOnline lang message payment_instrument paymentInstrument recurrence_cycle
  recurrence_date_to recurrence_period recurrence_state requested result scope state status sub_state token_type type
  vat_rate`.split(/\s+/)
)

const headersKept = new Set(
  `allow cache-control content-disposition content-type expires location pragma retry-after vary www-authenticate`.split(
    " "
  )
)

/** The form of a body. Values that belong to a merchant or a payer are reduced to their kind. */
export const formOf = (value: Json, member = ""): Json => {
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "number") return ownWords.has(member) ? value : "<number>"
  if (typeof value === "string") return ownWords.has(member) ? wordsOf(value) : kindOf(value)
  if (isList(value)) return distinct(value.map((element) => formOf(element, member)))
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, formOf(content, name)]))
}

export const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/** The length of a list differs from shop to shop; the kinds of its elements do not. */
const distinct = (values: ReadonlyArray<Json>): ReadonlyArray<Json> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values()
]

/** The gateway may repeat parts of the request in its messages. */
const wordsOf = (text: string): string => (/@|\d{6}/.test(text) ? kindOf(text) : text)

const kindOf = (text: string): string => {
  if (text === "") return ""
  if (/^https?:/.test(text)) return "<address>"
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `<${text.replaceAll(/\d/g, "0")}>`
  if (/^\d+$/.test(text)) return "<digits>"
  if (/^[\d*]+$/.test(text)) return "<masked digits>"
  if (text.includes("@")) return "<e-mail>"
  return "<text>"
}

/** The headers to compare. For dates and addresses only their presence counts. */
export const headersOf = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => headersKept.has(name))
      .map(([name, value]) => [
        name,
        name === "expires" ? "<date>" : name === "location" ? "<address>" : value.replaceAll(/\d{4,}/g, "<digits>")
      ])
  )
