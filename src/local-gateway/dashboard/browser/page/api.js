/**
 * Calls of the control API.
 */

import { language, t } from "./language.js"
import { problemText } from "./problemText.js"

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
    throw new ControlFailure(t("The gateway did not respond."), 0)
  }
  // The gateway was restarted, and its page asks for the password again.
  if (response.status === 401) location.reload()
  if (!response.ok) throw new ControlFailure(refusalIn(text, response.status), response.status)
  return text
}

/** Problems shown at once. */
const mostProblems = 20

/** A refusal in the language of the page; details of the API are in English. @type {(text: string, status: number) => string} */
const refusalIn = (text, status) => {
  /** @type {{ error?: string, message?: string, state?: string, problems?: ReadonlyArray<import("./problemText.js").Problem> }} */
  let body = {}
  try {
    body = JSON.parse(text)
  } catch {
    // It comes from something in between.
  }
  const { error, message, problems = [], state } = body
  if (message === undefined) return t("The gateway responded with status {}.", status)
  if (language === "en") return message
  switch (error) {
    case "WrongPaymentState":
      return t("The payment is {}, so this cannot be done.", state ?? "")
    case "InstrumentNotOffered":
      return t("The payment cannot be paid this way.")
    case "NotFound":
      return t("It does not exist any more.")
    case "Refused":
      return t("The gateway refuses this: {}", message)
    default: {
      const texts = problems.slice(0, mostProblems).map(problemText)
      return texts.length === 0 || texts.includes(undefined)
        ? t("The gateway refuses this: {}", message)
        : texts.join("; ")
    }
  }
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
