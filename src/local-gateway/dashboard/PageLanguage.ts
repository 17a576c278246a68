/**
 * The language of the developer's pages.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { messageLanguage } from "../wire/Refusal.js"

/** The cookie that keeps the language. */
export const languageCookie = "effect-gopay-language"

const isLanguage = (text: string | undefined): text is "cs" | "en" => text === "cs" || text === "en"

/** The language that was switched to, with this request or before; else that of the browser. */
export const pageLanguage = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const search = yield* HttpServerRequest.ParsedSearchParams
  const [switched] = [search["lang"]].flat()
  if (isLanguage(switched)) return { language: switched, switched: true }
  const [, kept] = new RegExp(`(?:^|;\\s*)${languageCookie}=(\\w+)`).exec(headers["cookie"] ?? "") ?? []
  return { language: isLanguage(kept) ? kept : messageLanguage(headers["accept-language"]), switched: false }
})
