/**
 * The local gateway for callers who do not use Effect: what it takes and what it offers.
 *
 * This module has no dependency on Effect.
 */
import type { PaymentInstrument, PaymentSubState } from "../../api/CodeLists.plain.js"
import type { Id, PaymentResponse } from "../../api/Messages.plain.js"
import type { ArmedFault, ArmingOptions, Fault, FaultArming, FaultMix } from "../engine/Fault.plain.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "../engine/Journal.js"
import type { PayByCardOptions } from "../engine/PayerAction.plain.js"
import type { Settings, SettingsChange } from "../settings/Settings.plain.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The content of a seed file: merchants, payments, cards and settings. Its shape is in `effect-gopay/seed.schema.json`; it
 * is checked when it is used.
 */
export interface SeedJson {
  readonly [member: string]: unknown
}

/** How a local gateway begins, and where it listens. */
export interface StartLocalGatewayOptions {
  /** Default: 0, the system chooses a free one. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach it too. */
  readonly host?: string | undefined
  /** How it behaves, where it is not by default. */
  readonly settings?: SettingsChange | undefined
  /**
   * What it begins with, and goes back to by `reset`: the content of a seed file, or its text. Default: one merchant, and
   * nothing else.
   */
  readonly seed?: SeedJson | string | undefined
  /**
   * Path of a file in which its state is kept between runs: a seed file, which is made when it is not there. It takes the
   * place of the seed. It is written before a change is answered, and holds credentials. One gateway at a time.
   */
  readonly dataFile?: string | undefined
  /**
   * Takes the notifications in place of a GET: it is given the address with its `id`, and answers the status, of which 200
   * means taken.
   */
  readonly notificationReceiver?: ((url: string) => Promise<number>) | undefined
  /** Told of each request that was answered, as it is in `requests`. */
  readonly onRequest?: ((request: JournalEntry<LoggedRequest>) => void) | undefined
  /** Told of everything else that happens, as it is in `happenings`: changes of state, notifications, faults. */
  readonly onHappening?: ((happening: JournalEntry<LoggedEvent>) => void) | undefined
}

/** A merchant of a local gateway; fit to be spread into the options of `createGatewayClient`. */
export interface LocalMerchant {
  /** The shop's identifier: ten digits. */
  readonly goid: number
  readonly clientId: string
  readonly clientSecret: string
  /** Address of the local gateway, without `/api`. */
  readonly environment: string
}

/**
 * A running local gateway. Wherever an amount appears it is an integer in minor units (haléře, cents).
 *
 * Its methods reject with a `LocalGatewayError`, whose `reason._tag` tells what happened; each of them with `Stopped` when
 * the gateway is stopped, and with `InvalidInput` when an argument cannot be right.
 */
