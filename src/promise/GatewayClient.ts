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
   * GoPay's sandbox, its production gateway, or the address of another gateway, with or without `/api` at its end.
   * There is no default, so that no one moves real money by forgetting it.
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
   * The most bytes of a response that are read, after decompression. A longer response cannot be used; its rest is not
   * read. Default: 4 MiB for JSON, 64 MiB for account statements.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * The most concurrent requests, without those for tokens. Further requests wait for their turn, in order and within
   * their `timeout`: one whose turn does not come in time fails with `GatewayUnavailable` and was not sent. Default:
   * 100.
   */
  readonly maxConcurrentRequests?: number | undefined
  /**
   * The limits of the attempts at a read and at a token request; `false` for exactly one request per call, and one for
   * a token. With `false`, a call whose token is refused is not sent again either: it rejects with `isRetryable`.
   * Whatever is set here, a change is only repeated if the gateway certainly did not carry it out. Default: 4 attempts
   * within 120 000 milliseconds.
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
   * response. With it, the token is refreshed in the background of the call that finds it due. Without it, in
   * Cloudflare Workers, that call refreshes the token itself, so about one call in half an hour takes longer.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Added to the `User-Agent`, such as `my-shop/2.1`. */
  readonly userAgent?: string | undefined
  /**
   * Replaces what requests otherwise go over (Node's sockets on Node.js, elsewhere the global `fetch`), for a proxy or
   * a certificate of your own: `(url, init) => fetch(url, { ...init, dispatcher })`. It must send each request once: no
   * retries, since they could move money twice, and no redirects, so it must pass on the `redirect: "manual"` and the
   * `signal` that it receives. Its rejections should keep their `cause` with the system's error code: without one, a
   * change that was never sent counts as `OutcomeUnknown`. An error with the `code` `ERR_NOT_SENT` declares that
   * nothing was sent.
   */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Node.js only: the agent of `node:https` that makes the connections, for a proxy or a certificate of your own, such
   * as `new HttpsProxyAgent(url)`. With it, requests go over `node:https` even if the global `fetch` has been replaced.
   * It belongs to you: closing the client does not close its connections. Default: an agent of the client's own.
   */
  readonly agent?: ConnectionAgent | undefined
  /**
   * Called for every call that has ended, for logs and metrics; requests for an access token are calls as well. The
   * event contains nothing secret or personal. The observer cannot affect a call, not even by aborting it or by closing
   * the client: its result is not awaited, and whatever it throws or rejects with is ignored.
   */
  readonly observer?: ((call: CallEvent) => void) | undefined
  /** Allows a gateway over plain http that is not on this machine. Credentials then travel unencrypted. */
  readonly allowInsecure?: boolean | undefined
}

/** Limits of the attempts at a read, or at a token request. They never make a change repeat. @category calls */
export interface RetryOptions {
  /** The number of attempts, including the first: a whole number, 1 or more. Default: 4. */
  readonly attempts?: number | undefined
  /**
   * The time limit of a read with all its attempts and the pauses between them; then it rejects with the last error.
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
   * The time limit of one attempt, instead of the client's `timeout`. Waiting for a token may take as long again, and a
   * read may make several attempts: `signal: AbortSignal.timeout(5_000)` limits the whole call.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * A check that runs before every attempt of a change, right before the request is handed over: the token is
   * available, and it is the request's turn among concurrent requests. Only a new connection may still have to be made
   * after it. It runs again for an attempt that follows a refused token. `false` or a rejection holds the request back:
   * it is certainly not sent, and the call rejects with `GatewayUnavailable`, whose `cause` is what it rejected with. A
   * duration is how long the request may be sent, counted from the start of the check. If it has passed before the
   * request is handed over, the request is held back as well. Reads have no check.
   *
   * Use it to check that this process may still send, for example that it still holds a lease in a database, however
   * long it has waited for a token or been suspended. Its time counts towards the attempt's (`timeout`), and it keeps
   * the request's turn meanwhile. If it has not answered when the time is up, or when the client is closed, the request
   * is held back.
   */
  readonly beforeSend?:
    | ((change: ChangeRecord) => boolean | DurationInput | Promise<boolean | DurationInput>)
    | undefined
  /**
   * Called with the status and the gateway's clock of each response of the call, before it is decoded, but not of the
   * token request. What it returns, throws or rejects with is ignored.
   */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined
}

