/**
 * The headers of a request.
 */
import * as Redacted from "effect/Redacted"
import type { GatewayLanguage } from "../../contract/CodeLists.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { TransportRequest } from "../transport/Sender.js"

/** Czech or English: the gateway's messages exist in no other language. */
const acceptLanguage = (language: GatewayLanguage): "cs-CZ" | "en-US" =>
  /^(cs|sk)\b/i.test(language) ? "cs-CZ" : "en-US"

/** Makes the headers of requests. All calls with the same token share them, so each variant is built once. */
export const requestHeaders = (settings: GatewaySettings, scheme: "Basic" | "Bearer") => {
  const common = {
    accept: "application/json",
    "user-agent": settings.userAgent
  }
  const made = new WeakMap<Redacted.Redacted<string>, Map<string, TransportRequest["headers"]>>()
  return (
    credentials: Redacted.Redacted<string>,
    contentType: string | undefined,
    language: GatewayLanguage
  ): TransportRequest["headers"] => {
    const variants = made.get(credentials) ?? new Map<string, TransportRequest["headers"]>()
    made.set(credentials, variants)
    const variant = `${acceptLanguage(language)} ${contentType}`
    const known = variants.get(variant)
    if (known !== undefined) return known
    const headers = {
      ...common,
      "accept-language": acceptLanguage(language),
      authorization: `${scheme} ${Redacted.value(credentials)}`,
      ...(contentType === undefined ? undefined : { "content-type": contentType })
    }
    variants.set(variant, headers)
    return headers
  }
}
