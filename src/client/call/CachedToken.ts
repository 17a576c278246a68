/**
 * An access token, and for how long it is used.
 */
import * as Redacted from "effect/Redacted"

/** An access token and its times, in milliseconds since 1970. */
export interface CachedToken {
  /** The token itself. */
  readonly value: Redacted.Redacted<string>
  /** The time at which it was asked for. */
  readonly obtainedAt: number
  /** From then on it is refreshed while still in use. */
  readonly refreshAt: number
  /** From then on it is not used. */
  readonly expiresAt: number
  /** Another process may have obtained it, some time ago: a refusal of it says nothing of a new one. */
  readonly isFromStore: boolean
}

/** A token that lives for a time in milliseconds. */
export const token = (
  text: string,
  { isFromStore, lifetime, obtainedAt }: Pick<CachedToken, "isFromStore" | "obtainedAt"> & { readonly lifetime: number }
): CachedToken => ({
  value: Redacted.make(text, { label: "access token" }),
  obtainedAt,
  refreshAt: obtainedAt + lifetime - Math.min(60_000, lifetime / 10),
  expiresAt: obtainedAt + lifetime,
  isFromStore
})
