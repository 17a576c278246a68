/**
 * A choice that a developer can make: the value of a setting, or a parameter of a fault. Plain data, from which types,
 * checks and documentation are made.
 */

/** One of a few values. */
export interface Choice<A extends string | number> {
  readonly choices: ReadonlyArray<A>
  readonly default: A
}

/** A whole number. */
export interface WholeNumber {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
  readonly unit?: "seconds"
}

/** A content type. */
export interface MediaType {
  readonly format: "mediaType"
  readonly default: string
}

/** A list of texts. */
export interface Texts {
  readonly default: ReadonlyArray<string>
}

/** A parameter of any kind. */
export type Parameter = Choice<string | number> | WholeNumber | MediaType | Texts

/** `A & {}` keeps the default from being inferred as a further choice. */
export const choice = <const A extends string | number>(choices: ReadonlyArray<A>, byDefault: A & {}): Choice<A> => ({
  choices,
  default: byDefault
})

export const wholeNumber = (minimum: number, maximum: number, byDefault: number): WholeNumber => ({
  minimum,
  maximum,
  default: byDefault
})

export const anHour = 3600
export const aDay = 24 * anHour

/** At most about ten years. */
export const seconds = (minimum: 0 | 1, byDefault: number): WholeNumber => ({
  ...wholeNumber(minimum, 10 * 366 * aDay, byDefault),
  unit: "seconds"
})

export const mediaType = (byDefault: string): MediaType => ({ format: "mediaType", default: byDefault })

export const texts: Texts = { default: [] }
