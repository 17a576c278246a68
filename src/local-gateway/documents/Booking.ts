/**
 * The bookings on a merchant's account at the gateway: payments and refunds, the fees of both, and the clearings that
 * pay out the rest.
 *
 * Fees and clearings are computed from the movements with the current settings, as if they had always been the same.
 * Nothing of this is stored.
 */
import type { Movement } from "../books/Books.js"
import type { Payment } from "../books/Payment.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"
import { day, midnightAfter } from "../books/Times.js"
import { shiftedDay } from "../../basics/Day.js"

/** One line of an account. Amounts are integers in minor units; negative if they leave the account. */
export interface Booking {
  /** The movement's id, which is not the payment's. */
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** In Prague, `yyyy-mm-dd`. */
  readonly day: string
  readonly type: "PAYMENT" | "REFUND" | "REFUND_FEE" | "FEE" | "PAYOUT"
  readonly amount: number
  /** For payments, refunds and their fees. */
  readonly payment?: Payment
  /** For payouts and their fees: the clearing's number. */
  readonly clearing?: string
}

/** A clearing: what was paid out, and for which bookings. */
export interface Clearing {
  /** At most ten digits: it is the variable symbol of the transfer. */
  readonly number: string
  readonly currency: string
  /** The day on which it was made, in Prague. */
  readonly day: string
  /** The first and the last day of what it pays out. */
  readonly from: string
  readonly to: string
  /** The fee that is kept from the payments, 0 or more. */
  readonly fee: number
  /** The amount that is paid out, above 0. */
  readonly transfer: number
  /** Payments, refunds and the fees of refunds. */
  readonly bookings: ReadonlyArray<Booking>
}

/** The settings that determine fees and clearings. */
type AccountSettings = Pick<LocalGatewaySettings, "clearings" | "paymentFeeBasisPoints" | "refundFee">

/** Whether a clearing is made at the beginning of a day. */
const isClearingDay = (date: string, clearings: LocalGatewaySettings["clearings"]): boolean => {
  if (clearings === "monthly") return date.endsWith("-01")
  return clearings === "daily" || (clearings === "weekly" && new Date(date).getUTCDay() === 1)
}

/** Ids of movements begin with the currency's letters as numbers, so that they differ between currencies. */
const firstId = (currency: string): number =>
  Array.from(currency.slice(0, 3)).reduce((number, letter) => number * 26 + (letter.charCodeAt(0) % 26), 1) * 10_000_000

/** The last two digits distinguish the clearings of one day in two currencies. */
const clearingNumber = (date: string, currency: string): string => {
  const suffix = Array.from(currency).reduce((number, letter) => (number * 31 + letter.charCodeAt(0)) % 100, 0)
  return `${date.replaceAll("-", "")}${String(suffix).padStart(2, "0")}`
}

const feeOf = ({ amount, type }: Booking, { paymentFeeBasisPoints }: AccountSettings): number =>
  type === "PAYMENT" ? Math.round((amount * paymentFeeBasisPoints) / 10_000) : 0

/** An account in one currency. Events are added in the order of time. */
class Account {
  readonly bookings: Array<Booking> = []
  readonly clearings: Array<Clearing> = []
  private open: Array<Booking> = []
  private readonly currency: string
  private readonly settings: AccountSettings

  constructor(currency: string, settings: AccountSettings) {
    this.currency = currency
    this.settings = settings
  }

  enter({ amount, at, payment, type }: Movement): void {
    this.open.push(this.book({ at, type, amount, payment }))
    const { refundFee } = this.settings
    if (type === "REFUND" && refundFee > 0) {
      this.open.push(this.book({ at, type: "REFUND_FEE", amount: -refundFee, payment }))
    }
  }

  /** Pays out everything that is open, if something is left after the fee. */
  clear(date: string): void {
    const fee = this.open.reduce((sum, booking) => sum + feeOf(booking, this.settings), 0)
    const transfer = this.open.reduce((sum, { amount }) => sum + amount, -fee)
    const from = this.open[0]?.day
    if (from === undefined || transfer <= 0) return
    const number = clearingNumber(date, this.currency)
    const at = midnightAfter(shiftedDay(date, -1))
    const bookings = this.open
    this.open = []
    this.clearings.push({
      number,
      currency: this.currency,
      day: date,
      from,
      to: shiftedDay(date, -1),
      fee,
      transfer,
      bookings
    })
    this.book({ at, type: "PAYOUT", amount: -transfer, clearing: number })
    if (fee > 0) this.book({ at, type: "FEE", amount: -fee, clearing: number })
  }

  private book(booking: Omit<Booking, "id" | "day">): Booking {
    const booked = { ...booking, id: firstId(this.currency) + this.bookings.length, day: day(booking.at) }
    this.bookings.push(booked)
    return booked
  }
}

/** The account of a merchant in one currency as of now, from all movements of the merchant, oldest first. */
export const accountOf = (
  movements: ReadonlyArray<Movement>,
  currency: string,
  settings: AccountSettings,
  now: number
): Pick<Account, "bookings" | "clearings"> => {
  const account = new Account(currency, settings)
  const own = movements.filter(({ payment }) => payment.order.currency === currency)
  const [first] = own
  if (first === undefined) return account
  let date = day(first.at)
  const clearUntil = (last: string): void => {
    while (date < last) {
      date = shiftedDay(date, 1)
      if (isClearingDay(date, settings.clearings)) account.clear(date)
    }
  }
  for (const movement of own) {
    clearUntil(day(movement.at))
    account.enter(movement)
  }
  clearUntil(day(now))
  return account
}
