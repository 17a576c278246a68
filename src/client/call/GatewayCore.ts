/**
 * One merchant at one gateway, over a transport: the one core whose two faces are programs (`Gateway.ts`) and promises
 * (`createGatewayClient.ts`). Its failures are data, of which each face makes its own errors.
 */
import * as Effect from "effect/Effect"
import { embedJsUrl, type GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { Transport } from "../transport/Transport.js"
import type { CallObserver } from "./CallObserver.js"
import * as Calls from "./Calls.js"
import type { TokenCache } from "./TokenCache.js"

export interface GatewayCore extends Pick<GatewaySettings, "goid" | "baseUrl"> {
  readonly call: Calls.CallOperation
  readonly warm: Effect.Effect<void, GatewayFailure>
  readonly embedJsUrl: string
}

interface CoreParts {
  readonly tokens: TokenCache
  readonly observe: CallObserver
}

export const make = (settings: GatewaySettings, transport: Transport, { observe, tokens }: CoreParts): GatewayCore => {
  const { baseUrl, goid } = settings
  return {
    goid,
    baseUrl,
    call: Calls.make(settings, tokens, transport, observe),
    warm: Effect.asVoid(tokens.get),
    embedJsUrl: embedJsUrl(baseUrl)
  }
}
