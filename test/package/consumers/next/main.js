/**
 * Pages of a real Next.js project, under each of its settings for caches: `node main.js <Next.js> <React>`. Each request
 * of a page or a route handler is a read and a change at the gateway, whatever Next.js caches; one without settings is no
 * static one.
 */
import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const [next, react] = process.argv.slice(2)

/**
 * Settings of a page or of a route handler, and whether it reads the request's query: then it is rendered for each
 * request. One that is to be static, come what may, is read for when it is built.
 */
const settings = {
  plain: { text: "" },
  query: { text: "", isDynamic: true },
  revalidated: { text: "export const revalidate = 3600", isDynamic: true },
  "revalidated-never": { text: "export const revalidate = false", isDynamic: true },
  "revalidated-always": { text: "export const revalidate = 0" },
  "force-dynamic": { text: 'export const dynamic = "force-dynamic"' },
  "force-static": { text: 'export const dynamic = "force-static"', isStatic: true },
  edge: { text: 'export const runtime = "edge"', isDynamic: true },
  "edge-force-cache": {
    text: 'export const runtime = "edge"; export const fetchCache = "force-cache"',
    isDynamic: true
  },
  ...Object.fromEntries(
    ["auto", "default-cache", "only-cache", "force-cache", "default-no-store", "only-no-store", "force-no-store"].map(
      (mode) => [mode, { text: `export const fetchCache = "${mode}"`, isDynamic: true }]
    )
  )
}

/** With cached components a page has no such settings, and what is not cached stands in a `Suspense`. */
const settingsOfComponents = { plain: { text: "" }, query: { text: "", isDynamic: true } }

const calls = `
import { createGatewayClient } from "effect-gopay/promise"
const merchant = { goid: 8123456781, clientId: "1234567890", clientSecret: "secret", environment: process.env.GATEWAY }
const readAndRefund = async () => {
  const gateway = createGatewayClient({ ...merchant, retry: false })
  const { order_number } = await gateway.getPayment(3000006529)
  const { result } = await gateway.refundPayment(3000006529, { amount: 1 })
  return "read:" + order_number + " " + result + ";"
}
`

const page = ({ isDynamic = false, text }) => `
import { Suspense } from "react"
${calls}
${text}
async function Order({ searchParams }) {
  ${isDynamic ? "await searchParams" : ""}
  return <p>{await readAndRefund()}</p>
}
export default function Page(props) {
  return <Suspense><Order {...props} /></Suspense>
}
`

const handler = ({ isDynamic = false, text }) => `
${calls}
${text}
export async function GET(${isDynamic ? "request" : ""}) {
  ${isDynamic ? 'new URL(request.url).searchParams.get("visit")' : ""}
  return new Response(await readAndRefund())
}
`

const layout = `export default ({ children }) => <html lang="en"><body>{children}</body></html>`

/** A gateway that numbers what it is asked: a response from a cache has an old number. */
const startGateway = async () => {
  const counts = { reads: 0, changes: 0 }
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const answer = (body) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
      if (request.url.endsWith("/oauth2/token")) {
        answer({ token_type: "bearer", access_token: "a-token", expires_in: 1800 })
      } else if (request.method === "GET") {
        const target = { type: "ACCOUNT", goid: 8123456781 }
        answer({
          id: 3000006529,
          order_number: String(++counts.reads),
          state: "PAID",
          amount: 1,
          currency: "CZK",
          target
        })
      } else {
        counts.changes++
        answer({ id: 3000006529, result: "FINISHED" })
      }
    })
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    counts,
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => server.closeAllConnections() ?? server.close()
  }
}

const makeProject = () => {
  const project = mkdtempSync(join(tmpdir(), "next-"))
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", private: true }))
  const dependencies = [`next@${next}`, `react@${react}`, `react-dom@${react}`]
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...dependencies], { cwd: project, stdio: "ignore" })
  execFileSync("cp", [
    "-RL",
    join(import.meta.dirname, "node_modules/effect-gopay"),
    join(project, "node_modules/effect-gopay")
  ])
  return project
}

