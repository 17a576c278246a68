/**
 * How long an attempt may take.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import { RetryPolicy, totalTime } from "./RetryPolicy.js"

/**
 * The time limit of each attempt of the calls in the current fiber (connecting, headers and body), instead of the
 * configured one. Waiting for a token may take as long again.
 */
export const AttemptTimeout: Context.Reference<Duration.Input | undefined> = Context.Reference<
  Duration.Input | undefined
>("effect-gopay/AttemptTimeout", { defaultValue: () => undefined })

/**
 * The time limit of an attempt: that of the fiber or else of the settings. For a read, also at most what is left for
 * all its attempts.
 */
export const timeLimit = (fiber: Fiber.Fiber<unknown, unknown>, isRead: boolean, settings: GatewaySettings) => {
  const wanted = fiber.getRef(AttemptTimeout)
  const configured = isRead ? settings.readTimeout : settings.changeTimeout
  const time = wanted === undefined ? configured : Option.getOrElse(Duration.fromInput(wanted), () => configured)
  return isRead ? Duration.min(time, totalTime(fiber.getRef(RetryPolicy))) : time
}
