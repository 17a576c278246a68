/**
 * Runs the Worker here, in Cloudflare's own runtime.
 */
import { optionsFromEnv } from "effect-gopay/promise"
import { build } from "esbuild"
import { Miniflare } from "miniflare"

const { outputFiles } = await build({
  entryPoints: ["shop.ts"],
  bundle: true,
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:workers"],
  format: "esm",
  write: false
})
const { PORT = "3000", SHOP_URL = `http://localhost:${PORT}` } = process.env
optionsFromEnv(process.env) // says what is missing
const variables = Object.entries(process.env).filter(([name]) => name.startsWith("GOPAY_"))

const worker = new Miniflare({
  modules: [{ type: "ESModule", path: "shop.js", contents: outputFiles[0].text }],
  compatibilityDate: "2025-05-05",
  bindings: { ...Object.fromEntries(variables), SHOP_URL },
  kvNamespaces: ["SHOP"],
  host: "localhost",
  port: Number(PORT)
})
await worker.ready
