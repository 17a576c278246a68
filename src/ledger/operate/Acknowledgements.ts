/**
 * The refunds at the gateway that the ledger did not make, and that an operator acknowledges.
 */
import * as Effect from "effect/Effect"
import type { GatewayId } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { AcknowledgedRefund, Acknowledgement } from "../model/Lists.js"
import type { StoreError } from "../store/Database.js"
import { canonicalName, checkDecision, idOf, invalidArgument } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerError } from "../model/LedgerError.js"
import { type Claim, claimOn } from "../change/Balance.js"
import type { OperatorParts } from "./OperatorParts.js"

export const make = ({ changes, dualApprovalAbove, gateway, ready, refunds }: OperatorParts) => ({
  acknowledgeRefund: Effect.fnUntraced(function* (
    paymentId: GatewayId,
    refundId: GatewayId,
    { by, note }: Acknowledgement
  ): Effect.fn.Return<boolean, GatewayError | StoreError | LedgerError<InvalidArgument>> {
    const id = yield* idOf("paymentId", paymentId)
    const entryId = yield* idOf("refundId", refundId)
    yield* checkDecision("an acknowledgement needs the operator's name (by) and a reason (note)", { by, note })
    yield* ready
    const listed = yield* gateway.listRefunds(id)
    const entry = listed.refunds.find((refund) => String(refund.id) === entryId)
    if (entry === undefined) {
      return yield* Effect.fail(invalidArgument(`the gateway lists no refund ${entryId} of payment ${id}`))
    }
    const claim = claimOn(entry, yield* changes.refundsOf(id))
    if (claim !== undefined) return yield* Effect.fail(invalidArgument(claimed(entryId, claim)))
    const known = { paymentId: Number(id), refundId: Number(entryId), amount: entry.amount }
    const before = entry.amount > dualApprovalAbove ? yield* refunds.find(id, entryId) : undefined
    const needsOther = entry.amount > dualApprovalAbove && (before === undefined || before.isProposed)
    if (needsOther && (before === undefined || !isOther(by, before.by))) {
      yield* refunds.propose({ ...known, acknowledgedBy: by.trim(), note })
      const said = `${by.trim()} acknowledges refund ${entryId}: ${note} Another operator has to agree.`
      if (before === undefined) yield* changes.tellStopped(id, said)
      return false
    }
    yield* refunds.insert({
      ...known,
      acknowledgedBy: needsOther && before !== undefined ? `${before.by} and ${by.trim()}` : by,
      note: needsOther && before !== undefined && before.note !== note ? `${before.note} ${note}` : note
    })
    yield* changes.requeueStopped(id)
    return true
  }),

  releaseCharges: Effect.fnUntraced(function* (
    firstPaymentId: GatewayId,
    { by, note }: Acknowledgement
  ): Effect.fn.Return<void, StoreError | LedgerError<InvalidArgument>> {
    const id = yield* idOf("firstPaymentId", firstPaymentId)
    yield* checkDecision("a release needs the operator's name (by) and a reason (note)", { by, note })
    yield* ready
    yield* changes.releaseCharges(id, { by, note })
  }),

  listAcknowledgedRefunds: (
    paymentId: GatewayId
  ): Effect.Effect<ReadonlyArray<AcknowledgedRefund>, StoreError | LedgerError<InvalidArgument>> =>
    Effect.flatMap(idOf("paymentId", paymentId), (id) => Effect.andThen(ready, refunds.ofPayment(id)))
})

/** Whether a name is another one than that of a proposal; what is erased was no one's. */
const isOther = (by: string, proposedBy: string): boolean =>
  proposedBy !== "" && canonicalName(by) !== canonicalName(proposedBy)

const claimed = (refundId: string, { isBound, key }: Claim): string =>
  isBound
    ? `refund ${refundId} is the refund of the change ${key}`
    : `refund ${refundId} may be that of the change ${key}, which is not decided. Resolve that change first: as done with this refund's id, or as notDone`