export interface RunningLocalGateway {
  /** Its address, without `/api`: such as `http://127.0.0.1:43211`. */
  readonly url: string
  /** The first of its merchants. */
  readonly merchant: LocalMerchant
  /** All its merchants. */
  readonly merchants: () => Promise<ReadonlyArray<LocalMerchant>>
  /**
   * The payer chooses how to pay and has not paid yet: `PAYMENT_METHOD_CHOSEN`, with sub-state `_102` for a bank
   * transfer, else `_101`. Rejects with `UnknownPayment`, `WrongState` or `NotOffered`.
   */
  readonly choosePaymentMethod: (paymentId: Id, instrument: PaymentInstrument) => Promise<PaymentResponse>
  /**
   * The payer pays by card: `PAID`, or `AUTHORIZED` where the amount is only to be held. Starts a requested recurrence;
   * stores the card where `request_card_token` or `verify_pin` was sent. Where the order presents a stored card's token,
   * that card pays. Rejects with `UnknownPayment`, `WrongState` or `NotOffered`.
   */
  readonly payByCard: (paymentId: Id, options?: PayByCardOptions) => Promise<PaymentResponse>
  /**
   * The payer's bank transfer comes: `PAID`, with sub-state `_3002`. It may also come after the payment has timed out, if
   * the payer had chosen it: then the sub-state is `_5047`. Rejects with `UnknownPayment`, `WrongState` or `NotOffered`.
   */
  readonly payByBankTransfer: (paymentId: Id) => Promise<PaymentResponse>
  /**
   * An attempt to pay is declined and the payer may try again: `PAYMENT_METHOD_CHOSEN`, with the sub-state given. Whether
   * the real gateway shows a failed attempt so is not known. Rejects with `UnknownPayment` or `WrongState`.
   */
  readonly declineAttempt: (paymentId: Id, subState: PaymentSubState) => Promise<PaymentResponse>
  /**
   * The payment is declined: `CANCELED`, with the sub-state given (default: `_5006`, insufficient funds). Rejects with
   * `UnknownPayment` or `WrongState`.
   */
  readonly decline: (paymentId: Id, subState?: PaymentSubState) => Promise<PaymentResponse>
  /** The payer cancels: `CANCELED`, with sub-state `_5043`. Rejects with `UnknownPayment` or `WrongState`. */
  readonly cancel: (paymentId: Id) => Promise<PaymentResponse>
  /** The payer does not pay in time: `TIMEOUTED`. Rejects with `UnknownPayment` or `WrongState`. */
  readonly timeOut: (paymentId: Id) => Promise<PaymentResponse>
  /**
   * Moves the gateway's time forward, ahead of the clock, by seconds: all that is due by then happens, in the order of its
   * time. Payments time out, held amounts are released, recurrences are charged and end, tokens expire.
   */
  readonly forward: (seconds: number) => Promise<void>
  /**
   * Sends all notifications that wait, without the pauses between attempts, until each is answered with 200 or has been
   * tried as often as `notificationAttempts` says.
   */
  readonly drainNotifications: () => Promise<void>
  /**
   * Arms a fault: the next request that fits has it, or as many as `calls` says. Any request under `/api` fits, also one
   * for a token, unless `operation` says which.
   */
  readonly armFault: (fault: Fault, options?: ArmingOptions) => Promise<ArmedFault>
  /** Arms several; they are used in this order. None is armed when one is wrong. */
  readonly armFaults: (armings: ReadonlyArray<FaultArming>) => Promise<ReadonlyArray<ArmedFault>>
  /** From now on requests have faults at random, by a seed. It ends with `disarmFaults`. */
  readonly mixFaults: (mix: FaultMix) => Promise<void>
  /** The faults that wait for their requests, in the order in which they were armed. */
  readonly faults: () => Promise<ReadonlyArray<ArmedFault>>
  /** Disarms all faults and ends a mix; or disarms the one with this id. */
  readonly disarmFaults: (id?: number) => Promise<void>
  /** How it is set to behave. */
  readonly settings: () => Promise<Settings>
  /** Changes how it behaves, from now on. */
  readonly changeSettings: (change: SettingsChange) => Promise<void>
  /**
   * Begins anew from a seed: merchants, payments, cards, settings and time are then those of the seed, and nothing else is
   * left of what was there. The log goes on, and tokens of merchants that are still there hold.
   */
  readonly seed: (seed: SeedJson | string) => Promise<void>
  /** The whole state, as the content of a seed file; fit for `JSON.stringify`. It holds secrets. */
  readonly exportSeed: () => Promise<SeedJson>
  /** Begins again as it began at first. The log, faults and all tokens are forgotten, too. */
  readonly reset: () => Promise<void>
  /** Makes all access tokens invalid. */
  readonly revokeTokens: () => Promise<void>
  /** All payments as they are now, in the order of their creation. */
  readonly payments: () => Promise<ReadonlyArray<PaymentResponse>>
  /** The last 1000 requests it answered, oldest first; secrets and card numbers are masked. */
  readonly requests: () => Promise<ReadonlyArray<JournalEntry<LoggedRequest>>>
  /** The last 5000 things that happened, oldest first: changes of state, notifications, time moved forward. */
  readonly happenings: () => Promise<ReadonlyArray<JournalEntry<LoggedEvent>>>
  /**
   * Stops it: calls under way end with `Stopped`, connections are closed, the port is free again. Calling it again waits
   * as well. Never rejects.
   */
  readonly stop: () => Promise<void>
  /** The same as `stop()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
