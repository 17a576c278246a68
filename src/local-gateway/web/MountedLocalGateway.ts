/**
 * A local gateway without Node: in a page, a worker or another runtime.
 *
 * This module has no dependency on Effect.
 */
import type {
  MountedLocalGateway as MountedInNode,
  MountLocalGatewayOptions as OptionsInNode
} from "../promise/MountedLocalGateway.js"

/**
 * Options of `mountLocalGateway`.
 *
 * @category local gateway
 */
export interface MountLocalGatewayOptions extends Omit<OptionsInNode, "dataFile"> {
  /**
   * Gives the state that `save` was last called with; undefined at the first run. It is called once, by the first request
   * or operation, which rejects with its error, or with `InvalidSeed` if the text is none of `save`.
   */
  readonly load?: (() => Promise<string | undefined>) | undefined
  /**
   * Keeps the whole state, as the text of a seed file, after each change and before it is acknowledged. It is not called
   * again before its promise is settled. Where it rejects, that is logged, and the next request saves what is missing.
   * The text holds credentials.
   */
  readonly save?: ((state: string) => Promise<void>) | undefined
}

/**
 * A local gateway that responds to requests of `fetch`: the operations of a running local gateway, and `fetch`, which is
 * bound, so that it can be passed on by itself.
 *
 * @category local gateway
 */
export type MountedLocalGateway = Omit<MountedInNode, "node">
