import { shop } from "./shop.ts"

export default { fetch: shop.fetch, port: Number(process.env["PORT"] ?? 3000) }
