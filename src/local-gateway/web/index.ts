/**
 * The local GoPay gateway without Node: in a page, a worker, or another runtime of the web. It needs no other package.
 */
export * from "../promise/SharedExports.js"
export type { SeedJson } from "../promise/RunningLocalGateway.js"
export type { MountedLocalGateway, MountLocalGatewayOptions } from "./mountLocalGateway.js"
export { mountLocalGateway } from "./mountLocalGateway.js"
