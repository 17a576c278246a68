/**
 * Whether the program has redirected the requests of `fetch`: to a test, through a proxy, or with a certificate of its
 * own. If so, requests go over `fetch`, as on other platforms.
 */
/// <reference types="node" />
import https from "node:https"
import { isLoopback } from "../../basics/Loopback.js"

/** Where each version of undici keeps its global dispatcher. Node's own `fetch` goes through it. */
const dispatchers = [Symbol.for("undici.globalDispatcher.2"), Symbol.for("undici.globalDispatcher.1")]

type Redirected = "nothing" | "what leaves this machine" | "everything"

/** Watches the global `fetch`, undici's global dispatcher and what happy-dom answers, which may change at any time. */
export const redirectionWatch = (): ((url: string) => boolean) => {
  const seen: Array<unknown> = []
  let redirected: Redirected = "nothing"
  return (url) => {
    const { fetch } = globalThis
    const chosen = dispatchers.map((name): unknown => Reflect.get(globalThis, name))
    const answers = happyDomAnswers()
    const now = [fetch, ...chosen, ...(answers ?? [])]
    if (now.some((value, index) => value !== seen[index])) {
      seen.splice(0, seen.length, ...now)
      const isOwn = answers === undefined ? isNodes(fetch) : answers.every(isNothing) && isEnvironments(fetch)
      const all = [isOwn ? "nothing" : "everything", ...chosen.map(redirectedBy)] as const
      redirected = widest.find((one) => all.includes(one)) ?? "nothing"
    }
    return redirected === "what leaves this machine" ? !isLoopback(new URL(url).hostname) : redirected === "everything"
  }
}

const widest: ReadonlyArray<Redirected> = ["everything", "what leaves this machine"]

/**
 * Node's own `fetch` loads undici when it is first called; with `--no-experimental-fetch` there is none. A `fetch` that
 * is not recognised counts as replaced.
 */
const isNodes = (fetch: unknown): boolean =>
  fetch === undefined ||
  (typeof fetch === "function" && Function.prototype.toString.call(fetch).includes("internal/deps/undici/undici"))

/**
 * How happy-dom was configured to answer requests, if tests run in it. Its `fetch` sends as a page would, which the
 * gateway does not allow.
 */
const happyDomAnswers = (): ReadonlyArray<unknown> | undefined => {
  const settings = memberOf(Reflect.get(globalThis, "happyDOM"), "settings")
  if (settings === undefined) return undefined
  const ofFetch = memberOf(settings, "fetch")
  return [memberOf(ofFetch, "interceptor"), memberOf(ofFetch, "virtualServers")]
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/**
 * Whether it is Node's `fetch`, or the one that a window of happy-dom has bound to itself, which Vitest binds once
 * more.
 */
const isEnvironments = (fetch: unknown): boolean =>
  isNodes(fetch) || (typeof fetch === "function" && /^(bound )+fetch$/.test(fetch.name))

/**
 * An agent without options was not chosen by the program, nor was that of `NODE_USE_ENV_PROXY`, which our own agents
 * follow as well. A proxy from the environment does not get requests to this machine.
 */
const redirectedBy = (dispatcher: unknown): Redirected => {
  if (dispatcher === undefined) return "nothing"
  if (typeof dispatcher !== "object" || dispatcher === null) return "everything"
  const { constructor }: { readonly constructor?: unknown } = dispatcher
  switch (typeof constructor === "function" ? constructor.name : undefined) {
    case "Dispatcher1Wrapper": // of the other one
      return "nothing"
    case "EnvHttpProxyAgent":
      return environmentProxies() === undefined ? "what leaves this machine" : "nothing"
    case "Agent":
      return hasNoOptions(dispatcher) ? "nothing" : "everything"
    case undefined:
    default:
      return "everything"
  }
}

const hasNoOptions = (dispatcher: object): boolean => {
  const name = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === "options")
  const options: unknown = name === undefined ? undefined : Reflect.get(dispatcher, name)
  return typeof options === "object" && options !== null && Object.values(options).every(isNothing)
}

const isNothing = (option: unknown): boolean => option === undefined || option === null || option === Infinity

/** The proxies of the environment, if Node.js was configured to use them. */
export const environmentProxies = (): unknown => Reflect.get(https.globalAgent.options, "proxyEnv")
