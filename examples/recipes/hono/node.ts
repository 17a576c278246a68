import { serve } from "@hono/node-server"
import { shop } from "./shop.ts"

serve({ fetch: shop.fetch, port: Number(process.env["PORT"] ?? 3000) })
