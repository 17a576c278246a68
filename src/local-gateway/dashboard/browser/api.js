/**
 * The control API, as the page calls it.
 */

/** The gateway refused, or did not answer. */
export class ControlFailure extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 when there was no answer.
   */
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

const prefix = "/local-gateway"

/** A gateway that takes longer to say how it is has stopped answering. */
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
    throw new ControlFailure("The gateway did not answer.", 0)
  }
  if (!response.ok)
    throw new ControlFailure(refusalIn(text) ?? `The gateway answered ${response.status}.`, response.status)
  return text
}

/** @type {(text: string) => string | undefined} */
const refusalIn = (text) => {
  try {
    return JSON.parse(text).message
  } catch {
    return undefined
  }
}

/** @type {(query: { readonly [name: string]: string | number | undefined }) => string} */
const queryOf = (query) => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
}

/**
 * Reads. What is answered is trusted to be what the control API documents: the caller says which.
 *
 * @param {string} path
 * @param {{ readonly [name: string]: string | number | undefined }} [query]
 */
export const read = async (path, query = {}) =>
  JSON.parse(await send(`${path}${queryOf(query)}`, { signal: AbortSignal.timeout(longestReadMillis) }))

/**
 * Changes something. It takes as long as it takes: much may happen in a month.
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
