/**
 * Where a ledger meets a client of this package: plain data and promises, so that each may be of another copy of the package, one of
 * them an ES module and the other CommonJS.
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
  /** Asked before a change is handed over: the milliseconds for which it may be sent. See `BeforeSend`. */
  readonly check?: (() => Promise<number>) | undefined
  readonly onResponse?: ((head: ResponseHead) => void) | undefined
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * How a call ended. Of a change, the reason of a failure says whether it may have been made, `OutcomeUnknown` with its record, or what
 * it was refused or not sent for.
 */
export type PortResult<Response> = { readonly response: Response } | { readonly failure: GatewayFailure }

/** What a ledger asks of a client of promises. */
export interface ClientPort {
  readonly style: "promise"
  readonly goid: GatewayId
  readonly baseUrl: string
  /** Makes one call, as the client's own methods do. It rejects where the platform ends it, or the signal does. */
  readonly send: <Name extends keyof GatewayOperations>(
    request: PortRequest<Name>,
    options: PortOptions
  ) => Promise<PortResult<ReturnType<GatewayOperations[Name]>>>
}

/** The gateway of a program: its methods are called in the program itself. */
interface ProgramPort {
  readonly style: "Effect"
}

/** A port, and whether an object is the client that it is of, as it was made. */
interface Held {
  readonly port: ClientPort | ProgramPort
  readonly isOf: (client: object) => boolean
}

const key: unique symbol = Symbol.for("effect-gopay/ClientPort")

/** Gives a client its port. A spread does not copy it. */
export const withPort = <Client extends object>(client: Client, port: Held["port"]): Client => {
  const members = Object.entries(client)
  const isOf = (given: object): boolean =>
    given === client && members.every(([name, member]) => Reflect.get(given, name) === member)
  return Object.defineProperty(client, key, { value: { port, isOf } satisfies Held })
}

/**
 * The port of a client of this package, from whichever copy. There is none of what has a method that is not the client's own: a
 * spread, a spy, a mock, a Proxy. The ledger would not call it.
 */
export const portOf = (client: object): Held["port"] | undefined => {
  const held: Held | undefined = Object.getOwnPropertyDescriptor(client, key)?.value
  return held?.isOf(client) === true ? held.port : undefined
}
