/**
 * Faults on demand: their checks, and the choice of the request that they hit. `Fault` defines them,
 * `FaultedResponse` applies them to responses.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../contract/Endpoint.js"
import { describeFields, invalidFields } from "../../contract/InvalidFields.js"
import type * as Plain from "./Fault.js"
import type { ArmedFault, CompleteFault, GatewayOperation } from "./Fault.js"
import { oneOf, whole } from "../books/Fields.js"
import type { LoggedEvent } from "./Journal.js"

// ---------------------------------------------------------------------------------------------------------------------
// Faults
// ---------------------------------------------------------------------------------------------------------------------

const parameter = <S extends Schema.Top>(schema: S, description: string, byDefault: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(byDefault))).annotate({ description, default: byDefault })

const mediaType = Schema.String.check(
  Schema.makeFilter((value) => /^[!-~]+\/[ -~]{1,100}$/.test(value) || "must be a content type, such as text/plain")
)

const anHour = 3600
const milliseconds = (description: string) => parameter(whole(0, anHour * 1000), description, 1000)
const effect = parameter(
  oneOf(["committed", "none"]),
  "Whether the gateway carried out the request before the fault (committed), or did not get that far (none).",
  "committed"
)

const fault = <Name extends string, Fields extends Schema.Struct.Fields>(
  name: Name,
  description: string,
  fields: Fields
) => Schema.Struct({ type: Schema.Literal(name), ...fields }).annotate({ description })

const faults = [
  fault("latency", "The request is carried out at once; the response comes later.", {
    milliseconds: milliseconds("The delay of the response.")
  }),
  fault("noResponse", "No response comes, and the connection stays open.", { effect }),
  fault("connectionReset", "The connection is reset before any response.", { effect }),
  fault("commitLater", "The connection is reset before any response, and the request is carried out later.", {
    seconds: parameter(whole(0, 366 * 24 * anHour), "The delay until it is carried out, in the gateway's time.", 10)
  }),
  fault("slowBody", "The request is carried out; the body of the response comes in pieces.", {
    milliseconds: milliseconds("Duration of the body.")
  }),
  fault("truncatedBody", "The request is carried out; the connection ends after half of the body.", {}),
  fault("wrongContentType", "The request is carried out; the response claims to be of another content type.", {
    contentType: parameter(mediaType, "The content type it claims to be of.", "text/html")
  }),
  fault("htmlForbidden", "Nothing is done; a firewall responds with 403 with an HTML page.", {}),
  fault("htmlBadGateway", "A proxy responds with 502 with an HTML page.", { effect }),
  fault("tokenRefused", "Nothing is done; the token is refused, or the credentials when a token is asked for.", {
    status: parameter(oneOf([401, 403]), "Status of the response, 401 or 403.", 403)
  }),
  fault("refusal", "Nothing is done; the gateway refuses the request with a code.", {
    code: parameter(whole(0, 9999), "The gateway's code, documented or not, from 0 to 9999.", 303),
    status: parameter(whole(400, 499), "Status of the response, from 400 to 499.", 409)
  }),
  fault("rateLimited", "Nothing is done; the response is 429, too many requests.", {
    retryAfter: parameter(
      oneOf(["seconds", "date", "absent"]),
      "The form of Retry-After: as seconds, as a date, or not at all (absent).",
      "seconds"
    ),
    seconds: parameter(whole(0, 24 * anHour), "The wait that it asks for.", 1)
  }),
  fault("serverError", "The gateway responds that it failed.", {
    status: parameter(whole(500, 599), "Status of the response, from 500 to 599.", 500),
    effect
  }),
  fault("malformedJson", "The request is carried out; the response is JSON that breaks off in the middle.", {}),
  fault("wrongShape", "The request is carried out; the response is a list where an object is due, or the reverse.", {}),
  fault("unknownEnumValues", "The request is carried out; every code in the response is one that no one knows.", {}),
  fault("extraMembers", "The request is carried out; each object of the response has one more member.", {}),
  fault(
    "nullMembers",
    "The request is carried out; members that the response would leave out are there, and null.",
    {}
  ),
  fault("hugeBody", "The request is carried out; the response is followed by white space up to a length.", {
    bytes: parameter(whole(0, 2 ** 30), "Length of the whole body, at most 1073741824.", 10 * 1024 * 1024)
  })
] as const

const names = faults.map(({ fields }) => fields.type.literal)

/**
 * A fault: encoded with the parameters that were given, decoded with all of them. Wrong ones are refused by name.
 *
 * @category local gateway
 */
