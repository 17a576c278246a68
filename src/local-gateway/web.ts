/**
 * The local GoPay gateway without Node: in a page, a worker, or another web runtime. It needs no other package. The
 * types of its operations' arguments and results are exported by `effect-gopay/local-gateway/promise`.
 */
import * as Schema from "effect/Schema"
import { openHandedState } from "./server/StateKeeping.js"
import { checked, commonOptions } from "./promise/GatewayPromises.js"
import { functionOption, optionsOf } from "./OptionChecks.js"
import { mountedAddress, mountedPromises } from "./promise/MountedPromises.js"
import type {
  MountLocalGatewayOptions as OptionsInNode,
  MountedLocalGateway as MountedInNode
} from "./promise/RunningLocalGateway.js"

export { defaultSettings } from "./books/DefaultSettings.js"
export { strictSettings } from "./books/LocalGatewaySettings.js"
export { TestCards } from "./books/TestCards.js"
export { LocalGatewayError } from "./promise/LocalGatewayError.js"

/** Options of `mountLocalGateway`. */
export interface MountLocalGatewayOptions extends Omit<OptionsInNode, "dataFile"> {
  /**
   * Returns the state that `save` was last called with; `undefined` at the first run. It is called once, by the first
   * request or operation, which rejects with its error, or with `InvalidSeed` if the text does not come from `save`.
   */
  readonly load?: (() => Promise<string | undefined>) | undefined
  /**
   * Stores the whole state, as the text of a seed file, after each change and before it is acknowledged. It is not
   * called again before its promise has settled. If it rejects, that is logged, and the next request saves what is
   * missing. The text contains credentials.
   */
  readonly save?: ((state: string) => Promise<void>) | undefined
}

/**
 * A local gateway that responds to requests of `fetch`: the operations of a running local gateway, and `fetch`, which
 * is bound, so it can be passed on separately.
 */
export type MountedLocalGateway = Omit<MountedInNode, "node">

const { dataFile: _, ...options } = commonOptions

const Options = optionsOf({
  url: Schema.optional(mountedAddress),
  load: functionOption<NonNullable<MountLocalGatewayOptions["load"]>>(),
  save: functionOption<NonNullable<MountLocalGatewayOptions["save"]>>(),
  ...options
})

/**
 * Makes a local gateway that runs wherever there are `Request` and `Response`: in a page, a worker, a service worker,
 * workerd or Deno. Pay page, dashboard and API are below the path of its `url`, and nothing else has to be started.
 *
 * ```ts
 * const local = mountLocalGateway({ url: `${location.origin}/gopay`, load: () => states.get("gopay") })
 * const response = await local.fetch(new Request(`${local.url}/api/oauth2/token`, { method: "POST" }))
 * ```
 *
 * It starts with the first request or operation and ends with `close`. Notifications are sent by `fetch`; in a page,
 * which cannot reach other origins, pass a `notificationReceiver`.
 *
 * Throws a `LocalGatewayError` for a wrong option. The first request rejects with the error of `load`, if there is one.
 */
export const mountLocalGateway = (options: MountLocalGatewayOptions = {}): MountedLocalGateway => {
  const { load, save, ...given } = checked("mountLocalGateway", Options, options)
  const { members, url } = mountedPromises(given, openHandedState({ load, save }))
  return {
    get url() {
      return url()
    },
    ...members
  }
}
