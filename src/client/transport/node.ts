/**
 * The sender on Node.js: `node:http` and `node:https`, which report whether a request was handed over, unless traffic
 * has been redirected.
 */
import { fetchSender, globalFetch } from "./FetchSender.js"
import type { MakeSender } from "./Sender.js"
import { redirectionWatch } from "./Redirection.js"
import { socketSender } from "./SocketSender.js"

/** Makes a sender over an `agent` or a `fetch`, if there is one, else over its own sockets. */
export const makeSender: MakeSender = ({ agent, fetch }) => {
  if (fetch !== undefined) return fetchSender(fetch)
  const overSockets = socketSender(agent)
  if (agent !== undefined) return overSockets
  const overFetch = fetchSender(globalFetch)
  const isRedirected = redirectionWatch()
  return {
    send: (request, limits, settle) =>
      (isRedirected(request.url) ? overFetch : overSockets).send(request, limits, settle),
    close: overSockets.close
  }
}
