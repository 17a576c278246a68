/**
 * The client for callers who do not use Effect: its options and methods.
 */
import type { TokenStore } from "../client/call/TokenStore.js"
import type { GatewayLanguage, PaymentState, TokenScope } from "../contract/CodeLists.js"
import type { DurationInput } from "../basics/DurationInput.js"
import type { CustomRequest, GatewayOperations } from "../contract/GatewayOperations.js"
import type { GatewayId } from "../contract/Messages.js"
import type { ResponseHead, CallEvent } from "../client/call/CallEvent.js"
import type { ChangeRecord } from "../client/error/ChangeRecord.js"
import type { GatewayError } from "../client/error/GatewayError.js"
import type { Reconciliation } from "../client/payment/Reconciliation.js"
import type { AwaitedPayment } from "../client/payment/PaymentState.js"
import type {
  ExpectedPayment,
  NotificationError,
  NotificationLimits,
  NotificationRequest,
  NotificationSource,
  PaymentNotification,
  VerifiedPayment
} from "../client/notification/Notification.js"
import type { ConnectionAgent } from "../client/transport/Sender.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** The options of a client: merchant, gateway, language, limits. */
export interface GatewayClientOptions {
  /** The shop's identifier at GoPay. */
  readonly goid: GatewayId
  /** The ClientID that GoPay gave to the shop. */
  readonly clientId: string
  /** The ClientSecret that GoPay gave to the shop. */
  readonly clientSecret: string
  /**
   * GoPay's sandbox, its production, or the address of another gateway, with or without `/api` at its end. There is no
   * default, so that no one moves real money by forgetting it.
   */
  readonly environment: "sandbox" | "production" | (string & {})
  /**
   * The language of pay pages, and of the gateway's messages (Czech for `CS` and `SK`, else English). Default: `EN`.
   */
  readonly language?: GatewayLanguage | undefined
  /** The scope of the access token. Default: `payment-all`. */
  readonly scope?: TokenScope | undefined
  /**
   * The time limit of one attempt: connecting, headers and body. Default: 30 seconds for reads, 120 seconds for
   * changes, since refunds that succeed can take longer than 30 seconds.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * The number of bytes read of a response, after decompression. A longer response cannot be used; its rest is not
   * read. Default: 4 MiB for JSON, 64 MiB for account statements.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * The number of requests that may be under way at once, tokens apart. Further ones wait for their turn, in order and
   * within their `timeout`: one whose turn does not come in time fails with `GatewayUnavailable` and was not sent.
   * Default: 100.
   */
  readonly maxConcurrentRequests?: number | undefined
  /**
   * The attempts at reads and at the request for a token, in all, and the time that they may take; `false` for exactly
   * one request per call, and one for a token. Then a call whose token is refused is not sent again either: it rejects
   * with `isRetryable`. Changes are repeated only when the gateway certainly did not take them, whatever this says.
   * Default: 4 attempts within 120 000 milliseconds.
   */
  readonly retry?: RetryOptions | false | undefined
  /**
   * Shares the access token with other processes and later ones, for functions that live as long as one request. The
   * store may be Redis, Cloudflare KV, a table or files. The token is stored encrypted; the ClientSecret is never
   * stored. Deriving the key takes about 0.1 seconds of processor time, once in a process. If the store fails, is slow
   * or holds something unreadable, the token is not shared, calls work as without a store, and a warning is printed to
   * the console once. Default: the token is kept in memory.
   */
  readonly tokenStore?: TokenStore | undefined
  /**
   * The `waitUntil` of the platform (`cloudflare:workers`, `@vercel/functions`), which keeps a function alive after its
   * response. With it a token that is due is refreshed behind the call that finds it; in Cloudflare Workers without it,
   * by that call, which takes longer, about once in half an hour.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Added to the `User-Agent`, such as `my-shop/2.1`. */
  readonly userAgent?: string | undefined
  /**
   * In place of what requests go over otherwise (Node's sockets on Node.js, elsewhere the global `fetch`), for a proxy
   * or a certificate of your own: `(url, init) => fetch(url, { ...init, dispatcher })`. It must send each request once:
   * no retries, since they would move money twice, and no redirects, so it must pass on the `redirect: "manual"` and
   * the `signal` that it is given. Its rejections should keep their `cause` with the system's error code: without one,
   * a change that was never sent counts as `OutcomeUnknown`. An error with the `code` `ERR_NOT_SENT` says that nothing
   * was sent.
   */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Node.js only: the agent of `node:https` that connections are made by, for a proxy or a certificate of your own,
   * such as `new HttpsProxyAgent(url)`. With it requests go over `node:https` even when the global `fetch` has been
   * replaced. It is yours: closing the client does not close its connections. Default: an agent of the client's own.
   */
  readonly agent?: ConnectionAgent | undefined
  /**
   * Called for every call that has ended, for logs and metrics; requests for an access token are calls too. Nothing secret
   * or personal is in it. It changes no call, not even by aborting it or by closing the client: its result is not waited
   * for, and what it throws or rejects with is ignored.
   */
  readonly observer?: ((call: CallEvent) => void) | undefined
  /** Allows a gateway over plain http that is not on this machine. Credentials then travel unencrypted. */
  readonly allowInsecure?: boolean | undefined
}

