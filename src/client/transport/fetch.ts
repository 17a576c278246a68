/**
 * The sender for platforms on which `fetch` is the best choice: browsers, workers, Deno, Bun.
 */
import { fetchSender, globalFetch } from "./FetchSender.js"
import type { MakeSender } from "./Sender.js"

export const makeSender: MakeSender = ({ agent, fetch = globalFetch }) => {
  if (agent !== undefined) throw new TypeError("agent is for Node.js: give a fetch on other platforms.")
  return fetchSender(fetch)
}
