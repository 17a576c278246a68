/**
 * Fields of the data that developers write for the local gateway: seeds, settings and requests to the control API.
 *
 * Values are read without conversion, so that a JSON Schema made from these schemas describes exactly what is accepted.
 */
import * as Schema from "effect/Schema"
import type * as Struct from "effect/Struct"
import { withProblem } from "../../basics/InvalidFields.js"
import type { Parameter } from "./Parameter.js"

/**
 * The codes of problems with a field, for callers that translate them. `Invalid`: only the sentence says what is wrong.
 */
export const problemCodes = [
  "Required",
  "Unknown",
  "OneOf",
  "WholeNumberFrom",
  "WholeNumberBetween",
  "MaxLength",
  "Text",
  "TrueOrFalse",
  "Object",
  "List",
  "NotJson",
  "Invalid"
] as const

/** The code of a problem with a field. */
export type ProblemCode = (typeof problemCodes)[number]

/** Whether it is one of these codes. */
export const isProblemCode = (code: string | undefined): code is ProblemCode =>
  problemCodes.some((known) => known === code)

/** Annotates a schema or a check with the problem of the values that it rejects. */
export const problem = (code: ProblemCode, message: string, ...values: ReadonlyArray<string | number>) =>
  withProblem(code, message, ...values)

/** One of these values. */
export const oneOf = <const Choices extends ReadonlyArray<string | number>>(choices: Choices) =>
  Schema.Literals(choices).annotate(problem("OneOf", `must be one of ${choices.join(", ")}`, choices.join(", ")))

/** One of the codes of a list. */
export const codeOf = <List extends { readonly [code: string]: unknown }>(list: List) => {
  const codes: ReadonlyArray<keyof List & string> = Object.keys(list)
  return oneOf(codes)
}

/** A whole number from `minimum` to `maximum`. */
export const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER, message?: string) => {
  const wrong =
    maximum === Number.MAX_SAFE_INTEGER
      ? problem("WholeNumberFrom", message ?? `must be a whole number, ${minimum} or more`, minimum)
      : problem(
          "WholeNumberBetween",
          message ?? `must be a whole number from ${minimum} to ${maximum}`,
          minimum,
          maximum
        )
  return Schema.Number.annotate(wrong).check(Schema.isInt(wrong).abort(), Schema.isBetween({ minimum, maximum }, wrong))
}

/** Text with at most this many characters. */
export const text = (maxLength: number) =>
  Schema.String.annotate(problem("Text", "must be text")).check(
    Schema.isMaxLength(maxLength, problem("MaxLength", `must have at most ${maxLength} characters`, maxLength))
  )

/** `true` or `false`. */
export const flag = Schema.Boolean.annotate(problem("TrueOrFalse", "must be true or false"))

/** An object. */
export const object = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate(problem("Object", "must be an object"))

/** A list. */
export const list = <S extends Schema.Top>(element: S) =>
  Schema.Array(element).annotate(problem("List", "must be a list"))

const mediaType = Schema.String.check(
  Schema.makeFilter((value) => /^[!-~]+\/[ -~]{1,100}$/.test(value) || "must be a content type, such as text/plain")
)

/** The field of a parameter. */
export const fieldOf = (parameter: Parameter): Schema.Codec<Parameter["default"]> => {
  if ("choices" in parameter) return oneOf(parameter.choices)
  if ("minimum" in parameter) return whole(parameter.minimum, parameter.maximum)
  return "format" in parameter ? mediaType : list(text(256))
}

/** The field of each parameter. */
export interface ParameterField extends Struct.Lambda {
  (parameter: Parameter): Schema.Codec<Parameter["default"]>
  readonly "~lambda.out": this["~lambda.in"] extends { readonly default: infer A } ? Schema.Codec<A> : never
}
