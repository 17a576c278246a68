/**
 * What the services of a ledger are made of, over any database.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Gateway } from "../client/call/Gateway.js"
import { responseHeaders } from "../client/notification/NotificationDelivery.js"
import { fromService } from "./model/LedgerGateway.js"
import type { InvalidArgument, LedgerError, LedgerUnavailable } from "./model/LedgerError.js"
import type { LedgerNotificationOptions, LedgerOptions, LedgerService } from "./model/LedgerService.js"
import { traced } from "./model/Trace.js"
import type { Database } from "./store/Database.js"
import { asHandler, outsideHandlers } from "./store/outsideTransactions.js"
import { wireLedger, type WiredLedger } from "./wireLedger.js"

/** Makes a ledger over a database, whose calls also fail where `outside` does. */
export const makeOver = <Tx>(
  database: Database<Tx>,
  options: Omit<LedgerOptions<Tx>, "store">,
  outside: Effect.Effect<void, LedgerError<InvalidArgument>> = Effect.void
): Effect.Effect<WiredLedger<Tx>, never, Gateway | Scope.Scope> =>
  Effect.flatMap(Gateway, (gateway) => {
    const { onChange, onPayment, onSubscription } = options
    return wireLedger<Tx>({
      ...options,
      outside: Effect.andThen(outside, outsideHandlers),
      database,
      gateway: fromService(gateway),
      trace: traced,
      onChange: onChange === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onChange(event))),
      onPayment: onPayment === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onPayment(event))),
      onSubscription:
        onSubscription === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onSubscription(event)))
    })
  })

/** Makes the tables where a layer is made, which is in no transaction. */
export const migrated = ({
  migrate
}: Pick<LedgerService, "migrate">): Effect.Effect<void, LedgerError<LedgerUnavailable>> =>
  Effect.catchReasons(migrate, "LedgerError", { InvalidArgument: Effect.die })

/** A route that answers notifications by a ledger that is a service. */
export const notificationRouteOf = <Id>(
  ledger: Effect.Effect<Pick<LedgerService, "notificationHandler">, never, Id>,
  path: `/${string}`,
  options: LedgerNotificationOptions | undefined
): Layer.Layer<never, never, HttpRouter.HttpRouter | Id> =>
  HttpRouter.use((router) =>
    Effect.flatMap(ledger, ({ notificationHandler }) => {
      const handle = notificationHandler(options)
      return router.add("*", path, (request) =>
        Effect.map(handle(request), (status) => HttpServerResponse.empty({ status, headers: responseHeaders(status) }))
      )
    })
  )
