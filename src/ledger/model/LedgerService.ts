/**
 * The ledger, as programs.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { HandlerFailed, PaymentNotification, NotificationLimits } from "../../client/notification/Notification.js"
import type { NotificationError } from "../../client/notification/NotificationError.js"
import type { NotificationHandler } from "../../client/notification/NotificationHandler.js"
import type { BookedOrder } from "../../statement/BookedOrder.js"
import type { BookedOrdersOptions } from "./Lists.js"
import type { AttentionItem } from "./Attention.js"
import type { LedgerHandlers, LedgerOperations, LedgerSettings, OperatorOperations } from "./LedgerOperations.js"
import type { InvalidArgument, KeyReused, LedgerUnavailable, NotResolved } from "./LedgerError.js"
import type { LedgerError } from "./YieldableLedgerError.js"

/**
 * The options of a ledger. `R` is what its handlers require. They get it where the ledger is made, whoever makes the
 * call that they run in.
 */
export interface LedgerOptions<in out Tx, out R = never, out OnChange = R, out OnSubscription = R, out OnAttention = R>
  extends
    LedgerSettings<Tx>,
    LedgerHandlers<
      Tx,
      Effect.Effect<unknown, unknown, R>,
      Effect.Effect<unknown, unknown, OnChange>,
      Effect.Effect<unknown, unknown, OnSubscription>
    > {
  /** Called when a change or a payment needs an operator. Default: a warning in the log. */
  readonly onAttention?: ((item: AttentionItem) => Effect.Effect<void, never, OnAttention>) | undefined
}

/** Options of a ledger's notification handler. {@inheritDoc NotificationHandlerOptions} */
export interface LedgerNotificationOptions {
  readonly onError?:
    | ((
        error: NotificationError | GatewayError,
        notification: PaymentNotification | undefined
      ) => Effect.Effect<unknown, unknown>)
    | undefined
  readonly limits?: NotificationLimits | undefined
}

/** The error of a change that was not recorded, or that may not have been. */
export type ChangeError = LedgerError<KeyReused | LedgerUnavailable | InvalidArgument>

/**
 * The error of a call that has not reached the store, or that is not allowed where it is made: within a transaction or
 * `onPayment` it fails with `InvalidArgument`.
 */
export type CallError = LedgerError<LedgerUnavailable | InvalidArgument>

/** The calls that record something under a name that the shop chooses. */
type Recording =
  | "refund"
  | "capture"
  | "capturePartial"
  | "release"
  | "charge"
  | "createSubscription"
  | "chargePeriod"
  | "replaceCard"
  | "cancelSubscription"
  | "submit"

type CallName = keyof LedgerOperations | keyof OperatorOperations

/** The errors that a call may fail with. */
export type LedgerErrorOf<Name extends CallName> = Name extends Recording
  ? ChangeError
  : Name extends "checkout" | "acknowledgeRefund" | "listRefunds"
    ? GatewayError | CallError
    : Name extends "verifyReturn"
      ? NotificationError | GatewayError | CallError
      : Name extends "adoptPayment" | "adoptCharges"
        ? NotificationError<HandlerFailed> | GatewayError | CallError
        : Name extends "resolveChange"
          ? GatewayError | LedgerError<LedgerUnavailable | NotResolved | InvalidArgument>
          : Name extends "resolvePayment"
            ? LedgerError<LedgerUnavailable | NotResolved | InvalidArgument>
            : CallError

/** Calls as programs. One without parameters is the program itself: `yield* ledger.getHealth`. */
export type Programs<Calls extends Record<keyof Calls, (...args: never) => unknown>> = {
  readonly [Name in keyof Calls]: Parameters<Calls[Name]> extends []
    ? Effect.Effect<ReturnType<Calls[Name]>, LedgerErrorOf<Extract<Name, CallName>>>
    : (
        ...args: Parameters<Calls[Name]>
      ) => Effect.Effect<ReturnType<Calls[Name]>, LedgerErrorOf<Extract<Name, CallName>>>
}

export type LedgerPrograms<Tx = unknown> = Programs<LedgerOperations<Tx>>
export type OperatorPrograms = Programs<OperatorOperations>

/** An operator's calls, as programs. {@inheritDoc LedgerOperator} */
export interface LedgerOperator extends OperatorPrograms {
  /**
   * The orders with their payments and refunds, and what is in doubt, as `reconcileStatement` of
   * `effect-gopay/statement` takes them, in a stream. Days are those of Prague. Reads page by page, in no particular
   * order, each order once. Refunds of payments without an order in the ledger are left out, as are those whose details
   * were erased.
   */
  readonly listBookedOrders: (options?: BookedOrdersOptions) => Stream.Stream<BookedOrder, CallError>
}

/** A ledger whose calls are programs. */
export interface LedgerService<in out Tx = unknown> extends LedgerPrograms<Tx> {
  /**
   * The calls for operators and auditors: lists, decisions, adoption, erasure, metrics. A shop's checkout needs none of
   * them. `const items = yield* ledger.operator.listAttention()`
   */
  readonly operator: LedgerOperator
  /**
   * Makes the handler of the gateway's notifications. It answers 200 only after the payment was read and `onPayment`
   * was called with whatever is new. See `makeNotificationHandler` for the other statuses.
   */
  readonly notificationHandler: (options?: LedgerNotificationOptions) => NotificationHandler
  /** Makes the steps that are due until it is interrupted. Run it in as many processes as you like. */
  readonly runWorker: Effect.Effect<never>
}

/** A page of orders, and where the next one begins. */
export interface BookedOrdersPage {
  readonly orders: ReadonlyArray<BookedOrder>
  readonly next: BooksPlace | undefined
}

/** Where a page begins. */
export interface BooksPlace {
  /** The period of the books, in milliseconds: from `from` until before `to`. */
  readonly from: number
  readonly before: number
  /** The kind of event by which orders are found, and the last event of the page before. */
  readonly kind: number
  readonly at: number
  readonly seq: number
  /**
   * The orders with several events that were already returned: an erasure meanwhile may leave an order with another
   * first event.
   */
  readonly given: Set<string>
}

/** The calls of an operator, with the orders of the books as pages. */
export interface OperatorCore extends OperatorPrograms {
  readonly pageOfBookedOrders: (
    options: BookedOrdersOptions,
    after: BooksPlace | undefined
  ) => Effect.Effect<BookedOrdersPage, CallError>
}

/** A call as a program, with the errors that any call may have. */
type Program = Effect.Effect<unknown, LedgerErrorOf<CallName>>

/** A call of a ledger. Without parameters it is the program itself. */
export type Call = Program | ((...args: ReadonlyArray<unknown>) => Program)

/** Maps each call by its name, except those that are left out. */
export const mapCalls = <Calls extends object>(
  calls: Calls,
  make: (call: Call, name: string) => unknown,
  leftOut: ReadonlyArray<keyof Calls> = []
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows the parameters of each
    Object.entries(calls as Readonly<Record<string, Call>>)
      .filter(([name]) => !leftOut.some((other) => other === name))
      .map(([name, call]) => [name, make(call, name)])
  )
