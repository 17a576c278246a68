/**
 * The last requests that the local gateway answered.
 */

/** One answered request. */
export interface LoggedRequest {
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  /** Path without the query, such as `/api/payments/payment`. */
  readonly path: string
  /** Status of the answer. */
  readonly status: number
  /** Headers of the request by lower-case name; of `authorization` and `cookie` the values are withheld. */
  readonly headers: { readonly [name: string]: string }
}

const withheld: ReadonlySet<string> = new Set(["authorization", "cookie"])

/** A log of requests, with a limit: the oldest are forgotten first. */
export class RequestLog {
  private readonly limit: number
  private readonly entries: Array<LoggedRequest> = []

  constructor(limit: number) {
    this.limit = limit
  }

  /** Adds a request; drops the oldest one when there are too many. */
  add(request: LoggedRequest): void {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, withheld.has(name) ? "<withheld>" : value])
    )
    this.entries.push({ ...request, headers })
    if (this.entries.length > this.limit) this.entries.shift()
  }

  /** The remembered requests, oldest first. */
  list(): ReadonlyArray<LoggedRequest> {
    return [...this.entries]
  }
}
