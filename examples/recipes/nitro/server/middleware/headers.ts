import { policy } from "../utils/gopay"

/** Not in the rules of the routes, which are fixed at the build, when no gateway is known. */
export default defineEventHandler((event) =>
  setResponseHeaders(event, { "content-security-policy": policy(), "cache-control": "no-store" })
)
