/**
 * Pages of a real Next.js project, under each of its settings for caches: `node main.js <Next.js> <React>`. Each request
 * of a page is a read and a change at the gateway, whatever Next.js caches; a page without settings is no static one.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const [next, react] = process.argv.slice(2)

/** Settings of a page, and whether it asks for the request's query: then it is rendered for each request. */
const pages = {
  plain: { settings: "", isDynamic: false },
  query: { settings: "", isDynamic: true },
  revalidated: { settings: "export const revalidate = 3600", isDynamic: true },
  "force-dynamic": { settings: 'export const dynamic = "force-dynamic"', isDynamic: false },
  edge: { settings: 'export const runtime = "edge"', isDynamic: true },
  "edge-force-cache": {
    settings: 'export const runtime = "edge"; export const fetchCache = "force-cache"',
    isDynamic: true
  },
  ...Object.fromEntries(
    ["default-cache", "only-cache", "force-cache", "default-no-store", "only-no-store", "force-no-store"].map(
      (mode) => [mode, { settings: `export const fetchCache = "${mode}"`, isDynamic: true }]
    )
  )
}

const page = ({ isDynamic, settings }) => `
import { createGatewayClient } from "effect-gopay/promise"
${settings}
const merchant = { goid: 8123456781, clientId: "1234567890", clientSecret: "secret", environment: process.env.GATEWAY }
export default async function Page({ searchParams }) {
  ${isDynamic ? "const { visit } = await searchParams" : "const visit = 0"}
  const gateway = createGatewayClient({ ...merchant, retry: false })
  const { order_number } = await gateway.getPayment(3000006529)
  const { result } = await gateway.refundPayment(3000006529, { amount: 1 })
  return <p>{"read:" + order_number + " " + result + " " + visit + ";"}</p>
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
  const write = (path, text) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  write("package.json", JSON.stringify({ name: "shop", private: true }))
  write("app/layout.jsx", layout)
  for (const [name, options] of Object.entries(pages)) write(`app/${name}/page.jsx`, page(options))
  const dependencies = [`next@${next}`, `react@${react}`, `react-dom@${react}`]
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...dependencies], { cwd: project, stdio: "ignore" })
  execFileSync("cp", [
    "-RL",
    join(import.meta.dirname, "node_modules/effect-gopay"),
    join(project, "node_modules/effect-gopay")
  ])
  return project
}

const startNext = async (project, env) => {
  const run = (...args) => [process.execPath, ["node_modules/next/dist/bin/next", ...args], { cwd: project, env }]
  const [command, args, options] = run("build")
  execFileSync(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"] })
  const server = spawn(...run("start", "--port", "0"), { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  const url = await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`next start has ended: ${said}`)))
    server.stdout.on("data", (text) => {
      said += text
      const [found] = /http:\/\/localhost:\d+/.exec(said) ?? []
      if (found !== undefined && said.includes("Ready")) resolve(found)
    })
  })
  return { url, stop: () => server.kill() }
}

const gateway = await startGateway()
const project = makeProject()
const failures = []
try {
  const env = { ...process.env, GATEWAY: gateway.url, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }
  const server = await startNext(project, env)
  try {
    for (const name of Object.keys(pages)) {
      for (const visit of [1, 2, 3]) {
        const { changes, reads } = gateway.counts
        const html = await (await fetch(`${server.url}/${name}?visit=${visit}`)).text()
        const [, read] = /read:(\d+) FINISHED/.exec(html) ?? []
        const isFresh = read === String(reads + 1) && gateway.counts.changes === changes + 1
        if (!isFresh) {
          failures.push(
            `${name}, visit ${visit}: read ${read} of ${reads + 1}, ${gateway.counts.changes - changes} changes`
          )
        }
      }
    }
  } finally {
    server.stop()
  }
} finally {
  gateway.stop()
  rmSync(project, { recursive: true, force: true })
}
if (failures.length > 0) throw new Error(`Next.js ${next}, answered by a cache:\n${failures.join("\n")}`)
console.log(`Next.js ${next}: ${Object.keys(pages).length} pages, each visit is a read and a change at the gateway`)