/** Limits of the attempts at a read, or at the request for a token. Changes are never repeated by this. @category calls */
export interface RetryOptions {
  /** Attempts in all, the first included: a whole number, 1 or more. Default: 4. */
  readonly attempts?: number | undefined
  /**
   * The time limit of a read with all its attempts and the waits between them; then it rejects with the last error.
   * Waiting for a token may take as long again. Default: 2 minutes.
   */
  readonly totalTimeout?: DurationInput | undefined
}

/** Options of one call. */
export interface CallOptions {
  /**
   * Ends the call. A read, or a change that was not handed over yet, rejects with the signal's reason. A change that
   * was handed over rejects with a `GatewayError` whose reason is `OutcomeUnknown` and whose `cause` is the signal's
   * reason.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * The time limit of one attempt, in place of the client's `timeout`. Waiting for a token may take as long again, and a read may make several attempts: `signal: AbortSignal.timeout(5_000)` limits the whole call.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * Asked before every attempt of a change, when nothing is left but to hand the request over: the token is there, and
   * so is the request's turn among those under way. Only a new connection, where none is kept, is made after it. An
   * attempt that follows a refused token asks again. `false` or a rejection holds the request back: it is certainly not
   * sent, and the call rejects with `GatewayUnavailable`, whose `cause` is what it rejected with. A duration is the time for which it may be sent, from when
   * the check began: where they are over before the request is handed over, it is held back as well. Reads do not ask.
   *
   * It is the place to see that this process may still send, such as that it holds a lease in a database, however long
   * it has waited for a token or been suspended. It has the time of the attempt (`timeout`), which it takes from the
   * request, and keeps the request's turn meanwhile: one that has not answered when the time is up, or when the client
   * is closed, holds the request back too.
   */
  readonly beforeSend?:
    | ((change: ChangeRecord) => boolean | DurationInput | Promise<boolean | DurationInput>)
    | undefined
  /**
   * Called with the status and the gateway's clock of each response that the call gets, before it is decoded; not with
   * that of a request for a token. What it returns, throws or rejects with is ignored.
   */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined
}

/** A request is not accepted there: the compiler then shows the message. */
type PartialCapture = "captureAuthorizationPartial captures a part"

/** Options of a call that captures the whole. */
export interface CaptureOptions extends CallOptions {
  /** Not accepted: `captureAuthorizationPartial` captures a part. */
  readonly amount?: PartialCapture
  /** Not accepted: `captureAuthorizationPartial` captures a part. */
  readonly items?: PartialCapture
}

