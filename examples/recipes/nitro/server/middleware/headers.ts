import { policy } from "../utils/gopay"

/** Not in the rules of the routes, which are those of the build: a build knows no gateway. */
export default defineEventHandler((event) => setResponseHeader(event, "content-security-policy", policy()))
