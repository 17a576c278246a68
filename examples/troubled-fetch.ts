/**
 * A `fetch` for tests, with trouble on the way.
 */

/** What happens to a request; `undefined`: nothing does. */
export type Trouble = (path: string, method: string) => Response | "not connected" | "answer lost" | undefined

/** `answer lost`: the gateway takes the request, and no one learns what it says. */
export const troubledFetch =
  (trouble: Trouble): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const what = trouble(new URL(request.url).pathname, request.method)
    if (what === "not connected") throw failure("ECONNREFUSED")
    if (what === "answer lost") {
      await fetch(request)
      throw failure("ECONNRESET")
    }
    return what === undefined ? fetch(request) : what.clone()
  }

/** As Node's `fetch` tells it. */
const failure = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })
