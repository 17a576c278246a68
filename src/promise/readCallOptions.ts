/**
 * Reads and checks the options of a call, each once.
 */
import type * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { isAbortSignal } from "../basics/AnyRealm.js"
import { invalidFields } from "../basics/InvalidFields.js"
import { givenMember, withoutPrototype } from "../basics/OwnMember.js"
import { withMembers } from "../basics/PlainData.js"
import type { DurationInput } from "../basics/DurationInput.js"
import { notAFunction, timeLimit } from "../client/config/GatewayOptions.js"
import type { InvalidField } from "../client/error/GatewayError.js"
import type { CallOptions } from "./GatewayClient.js"

/** Makes the function that reads the options of a call, each once. It names every wrong or unknown one. */
const optionReader = <Options extends object>(
  schema: Schema.Decoder<Options> & { readonly fields: object }
): ((given: unknown) => Result.Result<Options, ReadonlyArray<InvalidField>>) => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const names = Object.keys(schema.fields)
  return (given) => {
    // A signal or an amount instead of the options would otherwise be ignored silently.
    if (!Predicate.isObject(given) || isAbortSignal(given)) {
      return Result.fail([{ field: "options", message: `must be an object with ${names.join(" and ")}` }])
    }
    try {
      const all = new Set([...names, ...Object.keys(given)])
      return Result.mapBoth(decode(withMembers(Array.from(all, (name) => [name, givenMember(given, name)]))), {
        onFailure: (issue) =>
          invalidFields(issue).map(({ field, message }) => ({
            field: field === undefined ? "options" : `options.${field}`,
            message
          })),
        onSuccess: withoutPrototype
      })
    } catch {
      // A caller's getters may throw.
      return Result.fail([{ field: "options", message: "cannot be read" }])
    }
  }
}

const limitOptions = {
  signal: Schema.optional(Schema.declare(isAbortSignal, { message: "must be an AbortSignal" })),
  timeout: Schema.optional(timeLimit)
}

const isGiven = <Option>(value: unknown): value is NonNullable<Option> => Predicate.isFunction(value)

/** Makes the function that reads the options of calls whose changes have this record. */
export const callOptionReader = <Change>() =>
  optionReader(
    Schema.Struct({
      ...limitOptions,
      beforeSend: Schema.optional(Schema.declare(isGiven<BeforeSend<Change>>, notAFunction)),
      onResponse: Schema.optional(Schema.declare(isGiven<CallOptions["onResponse"]>, notAFunction))
    })
  )

/** `awaitPayment` checks its own options itself. */
export const readAwaitPaymentOptions = optionReader(
  Schema.Struct({
    ...limitOptions,
    until: Schema.optional(Schema.Unknown),
    waitAtMost: Schema.optional(Schema.Unknown)
  })
)

export const noOptions: ReadOptions<unknown> = withMembers([])

type BeforeSend<Change> = (change: Change) => boolean | DurationInput | Promise<boolean | DurationInput>

/** The options in the form in which they are used. */
export interface ReadOptions<in Change = never> extends Omit<CallOptions, "timeout" | "beforeSend"> {
  readonly beforeSend?: BeforeSend<Change> | undefined
  readonly timeout?: Duration.Input | undefined
}
