/**
 * Checks of the options of a local gateway, the same for layers and promises.
 */
import * as Schema from "effect/Schema"
import { isHostName } from "./server/SameOriginGuard.js"
import { passwordRefusal } from "./LocalGatewayService.js"
import { Seed } from "./books/Seed.js"
import { SettingsChange } from "./books/SettingsSchema.js"

/** A schema that accepts the values for which `fits` is true and refuses others with `message`. */
export const fitting = <A>(message: string, fits: (value: unknown) => boolean) =>
  Schema.declare((value: unknown): value is A => fits(value), { message })

export const functionOption = <A>() =>
  Schema.optional(fitting<A>("must be a function", (value) => typeof value === "function"))

/** A text for which a function is true. */
export const fittingText = (message: string, fits: (value: string) => boolean) =>
  fitting<string>(message, (value) => typeof value === "string" && fits(value))

/** The options of every gateway that others can reach. */
export const reachableOptions = {
  allowHosts: Schema.optional(
    Schema.Array(fittingText("must be a name without a port, such as gopay", isHostName)).annotate({
      message: "must be a list of names"
    })
  ),
  dataFile: Schema.optional(fittingText("must be the path of a file", (value) => value !== "")),
  password: Schema.optional(fitting<never>(passwordRefusal, () => false))
}

export const serverOptions = {
  port: Schema.optional(
    fitting<number>(
      "must be a port: a whole number from 0 to 65535",
      (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535
    )
  ),
  host: Schema.optional(
    fittingText("must be a name or an address of this machine, such as 127.0.0.1", (value) => /^[\w.:-]+$/.test(value))
  ),
  publicUrl: Schema.optional(
    fittingText(
      "must be an http or https address without a path, such as http://127.0.0.1:4646",
      (value) => /^https?:\/\/[^/?#@\s]+\/?$/.test(value) && URL.canParse(value)
    )
  )
}

/** The settings to change: an object of settings. */
export const settingsChange = SettingsChange.annotate({ message: "must be an object of settings" })

/** The options of every layer. */
const layerOptions = {
  settings: Schema.optional(settingsChange),
  seed: Schema.optional(fitting("must be a seed, as readSeed gives it", (value) => value instanceof Seed)),
  notificationReceiver: functionOption(),
  onEvent: functionOption(),
  onRequest: functionOption()
}

export const optionsOf = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate({ message: "the options must be an object" })

export const InProcessOptions = optionsOf(layerOptions)

export const ServerOptions = optionsOf({ ...layerOptions, ...reachableOptions, ...serverOptions })
