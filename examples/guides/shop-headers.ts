/**
 * The headers of a shop's pages, as strict as the way to the pay page and back allows.
 */
import type { GatewayClient } from "effect-gopay/promise"

/** The origins of the pay page and of the gateway's script. GoPay's samples show two for production. */
const originsOf = (gateway: Pick<GatewayClient, "getEmbedJsUrl">): string => {
  const { origin } = new URL(gateway.getEmbedJsUrl())
  return origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
}

/** A content security policy for the pages from which payers go to the pay page. */
export const contentSecurityPolicy = (gateway: Pick<GatewayClient, "getEmbedJsUrl">): string => {
  const gopay = originsOf(gateway)
  return [
    "default-src 'self'",
    "base-uri 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    `form-action 'self' ${gopay}`, // the form's response is a redirect to the pay page
    `script-src 'self' ${gopay}`, // embed.js
    `frame-src 'self' ${gopay}` // the pay page over a page of the shop
  ].join("; ")
}

/** The payer comes back from another site: with `SameSite=Strict` the browser would leave this out. */
export const sessionCookie = (session: string): string => `session=${session}; Path=/; HttpOnly; Secure; SameSite=Lax`
