/**
 * The local gateway with promises: its options and its operations.
 *
 * This module has no dependency on Effect.
 */
import type { DurationInput } from "../../basics/DurationInput.js"
import type { PlaceOptions } from "../server/BasePath.js"
import type { JournalListeners, NotificationRequest, NotificationResponse } from "../server/Journal.js"
import type { LocalMerchant } from "../books/Actors.js"
import type { ArmingOperations, ControlOperations, PayerOperations } from "../LocalGatewayOperations.js"
import type { SettingsChange } from "../books/LocalGatewaySettings.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The content of a seed file: merchants, payments, cards and settings, as described by `effect-gopay/seed.schema.json`.
 * It is checked when it is used.
 */
export interface SeedJson {
  /** A member of the seed. */
  readonly [member: string]: unknown
}

/** Options of `startLocalGateway`. */
export interface StartLocalGatewayOptions extends PlaceOptions, JournalListeners {
  /** Settings that differ from the default and from the seed. */
  readonly settings?: SettingsChange | undefined
  /**
   * The initial state, to which `reset` returns: the content of a seed file, or its text. Default: one merchant and
   * nothing else.
   */
  readonly seed?: SeedJson | string | undefined
  /**
   * Receives the notifications instead of a request: the address with its `id`, the method, and the content of a POST.
   * Returns the status of the response, or the response with its headers and body for the log; 200 means accepted.
   */
  readonly notificationReceiver?:
    | ((url: string, request: NotificationRequest) => Promise<number | NotificationResponse>)
    | undefined
}

interface PromiseTypes {
  readonly duration: DurationInput
  readonly seed: SeedJson | string
  readonly seedContent: SeedJson
}

/** Operations as functions that return promises. */
export type AsPromises<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: infer Args) => infer A
    ? (...args: Args) => Promise<A>
    : never
}

/**
 * A running local gateway. Amounts are integers in minor units (haléře, cents).
 *
 * Its methods reject with a `LocalGatewayError`, whose `reason._tag` says what happened: `PaymentNotFound`, `WrongPaymentState`
 * or `InstrumentNotOffered` when the payer cannot do this, `InvalidInput` when an argument is wrong, `InvalidSeed` when a seed is,
 * `LocalGatewayClosed` when the gateway is closed.
 */
export interface RunningLocalGateway
  extends AsPromises<PayerOperations>, AsPromises<ArmingOperations>, AsPromises<ControlOperations<PromiseTypes>> {
  /** Its address, without `/api`, for example `http://127.0.0.1:43211`. */
  readonly url: string
  /** The first of its merchants. */
  readonly merchant: LocalMerchant
  /**
   * Closes the gateway: calls in progress reject with `LocalGatewayClosed`, connections are closed, the port becomes free. Every
   * call waits until that is done. Never rejects.
   */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of `mountLocalGateway`. */
export interface MountLocalGatewayOptions extends Omit<StartLocalGatewayOptions, "port" | "host" | "publicUrl"> {
  /**
   * The address at which it is mounted, such as `http://localhost:3000/gopay`, or only the path: then the origin is
   * that of each request. `gw_url` starts with it. Behind https, pass the complete address. Default: `/gopay`.
   */
  readonly url?: string | undefined
}

/**
 * A local gateway that responds to requests of your own server: the operations of a running local gateway, and `fetch`
 * or `node` for that server. Both are bound, so they can be passed on separately.
 */
export interface MountedLocalGateway extends Omit<RunningLocalGateway, "merchant"> {
  /** Responds to a request below its path. The path may already have been stripped, as some routers do. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The same for requests and responses of Node: `app.use(local.node)` in Express, `server.middlewares.use(local.node)`
   * in Vite. Requests outside its path are passed to `next`. Mount it before anything that reads bodies.
   */
  readonly node: (request: object, response: object, next?: (error?: unknown) => void) => void
}
