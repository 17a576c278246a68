import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import {
  type NodeHandler,
  type NotificationRequestHandler,
  type ReceivedRequest,
  toNodeHandler
} from "../../src/promise/index.js"

const headers = { "cache-control": "no-store" }

/** Answers with a status, and records the requests. */
const handlerOf = (status: number) => {
  const asked: Array<unknown> = []
  const handler: NotificationRequestHandler = async (request) => {
    asked.push(request)
    return new Response(null, { status, headers })
  }
  return { asked, handler }
}

/** A response of Node, and what became of it. */
const nodeResponse = ({ headersSent = false, isBroken = false } = {}) => {
  const written: Array<unknown> = []
  return {
    written,
    response: {
      headersSent,
      writeHead: (status: number, headers: Record<string, string>) => {
        if (isBroken) throw new Error("the socket is gone")
        written.push([status, headers])
      },
      end: () => written.push("end")
    }
  }
}

/** A body that waits to be read. */
const unread = (text: string) => ({
  async *[Symbol.asyncIterator]() {
    yield new TextEncoder().encode(text)
  }
})

/** Lets everything happen that is to happen. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a handler for Node", () => {
  it("answers on Node's own server with the status and headers of the handler", async () => {
    const { asked, handler } = handlerOf(503)
    const server = createServer(toNodeHandler(handler))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    const response = await fetch(`http://127.0.0.1:${port}/notify?id=1`)
    expect([response.status, await response.text(), response.headers.get("cache-control")]).toEqual([
      503,
      "",
      "no-store"
    ])
    expect(asked).toMatchObject([{ method: "GET", url: "/notify?id=1" }])
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  })

  it("goes by the address as it came, whatever a framework has made of it", async () => {
    const { asked, handler } = handlerOf(200)
    toNodeHandler(handler)({ method: "GET", url: "/", originalUrl: "/api/notify?id=1" }, nodeResponse().response)
    await settled()
    expect(asked).toMatchObject([{ method: "GET", url: "/api/notify?id=1" }])
  })

  const list = ["a,b", "č&d"]
  it.each<[string, object, string]>([
    ["as it came", { body: "item=1&item=2" }, "item=1&item=2"],
    ["as bytes", { body: new TextEncoder().encode("item=1&item=2") }, "item=1&item=2"],
    ["of a parser that makes lists", { body: { as: "done", item: list } }, "as=done&item=a%2Cb&item=%C4%8D%26d"],
    [
      "of a parser that makes objects of long lists",
      { body: { item: { 0: list[0], 1: list[1] } } },
      "item=a%2Cb&item=%C4%8D%26d"
    ],
    ["that no parser has read", { body: {}, ...unread("item=1&item=2") }, "item=1&item=2"],
    ["that no one has read", unread("item=1&item=2"), "item=1&item=2"]
  ])("hands over a form %s", async (_, request, text) => {
    const texts: Array<string> = []
    const handler = async (given: ReceivedRequest) => {
      texts.push(await given.text())
      return new Response()
    }
    toNodeHandler(handler)({ method: "POST", url: "/", ...request }, nodeResponse().response)
    await settled()
    await settled()
    expect(texts).toEqual([text])
  })

  /** What a handler reads of a request. */
  const readOf = <A>(request: object, read: (given: ReceivedRequest) => A) =>
    new Promise<Awaited<A>>((resolve, reject) => {
      const handler = async (given: ReceivedRequest) => {
        resolve(await read(given))
        return new Response()
      }
      toNodeHandler(handler)({ method: "POST", url: "/", ...request }, nodeResponse().response, reject)
    })

  const chunks = (...all: ReadonlyArray<Uint8Array | string>) => ({
    async *[Symbol.asyncIterator]() {
      yield* all
    }
  })

  it("puts the chunks of a body together", async () => {
    const body = chunks(new Uint8Array([1, 2]), new Uint8Array([3]), new Uint8Array([4, 5]))
    expect([...new Uint8Array(await readOf(body, (given) => given.arrayBuffer()))]).toEqual([1, 2, 3, 4, 5])
  })

  it("hands over bytes that a parser has read, and none where there is no body", async () => {
    const parsed = { body: new Uint8Array([1, 2]) }
    expect([...new Uint8Array(await readOf(parsed, (given) => given.arrayBuffer()))]).toEqual([1, 2])
    expect((await readOf({}, (given) => given.arrayBuffer())).byteLength).toBe(0)
  })

  it("takes an empty body, and one of null, for one that no parser has read", async () => {
    for (const body of [{}, null, undefined]) {
      expect(await readOf({ body, ...unread("a=1") }, (given) => given.text())).toBe("a=1")
    }
  })

  const bytes = (length: number) => chunks(new Uint8Array(length - 1), new Uint8Array(1))

  it("reads 100 000 bytes of a text, and 17 MiB of a file, and no more", async () => {
    const file = 17 * 1024 * 1024
    const text = (given: ReceivedRequest) => given.text()
    const buffer = (given: ReceivedRequest) => given.arrayBuffer()
    expect(await readOf(bytes(100_000), text)).toHaveLength(100_000)
    await expect(readOf(bytes(100_001), text)).rejects.toThrow("The body of the request is too long.")
    expect((await readOf(bytes(file), buffer)).byteLength).toBe(file)
    await expect(readOf(bytes(file + 1), buffer)).rejects.toThrow("The body of the request is too long.")
  })

  it("says that a framework has decoded the body", async () => {
    await expect(readOf(chunks("a=1"), (given) => given.text())).rejects.toThrow("has been decoded already")
  })

  it("finds a header by any spelling: a list as one text, null where there is none", async () => {
    const request = { headers: { accept: ["text/html", "text/plain"], host: "shop.example" } }
    const found = await readOf(request, ({ headers }) =>
      ["Accept", "HOST", "cookie", "constructor"].map((name) => headers.get(name))
    )
    expect(found).toEqual(["text/html, text/plain", "shop.example", null, null])
    expect(await readOf({}, ({ headers }) => headers.get("host"))).toBeNull()
  })

  it("hands over an empty method and address where a request has none", async () => {
    expect(await readOf({ method: undefined, url: undefined }, ({ method, url }) => [method, url])).toEqual(["", ""])
  })

  it("ends a response without a body by no argument, and one with a body by it", async () => {
    const ended: Array<ReadonlyArray<unknown>> = []
    const response = { ...nodeResponse().response, end: (...content: ReadonlyArray<unknown>) => ended.push(content) }
    toNodeHandler(async () => new Response(null))({ method: "GET", url: "/" }, response)
    await settled()
    toNodeHandler(async () => new Response("page"))({ method: "GET", url: "/" }, response)
    await settled()
    await settled()
    expect(ended).toEqual([[], ["page"]])
  })

  it("answers with a reply of Fastify", async () => {
    const { handler } = handlerOf(200)
    const sent: Array<unknown> = []
    const reply = {
      sent: false,
      code: (status: number) => sent.push(status),
      headers: (headers: object) => sent.push(headers),
      send: () => sent.push("send")
    }
    toNodeHandler(handler)({ method: "GET", url: "/?id=1" }, reply)
    await settled()
    expect(sent.splice(0)).toEqual([200, headers, "send"])
    toNodeHandler(handler)({ method: "GET", url: "/?id=1" }, { ...reply, sent: true })
    await settled()
    expect(sent).toEqual([])
  })

  it("leaves a response alone that has been sent", async () => {
    const { asked, handler } = handlerOf(200)
    const { response, written } = nodeResponse({ headersSent: true })
    toNodeHandler(handler)({ method: "GET", url: "/?id=1" }, response)
    await settled()
    expect([asked.length, written]).toEqual([1, []])
  })

  it("gives what fails to the framework, and answers with 503 where there is none", async () => {
    const failure = new Error("no database")
    const failing = toNodeHandler(() => Promise.reject(failure))
    const told: Array<unknown> = []
    const { response, written } = nodeResponse()
    failing({ method: "GET", url: "/" }, response, (error) => told.push(error))
    await settled()
    expect([told, written]).toEqual([[failure], []])
    failing({ method: "GET", url: "/" }, response)
    await settled()
    expect(written).toEqual([[503, headers], "end"])
  })

  it.each<{ readonly how: string; readonly run: (handler: NodeHandler) => void }>([
    {
      how: "no one can write to the socket",
      run: (handler) => handler({ method: "GET", url: "/" }, nodeResponse({ isBroken: true }).response)
    },
    {
      how: "the framework's own function throws",
      run: (handler) =>
        handler({ method: "GET", url: "/" }, nodeResponse({ isBroken: true }).response, () => {
          throw new Error("not today")
        })
    },
    {
      how: "there is no request",
      run: (handler) => Reflect.apply(handler, undefined, [undefined, nodeResponse().response])
    }
  ])("never throws, nor rejects unseen, when $how", async ({ run }) => {
    const unseen: Array<unknown> = []
    const see = (error: unknown): void => void unseen.push(error)
    process.on("unhandledRejection", see)
    run(toNodeHandler(handlerOf(200).handler))
    await settled()
    await settled()
    process.off("unhandledRejection", see)
    expect(unseen).toEqual([])
  })
})
