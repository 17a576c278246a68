/**
 * The page on which the payer pays.
 */
import type { Engine } from "./Engine.js"
import type { PayerControls } from "./PayerControls.js"
import type { Route } from "./Routes.js"

/** The pay page and the script that opens it within a merchant's page. */
export const payPageRoutes = (_engine: Engine, _controls: PayerControls): ReadonlyArray<Route> => []
