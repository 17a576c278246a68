/**
 * The arguments of a ledger's calls, checked.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { canonicalId, notAnId } from "../../contract/CanonicalId.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import type { InvalidArgument } from "./LedgerError.js"
import { LedgerError } from "./YieldableLedgerError.js"
import type { DurationInput } from "../../basics/DurationInput.js"

export const invalidArgument = (message: string): LedgerError<InvalidArgument> =>
  new LedgerError({ reason: { _tag: "InvalidArgument", message: `Nothing was recorded: ${message}.` } })

export const withinTransaction = (): LedgerError<InvalidArgument> =>
  invalidArgument(
    "this is a transaction or onPayment. The call would wait for it, and stay when it is rolled back. Within one, submit; call all else after it"
  )

/** The decoded value of an argument. The problem may be prefixed by a name that ends with a space. */
export const checkedArgument = <A>(
  decoded: Effect.Effect<A, Schema.SchemaError>,
  name = ""
): Effect.Effect<A, LedgerError<InvalidArgument>> =>
  Effect.mapError(decoded, ({ issue }) => invalidArgument(name + describeFields(invalidFields(issue))))

/** The most entries that a list returns at once. */
export const longestPage = 10_000

/** A text that is stored unchanged. */
export const storableText = (most: number): Schema.String =>
  Schema.String.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} characters` }),
    Schema.makeFilter((text) => storageProblem(text))
  )

/** Checks a name to look for. Without this, the store would be blamed for one that is no text, such as a form's missing field. */
export const checkText = (name: string, value: unknown): Effect.Effect<void, LedgerError<InvalidArgument>> =>
  typeof value === "string" ? Effect.void : Effect.fail(invalidArgument(`${name} must be text`))

/** The id of a payment as stored in rows: numbers and texts are the same payment. */
export const idOf = (name: string, value: unknown): Effect.Effect<string, LedgerError<InvalidArgument>> => {
  const id = canonicalId(value)
  return id === undefined ? Effect.fail(invalidArgument(`${name} ${notAnId}`)) : Effect.succeed(String(id))
}

/** A time in milliseconds since 1970. */
export const timeOf = (name: string, value: Date | string): Effect.Effect<number, LedgerError<InvalidArgument>> => {
  const time = new Date(value).getTime()
  return Number.isNaN(time)
    ? Effect.fail(invalidArgument(`${name} is not a time: give a Date or an ISO 8601 text`))
    : Effect.succeed(time)
}

export const millisecondsOf = (
  name: string,
  value: DurationInput
): Effect.Effect<number, LedgerError<InvalidArgument>> => {
  const duration = Duration.fromInput(value)
  return Option.isNone(duration)
    ? Effect.fail(invalidArgument(`${name} is not a duration`))
    : Effect.succeed(Duration.toMillis(duration.value))
}

// A database stores a text unchanged only if it is well-formed and has no NUL character. Half of a surrogate pair, as
// in a text that was cut within an emoji, would be stored as `\ufffd`, and two such texts would become equal.

/** Why a database could not store a text unchanged. */
export const storageProblem = (text: string): string | undefined =>
  text.includes("\0")
    ? "contains the character NUL, which no database stores"
    : /\p{Cs}/u.test(text)
      ? "contains half of a character: was it cut inside one, such as an emoji?"
      : undefined

/** The text in a form that a database can store: what the gateway sends must never make a statement fail. */
export const storable = (text: string): string => text.replace(/[\p{Cs}\0]/gu, "\ufffd")
