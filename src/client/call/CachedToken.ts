/**
 * An access token, with the times that decide how long it is used.
 */
import * as Redacted from "effect/Redacted"

/** An access token and its times, in milliseconds since 1970. */
export interface CachedToken {
  /** The token itself. */
  readonly value: Redacted.Redacted<string>
  /** When it was requested. */
  readonly obtainedAt: number
  /** When to refresh it, while it is still in use. */
  readonly refreshAt: number
  /** When to stop using it. */
  readonly expiresAt: number
  /** Another process may have obtained it some time ago, so the refusal of it says nothing about a new one. */
  readonly isFromStore: boolean
}

/** A token with a lifetime in milliseconds. */
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
