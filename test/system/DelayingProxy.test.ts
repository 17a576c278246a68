import { once } from "node:events"
import { createServer, get } from "node:http"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { latenessOf, latest, startDelayingProxy } from "./DelayingProxy.js"

it("is late by times of which the seed and the order of a path's requests decide, and neither a port nor an id", () => {
  const timesOf = (seed: string, names: ReadonlyArray<string>) => names.map(latenessOf(seed))
  const times = timesOf("1", ["GET /a", "GET /pay/1", "GET /a", "GET /pay/2"])
  expect(timesOf("1", ["GET /pay/7", "GET /a", "GET /pay/8", "GET /a"])).toEqual([1, 0, 3, 2].map((at) => times[at]))
  expect(timesOf("2", ["GET /a"])).not.toEqual(times.slice(0, 1))
  expect(new Set(times).size).toBe(4)
  for (const time of times) expect(time >= 0 && time < latest).toBe(true)
})

it("passes on what was asked and answered, and an answer that is cut off", async () => {
  const server = createServer(async (request, response) => {
    if (request.url === "/cut") return void response.write("be", () => response.destroy())
    const { headers, method, url } = request
    response.writeHead(418, { "set-cookie": ["a=1", "b=2"] }).end(`${method} ${url} ${headers.host}`)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const proxy = await startDelayingProxy("1")
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const ask = async (path: string) => {
    const request = get({
      host: "127.0.0.1",
      port: new URL(proxy.url).port,
      path: `${origin}${path}`,
      headers: { host: "shop" }
    })
    const [response] = await once(request, "response")
    return { status: response.statusCode, cookies: response.headers["set-cookie"], body: await text(response) }
  }
  expect(await ask("/a?b=c")).toEqual({ status: 418, cookies: ["a=1", "b=2"], body: "GET /a?b=c shop" })
  await expect(ask("/cut")).rejects.toThrow("aborted")
  server.close()
  proxy.close()
})
