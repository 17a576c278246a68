/**
 * The page on which a developer sees what goes on.
 */
import type { Engine } from "./Engine.js"
import type { Route } from "./Routes.js"

/** The dashboard. */
export const dashboardRoutes = (_engine: Engine): ReadonlyArray<Route> => []
