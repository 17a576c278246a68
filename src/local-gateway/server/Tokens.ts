/**
 * Access tokens: their merchants, scopes and lifetimes.
 */
import type { TokenScope } from "../../contract/CodeLists.js"
import type { MerchantAccount } from "../books/LocalMerchant.js"
import { randomBase64, type EventContext } from "../books/EventContext.js"

/** The response to a token request; members in the order of recordings. */
export interface TokenResponse {
  readonly token_type: "bearer"
  readonly access_token: string
  /** In seconds. */
  readonly expires_in: number
  readonly refresh_token: string
}

/** The merchant of a token, and its scope. */
interface TokenHolder {
  readonly merchant: MerchantAccount
  readonly scope: TokenScope
}

/** The tokens given out. Several may be valid at once. */
export class Tokens {
  private readonly holders = new Map<string, TokenHolder & { readonly expires: number }>()

  /**
   * Gives a new token, which holds for `lifetime` seconds. The refresh token is part of the response, but nothing takes
   * it.
   */
  issue(holder: TokenHolder, lifetime: number, eventContext: EventContext): TokenResponse {
    this.forgetExpired(eventContext.now)
    const token = randomBase64(eventContext, 80)
    this.holders.set(token, { ...holder, expires: eventContext.now + lifetime * 1000 })
    return {
      token_type: "bearer",
      access_token: token,
      expires_in: lifetime,
      refresh_token: randomBase64(eventContext, 80)
    }
  }

  /**
   * The holder of a token; undefined when it was never given out or has expired. `now` is in milliseconds since 1970.
   */
  holderOf(token: string, now: number): TokenHolder | undefined {
    const holder = this.holders.get(token)
    return holder !== undefined && now < holder.expires ? holder : undefined
  }

  /** Makes the tokens of all other merchants invalid. */
  keepOnly(merchants: ReadonlyArray<MerchantAccount>): void {
    for (const [token, { merchant }] of this.holders) {
      if (!merchants.some(({ clientId, goid }) => goid === merchant.goid && clientId === merchant.clientId)) {
        this.holders.delete(token)
      }
    }
  }

  /** Makes all tokens invalid. */
  revokeAll(): void {
    this.holders.clear()
  }

  /** Tokens are ordered by age, so only the first ones need checking. */
  private forgetExpired(now: number): void {
    for (const [token, { expires }] of this.holders) {
      if (expires > now) return
      this.holders.delete(token)
    }
  }
}
