/**
 * The path to the value that a schema issue is about.
 */

/** The way to a value: keys and indexes, or segments that hold them. */
export type IssuePath = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>

/** The keys and indexes of the way alone. */
export const keysOf = (path: IssuePath): ReadonlyArray<PropertyKey> =>
  path.map((segment) => (typeof segment === "object" ? segment.key : segment))

/** The way as text: `items[0].amount`. */
export const pathText = (path: IssuePath): string =>
  keysOf(path)
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("")
