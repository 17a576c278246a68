/**
 * The local gateway, moved by HTTP: for tests in any language, and for the dashboard.
 */
import type { Engine } from "./Engine.js"
import type { PayerControls } from "./PayerControls.js"
import type { Route } from "./Routes.js"

/** Begins every path that is not the gateway's but the developer's; the real gateway has no such path. */
export const controlPrefix = "/local-gateway"

/** The control API. */
export const controlRoutes = (_engine: Engine, _controls: PayerControls): ReadonlyArray<Route> => []
