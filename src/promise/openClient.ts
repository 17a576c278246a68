/**
 * The common base of the clients of all APIs: options, connections, token, and calls as promises.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { makeSender } from "#transport"
import type { Api } from "../client/call/Api.js"
import { type CallObserver, unobserved } from "../client/call/CallObserver.js"
import * as GatewayCore from "../client/call/GatewayCore.js"
import * as SharedTokenCache from "../client/call/SharedTokenCache.js"
import * as TokenCache from "../client/call/TokenCache.js"
import type { TokenSource } from "../client/call/TokenSource.js"
import type { GatewaySettings } from "../client/config/GatewayOptions.js"
import type { ApiTypes } from "../client/error/AnyReason.js"
import type { InvalidField } from "../client/error/GatewayError.js"
import { overSender, type Transport } from "../client/transport/Transport.js"
import { callContext, checkedOptions, type RuntimeOptions } from "./checkedOptions.js"
import { type Face, makeCallRunner } from "./makeCallRunner.js"
import { reporting } from "./reporting.js"

/** The parts of an API that a client is opened with. */
interface OpenedApi<in out Types extends ApiTypes, in out Notified> extends Face<Types, Notified> {
  readonly api: Api<Types>
  readonly checkOptions: (options: unknown) => Result.Result<GatewaySettings, ReadonlyArray<InvalidField>>
  /** The source of tokens. A function, since no type says that the observer of every API accepts the token request. */
  readonly tokenSource: (settings: GatewaySettings, transport: Transport, observe: CallObserver<Types>) => TokenSource
}

/**
 * Opens a client. Nothing is sent before its first call.
 *
 * @throws TypeError that names every option that is wrong
 */
export const openClient = <Types extends ApiTypes, Notified>(
  options: RuntimeOptions<Types>,
  opened: OpenedApi<Types, Notified>
) => {
  const { agent, fetch, observer, settings, ...runtime } = checkedOptions<Types>(options, opened.checkOptions)
  const sender = makeSender({ agent, fetch })
  const transport = overSender(sender)
  const scope = Scope.makeUnsafe()
  const observe: CallObserver<Types> = observer === undefined ? unobserved : reporting<Types>(observer)
  const source = opened.tokenSource(settings, transport, observe)
  const tokens = TokenCache.keep(
    runtime.tokenStore === undefined
      ? source
      : Effect.runSync(SharedTokenCache.shared(source, settings, SharedTokenCache.fromPromises(runtime.tokenStore))),
    scope
  )
  const context = callContext(runtime)
  const runner = makeCallRunner<Types, Notified>(opened, context, async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    sender.close()
  })
  return { ...GatewayCore.make(opened.api, settings, transport, { tokens, observe }), ...runner, context, scope }
}
