/**
 * Which of GoPay's two APIs a path belongs to. Faults, the log of bodies and the form of refusals go by it.
 */
import { basePathV4 } from "../../contract/EndpointV4.js"

/** Where API v3 is, below the address of the gateway. */
export const basePathV3 = "/api"

/** The API that a path, without its query, belongs to; undefined for pages and controls. */
export const apiOf = (path: string): "v3" | "v4" | undefined =>
  path.startsWith(`${basePathV3}/`) ? "v3" : path === basePathV4 || path.startsWith(`${basePathV4}/`) ? "v4" : undefined
