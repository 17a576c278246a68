/**
 * One merchant at one gateway, over a transport: the common core of the programs (`Gateway.ts`) and the promises
 * (`createGatewayClient.ts`). Its failures are data, from which each of the two makes its own errors.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { Transport } from "../transport/Transport.js"
import type { ApiTypes } from "../error/AnyReason.js"
import type { Api } from "./Api.js"
import type { CallObserver } from "./CallObserver.js"
import * as Calls from "./Calls.js"
import type { TokenCache } from "./TokenCache.js"

export interface GatewayCore<in out Types extends ApiTypes> extends Pick<GatewaySettings, "goid" | "baseUrl"> {
  readonly call: Calls.CallOperation<Types>
  readonly warm: Effect.Effect<void, GatewayFailure>
}

interface CoreParts<Types extends ApiTypes> {
  readonly tokens: TokenCache
  readonly observe: CallObserver<Types>
  /**
   * Checked at each call: whether the client is closed. Default: never, for a client that refuses such calls itself.
   */
  readonly isClosed?: () => boolean
}

/** A function that says whether the scope in which this effect ran has ended. */
export const closing: Effect.Effect<() => boolean, never, Scope.Scope> = Effect.gen(function* () {
  let isClosed = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isClosed = true
    })
  )
  return () => isClosed
})

export const make = <Types extends ApiTypes>(
  api: Api<Types>,
  settings: GatewaySettings,
  transport: Transport,
  { isClosed = () => false, observe, tokens }: CoreParts<Types>
): GatewayCore<Types> => {
  const { baseUrl, goid } = settings
  return {
    goid,
    baseUrl,
    call: Calls.make(api, settings, tokens, transport, observe, isClosed),
    warm: Effect.asVoid(tokens.get)
  }
}
