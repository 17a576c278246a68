/**
 * A shop under test: its ledger, a gateway and a clock that the test moves. It needs no other package.
 */
export { createTestShop, simulateShop } from "./createTestShop.js"
export { InvariantBroken } from "../Simulation.js"
export type { KillPoint } from "../TestShopOperations.js"
export type * from "./createTestShop.js"