/** The type of options that are not accepted: the compiler then shows this message. */
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
   * The states that end the waiting. Default: those in which the payer's part is over (see `isPayerDone`). Waiting
   * continues in any other state, including unknown ones.
   */
  readonly until?: ReadonlyArray<PaymentState> | undefined
  /** The time limit of the whole wait, including reads. Default: 10 minutes. */
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
   * Called with a payment that was read after the notification arrived and is the expected one. Check its `state`: it
   * may be any. It is called at least once for each change, so repeating it must be harmless. This handler never calls
   * it concurrently for one payment, but another process may: lock the order.
   */
  readonly handler: (verified: VerifiedPayment<Order>) => unknown
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent if the address names
   * no payment. Default: an error in the log, or a debug message if anyone on the internet can cause it.
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
 * `InvalidRequest` (before anything is sent, if an argument is invalid), `AuthenticationFailed`, `PermissionDenied`,
 * `RateLimited`, `GatewayUnavailable` and `UnexpectedResponse` (for a change: the response to the token call, and
 * nothing was sent); changes also with `OutcomeUnknown`: then the gateway may have carried it out, and repeating it may
 * do it twice. Reads are retried automatically while the gateway is unavailable, changes only if the gateway certainly
 * did not carry them out.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`.
 */
export interface GatewayClient extends GatewayPromises {
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: GatewayId
  /** The API's base address, without a slash at its end, such as `https://gw.sandbox.gopay.com/api`. */
  readonly baseUrl: string

  /**
   * Sends a custom request, for anything that GoPay adds to its API before this package has it, with the same token,
   * errors and safety as the operations. Returns the JSON of the response as it came, or `undefined` if the response is
   * empty.
   *
   * A read or a change, as its `kind` says. Fails with `InvalidRequest` before anything is sent if it is invalid.
   */
  readonly sendRequest: (request: CustomRequest, options?: CallOptions) => Promise<unknown>

  /**
   * Finds the outcome of a change for which it is unknown: the `change` of an `OutcomeUnknown`, or the stored record of
   * a call that the process did not survive. The result is one of `Happened`, `DidNotHappen`, `StateReached`,
   * `NotSeenYet` and `CannotTell`; each says what to do, and none says that the change may simply be sent again.
   *
   * A change that the gateway does not show never counts as not made. A refund is recognised only with the refunds
   * listed before the call (`refundsBefore`) and your word that no one else refunds the payment (`isOnlyWriter`), a
   * charge only with the id from its notification (`childId`); a created payment cannot be found at all.
   *
   * Reads only, at most twice; `createPayment`, and `createRecurrence` without `childId`, need no request. Fails as its
   * reads do, with `PaymentNotFound` or `CardNotFound` also when another merchant or environment sent the change, and
   * with `InvalidRequest`, before any request, if `change` is not a record of a change, or its `goid` is another
   * merchant's.
   */
  readonly reconcile: (change: ChangeRecord, options?: CallOptions) => Promise<Reconciliation>

  /**
   * Verifies the payment that an address names: that of a notification, or of the payer's return to the shop (`?id=`).
   * Reads it and compares it with what the shop expects. Its `state` may be any: check it.
   *
   * `expected` finds what the shop stored when it created the payment, by the payment's id, and returns `undefined` or
   * `null` for one that it does not know. It is also called for the first payment of the recurrence that the payment
   * claims to be a charge of.
   *
   * A read. Calls for one payment at the same time share it: each gets the result of a read that began after the call.
   *
   * Fails with a `NotificationError`: `InvalidNotification` when the address names no payment, `UnknownPayment` when
   * the shop knows nothing of it (then it is not read), `PaymentMismatch` when it is not what the shop expects,
   * `ExpectationFailed` when `expected` threw or rejected, or its result cannot be compared. If it is a program, its
   * failure is passed on. Otherwise it fails as `getPayment` does.
   */
  readonly verifyPayment: <Order extends ExpectedPayment>(
    source: NotificationSource,
    expected: (paymentId: number) => Order | null | undefined | PromiseLike<Order | null | undefined>,
    options?: CallOptions
  ) => Promise<VerifiedPayment<Order>>

  /**
   * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`.
   * Returns `Reached`, or `StillPending` with the payment as last read when `waitAtMost` has expired (default: 10
   * minutes).
   *
   * Reads at once, then after growing pauses of at most 30 seconds, also while the gateway is unavailable. `CANCELED`
   * and `TIMEOUTED` do not prove that no money will come: a transfer may arrive late (sub-state `_5047`).
   *
   * A read. Fails as `getPayment` does, if waiting cannot help or the payment could not be read in all that time.
   */
  readonly awaitPayment: (paymentId: GatewayId, options?: AwaitPaymentCallOptions) => Promise<AwaitedPayment>

  /**
   * Makes a handler that answers the gateway's notifications: 200 only if the payment was read after the notification
   * had arrived, and the shop's handler has succeeded; 400 for an address that names no payment, 405 for any method but
   * GET, and 503 for everything else (an unknown payment, one that is not as expected, a limit, a failure), so that the
   * gateway repeats it.
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
   * Gets an access token if there is none, and with it a connection that the next call can use: at start-up this saves
   * the first payer these round trips. A token that is about to expire is renewed: if you repeat it every half minute,
   * no call ever waits for a token.
   *
   * Fails as a token request does, for example with `AuthenticationFailed` or `GatewayUnavailable`. With a token from a
   * shared store, no connection is made.
   */
  readonly warm: (options?: CallOptions) => Promise<void>

  /**
   * The address of the browser script that opens the pay page inside the shop's page (`/gp-gw/js/embed.js`).
   *
   * Sends nothing.
   */
  readonly getEmbedJsUrl: () => string

  /**
   * Closes the client: new calls are refused, reads in flight are interrupted, and changes in flight are waited for
   * (each ends within its time-out and the token's). Calling it again waits as well. In Cloudflare Workers it only
   * refuses new calls: no request can end another's, or wait for it.
   */
  readonly close: () => Promise<void>

  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
