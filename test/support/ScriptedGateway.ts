/**
 * A gateway on this machine whose responses the test writes: real sockets, real requests.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { credentials } from "./Credentials.js"

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The raw body. */
  readonly body: string
}

/** What the gateway does with a request. */
export type Answer =
  | {
      /** 200 when absent. */
      readonly status?: number
      readonly headers?: { readonly [name: string]: string }
      /** Text and bytes go out as they are, anything else as JSON. */
      readonly body?: unknown
      /** Sends all of it and then never ends the response. */
      readonly isUnfinished?: boolean
    }
  | "cut the connection"

/** A request that waits for the test. */
export interface HeldRequest {
  readonly arrived: Promise<ReceivedRequest>
  /** The client gave the request up before it was answered. */
  readonly abandoned: Promise<void>
  readonly answer: (answer: Answer) => void
}

/** A method and a path under `/api`, without the query. */
export type Route = `${"GET" | "POST" | "DELETE"} /${string}`

export interface ScriptedGateway extends AsyncDisposable {
  /** The gateway's address, without `/api`. */
  readonly url: string
  /** The options of a client of this gateway. */
  readonly merchant: typeof credentials & { readonly environment: string }
  /** All that arrived, in order. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** The requests for a token. */
  readonly tokenRequests: ReadonlyArray<ReceivedRequest>
  /** All requests but those for a token. */
  readonly calls: ReadonlyArray<ReceivedRequest>
  /** The client's port of each request: one for each connection. */
  readonly ports: ReadonlyArray<number | undefined>
  /** The tokens that were handed out. */
  readonly tokens: ReadonlyArray<string>
  /** Answers the requests of a route, one after the other; the last response is given for ever. */
  readonly on: (route: Route, ...answers: ReadonlyArray<Answer>) => void
  /** Lets the next request of a route wait. */
  readonly hold: (route: Route) => HeldRequest
  /** Stops listening and cuts all connections. */
  readonly close: () => Promise<void>
}

export const tokenRoute = "POST /oauth2/token"

/** Opaque text, 108 characters of base64, as in recorded responses. */
const tokenText = (number: number): string => Buffer.alloc(80, `token ${number} `).toString("base64")

export const tokenResponse = (access_token: string): Answer => ({
  body: { token_type: "bearer", access_token, expires_in: 1800, refresh_token: tokenText(0) }
})

/** The gateway's error body. */
export const refusal = (
  status: number,
  error_code: number,
  error_name: string,
  details: { readonly [member: string]: unknown } = {}
): Answer => ({
  status,
  body: {
    date_issued: "2019-10-19T15:12:34.174+0200",
    errors: [{ scope: "G", error_code, error_name, message: "A message.", ...details }]
  }
})

export const wrongCredentials = refusal(403, 202, "AUTH_WRONG_CREDENTIALS", {
  message: "Wrong credentials. Try sign in again."
})

export const startScriptedGateway = async (): Promise<ScriptedGateway> => {
  const requests: Array<ReceivedRequest> = []
  const tokens: Array<string> = []
  const scripts = new Map<string, { readonly next: Array<Step>; last?: Step | undefined }>()

  const answerToken: Step = (_, response) => {
    const token = tokenText(tokens.length + 1)
    tokens.push(token)
    give(response, tokenResponse(token))
  }

  const script = (route: string, step: Step): void => {
    const known = scripts.get(route)
    if (known === undefined) scripts.set(route, { next: [step] })
    else known.next.push(step)
  }

  const nextStep = (route: string): Step => {
    const known = scripts.get(route)
    if (known !== undefined) known.last = known.next.shift() ?? known.last
    return known?.last ?? (route === tokenRoute ? answerToken : unwritten)
  }

  const ports: Array<number | undefined> = []
  // A connection that is closed while a change is sent over it leaves that in doubt: no test may stand still into it.
  const server = createServer({ keepAliveTimeout: 0 }, (message, response) => {
    ports.push(message.socket.remotePort)
    void received(message).then((request) => {
      requests.push(request)
      nextStep(routeOf(request))(request, response)
    }, noBody)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port.")
  const url = `http://127.0.0.1:${address.port}`

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  return {
    url,
    merchant: { ...credentials, environment: url },
    requests,
    ports,
    get tokenRequests() {
      return requests.filter((request) => routeOf(request) === tokenRoute)
    },
    get calls() {
      return requests.filter((request) => routeOf(request) !== tokenRoute)
    },
    tokens,
    on: (route, ...answers) => {
      for (const answer of answers) script(route, (_, response) => give(response, answer))
    },
    hold: (route) => {
      const arrived = deferred<ReceivedRequest>()
      const abandoned = deferred<void>()
      const answer = deferred<Answer>()
      script(route, (request, response) => {
        response.on("close", () => {
          if (!response.writableFinished) abandoned.resolve()
        })
        arrived.resolve(request)
        void answer.promise.then((answer) => give(response, answer))
      })
      return { arrived: arrived.promise, abandoned: abandoned.promise, answer: answer.resolve }
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

type Step = (request: ReceivedRequest, response: ServerResponse) => void

const unwritten: Step = (request, response) =>
  give(response, { status: 418, body: `No response is written for ${routeOf(request)}.` })

const routeOf = ({ method, url }: ReceivedRequest): string =>
  `${method} ${url.replace(/\?.*$/, "").replace(/^\/api/, "")}`

const received = async (message: IncomingMessage): Promise<ReceivedRequest> => {
  let body = ""
  message.setEncoding("utf8")
  for await (const chunk of message) body += String(chunk)
  return { method: message.method ?? "", url: message.url ?? "", headers: message.headers, body }
}

/** The client gave up before its request was complete: there is nothing to answer. */
const noBody = (): void => {}

const give = (response: ServerResponse, answer: Answer): void => {
  if (answer === "cut the connection") {
    response.destroy()
    return
  }
  const { body, headers, isUnfinished, status = 200 } = answer
  const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array
  response.writeHead(status, { ...(isRaw ? undefined : { "content-type": "application/json" }), ...headers })
  if (body !== undefined) response.write(isRaw ? body : JSON.stringify(body))
  if (isUnfinished === true) response.flushHeaders()
  else response.end()
}

type Fetch = typeof globalThis.fetch

export const urlOf = (input: Parameters<Fetch>[0]): string => (input instanceof Request ? input.url : String(input))

/** A `fetch` that asks for tokens as usual and leaves everything else to `call`. */
export const fetchTokensOnly =
  (call: Fetch): Fetch =>
  (input, init) =>
    (urlOf(input).endsWith("/oauth2/token") ? globalThis.fetch : call)(input, init)

/**
 * A `fetch` that records its calls: it knows of a request before the gateway, which the request may not have reached
 * yet.
 */
export const watchedFetch = () => {
  const urls: Array<string> = []
  const fetch: Fetch = (input, init) => {
    urls.push(urlOf(input))
    return globalThis.fetch(input, init)
  }
  return {
    fetch,
    /** The addresses that it was called with, after everything has happened that waits for nothing from outside. */
    called: async (): Promise<ReadonlyArray<string>> => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      return urls
    }
  }
}

/** A promise that the test settles. */
export const deferred = <A>(): { readonly promise: Promise<A>; readonly resolve: (value: A) => void } => {
  let settle: ((value: A) => void) | undefined
  const promise = new Promise<A>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle?.(value) }
}