export const Fault: Schema.Codec<CompleteFault, Plain.Fault> = Schema.Union(faults).annotate({
  message: `must be a fault; its type is one of ${names.join(", ")}`
})

/**
 * Something that goes wrong with one request.
 *
 * @category local gateway
 */
export type Fault = Plain.Fault

/**
 * A fault in words.
 *
 * @category local gateway
 */
export interface FaultDescription {
  /** One sentence. */
  readonly description: string
  /** Its parameters by name. */
  readonly parameters: {
    readonly [name: string]: { readonly description: string; readonly default: string | number }
  }
}

const shown = (value: unknown): string | number => (typeof value === "number" ? value : String(value))

const describe = (schema: Schema.Top & { readonly fields: Schema.Struct.Fields }): FaultDescription => ({
  description: Schema.resolveAnnotations(schema)?.description ?? "",
  parameters: Record.map(Record.remove(schema.fields, "type"), (field) => {
    const annotations = Schema.resolveAnnotations(field)
    return { description: annotations?.description ?? "", default: shown(annotations?.default) }
  })
})

/**
 * Every fault by name, with what it does.
 *
 * @category local gateway
 */
export const faultDescriptions: { readonly [name: string]: FaultDescription } = Object.fromEntries(
  faults.map((schema) => [schema.fields.type.literal, describe(schema)])
)

// ---------------------------------------------------------------------------------------------------------------------
// Arming
// ---------------------------------------------------------------------------------------------------------------------

const operations: ReadonlyArray<GatewayOperation> = Object.values(Endpoint).map(({ name }) => name)

/**
 * A fault and the requests that it is to hit.
 *
 * @category local gateway
 */
export const FaultArming = Schema.Struct({
  fault: Fault,
  operation: Schema.optionalKey(oneOf(operations)),
  calls: parameter(whole(1, 1_000_000), "The number of requests it hits.", 1)
})

/**
 * A fault and the requests that it is to hit.
 *
 * @category local gateway
 */
export type FaultArming = Plain.FaultArming

/**
 * Faults at random.
 *
 * @category local gateway
 */
export const RandomFaults = Schema.Struct({
  seed: Schema.Union([Schema.String, Schema.Number]).annotate({ message: "must be text or a number" }),
  probability: Schema.Number.annotate({ message: "must be a number from 0 to 1" }).check(
    Schema.makeFilter((value) => (value >= 0 && value <= 1) || "must be a number from 0 to 1")
  ),
  faults: Schema.NonEmptyArray(Fault).annotate({ message: "must be a list of faults, at least one" })
})

/**
 * Faults at random.
 *
 * @category local gateway
 */
export type RandomFaults = Plain.RandomFaults

/**
 * There is no such fault, or it cannot be armed so. The message names the field and says what is possible.
 *
 * @category local gateway
 */
export class InvalidFault extends Data.TaggedError("InvalidFault")<{
  /** The problem, in words. */
  readonly message: string
}> {}

const decoding = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (value: unknown): Effect.Effect<S["Type"], InvalidFault> =>
    Effect.mapError(decode(value), ({ issue }) => new InvalidFault({ message: describeFields(invalidFields(issue)) }))
}

const decodeFault = decoding(Fault)

/** Reads which requests a fault is to hit, from JSON; what is wrong is said by field. */
const decodeArming = decoding(FaultArming)

const decodeArmings = decoding(Schema.Array(FaultArming))

/** Reads random faults, from JSON; what is wrong is said by field. */
const decodeRandomFaults = decoding(RandomFaults)

/** By this header a request asks for a fault on itself: its name, or a fault as JSON. */
export const faultHeader = "x-local-gateway-fault"

const faultOfHeader = (header: string): Effect.Effect<CompleteFault, InvalidFault> =>
  Effect.try({
    try: (): unknown => (header.trimStart().startsWith("{") ? JSON.parse(header) : { type: header.trim() }),
    catch: () => new InvalidFault({ message: "is not well-formed JSON" })
  }).pipe(
    Effect.flatMap(decodeFault),
    Effect.mapError(({ message }) => new InvalidFault({ message: `${faultHeader}: ${message}` }))
  )

/** A request that a fault may hit. */
interface FaultTarget {
  readonly operation: string | undefined
  /** The value of its `x-local-gateway-fault`. */
  readonly header: string | undefined
}

