/**
 * `fetch` for addresses that may lead to this machine, which the proxies of the environment cannot reach.
 */
/// <reference types="node" />
import type { ClientRequest, IncomingMessage } from "node:http"
import { isLoopback } from "../../basics/Loopback.js"

interface LoopbackRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** `fetch` without redirects, and without the proxies of the environment for loopback addresses. */
export const loopbackFetch = (address: string | URL, request: LoopbackRequest = {}): Promise<Response> => {
  const url = new URL(address)
  return isLoopback(url.hostname) && isProxiedByEnvironment()
    ? fetchDirectly(url, request)
    : fetch(url, { redirect: "manual", ...request })
}

/** Node's own with `NODE_USE_ENV_PROXY`, or undici's own. */
const isProxiedByEnvironment = (): boolean =>
  ["undici.globalDispatcher.2", "undici.globalDispatcher.1"].some((name) => {
    const dispatcher: unknown = Reflect.get(globalThis, Symbol.for(name))
    return typeof dispatcher === "object" && dispatcher?.constructor.name === "EnvHttpProxyAgent"
  })

const fetchDirectly = (url: URL, { body, headers = {}, method = "GET", signal }: LoopbackRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { request } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http")
    const sent: ClientRequest = request(url, { method, headers, signal, agent: false })
    sent.on("error", reject)
    sent.on("response", (response) => {
      const received = new Headers()
      for (const [name, values = []] of Object.entries(response.headersDistinct)) {
        for (const value of values) received.append(name, value)
      }
      const { statusCode: status = 0 } = response
      const hasBody = status !== 204 && status !== 205 && status !== 304
      resolve(new Response(hasBody ? bodyOf(response) : null, { status, headers: received }))
    })
    sent.end(body)
  })

const bodyOf = (response: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start: (controller) => {
      response.on("data", (chunk: Uint8Array<ArrayBuffer>) => controller.enqueue(chunk))
      response.on("end", () => controller.close())
      response.on("error", (error) => controller.error(error))
    },
    cancel: () => void response.destroy()
  })
