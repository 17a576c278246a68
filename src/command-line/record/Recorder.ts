/**
 * Runs the steps of a scenario at a gateway and records its responses.
 */
import {
  formOf,
  headersOf,
  isList,
  type Json,
  type PayerAct,
  payerActs,
  type PayerStep,
  type RecordedResponse,
  type RecordedStep,
  type Recording,
  type RequestStep,
  type Step
} from "./Recording.js"

/** A payment on whose page the payer is to act. */
export interface PayerTask {
  readonly id: number
  readonly gwUrl: string
  readonly act: PayerAct
  /** The state that the gateway gives, when the payer was said to have acted and has not. */
  readonly state?: string
}

export interface RecorderOptions {
  /** The gateway's address, without `/api`. */
  readonly gateway: string
  readonly merchant: { readonly goid: number; readonly clientId: string; readonly clientSecret: string }
  readonly steps: ReadonlyArray<RecordedStep>
  /**
   * Has the payer act: `false` when no one does. Steps that need the payment are skipped then. Called again while the
   * gateway says that the payer has not acted.
   */
  readonly act: (task: PayerTask) => Promise<boolean>
  /** Called after each step with all that is recorded by then. */
  readonly onRecorded?: (recording: Recording) => void
  /** Called for each step as it ends, with the status of its response; without one when it was skipped. */
  readonly onStep?: (name: string, status: number | undefined) => void
  /** Waits before a request is repeated. */
  readonly wait?: (millis: number) => Promise<void>
}

/** A credential, a token, an identifier or an address, by the name of its placeholder. */
type Kept = string | number

/** A step needs what no step before it has kept. */
class Missing extends Error {}

/** A step that takes longer ends the recording. */
const patience = 60_000

/** How often a request is made when a limit of requests, or a firewall, refuses it. */
const attempts = 6

/**
 * Runs the steps one after another. Rejects when the gateway cannot be reached, gives no token or goes on refusing for
 * too many requests, and rather than record anything that is the merchant's or a payer's.
 */