/** Options of `awaitPayment`. */
export interface AwaitPaymentCallOptions extends Omit<CallOptions, "beforeSend" | "onResponse"> {
  /**
   * The states that end the waiting. Default: those in which the payer's part is over (see `isPayerDone`). A state that
   * is not among them, also one that is in no list, is waited through.
   */
  readonly until?: ReadonlyArray<PaymentState> | undefined
  /** The time to wait in all, reads included. Default: 10 minutes. */
  readonly waitAtMost?: DurationInput | undefined
}

/** The shop's part in handling notifications, and its limits. @category notifications */
export interface NotificationHandlerOptions<Order extends ExpectedPayment = ExpectedPayment> {
  /**
   * Finds what the shop expects of a payment, by the payment's id: what it stored when it created it. Returns
   * `undefined` or `null` for a payment that is not the shop's.
   */
  readonly expected: (paymentId: number) => Order | null | undefined | PromiseLike<Order | null | undefined>
  /**
   * Called with a payment, read after the notification arrived and found to be the expected one. Check its `state`: it
   * may be any. It is called at least once for each change, so it must do no harm when called again; never twice at
   * once for one payment by this handler, but another process may call its own: lock the order.
   */
  readonly handler: (verified: VerifiedPayment<Order>) => unknown
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent when the address names no payment.
   * Default: an error in the log, or a debug message for what anyone on the internet can cause.
   */
  readonly onError?:
    | ((error: NotificationError | GatewayError, notification: PaymentNotification | undefined) => unknown)
    | undefined
  /** Limits of the reads that notifications may cause. Default: those of `NotificationLimits`. */
  readonly limits?: NotificationLimits | undefined
}

/**
 * Answers a notification. It never rejects. Of the request, only its method and its address are checked.
 *
 * @category notifications
 */
export type NotificationRequestHandler = (request: NotificationRequest) => Promise<Response>

/** The operations as promises. Each takes the options of a call after its own arguments. */
export type GatewayPromises = {
  readonly [Name in keyof GatewayOperations]: (
    ...args: [
      ...args: Parameters<GatewayOperations[Name]>,
      options?: Name extends "captureAuthorization" ? CaptureOptions : CallOptions
    ]
  ) => Promise<ReturnType<GatewayOperations[Name]>>
}

/**
 * One merchant at one gateway, with promises.
 *
 * A promise rejects with a `GatewayError`, whose `reason._tag` says what happened. Any of them can reject with
 * `InvalidRequest` (before anything is sent, when an argument cannot be right), `AuthenticationFailed`,
 * `PermissionDenied`, `RateLimited`, `GatewayUnavailable` and `UnexpectedResponse` (for a change: the response to the
 * token call, and nothing was sent); changes also with `OutcomeUnknown`: then the gateway may have taken it, and
 * repeating it may do it twice. Reads are repeated by themselves when the gateway is not available, changes only when
 * the gateway certainly did not take them.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`.
 */
export interface GatewayClient extends GatewayPromises {
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: GatewayId
  /** The API's base address, without a slash at its end, such as `https://gw.sandbox.gopay.com/api`. */
  readonly baseUrl: string

  /**
   * Sends a request of your own, for what GoPay adds to its API before it is known here: with the same token, errors
   * and care as the operations. Returns the JSON of the response as it came, or `undefined` when the response is empty.
   *
   * A read or a change, as its `kind` says. Fails with `InvalidRequest` before anything is sent when it cannot be
   * right.
   */
  readonly sendRequest: (request: CustomRequest, options?: CallOptions) => Promise<unknown>

  /**
   * Finds out what became of a change whose outcome is unknown: the `change` of an `OutcomeUnknown`, or the stored
   * record of a call that the process did not survive. The result is one of `Happened`, `DidNotHappen`, `StateReached`,
   * `NotSeenYet` and `CannotTell`; each says what to do, and none that the change may simply be sent again.
   *
   * What the gateway does not show is never taken for not done. A refund is recognised only with the refunds listed
   * before the call (`refundsBefore`) and your word that no one else refunds the payment (`isOnlyWriter`), a charge
   * only with the id from its notification (`childId`); a created payment cannot be looked up at all.
   *
   * Reads only, at most twice; `createPayment`, and `createRecurrence` without `childId`, need no request. Fails as its
   * reads do, with `PaymentNotFound` or `CardNotFound` also when another merchant or environment sent the change, and
   * with `InvalidRequest`, before any request, when `change` is no record of one, or its `goid` is that of another
   * merchant.
   */
  readonly reconcile: (change: ChangeRecord, options?: CallOptions) => Promise<Reconciliation>

