/**
 * The body of a `fetch`, which may be one of the caller's own.
 */
import { describe, expect, it, vi } from "vitest"
import { readBody } from "../../../src/client/transport/ResponseBody.js"

const { signal } = new AbortController()

const textOf = (data: ArrayBuffer | undefined): string | undefined =>
  data === undefined ? undefined : new TextDecoder().decode(data)

/** A body whose chunks the test gives, and whether it was cancelled. */
const openBody = () => {
  const seen = { isCancelled: false }
  const controllers: Array<ReadableStreamDefaultController<unknown>> = []
  const body = new ReadableStream<unknown>({
    start: (controller) => void controllers.push(controller),
    cancel: () => {
      seen.isCancelled = true
    }
  })
  const response: Response = Object.assign(Object.create(null), { body, headers: new Headers() })
  const [controller] = controllers
  if (controller === undefined) throw new Error("no stream")
  return { response, seen, controller }
}

describe("a body", () => {
  it("is all of its chunks", async () => {
    const { controller, response } = openBody()
    for (const text of ["one ", "", "two"]) controller.enqueue(new TextEncoder().encode(text))
    controller.close()
    expect(textOf(await readBody(response, 7, signal))).toBe("one two")
  })

  it("that is not there is empty", async () => {
    expect(await readBody(new Response(null, { status: 204 }), 7, signal)).toEqual(new ArrayBuffer(0))
  })

  it("of something else than bytes is none", async () => {
    const { controller, response } = openBody()
    controller.enqueue("text")
    controller.close()
    await expect(readBody(response, 7, signal)).rejects.toThrow(new TypeError("not bytes"))
  })

  it("that is no stream is read at once, as far as the limit", async () => {
    const withBody = (data: unknown): Response =>
      Object.assign(Object.create(null), { headers: new Headers(), arrayBuffer: async () => data })
    const { buffer } = Uint8Array.from([1, 2, 3])
    expect(await readBody(withBody(buffer), 3, signal)).toBe(buffer)
    expect(await readBody(withBody(buffer), 2, signal)).toBeUndefined()
    for (const other of [new Uint8Array(3), "text", { byteLength: 3 }, undefined]) {
      await expect(readBody(withBody(other), 3, signal)).rejects.toThrow(new TypeError("not a buffer"))
    }
  })

  it("is given up when the signal aborts, and not once it was read", async () => {
    const { controller, response, seen } = openBody()
    const giving = new AbortController()
    const reading = readBody(response, 100, giving.signal)
    controller.enqueue(new Uint8Array(1))
    giving.abort(new Error("given up"))
    await expect(reading).rejects.toThrow("given up")
    expect(seen.isCancelled).toBe(true)

    const later = new AbortController()
    const added = vi.spyOn(later.signal, "addEventListener")
    const removed = vi.spyOn(later.signal, "removeEventListener")
    await readBody(new Response("{}"), 100, later.signal)
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls).toEqual(added.mock.calls)
  })
})
