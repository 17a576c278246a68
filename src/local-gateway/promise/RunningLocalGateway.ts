/**
 * The local gateway with promises: its options and its operations.
 *
 * This module has no dependency on Effect.
 */
import type { DurationInput } from "../../contract/DurationInput.js"
import type { JournalEntry, LoggedEvent, LoggedRequest, NotificationResponse } from "../server/Journal.js"
import type { ArmingOperations, ControlOperations, PayerOperations } from "../LocalGatewayOperations.js"
import type { SettingsChange } from "../books/LocalGatewaySettings.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The content of a seed file: merchants, payments, cards and settings. `effect-gopay/seed.schema.json` describes it. It
 * is checked when it is used.
 *
 * @category local gateway
 */
export interface SeedJson {
  /** A member of the seed, by its name. */
  readonly [member: string]: unknown
}

/**
 * Options of `startLocalGateway`.
 *
 * @category local gateway
 */
export interface StartLocalGatewayOptions {
  /** Default: 0, which means any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach the gateway. */
  readonly host?: string | undefined
  /**
   * Names, without a port, by which the gateway may be called besides loopback names and `host`: such as `gopay`
   * between containers. Every other `Host` is refused with 403, so that no web page can reach the gateway through a
   * name of its own.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /**
   * The address at which browsers and clients reach the gateway, where it is not the one that it listens on: such as
   * `http://localhost:4646` for a gateway in a container. It becomes `url`, and `gw_url` starts with it. It has no
   * path.
   */
  readonly publicUrl?: string | undefined
  /** Settings that differ from the default. */
  readonly settings?: SettingsChange | undefined
  /**
   * The initial state, to which `reset` returns: the content of a seed file, or its text. Default: one merchant and
   * nothing else.
   */
  readonly seed?: SeedJson | string | undefined
  /**
   * Path of the file that keeps the state between runs: a seed file, created when it does not exist, and used in place
   * of the seed when it does. It is written before a change is acknowledged, and contains credentials. A second gateway
   * that is to use it at the same time does not start, and says which one does.
   */
  readonly dataFile?: string | undefined
  /**
   * Takes the notifications in place of a GET: it gets the address with its `id` and returns the response's status, or
   * the response with its headers and body for the log; 200 means taken.
   */
  readonly notificationReceiver?: ((url: string) => Promise<number | NotificationResponse>) | undefined
  /** Called with every request that was handled, as in `listRequests`. */
  readonly onRequest?: ((request: JournalEntry<LoggedRequest>) => void) | undefined
  /** Called with every other event, as in `listEvents`: changes of state, notifications, faults. */
  readonly onEvent?: ((event: JournalEntry<LoggedEvent>) => void) | undefined
}

/**
 * A merchant of a local gateway, ready to be passed to `createGatewayClient`.
 *
 * @category local gateway
 */
export interface LocalMerchant {
  /** The shop's identifier: ten digits. */
  readonly goid: number
  /** The ClientID of the shop. */
  readonly clientId: string
  /** The ClientSecret of the shop. */
  readonly clientSecret: string
  /** Address of the local gateway, without `/api`. */
  readonly environment: string
}

interface PromiseTypes {
  readonly merchant: LocalMerchant
  readonly duration: DurationInput
  readonly seed: SeedJson | string
  readonly seedContent: SeedJson
}

/** Operations as functions that return promises. */
type AsPromises<Operations> = {
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
 *
 * @category local gateway
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

/**
 * Options of `mountLocalGateway`.
 *
 * @category local gateway
 */
export interface MountLocalGatewayOptions extends Omit<StartLocalGatewayOptions, "port" | "host" | "publicUrl"> {
  /**
   * The address at which it is mounted, such as `http://localhost:3000/gopay`, or the path alone: then the origin is
   * that of each request. `gw_url` starts with it. Behind https name the whole address. Default: `/gopay`.
   */
  readonly url?: string | undefined
}

/**
 * A local gateway that responds to requests of a server of the caller's: the operations of a running local gateway, and
 * `fetch` or `node` to give to that server. Both are bound, so that they can be passed on by themselves.
 *
 * @category local gateway
 */
export interface MountedLocalGateway extends Omit<RunningLocalGateway, "merchant"> {
  /** Responds to a request below its path. The path may have been taken off already, as some routers do. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The same for Node's own requests and responses: `app.use(local.node)` in Express, `server.middlewares.use(local.node)`
   * in Vite. What is not below its path goes on to `next`. It has to come before whatever reads bodies.
   */
  readonly node: (request: object, response: object, next?: (error?: unknown) => void) => void
}
