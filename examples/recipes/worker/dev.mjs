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
const { clientId, clientSecret, environment, goid } = optionsFromEnv(process.env)

const worker = new Miniflare({
  modules: [{ type: "ESModule", path: "shop.js", contents: outputFiles[0].text }],
  compatibilityDate: "2025-05-05",
  bindings: {
    GOPAY_GOID: goid,
    GOPAY_CLIENT_ID: clientId,
    GOPAY_CLIENT_SECRET: clientSecret,
    GOPAY_ENVIRONMENT: environment,
    SHOP_URL
  },
  kvNamespaces: ["SHOP"],
  host: "localhost",
  port: Number(PORT)
})
await worker.ready
