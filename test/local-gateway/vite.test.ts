/**
 * The plugin in a development server of Vite.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { createLogger, createServer, resolveConfig, type Plugin, type ViteDevServer } from "vite"
import { gopay } from "../../src/local-gateway/vite.js"
import { createGatewayClient, optionsFromEnv } from "../../src/promise/index.js"

const names = ["GOPAY_GOID", "GOPAY_CLIENT_ID", "GOPAY_CLIENT_SECRET", "GOPAY_ENVIRONMENT"]

const folder = mkdtempSync(join(tmpdir(), "vite-"))
const servers: Array<ViteDevServer> = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  vi.unstubAllEnvs()
  for (const name of names) delete process.env[name]
})
afterAll(() => rmSync(folder, { recursive: true }))

const logger = (said: Array<string> = []) => ({
  ...createLogger("silent"),
  info: (line: string) => void said.push(line)
})

/** A development server that listens, and what it says. */
const listening = async (...plugins: ReadonlyArray<Plugin>) => {
  const said: Array<string> = []
  const server = await createServer({
    configFile: false,
    customLogger: logger(said),
    optimizeDeps: { noDiscovery: true },
    plugins: [...plugins],
    root: folder,
    server: { host: "localhost", port: 0, ws: false }
  })
  servers.push(server)
  await server.listen()
  const address = server.httpServer?.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { server, said, origin: `http://localhost:${port}` }
}

const order = {
  amount: 10_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "http://localhost/return" }
}

const created = async () => {
  await using client = createGatewayClient(optionsFromEnv(process.env))
  return client.createPayment(order)
}

describe("gopay()", () => {
  it("mounts a gateway in the development server, and points clients of the process at it", async () => {
    const { origin, said } = await listening(gopay())
    // The first request already finds the variables.
    expect((await fetch(`${origin}/gopay/`)).headers.get("content-type")).toContain("text/html")
    expect(process.env["GOPAY_ENVIRONMENT"]).toBe(`${origin}/gopay`)
    const { gw_url: payPage } = await created()
    expect(payPage).toMatch(new RegExp(`^${origin}/gopay/gw/v3/`))
    expect((await fetch(payPage)).status).toBe(200)
    expect(said).toContain(`  ➜  GoPay:   ${origin}/gopay (local gateway, no money moves)`)
    expect((await fetch(`${origin}/another`)).status).toBe(404)
  })

  it("is below another path where it is told so", async () => {
    const { origin } = await listening(gopay({ url: "/test/gopay" }))
    expect((await fetch(`${origin}/test/gopay/openapi.json`)).status).toBe(200)
    expect(process.env["GOPAY_ENVIRONMENT"]).toBe(`${origin}/test/gopay`)
  })

  it("leaves variables alone when one of them is set, and starts no gateway before someone looks at it", async () => {
    vi.stubEnv("GOPAY_ENVIRONMENT", "sandbox")
    const dataFile = join(folder, "unused.json")
    const { origin, said } = await listening(gopay({ dataFile }))
    expect((await fetch(`${origin}/another`)).status).toBe(404)
    expect(existsSync(dataFile)).toBe(false)
    expect((await fetch(`${origin}/gopay/openapi.json`)).status).toBe(200)
    expect(existsSync(dataFile)).toBe(true)
    expect(names.map((name) => process.env[name])).toEqual([undefined, undefined, undefined, "sandbox"])
    expect(said).toContain(
      `  ➜  GoPay:   ${origin}/gopay (local gateway, no money moves; GOPAY_… are set already, and stay)`
    )
  })

  it("keeps its payments when Vite starts again with another configuration, and no longer", async () => {
    const { origin, server } = await listening(gopay())
    await fetch(`${origin}/gopay/openapi.json`)
    const { id } = await created()
    await server.restart()
    const payments = async () => {
      const address = server.httpServer?.address()
      const port = typeof address === "object" ? address?.port : undefined
      const response = await fetch(`http://localhost:${port}/gopay/local-gateway/payments`)
      const { payments }: { readonly payments: ReadonlyArray<{ readonly id: number }> } = await response.json()
      return payments.map(({ id }) => id)
    }
    expect(await payments()).toEqual([id])
    await server.close()
    servers.pop()
    const next = await listening(gopay())
    const response = await fetch(`${next.origin}/gopay/local-gateway/payments`)
    expect(await response.json()).toMatchObject({ payments: [] })
  })

  it("tells each request that the data file cannot be used", async () => {
    const dataFile = join(folder, "gateway.json")
    writeFileSync(dataFile, "no seed")
    const { origin } = await listening(gopay({ dataFile }))
    const response = await fetch(`${origin}/gopay/openapi.json`)
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("gateway.json")])
  })

  it("is no part of a build", async () => {
    const pluginsOf = async (command: "build" | "serve") => {
      const { plugins } = await resolveConfig({ configFile: false, root: folder, plugins: [gopay()] }, command)
      return plugins.map(({ name }) => name)
    }
    expect(await pluginsOf("build")).not.toContain("effect-gopay")
    expect(await pluginsOf("serve")).toContain("effect-gopay")
  })
})
