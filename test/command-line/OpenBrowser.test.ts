/**
 * The browser that a command opens: on Linux the program `xdg-open`, whose place a program of the test takes.
 */
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startWith } from "../support/CommandLine.js"

const folder = mkdtempSync(join(tmpdir(), "open-"))
const server = createServer()

/** The program reports its arguments to the test. */
const program = `#!${process.execPath}
void fetch(process.env.TELL, { method: "POST", body: process.argv[2] })
`

let tell = ""

beforeAll(async () => {
  writeFileSync(join(folder, "xdg-open"), program, { mode: 0o755 })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  tell = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** The address that the next browser is asked to open. */
const opened = async (): Promise<string> => {
  const [request, response] = await once(server, "request")
  let body = ""
  for await (const piece of request) body += piece
  response.end()
  return body
}

it.skipIf(process.platform !== "linux").each([
  [["local-gateway", "--open", "--port", "0"], /dashboard +(\S+)\n/],
  [["demo", "--port", "0"], /The shop: +(\S+)\n/]
])("%j opens the address that it says", async (args, said) => {
  const seen = opened()
  const command = startWith({ PATH: folder, TELL: tell }, ...args)
  const [, url] = await command.says(said)
  expect(await seen).toBe(url)
  expect((await command.stop("SIGTERM")).code).toBe(0)
})

it("a command goes on where there is no browser", async () => {
  const command = startWith({ PATH: join(folder, "nothing") }, "local-gateway", "--open", "--port", "0")
  const [, url = ""] = await command.says(/dashboard +(\S+)\n[^]*Ctrl-C/)
  expect((await fetch(url)).status).toBe(200)
  expect((await command.stop("SIGTERM")).code).toBe(0)
})
