/**
 * The page for accountants, for callers who do not use Effect.
 */
import * as Effect from "effect/Effect"
import { isError } from "../../basics/AnyRealm.js"
import { GatewayError } from "../../client/error/GatewayError.js"
import type { AdminOptions, AdminRequest } from "../admin/Admin.js"
import { handlerOver } from "../admin/makeAdminHandler.js"
import { LedgerError } from "../model/LedgerError.js"
import type { AdminOperations } from "../model/LedgerOperations.js"
import { outsideTransactions } from "../store/asyncContext.js"
import type { LedgerOperator } from "./Ledger.js"

/**
 * Makes the handler of a page for accountants, in Czech and English, with everything that needs a decision. You decide
 * who may see it (`authorize`). It takes a web request and returns a web response, at any path of the shop;
 * `toNodeHandler` turns it into a handler for Node's server. It needs no script, sets no cookie, and accepts decisions
 * only from its own forms.
 *
 * @throws TypeError without `authorize`
 */
export const createAdminHandler = (
  operator: Pick<LedgerOperator, keyof AdminOperations>,
  options: AdminOptions
): ((request: AdminRequest) => Promise<Response>) => {
  const { reconcileFile, reconcileMonth, timeZone } = options ?? {}
  const handle = handlerOver(
    {
      acknowledgeRefund: (...args) => called(() => operator.acknowledgeRefund(...args)),
      getHealth: called(() => operator.getHealth()),
      listAttention: () => called(() => operator.listAttention()),
      getHistory: (key) => called(() => operator.getHistory(key)),
      listPayments: (listed) => called(() => operator.listPayments(listed)),
      listChanges: (listed) => called(() => operator.listChanges(listed)),
      listRefunds: (paymentId) => called(() => operator.listRefunds(paymentId)),
      resolveChange: (...args) => called(() => operator.resolveChange(...args)),
      resolvePayment: (...args) => called(() => operator.resolvePayment(...args))
    },
    {
      timeZone,
      authorize: options?.authorize && ((request) => Effect.promise(async () => options.authorize(request))),
      reconcileFile: reconcileFile && ((file) => tried(async () => reconcileFile(file))),
      reconcileMonth: reconcileMonth && ((period) => tried(async () => reconcileMonth(period)))
    }
  )
  return (request) => outsideTransactions(() => Effect.runPromise(handle(request)))
}

/** A call of the shop's function. Its failure is shown on the page. */
const tried = <A>(call: () => Promise<A>): Effect.Effect<A, { readonly message: string }> =>
  Effect.tryPromise({ try: call, catch: (error) => (isError(error) ? error : { message: String(error) }) })

const called = <A>(call: () => Promise<A>): Effect.Effect<A, LedgerError | GatewayError> =>
  Effect.catchDefect(Effect.promise(call), (error) =>
    error instanceof LedgerError || error instanceof GatewayError ? Effect.fail(error) : Effect.die(error)
  )
