/**
 * The handler of the gateway's notifications as a program: the common part of all APIs.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { logFailure, type NotificationStatus, responseHeaders } from "./Deliveries.js"
import type { NotificationLimits } from "./Notification.js"
import type { Named } from "./ReadLimits.js"

/** A reason that `logFailure` can log. */
interface WithReason {
  readonly reason: { readonly _tag: string }
}

/** The shop's programs, except the one that finds the expected order. */
interface ShopPrograms<in Verified, in E, in Notification, out HandlerR, out OnErrorR> {
  readonly handler: (verified: Verified) => Effect.Effect<unknown, unknown, HandlerR>
  readonly onError?:
    | ((error: E, notification: Notification | undefined) => Effect.Effect<unknown, unknown, OnErrorR>)
    | undefined
  readonly limits?: NotificationLimits | undefined
}

/** A shop whose programs need no more services. */
interface ProvidedShop<in Id, out Found, out FindE, in Verified, in Failure, in Notification> {
  readonly find: (paymentId: Id) => Effect.Effect<Found, FindE>
  readonly handler: (verified: Verified) => Effect.Effect<unknown, unknown>
  readonly onError: (failure: Failure, notification: Notification | undefined) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

/**
 * The shop in the form that deliveries use: its programs run with the services from when the handler was made, and
 * those of the caller.
 */
export const shopOf = <
  Id,
  Found,
  FindE,
  FindR,
  Verified,
  HandlerR,
  Failure,
  E extends WithReason,
  Notification extends Named | Named["id"],
  OnErrorR
>(
  { handler, limits, onError = logFailure }: ShopPrograms<Verified, E, Notification, HandlerR, OnErrorR>,
  find: (paymentId: Id) => Effect.Effect<Found, FindE, FindR>,
  toError: (failure: Failure) => E
): Effect.Effect<ProvidedShop<Id, Found, FindE, Verified, Failure, Notification>, never, FindR | HandlerR | OnErrorR> =>
  Effect.map(Effect.context<FindR | HandlerR | OnErrorR>(), (provided) => {
    const withContext = <A, Failed>(effect: Effect.Effect<A, Failed, FindR | HandlerR | OnErrorR>) =>
      Effect.updateContext(effect, (caller: Context.Context<never>) => Context.merge(provided, caller))
    return {
      find: (paymentId: Id) => withContext(find(paymentId)),
      handler: (verified: Verified) => withContext(handler(verified)),
      onError: (failure: Failure, notification: Notification | undefined) =>
        withContext(onError(toError(failure), notification)),
      limits
    }
  })

/** Adds a route that answers with a handler, for these methods. */
export const routeOf = <R>(
  path: `/${string}`,
  made: Effect.Effect<(request: HttpServerRequest.HttpServerRequest) => Effect.Effect<NotificationStatus>, never, R>,
  methods?: string
): Layer.Layer<never, never, HttpRouter.HttpRouter | Exclude<R, Scope.Scope>> =>
  HttpRouter.use((router) =>
    Effect.flatMap(made, (handle) =>
      router.add("*", path, (request) =>
        Effect.map(handle(request), (status) =>
          HttpServerResponse.empty({ status, headers: responseHeaders(status, methods) })
        )
      )
    )
  )