interface RunningRandomFaults {
  readonly faults: typeof RandomFaults.Type
  readonly random: Random.Random
}

/**
 * The faults that are armed. A request's own header goes first, then the fault that was armed first of those that fit
 * it, then the random ones; no request has two.
 */
export class Faults {
  private readonly note: (event: LoggedEvent) => Effect.Effect<void>
  private armed: ReadonlyArray<ArmedFault> = []
  private running: RunningRandomFaults | undefined
  private lastId = 0

  /** `note` is called when a fault is armed, used or disarmed. */
  constructor(note: (event: LoggedEvent) => Effect.Effect<void>) {
    this.note = note
  }

  /** Arms a fault; it goes behind those that are armed already. */
  arm(arming: FaultArming): Effect.Effect<ArmedFault, InvalidFault> {
    return Effect.flatMap(decodeArming(arming), (decoded) => this.enter(decoded))
  }

  /** Arms several, in this order; none when one of them is wrong. */
  armAll(armings: ReadonlyArray<FaultArming>): Effect.Effect<ReadonlyArray<ArmedFault>, InvalidFault> {
    return Effect.flatMap(
      decodeArmings(armings),
      Effect.forEach((decoded) => this.enter(decoded))
    )
  }

  /** The faults that wait for their requests, in the order in which they were armed. */
  list(): ReadonlyArray<ArmedFault> {
    return this.armed
  }

  /** Disarms one; false when there is none with this id, as when it was used up. */
  disarm(id: number): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const armed = this.armed.find((one) => one.id === id)
      if (armed === undefined) return Effect.succeed(false)
      this.armed = this.armed.filter((one) => one !== armed)
      return Effect.as(this.noteChange(armed.fault, "disarmed"), true)
    })
  }

  /** Disarms all, the random ones too. */
  readonly clear: Effect.Effect<void> = Effect.suspend(() => {
    const { armed } = this
    this.armed = []
    this.running = undefined
    return Effect.forEach(armed, ({ fault }) => this.noteChange(fault, "disarmed"), { discard: true })
  })

  /** The random faults that are armed. */
  get randomFaults(): typeof RandomFaults.Type | undefined {
    return this.running?.faults
  }

  /** Arms random faults, in place of those that are armed. */
  armRandom(faults: RandomFaults): Effect.Effect<void, InvalidFault> {
    return Effect.gen({ self: this }, function* () {
      const decoded = yield* decodeRandomFaults(faults)
      this.running = { faults: decoded, random: yield* Random.withSeed(Random.Random, decoded.seed) }
    })
  }

  /**
   * The fault that hits a request, which uses it up. Fails when the request asks by its header for what there is not.
   */
  choose({ header, operation }: FaultTarget): Effect.Effect<CompleteFault | undefined, InvalidFault> {
    const chosen =
      header === undefined ? Effect.sync(() => this.useArmed(operation, this.draw())) : faultOfHeader(header)
    return Effect.tap(chosen, (fault) => (fault === undefined ? Effect.void : this.noteChange(fault, "used")))
  }

  private enter({ calls, ...rest }: typeof FaultArming.Type): Effect.Effect<ArmedFault> {
    return Effect.suspend(() => {
      const armed = { id: ++this.lastId, ...rest, callsLeft: calls }
      this.armed = [...this.armed, armed]
      return Effect.as(this.noteChange(armed.fault, "armed"), armed)
    })
  }

  private useArmed(operation: string | undefined, otherwise: CompleteFault | undefined): CompleteFault | undefined {
    const chosen = this.armed.find((armed) => armed.operation === undefined || armed.operation === operation)
    if (chosen === undefined) return otherwise
    this.armed = this.armed.flatMap((armed) =>
      armed !== chosen ? [armed] : armed.callsLeft > 1 ? [{ ...armed, callsLeft: armed.callsLeft - 1 }] : []
    )
    return chosen.fault
  }

  /** Draws for each request, also for one that an armed fault hits: so what comes depends on its place alone. */
  private draw(): CompleteFault | undefined {
    if (this.running === undefined) return undefined
    const { faults, random } = this.running
    const isHit = random.nextDoubleUnsafe() < faults.probability
    const fault = faults.faults[Math.floor(random.nextDoubleUnsafe() * faults.faults.length)]
    return isHit ? fault : undefined
  }

  private noteChange({ type }: CompleteFault, change: "armed" | "used" | "disarmed"): Effect.Effect<void> {
    return this.note({ type: "fault", fault: type, change })
  }
}
