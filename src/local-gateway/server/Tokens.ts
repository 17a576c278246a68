/**
 * Access tokens: their merchants, scopes and lifetimes.
 */
import type { TokenScope } from "../../contract/CodeLists.js"
import type { MerchantAccount } from "../books/LocalMerchant.js"
import { randomHex, type EventContext } from "../books/EventContext.js"

/** The merchant of a token of API v3, and its scope. */
interface HolderOfV3 {
  readonly api: "v3"
  readonly merchant: MerchantAccount
  readonly scope: TokenScope
}

/** The merchant of a token of API v4, or one of its payments, and the scopes. */
export interface HolderOfV4 {
  readonly api: "v4"
  readonly merchant: MerchantAccount
  /** The only payment that the token is for; `undefined` if it is the merchant's own. */
  readonly paymentId: number | undefined
  readonly scopes: ReadonlyArray<string>
}

/** The holder of a token. Neither API accepts the tokens of the other. */
export type TokenHolder = HolderOfV3 | HolderOfV4

const base64Url = (text: string): string => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** A new token of API v4 in the form of GoPay's example: a JWT, which nothing here reads, and whose signature is random. */
export const accessTokenV4 = (holder: HolderOfV4, lifetime: number, eventContext: EventContext): string => {
  const issuedAt = Math.floor(eventContext.now / 1000)
  const claims = {
    sub: holder.paymentId === undefined ? holder.merchant.clientId : String(holder.paymentId),
    domain: holder.paymentId === undefined ? "merchant" : "payment",
    scope: holder.scopes.join(" "),
    iat: issuedAt,
    exp: issuedAt + lifetime
  }
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => base64Url(JSON.stringify(part)))
  return [...parts, randomHex(eventContext, 32)].join(".")
}

/** The issued tokens. Several may be valid at once. */
export class Tokens {
  private readonly holders = new Map<string, { readonly holder: TokenHolder; readonly expires: number }>()

  /** Issues a token to its holder. It is valid for `lifetime` seconds; `now` is in milliseconds since 1970. */
  give(token: string, holder: TokenHolder, lifetime: number, now: number): void {
    this.forgetExpired(now)
    this.holders.set(token, { holder, expires: now + lifetime * 1000 })
  }

  /** The holder of a token; `undefined` if it was never issued or has expired. `now` is in milliseconds since 1970. */
  holderOf(token: string, now: number): TokenHolder | undefined {
    const given = this.holders.get(token)
    return given !== undefined && now < given.expires ? given.holder : undefined
  }

  /** Invalidates the tokens of all other merchants. */
  keepOnly(merchants: ReadonlyArray<MerchantAccount>): void {
    for (const [token, { holder }] of this.holders) {
      const { merchant } = holder
      if (!merchants.some(({ clientId, goid }) => goid === merchant.goid && clientId === merchant.clientId)) {
        this.holders.delete(token)
      }
    }
  }

  /** Invalidates all tokens. */
  revokeAll(): void {
    this.holders.clear()
  }

  /**
   * Only the oldest tokens are checked. A token behind them with a shorter lifetime stays in the list as long as they
   * do, but is no longer accepted.
   */
  private forgetExpired(now: number): void {
    for (const [token, { expires }] of this.holders) {
      if (expires > now) return
      this.holders.delete(token)
    }
  }
}
