/**
 * A proxy before a gateway, which doubles requests and responses.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listening } from "./RawGateway.js"

/**
 * What becomes of a change. `twice, first`, `twice, second`: the gateway gets it twice, and the client gets the response
 * to the first or to the second one. `twice, lost`: the gateway gets it twice, and the client no response. `older`: the
 * gateway gets it once, and the client gets the response to the change before it, which comes again.
 */
export type Doubling = "twice, first" | "twice, second" | "twice, lost" | "older"

interface Copied {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ""
  for await (const chunk of request) body += String(chunk)
  return body
}

const give = (response: ServerResponse, { status, text, type }: Copied): void => {
  response.writeHead(status, type === null ? {} : { "content-type": type }).end(text)
}

/** A proxy for a gateway; `next` is what becomes of the next change. */
export const startDoublingProxy = async (gateway: string) => {
  let doubling: Doubling | undefined
  let before: Copied | undefined
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { headers, method = "", url = "" } = request
      const body = await bodyOf(request)
      const send = async (): Promise<Copied> => {
        const { authorization = "", "content-type": type } = headers
        const answered = await fetch(new URL(url, gateway), {
          method,
          headers: { authorization, ...(type === undefined ? {} : { "content-type": type }) },
          ...(method === "POST" ? { body } : {})
        })
        return { status: answered.status, type: answered.headers.get("content-type"), text: await answered.text() }
      }
      if (method === "GET" || url.endsWith("/oauth2/token")) return give(response, await send())
      const fate = doubling
      doubling = undefined
      const first = await send()
      const second = fate?.startsWith("twice") === true ? await send() : first
      const older = before ?? first
      before = second
      if (fate === "twice, lost") return void request.socket.destroy()
      return give(response, fate === "twice, second" ? second : fate === "older" ? older : first)
    }
    void pass().catch(() => response.destroy())
  })
  const url = await listening(server.listen(0, "127.0.0.1"))
  return {
    url,
    next: (fate: Doubling): void => {
      doubling = fate
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
