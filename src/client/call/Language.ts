/**
 * The language of calls, instead of the configured one.
 */
import * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { GatewayLanguage } from "../../contract/CodeLists.js"
import { isLanguage, type GatewaySettings, languageMessage } from "../config/GatewayOptions.js"
import type { InvalidField } from "../error/GatewayError.js"

/**
 * The language of the calls in the current fiber: of the pay pages of payments that are created without `lang`, and of
 * the gateway's messages. Default: the configured language.
 *
 * ```ts
 * createPayment(payment).pipe(Effect.provideService(Language, "SK"))
 * ```
 */
export const Language: Context.Reference<GatewayLanguage | undefined> = Context.Reference<GatewayLanguage | undefined>(
  "effect-gopay/Language",
  { defaultValue: () => undefined }
)

/** The settings of a call: the merchant's, in the fiber's language. */
export const settingsIn = (
  fiber: Fiber.Fiber<unknown, unknown>,
  settings: GatewaySettings
): Result.Result<GatewaySettings, ReadonlyArray<InvalidField>> => {
  const language = fiber.getRef(Language)
  if (language === undefined) return Result.succeed(settings)
  return isLanguage(language)
    ? Result.succeed({ ...settings, language: language.toUpperCase() })
    : Result.fail([{ field: "language", message: languageMessage }])
}
