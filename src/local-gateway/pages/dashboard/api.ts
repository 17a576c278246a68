/**
 * Calls of the control API.
 */

/** The gateway refused or did not respond. */
export class ControlFailure extends Error {
  /** 0 when there was no response. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The path below which the gateway is mounted: this module knows its own address. */
export const base = new URL(import.meta.url).pathname.replace(/\/local-gateway\/dashboard\/.*$/, "")

const prefix = `${base}/local-gateway`

/** After this time the gateway counts as not responding. */
const longestReadMillis = 5000

const send = async (path: string, init: RequestInit): Promise<string> => {
  let response: Response
  let text: string
  try {
    response = await fetch(`${prefix}${path}`, { ...init, cache: "no-store" })
    text = await response.text()
  } catch {
    throw new ControlFailure("The gateway did not respond.", 0)
  }
  if (!response.ok) throw new ControlFailure(refusalIn(text, response.status), response.status)
  return text
}

/** What the gateway says about a refusal. */
const refusalIn = (text: string, status: number): string => {
  try {
    const { message }: { readonly message?: string } = JSON.parse(text)
    if (message !== undefined) return message
  } catch {
    // It comes from something in between.
  }
  return `The gateway responded with status ${status}.`
}

/** The parameters of a query. */
export interface Query {
  readonly [name: string]: string | number | undefined
}

const queryOf = (query: Query): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
}

/** Reads. The response is trusted to be as the control API documents it; the caller names its type. */
export const read = async <Response>(path: string, query: Query = {}): Promise<Response> =>
  JSON.parse(await send(`${path}${queryOf(query)}`, { signal: AbortSignal.timeout(longestReadMillis) }))

/** Changes something. There is no time limit: a lot can happen in a month. */
export const change = async <Response>(path: string, body: unknown = {}): Promise<Response> =>
  JSON.parse(
    (await send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })) || "{}"
  )
