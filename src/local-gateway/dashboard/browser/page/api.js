/**
 * Calls of the control API.
 */

/** The gateway refused or did not respond. */
export class ControlFailure extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 when there was no response.
   */
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

/** The path below which the gateway is mounted: this module knows its own address. */
export const base = new URL(import.meta.url).pathname.replace(/\/local-gateway\/dashboard\/.*$/, "")

const prefix = `${base}/local-gateway`

/** After this time the gateway counts as not responding. */
const longestReadMillis = 5000

/** @type {(path: string, init: RequestInit) => Promise<string>} */
const send = async (path, init) => {
  /** @type {Response} */
  let response
  /** @type {string} */
  let text
  try {
    response = await fetch(`${prefix}${path}`, { ...init, cache: "no-store" })
    text = await response.text()
  } catch {
    throw new ControlFailure("The gateway did not respond.", 0)
  }
  if (!response.ok) throw new ControlFailure(refusalIn(text, response.status), response.status)
  return text
}

/** What the gateway says about a refusal. @type {(text: string, status: number) => string} */
const refusalIn = (text, status) => {
  try {
    /** @type {{ message?: string }} */
    const { message } = JSON.parse(text)
    if (message !== undefined) return message
  } catch {
    // It comes from something in between.
  }
  return `The gateway responded with status ${status}.`
}

/** @type {(query: { readonly [name: string]: string | number | undefined }) => string} */
const queryOf = (query) => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
}

/**
 * Reads. The response is trusted to be as the control API documents it; the caller names its type.
 *
 * @param {string} path
 * @param {{ readonly [name: string]: string | number | undefined }} [query]
 */
export const read = async (path, query = {}) =>
  JSON.parse(await send(`${path}${queryOf(query)}`, { signal: AbortSignal.timeout(longestReadMillis) }))

/**
 * Changes something. There is no time limit: a lot can happen in a month.
 *
 * @param {string} path
 * @param {unknown} [body]
 */
export const change = async (path, body = {}) =>
  JSON.parse(
    (await send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })) || "{}"
  )
