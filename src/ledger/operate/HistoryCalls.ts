/**
 * The history of a ledger, as it is shown.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Integer, jsonColumn } from "../store/Rows.js"
import { ChangeRequest, Decision } from "../change/ChangeRow.js"
import type { HistoryRow } from "../store/HistoryTable.js"
import type { HistoryEntry } from "../model/History.js"
import { invalidArgument } from "../model/LedgerArguments.js"
import { isPaymentKey } from "../model/LedgerKey.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import { paymentNameOf } from "../order/PaymentItems.js"
import { PersonsWord, Terms } from "../order/PaymentRow.js"
import type { OperatorParts } from "./OperatorParts.js"

const most = 10_000

export const make = ({
  changes,
  history,
  payments,
  ready
}: OperatorParts): Pick<OperatorPrograms, "getHistory" | "listHistory"> => ({
  getHistory: Effect.fnUntraced(function* (key) {
    yield* ready
    const change = yield* changes.find(key)
    if (Option.isSome(change)) return (yield* history.of("change", change.value.seq)).map(entryOf)
    const payment = isPaymentKey(key) ? yield* payments.byName(key) : Option.none()
    return Option.isSome(payment) ? (yield* history.of("payment", payment.value.seq)).map(entryOf) : []
  }),

  listHistory: Effect.fnUntraced(function* ({ after = 0, limit = 1_000 } = {}) {
    if (!Number.isInteger(after) || after < 0) {
      return yield* Effect.fail(invalidArgument("after must be the id of an entry"))
    }
    if (!Number.isInteger(limit) || limit < 1 || limit > most) {
      return yield* Effect.fail(invalidArgument(`limit must be an integer from 1 to ${most}`))
    }
    yield* ready
    return (yield* history.page(after, limit)).map(entryOf)
  })
})

const inJson = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(jsonColumn(schema))
  return (text: string | null): S["Type"] | undefined =>
    text === null ? undefined : Option.getOrUndefined(decode(text))
}

const requestIn = inJson(ChangeRequest)
const listedIn = inJson(Schema.Array(Schema.Struct({ id: Integer })))
const decisionIn = inJson(Decision)
const termsIn = inJson(Terms)
const wordsIn = inJson(Schema.Array(PersonsWord))

const entryOf = (row: HistoryRow): HistoryEntry => {
  const { asked, attempt, attention, name, operation, process, refunded, state, status, subject } = row
  const isChange = subject === "change"
  const amount = isChange ? requestIn(asked)?.amount : termsIn(asked)?.amount
  const paymentId = isChange ? row.payment_id : row.entry
  const before = listedIn(row.listed_before)
  const message = isChange ? (decisionIn(row.decision)?.message ?? row.problem) : (row.problem ?? saidIn(row.decision))
  return {
    id: row.seq,
    at: new Date(row.at).toISOString(),
    key: isChange ? (name ?? "") : paymentNameOf(name ?? "", row.subject_seq),
    operation: operation ?? "createPayment",
    ...(isChange || name === null ? undefined : { orderNumber: name }),
    ...(paymentId === null ? undefined : { paymentId: Number(paymentId) }),
    ...(amount === undefined ? undefined : { amount }),
    version: row.version,
    status,
    ...(state === null ? undefined : { state }),
    ...(isChange || refunded === null ? undefined : { refunded }),
    ...(isChange && row.entry !== null ? { refundId: Number(row.entry) } : undefined),
    ...(before === undefined ? undefined : { refundsBefore: before.map(({ id }) => id) }),
    ...(message === null || message === undefined || message === "" ? undefined : { message }),
    ...(attention === null ? undefined : { attention }),
    ...(attempt === null ? undefined : { attempt }),
    ...(process === null ? undefined : { process })
  }
}

/** What an operator has said of a payment last. */
const saidIn = (decisions: string | null): string | undefined => {
  const last = wordsIn(decisions)?.at(-1)
  return last === undefined || last.by === "" ? undefined : `${last.kind} resolved by ${last.by}: ${last.note}`
}
