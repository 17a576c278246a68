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
 * Calls work whatever the store does: if a function rejects, throws, takes longer than a second or returns something
 * other than text, the token is merely not shared. Both functions may be called at any time and by several processes
 * concurrently.
 */
export interface TokenStore {
  /** The text under a key; `null` or `undefined` if there is none, or no longer. */
  readonly get: (key: string) => Promise<string | null | undefined>
  /**
   * Replaces the text under a key. After this many seconds (a whole number, 1 or more) the text is useless: the store
   * may delete it, or keep it longer. Keys have fewer than 300 characters and are valid file names: letters, digits and
   * `-_.!~*'(),%`.
   */
  readonly set: (key: string, text: string, seconds: number) => Promise<unknown>
}
