/**
 * Faults on demand: their checks, and the choice of the request that they hit. `Fault` defines them,
 * `FaultedResponse` applies them to responses.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Tuple from "effect/Tuple"
import * as Endpoint from "../../contract/Endpoint.js"
import { endpointsV4 } from "../../contract/EndpointV4.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import type * as Plain from "./Fault.js"
import { type AnyFaultKind, type ArmedFault, type CompleteFault, faultKinds, type GatewayOperation } from "./Fault.js"
import { fieldOf, oneOf, whole } from "../books/Fields.js"
import type { LoggedEvent } from "./Journal.js"

// ---------------------------------------------------------------------------------------------------------------------
// Faults
// ---------------------------------------------------------------------------------------------------------------------

const parameter = <S extends Schema.Top>(schema: S, description: string, byDefault: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(byDefault))).annotate({ description, default: byDefault })

interface FaultField extends Struct.Lambda {
  (kind: AnyFaultKind): Schema.Top
  readonly "~lambda.out": this["~lambda.in"] extends { readonly name: infer Name }
    ? Schema.Codec<Extract<CompleteFault, { readonly type: Name }>, Extract<Plain.Fault, { readonly type: Name }>>
    : never
}

const faults = Tuple.map(
  faultKinds,
  Struct.lambda<FaultField>(({ description, name, parameters }) =>
    Schema.Struct({
      type: Schema.Literal(name),
      ...Record.map(parameters, (given) => parameter(fieldOf(given), given.description, given.default))
    }).annotate({ description })
  )
)

const names = faultKinds.map(({ name }) => name)

/** A fault: encoded with the given parameters, decoded with all of them. Wrong parameters are refused by name. */
export const Fault: Schema.Codec<CompleteFault, Plain.Fault> = Schema.Union(faults).annotate({
  message: `must be a fault; its type is one of ${names.join(", ")}`
})

/** Something that goes wrong with one request. */
export type Fault = Plain.Fault

/** A fault in words. */
export interface FaultDescription {
  /** One sentence. */
  readonly description: string
  /** The fault's parameters, keyed by name, each with its default. */
  readonly parameters: {
    readonly [name: string]: { readonly description: string; readonly default: string | number }
  }
}

/** Every fault, keyed by name, with its description. */
export const faultDescriptions: { readonly [name: string]: FaultDescription } = Object.fromEntries(
  faultKinds.map(({ description, name, parameters }: AnyFaultKind) => [
    name,
    {
      description,
      parameters: Record.map(parameters, ({ default: byDefault, description }) => ({ description, default: byDefault }))
    }
  ])
)

// ---------------------------------------------------------------------------------------------------------------------
// Arming
// ---------------------------------------------------------------------------------------------------------------------

const operations: ReadonlyArray<GatewayOperation> = [
  ...Object.values(Endpoint)
    .map(({ name }) => name)
    .toSorted(),
  ...Struct.keys(endpointsV4)
    .map((name) => `v4.${name}` as const)
    .toSorted()
]

/** A fault and the requests that it is to hit. */
export const FaultArming = Schema.Struct({
  fault: Fault,
  operation: Schema.optionalKey(oneOf(operations)),
  calls: parameter(whole(1, 1_000_000), "The number of requests it hits.", 1)
})

/** A fault and the requests that it is to hit. */
export type FaultArming = Plain.FaultArming

/** Faults at random. */
export const RandomFaults = Schema.Struct({
  seed: Schema.Union([Schema.String, Schema.Number]).annotate({ message: "must be text or a number" }),
  probability: Schema.Number.annotate({ message: "must be a number from 0 to 1" }).check(
    Schema.makeFilter((value) => (value >= 0 && value <= 1) || "must be a number from 0 to 1")
  ),
  faults: Schema.NonEmptyArray(Fault).annotate({ message: "must be a list of faults, at least one" })
})

/** Faults at random. */
export type RandomFaults = Plain.RandomFaults

/** There is no such fault, or it cannot be armed like this. The message names the field and says what is possible. */
export class InvalidFault extends Data.TaggedError("InvalidFault")<{
  /** The problem, in words. */
  readonly message: string
}> {}

/** Decodes JSON. Problems are reported by field. */
const decoding = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (value: unknown): Effect.Effect<S["Type"], InvalidFault> =>
    Effect.mapError(decode(value), ({ issue }) => new InvalidFault({ message: describeFields(invalidFields(issue)) }))
}

const decodeFault = decoding(Fault)
const decodeArming = decoding(FaultArming)
const decodeArmings = decoding(Schema.Array(FaultArming))
const decodeRandomFaults = decoding(RandomFaults)

/** The header with which a request asks for a fault on itself: the name of the fault, or a fault as JSON. */
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

/**
 * The armed faults. A request's own header has priority, then the first armed fault that matches, then the random ones;
 * no request gets two.
 */
export class Faults {
  private readonly note: (event: LoggedEvent) => Effect.Effect<void>
  private armed: ReadonlyArray<ArmedFault> = []
  private running: { readonly faults: typeof RandomFaults.Type; readonly random: Random.Random } | undefined
  private lastId = 0

  /** `note` is called when a fault is armed, used or disarmed. */
  constructor(note: (event: LoggedEvent) => Effect.Effect<void>) {
    this.note = note
  }

  /** Arms a fault, after those that are already armed. */
  arm(arming: FaultArming): Effect.Effect<ArmedFault, InvalidFault> {
    return Effect.flatMap(decodeArming(arming), (decoded) => this.enter(decoded))
  }

  /** Arms several faults, in this order; none if one of them is invalid. */
  armAll(armings: ReadonlyArray<FaultArming>): Effect.Effect<ReadonlyArray<ArmedFault>, InvalidFault> {
    return Effect.flatMap(
      decodeArmings(armings),
      Effect.forEach((decoded) => this.enter(decoded))
    )
  }

  /** The armed faults, in the order in which they were armed. */
  list(): ReadonlyArray<ArmedFault> {
    return this.armed
  }

  /** Disarms a fault; `false` if there is none with this id, for example because it was used up. */
  disarm(id: number): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const armed = this.armed.find((one) => one.id === id)
      if (armed === undefined) return Effect.succeed(false)
      this.armed = this.armed.filter((one) => one !== armed)
      return Effect.as(this.noteChange(armed.fault, "disarmed"), true)
    })
  }

  /** Disarms all faults, including random ones. */
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

  /** Arms random faults, replacing those that are armed. */
  armRandom(faults: RandomFaults): Effect.Effect<void, InvalidFault> {
    return Effect.gen({ self: this }, function* () {
      const decoded = yield* decodeRandomFaults(faults)
      this.running = { faults: decoded, random: yield* Random.withSeed(Random.Random, decoded.seed) }
    })
  }

  /** Consumes the fault armed for this request. Fails if the request names an unknown fault in its header. */
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

  /**
   * Draws for every request, even one that an armed fault hits, so that the outcome depends only on the request's
   * position.
   */
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
