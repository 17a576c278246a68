/**
 * Runs the Worker here, in Cloudflare's own runtime.
 */
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
const { GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT, GOPAY_GOID, PORT = "3000", SHOP_URL } = process.env

const worker = new Miniflare({
  modules: [{ type: "ESModule", path: "shop.js", contents: outputFiles[0].text }],
  compatibilityDate: "2025-05-05",
  bindings: { GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT, GOPAY_GOID, SHOP_URL },
  kvNamespaces: ["SHOP"],
  host: "localhost",
  port: Number(PORT)
})
await worker.ready
