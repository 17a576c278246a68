/**
 * The gateway, as a ledger uses it, from either style of client.
 */
import * as Effect from "effect/Effect"
import { BeforeSend } from "../../client/call/BeforeSend.js"
import { OnResponse } from "../../client/call/OnResponse.js"
import type { GatewayFailure } from "../../client/error/GatewayError.plain.js"
import type { GatewayService } from "../../client/gateway/Gateway.js"
import type { Reads } from "../../client/outcome/Reconcile.js"
import type { PaymentOperationResponse } from "../../api/Messages.plain.js"
import type { OrderGateway } from "../order/OrderGateway.js"
import { clockKept } from "../order/RefundList.js"
import type { ChangeRow } from "../table/ChangeRow.js"

/** The last look before a change is sent. */
export type MaySend = Effect.Effect<boolean, unknown>

/** The reads and changes of a ledger, and whose they are. */
export interface LedgerGateway extends OrderGateway {
  /** Environment and merchant: the same key is another one elsewhere. */
  readonly scope: Effect.Effect<string>
  readonly reads: Reads<GatewayFailure>
  /** Sends a change once. */
  readonly send: (row: ChangeRow, maySend: MaySend) => Effect.Effect<PaymentOperationResponse, GatewayFailure>
}

/** The environment is the address of the gateway. */
export const scopeOf = (embedJsUrl: string, goid: number | string): string => `${new URL(embedJsUrl).origin} ${goid}`

/** The gateway of programs. */
export const fromService = (gateway: GatewayService): LedgerGateway => ({
  scope: Effect.zipWith(gateway.getEmbedJsUrl(), gateway.goid, scopeOf),
  goid: gateway.goid,
  reads: gateway,
  listRefunds: (paymentId) =>
    Effect.suspend(() => {
      const { listed, onResponse } = clockKept()
      return Effect.map(Effect.provideService(gateway.getPaymentRefunds(paymentId), OnResponse, onResponse), listed)
    }),
  createPayment: (request, maySend) => Effect.provideService(gateway.createPayment(request), BeforeSend, () => maySend),
  send: (row, maySend) => Effect.provideService(sendBy(gateway, row), BeforeSend, () => maySend)
})

const sendBy = (gateway: GatewayService, { operation, payment_id, request }: ChangeRow) => {
  const { amount = 0, items } = request ?? {}
  switch (operation) {
    case "refundPayment":
      return gateway.refundPayment(payment_id, { amount })
    case "captureAuthorization":
      return gateway.captureAuthorization(payment_id)
    case "captureAuthorizationPartial":
      return gateway.captureAuthorizationPartial(payment_id, {
        amount,
        ...(items === undefined ? undefined : { items })
      })
    case "voidAuthorization":
      return gateway.voidAuthorization(payment_id)
  }
}
