/**
 * For testing a shop that uses Effect: a shop on the test's clock, and a transport with scripted responses.
 */
export { FakeTransport } from "./FakeTransport.js"
export type { CapturedRequest, FakeTransportService, ScriptedAnswer, ScriptedResponse } from "./FakeTransport.js"
export { InvariantBroken } from "./Simulation.js"
export { simulateShop, type SimulationOptions } from "./simulateShop.js"
export { TestShop, type TestShopOptions, type TestShopService } from "./TestShop.js"
export type { KillPoint } from "./TestShopOperations.js"
