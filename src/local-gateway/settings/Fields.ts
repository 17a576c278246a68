/**
 * Fields of the data that developers write for the local gateway: seeds, settings and requests to the control API.
 *
 * Values are read without conversion, so that a JSON Schema made from these schemas describes exactly what is accepted.
 */
import * as Schema from "effect/Schema"

/** One of these values. */
export const oneOf = <const Choices extends ReadonlyArray<string | number>>(choices: Choices) =>
  Schema.Literals(choices).annotate({ message: `must be one of ${choices.join(", ")}` })

/** One of the codes of a list. */
export const codeOf = <List extends { readonly [code: string]: unknown }>(list: List) => {
  const codes: ReadonlyArray<keyof List & string> = Object.keys(list)
  return oneOf(codes)
}

/** A whole number from `minimum` to `maximum`. */
export const whole = (
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
  message: string = maximum === Number.MAX_SAFE_INTEGER
    ? `must be a whole number, ${minimum} or more`
    : `must be a whole number from ${minimum} to ${maximum}`
) =>
  Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }).abort(),
    Schema.isBetween({ minimum, maximum }, { message })
  )

/** Text of that many characters at most. */
export const text = (maxLength: number) =>
  Schema.String.annotate({ message: "must be text" }).check(
    Schema.isMaxLength(maxLength, { message: `must have at most ${maxLength} characters` })
  )

/** `true` or `false`. */
export const flag = Schema.Boolean.annotate({ message: "must be true or false" })

/** An object. */
export const object = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate({ message: "must be an object" })

/** A list. */
export const list = <S extends Schema.Top>(element: S) => Schema.Array(element).annotate({ message: "must be a list" })
