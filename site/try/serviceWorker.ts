/**
 * Routes what the payer's frame asks for to the tab that the frame is in. It keeps nothing, since it is ended when it is
 * idle: the address says which tab is meant, and every page of `/try` is asked whether it is that one.
 */
import { ask, isResponse, receivedResponse, sentRequest } from "./Exchange.js"

interface Client {
  readonly url: string
  readonly postMessage: (message: unknown, options: { readonly transfer: Array<Transferable> }) => void
}

/** The parts of the scope that the page's types do not have. */
interface Scope {
  readonly registration: { readonly scope: string }
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: (options: {
      readonly type: "window"
      readonly includeUncontrolled: true
    }) => Promise<ReadonlyArray<Client>>
  }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: {
    (type: "install" | "activate", listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void
    (
      type: "fetch",
      listener: (event: { readonly request: Request; respondWith(response: Promise<Response>): void }) => void
    ): void
  }
}

declare const self: Scope

const longestWait = 60_000

/** Whether an address is of a payer's frame, and not of a page of `/try`. */
const isRouted = (url: string): boolean => url.startsWith(`${self.registration.scope}tab/`)

const route = async (request: Request): Promise<Response> => {
  const message = await sentRequest(request)
  const clients = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const tabs = clients.filter(({ url }) => !isRouted(url))
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestWait))
  const answered = await Promise.race([late, ...tabs.map((tab) => ask(tab, message))])
  return isResponse(answered)
    ? receivedResponse(answered)
    : new Response("The connection was lost.", { status: 502, headers: { "content-type": "text/plain" } })
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
self.addEventListener("fetch", (event) => {
  if (isRouted(event.request.url)) event.respondWith(route(event.request))
})
