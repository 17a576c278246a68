/**
 * The gateway as a ledger uses it, over a client of either style.
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
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
import { logChange, OnUnknownOutcome } from "../../client/call/OnUnknownOutcome.js"
import type { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { GatewayPrograms, GatewayService } from "../../client/call/Gateway.js"
import type { GatewayOperations } from "../../contract/GatewayOperations.js"
import { distinctRefunds } from "../../client/payment/RefundEntries.js"
import type { ResponseHead } from "../../client/call/CallEvent.js"

/**
 * The pre-send check of a change. Succeeds with the milliseconds, from the start of the check, within which it may be
 * sent.
 */
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

/** The reads and changes that a ledger makes, and their merchant. */
export interface LedgerGateway {
  /** The environment and the merchant: the same key in another scope is another key. */
  readonly scope: Effect.Effect<string>
  readonly goid: Effect.Effect<GatewayId>
  readonly reads: Reconcile.Reads<GatewayError>
  /** A read that concerns no payment. */
  readonly getInstruments: Effect.Effect<unknown, GatewayError>
  readonly listRefunds: (paymentId: string) => Effect.Effect<RefundList, GatewayError>
  /** Creates a payment, at most once, unless the pre-send check refuses. */
  readonly createPayment: (
    request: CreatePaymentRequest,
    maySend: MaySend
  ) => Effect.Effect<CreatePaymentResponse, GatewayError>
  /** Sends a change, at most once, unless the pre-send check refuses. */
  readonly send: (change: PaymentChange, maySend: MaySend) => Effect.Effect<PaymentOperationResponse, GatewayError>
  /** Charges a recurrence, at most once, unless the pre-send check refuses. */
  readonly charge: (
    firstPaymentId: string,
    request: CreateRecurrenceRequest,
    maySend: MaySend
  ) => Effect.Effect<PaymentResponse, GatewayError>
  /** Stops a recurrence. It may be repeated. */
  readonly voidRecurrence: (firstPaymentId: string) => Effect.Effect<unknown, GatewayError>
}

/** In milliseconds: the longest pause that the ledger makes because the gateway asks for one. */
export const longestWait = 600_000

/** In milliseconds: the pause that the gateway asks for, at most `longestWait`; `undefined` if it asks for none. */
export const waitAskedBy = (reason: GatewayErrorReason): number | undefined =>
  reason._tag === "RateLimited" && reason.retryAfterMillis !== undefined
    ? Math.min(reason.retryAfterMillis, longestWait)
    : undefined

/** A gateway that calls `onFailure` for each failed call. */
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

/** Finds the outcome of a change: see `reconcile` of the client. */
export const reconcile = ({ goid, reads }: Pick<LedgerGateway, "goid" | "reads">, record: ChangeRecord) =>
  Effect.mapError(Reconcile.reconcile({ ...reads, goid }, record), (failure) =>
    failure instanceof GatewayError ? failure : new GatewayError(failure)
  )

/** The calls of a client, in either style. */
export interface GatewayCalls {
  readonly goid: Effect.Effect<GatewayId>
  readonly baseUrl: Effect.Effect<string>
  /** Makes one call. A change has a pre-send check. */
  readonly call: <Name extends keyof GatewayOperations>(
    operation: Name,
    args: Parameters<GatewayOperations[Name]>,
    hooks?: CallHooks
  ) => Effect.Effect<ReturnType<GatewayOperations[Name]>, GatewayError>
}

interface CallHooks {
  readonly maySend?: MaySend
  readonly onResponse?: (head: ResponseHead) => void
}

/** The gateway over the calls of a client. */
export const overCalls = ({ baseUrl, call, goid }: GatewayCalls): LedgerGateway => ({
  scope: Effect.zipWith(baseUrl, goid, scopeOf),
  goid,
  reads: {
    getPayment: (id) => call("getPayment", [id]),
    getPaymentRefunds: (id) => call("getPaymentRefunds", [id]),
    getCardDetails: (id) => call("getCardDetails", [id])
  },
  getInstruments: call("getPaymentInstruments", [undefined, "CZK"]),
  listRefunds: (paymentId) =>
    Effect.suspend(() => {
      let gatewayTime: number | undefined
      const onResponse = (head: ResponseHead) => void (gatewayTime = head.gatewayTimeMillis)
      return Effect.map(call("getPaymentRefunds", [paymentId], { onResponse }), (refunds) => ({
        refunds: distinctRefunds(refunds),
        gatewayTime
      }))
    }),
  createPayment: (request, maySend) => call("createPayment", [request], { maySend }),
  send: ({ operation, payment_id, request }, maySend) => {
    const { amount = 0, items } = request ?? {}
    switch (operation) {
      case "refundPayment":
        return call(operation, [payment_id, { amount }], { maySend })
      case "captureAuthorizationPartial":
        return call(operation, [payment_id, { amount, items }], { maySend })
      case "captureAuthorization":
      case "voidAuthorization":
        return call(operation, [payment_id], { maySend })
    }
  },
  charge: (firstPaymentId, request, maySend) => call("createRecurrence", [firstPaymentId, request], { maySend }),
  voidRecurrence: (firstPaymentId) => call("voidRecurrence", [firstPaymentId])
})

/** The row of a change leads to its outcome, whatever becomes of its caller: no operator has to act. */
const logDoubt = (change: ChangeRecord): Effect.Effect<void> =>
  logChange("Info", "The outcome of a change is unknown", change, "the ledger finds out")

/** The gateway over an Effect client; its calls are part of the calling program. */
export const fromService = (gateway: GatewayService): LedgerGateway =>
  overCalls({
    goid: gateway.goid,
    baseUrl: gateway.baseUrl,
    call: <Name extends keyof GatewayOperations>(
      operation: Name,
      args: Parameters<GatewayOperations[Name]>,
      { maySend, onResponse }: CallHooks = {}
    ) => {
      const programs: GatewayPrograms = gateway
      return programs[operation](...args).pipe(
        // A defect of the check also holds the change back.
        maySend === undefined ? identity : Effect.provideService(BeforeSend, () => Effect.sandbox(maySend)),
        Effect.provideService(OnUnknownOutcome, logDoubt),
        onResponse === undefined
          ? identity
          : Effect.provideService(OnResponse, (head) => Effect.sync(() => onResponse(head)))
      )
    }
  })

/** The message about a gateway that is not a client made by this package. */
export const notOwnClient = (maker: string): string =>
  `must be a client itself, as ${maker} makes it, with its own methods: the ledger calls no spread, spy, mock or Proxy. In a test, ` +
  `let a client talk to the local gateway, or, in a program of Effect, to FakeTransport`

/** The refunds of a payment, as the gateway lists them. */
export interface RefundList {
  readonly refunds: ReadonlyArray<RefundHistoryItem>
  /** The gateway's time when it listed them, in milliseconds; `undefined` if its response did not say. */
  readonly gatewayTime: number | undefined
}

/** When a refund was requested, by the gateway's clock. */
export const requestedAt = ({ date_requested = "" }: RefundHistoryItem): number | undefined => {
  const time = Date.parse(isoTimestamp(date_requested))
  return Number.isNaN(time) ? undefined : time
}
