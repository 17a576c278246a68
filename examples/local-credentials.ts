/**
 * Credentials of a shop, of a local gateway: in a shop of yours, from its environment.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"

export const local = await startLocalGateway()
export const { clientId, clientSecret, environment, goid } = local.merchant
