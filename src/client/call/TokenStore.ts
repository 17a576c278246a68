/**
 * A text store through which processes share an access token, for callers who do not use Effect.
 */

/**
 * A store of texts in which processes find each other's access token: Redis, Cloudflare KV, a table, files.
 *
 * ```ts
 * const tokenStore: TokenStore = {
 *   get: (key) => redis.get(key),
 *   set: (key, text, seconds) => redis.set(key, text, { EX: seconds })
 * }
 * ```
 *
 * Whatever it does, calls go on: what rejects, throws, takes longer than a second or is no text costs the sharing only.
 * Both may be called at any time and by several processes at once.
 */
export interface TokenStore {
  /** The text under a key; `null` or `undefined` when there is none, or none any more. */
  readonly get: (key: string) => Promise<string | null | undefined>
  /**
   * Puts a text in the place of another. After so many seconds (a whole number, 1 or more) it is of no use: the store
   * may forget it, and may also keep it longer. Keys have less than 300 characters and suit as names of files: letters,
   * digits and `-_.!~*'(),%`.
   */
  readonly set: (key: string, text: string, seconds: number) => Promise<unknown>
}
