/**
 * Checks of the options of a local gateway, the same for layers and promises.
 */
import * as Schema from "effect/Schema"
import { isHostName } from "./server/SameOriginGuard.js"
import { passwordRefusal } from "./RefusedPassword.js"

/** A value that is checked by a function. */
export const fitting = <A>(message: string, fits: (value: unknown) => boolean) =>
  Schema.declare((value: unknown): value is A => fits(value), { message })

/** An option that is a function. */
export const functionOption = <A>() =>
  Schema.optional(fitting<A>("must be a function", (value) => typeof value === "function"))

/** The options of every gateway that others reach. */
export const reachableOptions = {
  allowHosts: Schema.optional(
    Schema.Array(
      fitting<string>(
        "must be a name without a port, such as gopay",
        (value) => typeof value === "string" && isHostName(value)
      )
    ).annotate({ message: "must be a list of names" })
  ),
  dataFile: Schema.optional(
    fitting<string>("must be the path of a file", (value) => typeof value === "string" && value !== "")
  ),
  password: Schema.optional(fitting<never>(passwordRefusal, () => false))
}