  /**
   * Verifies the payment that an address names: that of a notification, or of the payer's return to the shop (`?id=`).
   * Reads it and compares it with what the shop expects. Its `state` may be any: check it.
   *
   * `expected` finds what the shop stored when it created the payment, by the payment's id, and gives `undefined` or
   * `null` for one that it does not know; it is also asked for the first payment of the recurrence that the payment
   * claims to be a charge of.
   *
   * A read. Calls for one payment at the same time share it: each gets the result of a read that began after the call.
   *
   * Fails with a `NotificationError`: `InvalidNotification` when the address names no payment, `UnknownPayment`
   * when the shop knows nothing of it (then it is not read), `PaymentMismatch` when it is not what the shop expects,
   * `ExpectationFailed` when `expected` threw or rejected, or what it gave cannot be compared. What a program in its
   * place fails with stays as it is. Else it fails as `getPayment` does.
   */
  readonly verifyPayment: <Order extends ExpectedPayment>(
    source: NotificationSource,
    expected: (paymentId: number) => Order | null | undefined | PromiseLike<Order | null | undefined>,
    options?: CallOptions
  ) => Promise<VerifiedPayment<Order>>

  /**
   * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`.
   * Answers `Reached`, or `StillPending` with the payment as last seen when `waitAtMost` has expired (default: 10 minutes).
   *
   * Reads at once, then after ever longer waits, at most 30 seconds, also while the gateway is not available.
   * `CANCELED` and `TIMEOUTED` do not prove that no money will come: a transfer may arrive late (sub-state `_5047`).
   *
   * A read. Fails as `getPayment` does, when it cannot help to wait, or the payment could not be read in all that time.
   */
  readonly awaitPayment: (paymentId: GatewayId, options?: AwaitPaymentCallOptions) => Promise<AwaitedPayment>

  /**
   * Makes a handler that answers the gateway's notifications: 200 only after a read that began when the notification
   * had arrived, and after the shop's handler succeeded. 400 for an address that names no payment, 405 for anything but
   * a GET, and 503 for everything else (an unknown payment, one that is not as expected, a limit, a failure), so that
   * the gateway repeats it.
   *
   * For each payment there is at most one read and one call of the shop's handler at a time; notifications that arrive
   * meanwhile are answered together by one more. After `close()` it answers 503.
   *
   * @throws TypeError when an option is missing, wrong or unknown; it names every one
   */
  readonly createNotificationHandler: <Order extends ExpectedPayment>(
    options: NotificationHandlerOptions<Order>
  ) => NotificationRequestHandler

  /**
   * Gets an access token unless there is one, and with it a connection that the next call can use: at start-up it saves
   * the first payer these round trips. A token that is about to end is renewed: repeated every half minute, no call
   * waits for one.
   *
   * Fails as the request for a token does, such as with `AuthenticationFailed` and `GatewayUnavailable`. A token that
   * comes from a store that processes share brings no connection.
   */
  readonly warm: (options?: CallOptions) => Promise<void>

  /**
   * The address of the browser script that opens the pay page inside the shop's page (`/gp-gw/js/embed.js`).
   *
   * Sends nothing.
   */
  readonly getEmbedJsUrl: () => string

  /**
   * Ends the client: new calls are refused, reads under way are interrupted, changes under way are waited for (each
   * ends within its time-out and the token's). Calling it again waits as well. In Cloudflare Workers it only refuses
   * new calls: no request can end another's, or wait for it.
   */
  readonly close: () => Promise<void>

  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
