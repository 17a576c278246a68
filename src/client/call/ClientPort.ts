/**
 * The interface between a ledger and a client of this package: plain data and promises, since the two may come from
 * different copies of the package, one an ES module and the other CommonJS.
 */
import type { GatewayOperations } from "../../contract/GatewayOperations.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { ResponseHead } from "./CallEvent.js"

/** An operation and its arguments. */
export interface PortRequest<Name extends keyof GatewayOperations> {
  readonly operation: Name
  readonly args: Readonly<Parameters<GatewayOperations[Name]>>
}

export interface PortOptions {
  /** The pre-send check of a change. Resolves with the milliseconds within which it may be sent. See `BeforeSend`. */
  readonly check?: (() => Promise<number>) | undefined
  readonly onResponse?: ((head: ResponseHead) => void) | undefined
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * How a call ended. For a change, the reason of a failure says whether it may have been made: `OutcomeUnknown` with its
 * record, or why it was refused or not sent.
 */
export type PortResult<Response> = { readonly response: Response } | { readonly failure: GatewayFailure }

/** The calls that a ledger makes to a promise client. */
export interface ClientPort {
  readonly style: "promise"
  readonly goid: GatewayId
  readonly baseUrl: string
  /** Makes one call, as the client's own methods do. It rejects only if the platform or the signal ends it. */
  readonly send: <Name extends keyof GatewayOperations>(
    request: PortRequest<Name>,
    options: PortOptions
  ) => Promise<PortResult<ReturnType<GatewayOperations[Name]>>>
}

/** The gateway of an Effect program: its methods run in the program itself. */
interface ProgramPort {
  readonly style: "Effect"
  /** The attributes of its merchant in spans. */
  readonly merchant: Readonly<Record<string, string>>
}

/** A port, and whether an object is still the unmodified client that it belongs to. */
interface Held {
  readonly port: ClientPort | ProgramPort
  readonly isOf: (client: object) => boolean
}

const key: unique symbol = Symbol.for("effect-gopay/ClientPort")

/** Attaches a port to a client. A spread does not copy it. */
export const withPort = <Client extends object>(client: Client, port: Held["port"]): Client => {
  const members = Object.entries(client)
  const isOf = (given: object): boolean =>
    given === client && members.every(([name, member]) => Reflect.get(given, name) === member)
  return Object.defineProperty(client, key, { value: { port, isOf } satisfies Held })
}

/**
 * The port of a client of this package, from any copy of it. `undefined` if the object has a method that is not the
 * client's own, as a spread, a spy, a mock or a Proxy has, since the ledger would not call that method.
 */
export const portOf = (client: object): Held["port"] | undefined => {
  const held: Held | undefined = Object.getOwnPropertyDescriptor(client, key)?.value
  return held?.isOf(client) === true ? held.port : undefined
}
