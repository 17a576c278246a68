/**
 * What the workers and the page of `/try` say to each other. A question brings a port along, on which it is answered.
 */

/** A request that goes by message. */
export interface SentRequest {
  readonly type: "request"
  readonly url: string
  readonly method: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: ArrayBuffer | undefined
}

/** The response; undefined where the connection was lost. */
export type SentResponse =
  | {
      readonly status: number
      readonly headers: ReadonlyArray<readonly [string, string]>
      readonly body: ArrayBuffer
    }
  | undefined

/** Whoever a message can be sent to. */
interface Receiver {
  readonly postMessage: (message: unknown, options: { readonly transfer: Array<Transferable> }) => void
}

/** Asks, and waits for the answer. */
export const ask = (receiver: Receiver, message: object): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", ({ data }) => {
      resolve(data)
      port1.close()
    })
    port1.start()
    receiver.postMessage(message, { transfer: [port2] })
  })

/** Tells the page of a worker. */
export const tell = (message: object): void => self.postMessage(message, { transfer: [] })

export const sentRequest = async (request: Request): Promise<SentRequest> => ({
  type: "request",
  url: request.url,
  method: request.method,
  headers: [...request.headers],
  body: request.method === "GET" || request.method === "HEAD" ? undefined : await request.arrayBuffer()
})

export const receivedRequest = ({ body, headers, method, url }: SentRequest): Request =>
  new Request(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    ...(body === undefined ? {} : { body })
  })

/** A response that breaks off is one that was lost. */
export const sentResponse = async (response: Promise<Response>): Promise<SentResponse> => {
  try {
    const { headers, status } = await response
    return { status, headers: [...headers], body: await (await response).arrayBuffer() }
  } catch {
    return undefined
  }
}

/** Statuses that have no body. */
const bodyless: ReadonlySet<number> = new Set([204, 205, 304])

export const receivedResponse = ({ body, headers, status }: Exclude<SentResponse, undefined>): Response =>
  new Response(bodyless.has(status) ? null : body, { status, headers: headers.map(([name, value]) => [name, value]) })

/** A value as an object whose members are not known. */
export const membersOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? { ...value } : {}

export const isRequest = (value: unknown): value is SentRequest => membersOf(value)["type"] === "request"

export const isResponse = (value: unknown): value is Exclude<SentResponse, undefined> =>
  typeof membersOf(value)["status"] === "number"
