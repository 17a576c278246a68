/**
 * The place of a gateway: the address that it listens on, the path below which it is mounted, and the file that stores
 * its state.
 */

/** Where a local gateway listens, its names, and where its state is stored. */
export interface PlaceOptions {
  /** Default: 0, any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach the gateway. */
  readonly host?: string | undefined
  /**
   * Names, without a port, under which the gateway may be called, besides loopback names and `host`: such as `gopay`
   * between containers. Any other `Host` is refused with 403, so that no web page can reach the gateway through a name
   * of its own.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /**
   * The address at which browsers and clients reach the gateway, if it differs from the one that it listens on: such as
   * `http://127.0.0.1:4646` for a gateway in a container. It becomes `url`, and `gw_url` starts with it. It has no
   * path.
   */
  readonly publicUrl?: string | undefined
  /**
   * Path of the file that keeps the state between runs, in the format of a seed. It is created if it does not exist; if
   * it does, it replaces the seed. It is written before a change is acknowledged, and contains credentials. A gateway
   * does not start if another one is using the file; the error names that one.
   */
  readonly dataFile?: string | undefined
}

/** A path without a trailing slash: empty for a server of its own, such as `/gopay` in a dev server. */
export type BasePath = "" | `/${string}`

/** The path of a gateway's address. */
export const basePath = (url: string): BasePath => {
  const path = new URL(url).pathname.replace(/\/$/, "")
  return path === "" ? "" : `/${path.slice(1)}`
}

/** Whether a path, with or without its query, is the base or lies below it. */
export const isBelow = (base: BasePath, path: string): boolean =>
  path.startsWith(base) && ["", "/", "?"].includes(path.charAt(base.length))

/** A path without the base, which some routers have already stripped. */
export const withoutBase = (base: BasePath, path: string): string =>
  (isBelow(base, path) ? path.slice(base.length) : path).replace(/^(?!\/)/, "/")
