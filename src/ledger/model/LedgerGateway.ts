/**
 * The gateway, as a ledger uses it, from either style of client.
 */
import * as Effect from "effect/Effect"
import * as Reconcile from "../../client/payment/Reconcile.js"
import { isoTimestamp } from "../../basics/Day.js"
import type {
  CaptureAuthorizationPartialRequest,
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreateRecurrenceRequest,
  GatewayId,
  PaymentOperationResponse,
  PaymentResponse,
  RefundHistoryItem
} from "../../contract/Messages.js"
import { BeforeSend } from "../../client/call/BeforeSend.js"
import { OnResponse } from "../../client/call/OnResponse.js"
import type { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { GatewayService } from "../../client/call/Gateway.js"
import { distinctRefunds } from "../../client/payment/RefundEntries.js"
import type { ResponseHead } from "../../client/call/CallEvent.js"

/** The pre-send check of a change: the milliseconds for which it may be sent, from when the check began. */
export type MaySend = Effect.Effect<number, unknown>

export interface PaymentChange {
  readonly key: string
  readonly operation: "refundPayment" | "captureAuthorization" | "captureAuthorizationPartial" | "voidAuthorization"
  readonly payment_id: string
  readonly request: {
    readonly amount?: number | undefined
    readonly items?: CaptureAuthorizationPartialRequest["items"] | undefined
  } | null
}

/** The reads and changes of a ledger, and whose they are. */
export interface LedgerGateway {
  /** Environment and merchant: the same key is another one elsewhere. */
  readonly scope: Effect.Effect<string>
  readonly goid: Effect.Effect<GatewayId>
  readonly reads: Reconcile.Reads<GatewayError>
  /** Reads what is of no payment. */
  readonly getInstruments: Effect.Effect<unknown, GatewayError>
  readonly listRefunds: (paymentId: string) => Effect.Effect<RefundList, GatewayError>
  /** Creates a payment once, unless the pre-send check says no. */
  readonly createPayment: (
    request: CreatePaymentRequest,
    maySend: MaySend
  ) => Effect.Effect<CreatePaymentResponse, GatewayError>
  /** Sends a change once, unless the pre-send check says no. */
  readonly send: (change: PaymentChange, maySend: MaySend) => Effect.Effect<PaymentOperationResponse, GatewayError>
  /** Charges a recurrence once, unless the pre-send check says no. */
  readonly charge: (
    firstPaymentId: string,
    request: CreateRecurrenceRequest,
    maySend: MaySend
  ) => Effect.Effect<PaymentResponse, GatewayError>
  /** Ends a recurrence. It may be repeated. */
  readonly voidRecurrence: (firstPaymentId: string) => Effect.Effect<unknown, GatewayError>
}

/** In milliseconds: how long the ledger waits at most because the gateway asks for it. */
export const longestWait = 600_000

/** In milliseconds: how long the gateway asks to wait, within that bound; `undefined` where it does not. */
export const waitAskedBy = (reason: GatewayErrorReason): number | undefined =>
  reason._tag === "RateLimited" && reason.retryAfterMillis !== undefined
    ? Math.min(reason.retryAfterMillis, longestWait)
    : undefined

/** A gateway whose failures are seen by someone. */
export const observed = (
  gateway: LedgerGateway,
  onFailure: (reason: GatewayErrorReason) => Effect.Effect<unknown>
): LedgerGateway => {
  const seen = <A>(call: Effect.Effect<A, GatewayError>) => Effect.tapError(call, ({ reason }) => onFailure(reason))
  return {
    ...gateway,
    reads: {
      getPayment: (id) => seen(gateway.reads.getPayment(id)),
      getPaymentRefunds: (id) => seen(gateway.reads.getPaymentRefunds(id)),
      getCardDetails: (id) => seen(gateway.reads.getCardDetails(id))
    },
    getInstruments: seen(gateway.getInstruments),
    listRefunds: (id) => seen(gateway.listRefunds(id)),
    createPayment: (request, maySend) => seen(gateway.createPayment(request, maySend)),
    send: (change, maySend) => seen(gateway.send(change, maySend)),
    charge: (id, request, maySend) => seen(gateway.charge(id, request, maySend)),
    voidRecurrence: (id) => seen(gateway.voidRecurrence(id))
  }
}

/** The environment is the base address of the gateway's API. */
export const scopeOf = (baseUrl: string, goid: GatewayId): string => `${new URL(baseUrl).href} ${goid}`

/** Finds out what became of a change: see `reconcile` of the client. */
export const reconcile = ({ goid, reads }: Pick<LedgerGateway, "goid" | "reads">, record: ChangeRecord) =>
  Effect.mapError(Reconcile.reconcile({ ...reads, goid }, record), (failure) =>
    failure instanceof GatewayError ? failure : new GatewayError(failure)
  )

/** A defect of the check holds the change back as well. */
const checkedBy = (maySend: MaySend) => Effect.provideService(BeforeSend, () => Effect.sandbox(maySend))

export const fromService = (gateway: GatewayService): LedgerGateway => ({
  scope: Effect.zipWith(gateway.baseUrl, gateway.goid, scopeOf),
  goid: gateway.goid,
  reads: gateway,
  getInstruments: gateway.getPaymentInstruments(undefined, "CZK"),
  listRefunds: (paymentId) =>
    Effect.suspend(() => {
      const { listed, onResponse } = gatewayClock()
      return Effect.map(
        Effect.provideService(gateway.getPaymentRefunds(paymentId), OnResponse, (head) =>
          Effect.sync(() => onResponse(head))
        ),
        listed
      )
    }),
  createPayment: (request, maySend) => checkedBy(maySend)(gateway.createPayment(request)),
  send: (change, maySend) => checkedBy(maySend)(sendBy(gateway, change, undefined)),
  charge: (firstPaymentId, request, maySend) => checkedBy(maySend)(gateway.createRecurrence(firstPaymentId, request)),
  voidRecurrence: (firstPaymentId) => gateway.voidRecurrence(firstPaymentId)
})

/** The changes of either style of client. */
type Sender<Options, Sent> = {
  readonly [Name in "captureAuthorization" | "voidAuthorization"]: (id: string, options: Options) => Sent
} & {
  readonly refundPayment: (id: string, refund: { readonly amount: number }, options: Options) => Sent
  readonly captureAuthorizationPartial: (id: string, part: CaptureAuthorizationPartialRequest, options: Options) => Sent
}

export const sendBy = <Options, Sent>(
  client: Sender<Options, Sent>,
  { operation, payment_id, request }: PaymentChange,
  options: Options
): Sent => {
  const { amount = 0, items } = request ?? {}
  switch (operation) {
    case "refundPayment":
      return client.refundPayment(payment_id, { amount }, options)
    case "captureAuthorizationPartial":
      return client.captureAuthorizationPartial(payment_id, { amount, items }, options)
    case "captureAuthorization":
    case "voidAuthorization":
      return client[operation](payment_id, options)
  }
}

/** The refunds of a payment, as the gateway lists them. */
export interface RefundList {
  readonly refunds: ReadonlyArray<RefundHistoryItem>
  /** The time at the gateway when it listed them, in milliseconds; `undefined` when its response did not say. */
  readonly gatewayTime: number | undefined
}

/** Reads the gateway's clock from the last response. */
export const gatewayClock = () => {
  let gatewayTime: number | undefined
  return {
    onResponse: (head: ResponseHead): void => {
      gatewayTime = head.gatewayTimeMillis
    },
    listed: (refunds: ReadonlyArray<RefundHistoryItem>): RefundList => ({
      refunds: distinctRefunds(refunds),
      gatewayTime
    })
  }
}

/** The time of a refund, by the gateway's clock. */
export const requestedAt = ({ date_requested = "" }: RefundHistoryItem): number | undefined => {
  const time = Date.parse(isoTimestamp(date_requested))
  return Number.isNaN(time) ? undefined : time
}
