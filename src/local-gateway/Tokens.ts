/**
 * Access tokens: whose they are, and how long they hold.
 */
import type { Merchant } from "./Merchant.js"
import { randomBase64, type Moment } from "./Moment.js"

/** How long a token holds, in seconds: 1800 in every recorded answer. */
export const tokenLifetime = 1800

/** The answer to a token request; members in the order of recorded answers. */
export interface TokenAnswer {
  readonly token_type: "bearer"
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token: string
}

/** The tokens given out. Several may be valid at once. */
export class Tokens {
  private readonly holders = new Map<string, { readonly merchant: Merchant; readonly expires: number }>()

  /** Gives a new token to a merchant. The refresh token is part of the answer, but nothing takes it. */
  issue(merchant: Merchant, moment: Moment): TokenAnswer {
    for (const [token, { expires }] of this.holders) if (expires <= moment.now) this.holders.delete(token)
    const token = randomBase64(moment, 80)
    this.holders.set(token, { merchant, expires: moment.now + tokenLifetime * 1000 })
    return {
      token_type: "bearer",
      access_token: token,
      expires_in: tokenLifetime,
      refresh_token: randomBase64(moment, 80)
    }
  }

  /** Whose token this is; undefined when it was never given out or has expired. `now` is in milliseconds since 1970. */
  merchantOf(token: string, now: number): Merchant | undefined {
    const holder = this.holders.get(token)
    return holder !== undefined && now < holder.expires ? holder.merchant : undefined
  }
}
