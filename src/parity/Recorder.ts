/**
 * Runs the steps of a scenario at a gateway and records its responses.
 */
import { formOf, headersOf, isList, type RecordedResponse, type RecordedStep, type Recording } from "./Recording.js"
import type { Json, PayerStep, RequestStep, Step } from "./Step.js"

export interface RecorderOptions {
  /** The gateway's address, without `/api`. */
  readonly gateway: string
  readonly merchant: { readonly goid: number; readonly clientId: string; readonly clientSecret: string }
  readonly steps: ReadonlyArray<Step>
  /** Has a payment paid: `false` when no one does. Steps that need a paid payment are skipped then. */
  readonly pay: (payment: { readonly id: number; readonly gwUrl: string }) => Promise<boolean>
  /** Called for each step as it ends, with the status of its response; without one when it was skipped. */
  readonly onStep?: (name: string, status: number | undefined) => void
}

/** A credential, a token, an identifier or an address, by the name of its placeholder. */
type Kept = string | number

/** A step needs what no step before it has kept. */
class Missing extends Error {}

/** A step that takes longer ends the recording. */
const patience = 60_000

/**
 * Runs the steps one after another. Rejects when the gateway cannot be reached, when it gives no token, and rather than
 * write down anything that is the merchant's or a payer's.
 */
export const record = async (options: RecorderOptions): Promise<Recording> => {
  const { clientId, clientSecret, goid } = options.merchant
  const kept = new Map<string, Kept>([
    ["goid", goid],
    ["credentials", Buffer.from(`${clientId}:${clientSecret}`).toString("base64")],
    ["email", "payer@example.com"]
  ])
  const secrets = new Set([clientId, clientSecret, String(goid)])
  const keep = (name: string, value: Json | undefined): void => {
    if (typeof value !== "string" && typeof value !== "number") {
      kept.delete(name)
      return
    }
    kept.set(name, value)
    // A short one is no secret and may stand for anything.
    if (String(value).length > 8) secrets.add(String(value))
  }
  for (const [name, value] of kept) keep(name, value)

  const steps: Array<RecordedStep> = []
  for (const step of options.steps) {
    const recorded = "pays" in step ? await paid(step, kept, options) : await requested(step, kept, keep, options)
    steps.push(recorded)
    options.onStep?.(step.name, "response" in recorded ? recorded.response?.status : undefined)
    if (step.name === tokenStep && !kept.has("token")) {
      throw new Error(`${options.gateway} gives no token for these credentials. Nothing was recorded.`)
    }
  }
  const recording: Recording = {
    format: 1,
    gateway: options.gateway,
    recordedOn: new Date().toISOString().slice(0, 10),
    steps
  }
  const text = JSON.stringify(steps)
  if ([...secrets].some((secret) => text.includes(secret))) {
    throw new Error("A response repeats a credential, a token or an identifier. Nothing was recorded.")
  }
  return recording
}

/** The first step of every scenario; without its token no other makes sense. */
export const tokenStep = "token"

const requested = async (
  step: RequestStep,
  kept: ReadonlyMap<string, Kept>,
  keep: (name: string, value: Json | undefined) => void,
  { gateway }: RecorderOptions
): Promise<RecordedStep> => {
  let request: Request
  try {
    request = requestOf(step, gateway, kept)
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    return step
  }
  const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(patience) })
  const content = contentOf(await response.text())
  for (const [name, path] of Object.entries(step.keep ?? {})) keep(name, memberAt(content, path))
  const recorded: RecordedResponse = {
    status: response.status,
    headers: headersOf(response.headers),
    body: typeof content === "string" ? "<text>" : formOf(content)
  }
  return { ...step, response: recorded }
}

const paid = async (step: PayerStep, kept: Map<string, Kept>, { pay }: RecorderOptions): Promise<RecordedStep> => {
  const id = kept.get(step.pays.payment)
  const gwUrl = kept.get(step.pays.gwUrl)
  if (typeof id === "number" && typeof gwUrl === "string" && !(await pay({ id, gwUrl }))) kept.delete(step.pays.payment)
  return step
}

const requestOf = (
  { form, headers, json, method, path }: RequestStep,
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
      ...(json === undefined ? [] : [["content-type", "application/json"] satisfies [string, string]])
    ],
    ...(form === undefined
      ? {}
      : { body: new URLSearchParams(Object.entries(form).map(([name, value]) => [name, filled(value, kept)])) }),
    ...(json === undefined ? {} : { body: JSON.stringify(fill(json, kept)) })
  })
}

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
