/**
 * Which of GoPay's two APIs a path belongs to. Faults, logged bodies and the format of refusals depend on it.
 */
import { basePathV4 } from "../../contract/EndpointV4.js"

/** Where API v3 is, below the address of the gateway. */
export const basePathV3 = "/api"

/** The API of a path without its query; `undefined` for pages and controls. */
export const apiOf = (path: string): "v3" | "v4" | undefined =>
  path.startsWith(`${basePathV3}/`) ? "v3" : path === basePathV4 || path.startsWith(`${basePathV4}/`) ? "v4" : undefined
