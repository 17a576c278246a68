/**
 * The operations of a running local gateway, declared once: the service, its accessors and the promise entry are mapped
 * from here, and show these docs on hover.
 *
 * This module has no dependency on Effect.
 */
import type { PaymentInstrument, PaymentSubState } from "../contract/CodeLists.js"
import type { GatewayId, PaymentResponse } from "../contract/Messages.js"
import type { ArmedFault, ArmingOptions, Fault, FaultArming, RandomFaults } from "./server/Fault.js"
import type { JournalEntry, LoggedEvent, LoggedRequest } from "./server/Journal.js"
import type { LocalMerchant } from "./books/Actors.js"
import type { PayByCardOptions } from "./books/TestCards.js"
import type { LocalGatewaySettings, SettingsChange } from "./books/LocalGatewaySettings.js"

/** The payer's part. Each operation fails when there is no such payment, or when its state does not allow it. */
export interface PayerOperations {
  /**
   * The payer chooses how to pay and has not paid yet: `PAYMENT_METHOD_CHOSEN`, with sub-state `_102` for a bank
   * transfer, else `_101`. Also fails if the shop does not offer the instrument for this payment.
   */
  readonly choosePaymentMethod: (paymentId: GatewayId, instrument: PaymentInstrument) => PaymentResponse
  /**
   * The payer pays by card: `PAID`, or `AUTHORIZED` if the amount is only to be held. Starts a requested recurrence;
   * stores the card if `request_card_token` or `verify_pin` was sent. If the order has the token of a stored card, that
   * card pays. Also fails if the shop does not offer cards for this payment.
   */
  readonly payByCard: (paymentId: GatewayId, options?: PayByCardOptions) => PaymentResponse
  /**
   * The payer's bank transfer arrives: `PAID`, with sub-state `_3002`. If the payer had chosen it, it may also arrive
   * after the payment has timed out: then the sub-state is `_5047`. Also fails if the shop does not offer bank
   * transfers for this payment.
   */
  readonly payByBankTransfer: (paymentId: GatewayId) => PaymentResponse
  /**
   * An attempt to pay is declined and the payer may try again: `PAYMENT_METHOD_CHOSEN`, with the given sub-state.
   * Whether the real gateway shows a failed attempt this way is not known. A payment of API v4 is `CANCELED`: its charge
   * has failed, and it gets no other.
   */
  readonly declineAttempt: (paymentId: GatewayId, subState: PaymentSubState) => PaymentResponse
  /** The payment is declined: `CANCELED`, with the given sub-state (default: `_5006`, insufficient funds). */
  readonly declinePayment: (paymentId: GatewayId, subState?: PaymentSubState) => PaymentResponse
  /** The payer cancels: `CANCELED`, with sub-state `_5043`. */
  readonly cancelPayment: (paymentId: GatewayId) => PaymentResponse
  /** The payer does not pay in time: `TIMEOUTED`. */
  readonly timeOutPayment: (paymentId: GatewayId) => PaymentResponse
}

/** Arming faults. Each operation fails when a parameter of a fault is out of bounds. */
export interface ArmingOperations {
  /**
   * Arms a fault: it hits the next matching request, or as many as `calls` says. Every request of either API matches,
   * including the one for a token, unless `operation` names one.
   */
  readonly armFault: (fault: Fault, options?: ArmingOptions) => ArmedFault
  /** Arms several faults, which are used in this order. If one of them is invalid, none is armed. */
  readonly armFaults: (armings: ReadonlyArray<FaultArming>) => ReadonlyArray<ArmedFault>
  /** Requests fail at random from now on; the same seed gives the same failures. `disarmFaults` ends it. */
  readonly armRandomFaults: (faults: RandomFaults) => void
}

/** Types that differ between the styles. */
export interface OperationTypes {
  /** A duration. */
  readonly duration: unknown
  /** A seed to start from. */
  readonly seed: unknown
  /** The whole state, as a seed again. */
  readonly seedContent: unknown
}

/** Everything else: time, settings, the state and the log. */
export interface ControlOperations<Types extends OperationTypes> {
  /** All merchants of this gateway. Each sees only its own payments. */
  readonly listMerchants: () => ReadonlyArray<LocalMerchant>
  /**
   * Moves the gateway's time forward, ahead of the clock: everything due by then happens, in order. Payments time out,
   * held amounts are released, recurrences are charged and end, tokens expire.
   */
  readonly advanceTime: (duration: Types["duration"]) => void
  /**
   * Delivers all pending notifications without the pauses between attempts, until each is answered with 200 or has been
   * tried as often as `notificationAttempts` says.
   */
  readonly deliverNotifications: () => void
  /** The armed faults, in the order in which they were armed. */
  readonly listFaults: () => ReadonlyArray<ArmedFault>
  /** Disarms all faults, including random ones. With an id, disarms only that fault. */
  readonly disarmFaults: (id?: number) => void
  /** The current settings. */
  readonly getSettings: () => LocalGatewaySettings
  /** Changes the given settings from now on, and keeps the others. */
  readonly changeSettings: (change: SettingsChange) => void
  /**
   * Starts over from a seed: merchants, payments, cards, settings and time are then those of the seed. The log
   * continues, and tokens of merchants that still exist stay valid.
   */
  readonly loadSeed: (seed: Types["seed"]) => void
  /** The whole state as the content of a seed file, ready for `JSON.stringify`. It contains credentials. */
  readonly exportSeed: () => Types["seedContent"]
  /** Starts over from the initial state. The log, all faults and all tokens are dropped. */
  readonly reset: () => void
  /**
   * Drops the payments, cards and pending notifications of one merchant, and nothing else: for concurrent tests that
   * each have a merchant of their own. Does nothing for an unknown merchant.
   */
  readonly resetMerchant: (goid: number) => void
  /** Revokes all access tokens. */
  readonly revokeTokens: () => void
  /** All payments as they are now, in order of creation. */
  readonly listPayments: () => ReadonlyArray<PaymentResponse>
  /** The last 1000 requests, oldest first. Secrets and card numbers are masked. */
  readonly listRequests: () => ReadonlyArray<JournalEntry<LoggedRequest>>
  /** The last 5000 events, oldest first: changes of state, notifications, faults, time moved forward. */
  readonly listEvents: () => ReadonlyArray<JournalEntry<LoggedEvent>>
}
