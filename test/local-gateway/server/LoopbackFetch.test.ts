/**
 * Requests to this machine, where the environment names a proxy for all that `fetch` sends.
 */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { loopbackFetch } from "../../../src/local-gateway/server/LoopbackFetch.js"

const place = Symbol.for("undici.globalDispatcher.1")

class EnvHttpProxyAgent {
  dispatch(): never {
    throw new Error("sent to the proxy")
  }
}

const startServer = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
}

// Node.js has its dispatcher once it has been used.
await fetch("data:,")

const before: unknown = Reflect.get(globalThis, place)

afterEach(() => {
  Reflect.set(globalThis, place, before)
})

describe.each([
  ["a proxy in the environment", () => new EnvHttpProxyAgent()],
  ["no proxy", () => before]
])("with %s", (_, dispatcher) => {
  beforeEach(() => {
    Reflect.set(globalThis, place, dispatcher())
  })

  it("reaches a server of this machine, which reads the whole request", async () => {
    const url = await startServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () =>
        response
          .writeHead(201, { "set-cookie": ["a=1", "b=2"], location: "/elsewhere" })
          .end(`${request.method} ${request.url} ${request.headers["content-type"]} ${body}`)
      )
    })
    const headers = { "content-type": "application/json" }
    const response = await loopbackFetch(`${url}/pay?id=1`, { method: "POST", headers, body: "{}" })
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"])
    expect(await response.text()).toBe("POST /pay?id=1 application/json {}")
  })

  it("follows no redirect, and takes a response without a body", async () => {
    const url = await startServer((request, response) => {
      response.writeHead(request.url === "/gone" ? 204 : 302, { location: "/gone" }).end()
    })
    expect((await loopbackFetch(new URL(url))).status).toBe(302)
    expect((await loopbackFetch(`${url}/gone`)).body).toBeNull()
  })

  it("fails where no one listens, and when it is aborted", async () => {
    const url = await startServer(() => {})
    const signal = AbortSignal.timeout(1)
    await expect(loopbackFetch(url, { signal })).rejects.toThrow(/aborted/)
    await expect(loopbackFetch("http://127.0.0.1:1")).rejects.toThrow(/fetch failed|ECONNREFUSED/)
  })
})

it("leaves other machines to the proxy", async () => {
  Reflect.set(globalThis, place, new EnvHttpProxyAgent())
  await expect(loopbackFetch("http://shop.example/notify")).rejects.toMatchObject({
    cause: { message: "sent to the proxy" }
  })
})
