/**
 * The local GoPay gateway with promises. It needs no other package.
 */
export * from "./SharedExports.js"
export type {
  MountedLocalGateway,
  MountLocalGatewayOptions,
  RunningLocalGateway,
  SeedJson,
  StartLocalGatewayOptions
} from "./RunningLocalGateway.js"
export { mountLocalGateway } from "./mountLocalGateway.js"
export { startLocalGateway } from "./startLocalGateway.js"