/** Writes the shop anew: for each of some settings a page and a route handler. */
const writeShop = (project, config, settings) => {
  for (const folder of ["app", ".next"]) rmSync(join(project, folder), { recursive: true, force: true })
  const write = (path, text) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  write("next.config.mjs", `export default ${JSON.stringify(config)}`)
  write("app/layout.jsx", layout)
  for (const [name, options] of Object.entries(settings)) {
    write(`app/${name}/page.jsx`, page(options))
    write(`app/${name}/handler/route.js`, handler(options))
  }
}

/** Builds the shop, beside the gateway: what it said, if it was refused. */
const build = (project, env) =>
  new Promise((resolve) => {
    const args = ["node_modules/next/dist/bin/next", "build"]
    execFile(
      process.execPath,
      args,
      { cwd: project, env: { ...env, NODE_ENV: "production" } },
      (error, stdout, stderr) => resolve(error === null ? undefined : `${stdout}${stderr}`)
    )
  })

const startNext = async (project, command, env) => {
  const server = spawn(process.execPath, ["node_modules/next/dist/bin/next", command, "--port", "0"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let said = ""
  let complaint = ""
  server.stderr.on("data", (text) => (complaint += text))
  const url = await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`next ${command} has ended: ${said}${complaint}`)))
    server.stdout.on("data", (text) => {
      said += text
      const [found] = /http:\/\/localhost:\d+/.exec(said) ?? []
      if (found !== undefined && said.includes("Ready")) resolve(found)
    })
  })
  return {
    url,
    /** Returns what it has said against the pages. */
    stop: async () => {
      server.removeAllListeners("exit")
      const ended = once(server, "exit")
      server.kill()
      await ended
      return complaint
    }
  }
}

const gateway = await startGateway()
const failures = []

/**
 * Visits every page and route handler three times: each visit is a read and a change, or neither where it is static. In
 * development Next.js may render one twice, to check it.
 */
const visitAll = async (mode, url, settings, headers = {}) => {
  for (const [name, { isStatic = false }] of Object.entries(settings)) {
    for (const path of [name, `${name}/handler`]) {
      for (const visit of [1, 2, 3]) {
        const { changes, reads } = gateway.counts
        const text = await (await fetch(`${url}/${path}?visit=${visit}`, { headers })).text()
        const [, read] = /read:(\d+) FINISHED/.exec(text) ?? []
        const made = gateway.counts.changes - changes
        const isBuilt = mode === "built"
        const isRight =
          isStatic && isBuilt ? read <= reads && made === 0 : read > reads && (isBuilt ? made === 1 : made >= 1)
        if (!isRight) failures.push(`${mode}, ${path}, visit ${visit}: read ${read} of ${reads + 1}, ${made} changes`)
      }
    }
  }
}

const project = makeProject()
try {
  const env = { ...process.env, GATEWAY: gateway.url, NEXT_TELEMETRY_DISABLED: "1" }
  const shops = [
    { config: {}, settings },
    // From 16 on.
    ...(Number.parseInt(next) < 16 ? [] : [{ config: { cacheComponents: true }, settings: settingsOfComponents }])
  ]
  for (const { config, settings } of shops) {
    writeShop(project, config, settings)
    const refusal = await build(project, env)
    if (refusal !== undefined) throw new Error(`Next.js ${next} does not build the shop: ${refusal}`)
    const built = await startNext(project, "start", { ...env, NODE_ENV: "production" })
    await visitAll("built", built.url, settings)
    await built.stop()
    const dev = await startNext(project, "dev", { ...env, NODE_ENV: "development" })
    await visitAll("dev", dev.url, settings)
    // As the page asks when a file of it has been changed.
    await visitAll("dev, refreshed", dev.url, settings, { rsc: "1", "next-hmr-refresh": "1" })
    const complaint = await dev.stop()
    if (complaint.includes("while prerendering")) failures.push(`dev: ${complaint}`)
  }
  // One that must never be rendered for a request is not built with what was read once.
  writeShop(project, {}, { error: { text: 'export const dynamic = "error"' } })
  const refusal = await build(project, env)
  if (!refusal?.includes('dynamic = "error"')) failures.push(`built, error: ${refusal ?? "was built"}`)
} finally {
  gateway.stop()
  rmSync(project, { recursive: true, force: true })
}
if (failures.length > 0) throw new Error(`Next.js ${next}, answered by a cache:\n${failures.join("\n")}`)
const pages = Object.keys(settings).length
console.log(
  `Next.js ${next}: ${pages} pages and route handlers, built and in development: each visit is a read and a change`
)
