/**
 * Seeds: the initial state of a local gateway, and exports of its whole state.
 */
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { codedFields, type CodedProblem } from "../../basics/InvalidFields.js"
import { plainCopy } from "../../basics/PlainData.js"
import type { BooksContent } from "./Books.js"
import { isoTime } from "./Times.js"
import { defaultMerchant, type Merchants } from "./LocalMerchant.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import { seedOfBooks } from "./SeedBooks.js"
import { contradictions } from "./SeedChecks.js"
import { readJson } from "./JsonText.js"
import { SeedContent } from "./SeedSchema.js"

/** A seed cannot be used. The error repeats none of its values. */
export class InvalidSeed extends Data.TaggedError("InvalidSeed")<{
  /** Every problem, each with its path, such as `payments[0].refunds`, and a stable code. */
  readonly problems: ReadonlyArray<CodedProblem>
}> {
  /** Every problem of the seed, one a line, for an operator. */
  override get message(): string {
    const lines = this.problems.map(({ field, message }) => `- ${field === undefined ? "the seed" : field}: ${message}`)
    return ["The seed cannot be used:", ...lines].join("\n")
  }
}

const decode = Schema.decodeUnknownResult(SeedContent, { errors: "all", onExcessProperty: "error" })

/** A checked seed, from {@link readSeed}. */
export class Seed {
  /** The empty seed: one merchant, and no payments. */
  static readonly empty = new Seed({})
  /** The checked content of the seed. */
  readonly content: SeedContent

  /** Only `readSeed` makes one. */
  private constructor(content: SeedContent) {
    this.content = content
  }

  /** Checks a seed; the same as {@link readSeed}. */
  static read(json: unknown): Result.Result<Seed, InvalidSeed> {
    return Result.gen(function* () {
      // Read only once: members of the caller's value may throw.
      const copy = yield* Result.try({
        try: () => plainCopy(json),
        catch: () => new InvalidSeed({ problems: [{ message: "cannot be read: one of its members throws" }] })
      })
      const content = yield* Result.mapError(
        decode(copy),
        ({ issue }) => new InvalidSeed({ problems: codedFields(issue) })
      )
      const problems = contradictions(content)
      return problems.length === 0 ? new Seed(content) : yield* Result.fail(new InvalidSeed({ problems }))
    })
  }
}

/**
 * Checks a seed: the shape of all its members, and then whether they are consistent. Reports everything that is wrong.
 */
export const readSeed = (json: unknown): Result.Result<Seed, InvalidSeed> => Seed.read(json)

/** Checks the text of a seed file. An error in the JSON has its line and column. */
export const readSeedText = (text: string): Result.Result<Seed, InvalidSeed> =>
  readJson(text.replace(/^\uFEFF/, "")).pipe(
    Result.mapError(({ column, line }) => {
      const message = `is not well-formed JSON at line ${line}, column ${column}`
      return new InvalidSeed({ problems: [{ message }] })
    }),
    Result.flatMap(readSeed)
  )

/** The merchants of a seed. @internal */
export const merchantsOf = ({ merchants = [] }: SeedContent): Merchants => {
  const accounts = merchants.map(({ client_id, client_secret, goid, name }) => ({
    goid,
    name: name ?? defaultMerchant.name,
    clientId: client_id,
    clientSecret: Redacted.make(client_secret)
  }))
  return Arr.isReadonlyArrayNonEmpty(accounts) ? accounts : [defaultMerchant]
}

/** The whole state of a gateway. */
interface GatewayState {
  /** How far its time is ahead of the clock, in milliseconds. */
  readonly timeAhead: number
  readonly merchants: Merchants
  readonly settings: LocalGatewaySettings
  readonly books: BooksContent
  readonly notifications: ReadonlyArray<PendingNotification>
}

/** A pending notification. @internal */
export interface PendingNotification {
  readonly paymentId: number
  readonly url: string
  /** The JSON of its POST; `undefined` for a GET. */
  readonly body: string | undefined
  /** How often it was sent. */
  readonly attempts: number
  /** In milliseconds since 1970. */
  readonly dueAt: number
}

/**
 * The state of a gateway as a seed: a gateway that starts from it continues where this one is. It contains secrets.
 * @internal
 */
export const seedOf = ({ books, merchants, notifications, settings, timeAhead }: GatewayState): SeedContent => ({
  time_ahead: timeAhead / 1000,
  merchants: merchants.map(({ clientId, clientSecret, goid, name }) => ({
    goid,
    name,
    client_id: clientId,
    client_secret: Redacted.value(clientSecret)
  })),
  settings,
  ...seedOfBooks(books),
  notifications: notifications.map(({ attempts, body, dueAt, paymentId, url }) => ({
    payment_id: paymentId,
    url,
    ...(body === undefined ? {} : { body }),
    attempts,
    due_at: isoTime(dueAt)
  }))
})
