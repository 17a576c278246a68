/**
 * The path below which a gateway is mounted.
 */

/** A path without a slash at its end: empty for a server of its own, such as `/gopay` in a dev server. */
export type BasePath = "" | `/${string}`

/** The path of a gateway's address. */
export const basePath = (url: string): BasePath => {
  const path = new URL(url).pathname.replace(/\/$/, "")
  return path === "" ? "" : `/${path.slice(1)}`
}

/** Whether a path, with or without its query, is the base or lies below it. */
export const isBelow = (base: BasePath, path: string): boolean =>
  path.startsWith(base) && ["", "/", "?"].includes(path.charAt(base.length))

/** A path without the base. Some routers have taken it off already. */
export const withoutBase = (base: BasePath, path: string): string =>
  (isBelow(base, path) ? path.slice(base.length) : path).replace(/^(?!\/)/, "/")