export const record = async (options: RecorderOptions): Promise<Recording> => {
  const { gateway, merchant, onRecorded, onStep } = options
  const kept = new Map<string, Kept>()
  const secrets = new Set<string>()
  const keep = (name: string, value: Json | undefined): void => {
    if (typeof value !== "string" && typeof value !== "number") {
      kept.delete(name)
      return
    }
    kept.set(name, value)
    // A short one is no secret and may stand for anything.
    if (String(value).length > 8) secrets.add(String(value))
  }
  const { clientId, clientSecret, goid } = merchant
  keep("goid", goid)
  keep("credentials", Buffer.from(`${clientId}:${clientSecret}`).toString("base64"))
  keep("email", "payer@example.com")
  for (const secret of [clientId, clientSecret, String(goid)]) secrets.add(secret)

  const recordedOn = new Date().toISOString().slice(0, 10)
  const toRun = options.steps.map(withoutResponse)
  const steps: Array<RecordedStep> = [...toRun]
  const recording = (): Recording => ({ format: 1, gateway, recordedOn, steps: [...steps] })
  for (const [index, step] of toRun.entries()) {
    const recorded =
      "pays" in step ? await acted(step, kept, keep, options) : await requested(step, kept, keep, options)
    if (step.name === tokenStep && !kept.has("token")) {
      throw new Error(`${gateway} issues no token for these credentials. Nothing was recorded.`)
    }
    const text = JSON.stringify(recorded)
    if ([...secrets].some((secret) => text.includes(secret))) {
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

/** The first step of every scenario; without its token no other makes sense. */
export const tokenStep = "token"

/** The steps to record may be those of a recording. */
const withoutResponse = (step: RecordedStep): Step => {
  if ("pays" in step) return step
  const { response: _, ...request } = step
  return request
}

const requested = async (
  step: RequestStep,
  kept: ReadonlyMap<string, Kept>,
  keep: (name: string, value: Json | undefined) => void,
  options: RecorderOptions
): Promise<RecordedStep> => {
  const found = await responseTo(step, kept, options)
  if (found === undefined) return step
  const { content, response } = found
  for (const [name, path] of Object.entries(step.keep ?? {})) keep(name, memberAt(content, path))
  const recorded: RecordedResponse = {
    status: response.status,
    headers: headersOf(response.headers),
    body: typeof content === "string" ? "<text>" : formOf(content)
  }
  return { ...step, response: recorded }
}

/** The response to a step's request; undefined when it needs what no step before it has kept. */
const responseTo = async (
  step: RequestStep,
  kept: ReadonlyMap<string, Kept>,
  { gateway, wait = sleep }: RecorderOptions
): Promise<{ readonly response: Response; readonly content: Json } | undefined> => {
  for (let attempt = 1; ; attempt++) {
    let request: Request
    try {
      request = requestOf(step, gateway, kept)
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

/** Whether the request has not come to the gateway: for too many of them, or for a firewall. */
const isTurnedAway = ({ isEscaped }: RequestStep, { headers, status }: Response): boolean =>
  status === 429 || (status === 403 && isEscaped !== true && /^text\/html\b/i.test(headers.get("content-type") ?? ""))

/** As long as the response says, at most a minute, or twice as long each time. */
const pauseAfter = ({ headers }: Response, attempt: number): number => {
  const seconds = Number(headers.get("retry-after") ?? NaN)
  return Math.min(60, seconds > 0 ? seconds : 2 ** attempt) * 1000
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Has the payer act until the gateway confirms it. The token may have expired meanwhile, so there is a new one. */
const acted = async (
  step: PayerStep,
  kept: Map<string, Kept>,
  keep: (name: string, value: Json | undefined) => void,
  options: RecorderOptions
): Promise<RecordedStep> => {
  const { act = "pays", gwUrl: page, payment } = step.pays
  const [id, gwUrl] = [kept.get(payment), kept.get(page)]
  if (typeof id !== "number" || typeof gwUrl !== "string") return step
  const states: ReadonlyArray<string> = payerActs[act]
  const renewal = options.steps.find(({ name }) => name === tokenStep)
  let task: PayerTask = { id, gwUrl, act }
  while (await options.act(task)) {
    if (renewal !== undefined && !("pays" in renewal)) await requested(renewal, kept, keep, options)
    const read: RequestStep = { name: step.name, method: "GET", path: `/payments/payment/{${payment}}` }
    const found = await responseTo(read, kept, options)
    const state = memberAt(found?.content ?? null, "state")
    if (typeof state === "string" && states.includes(state)) return step
    task = { id, gwUrl, act, state: typeof state === "string" ? state : "unknown" }
  }
  kept.delete(payment)
  return step
}

const requestOf = (
  { form, headers, isEscaped, json, method, path }: RequestStep,
  gateway: string,
  kept: ReadonlyMap<string, Kept>
): Request => {
  const given = Object.entries({ accept: "application/json", authorization: "Bearer {token}", ...headers }).map(
    ([name, value]): [string, string] => [name, filled(value, kept)]
  )
  return new Request(`${gateway}/api${filled(path, kept)}`, {
    method,
    headers: [
      ...given.filter(([, value]) => value !== ""),
      ...(json === undefined || given.some(([name]) => name === "content-type")
        ? []
        : [["content-type", "application/json"] satisfies [string, string]])
    ],
    ...(form === undefined
      ? {}
      : { body: new URLSearchParams(Object.entries(form).map(([name, value]) => [name, filled(value, kept)])) }),
    ...(json === undefined
      ? {}
      : { body: isEscaped === true ? escaped(fill(json, kept)) : JSON.stringify(fill(json, kept)) })
  })
}

/** JSON in ASCII. */
const escaped = (value: Json): string =>
  JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** Puts kept values in the place of their placeholders. */
const filled = (text: string, kept: ReadonlyMap<string, Kept>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = kept.get(name)
    if (value === undefined) throw new Missing(name)
    return String(value)
  })

/** The same within JSON. A text that is one placeholder becomes its value, which may be a number. */
const fill = (value: Json, kept: ReadonlyMap<string, Kept>): Json => {
  if (typeof value === "string") return kept.get(/^\{(\w+)\}$/.exec(value)?.[1] ?? "") ?? filled(value, kept)
  if (value === null || typeof value !== "object") return value
  if (isList(value)) return value.map((element) => fill(element, kept))
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, fill(content, kept)]))
}

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
