/**
 * What an operator may decide about a change: what fits what is known of it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { isContradictory } from "../../client/payment/RefundEntries.js"
import type { ChangeDecision, ChangeResolution } from "../model/Attention.js"
import type { StoreError } from "../store/Database.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { canonicalName, idOf } from "../model/LedgerArguments.js"
import { type InvalidArgument, LedgerError, type NotResolved } from "../model/LedgerError.js"
import { boundEntries } from "../change/Balance.js"
import { isOfCharge, stateOf } from "../change/ChargeSteps.js"
import { type ChangeRow, isDecided, isDue, wasSent } from "../change/ChangeRow.js"
import type { Patch } from "../change/ChangeTable.js"
import { decisionsFor, outcomeOf } from "../change/ChangeView.js"
import type { ChangeOutcome } from "../model/Outcome.js"
import type { OperatorParts } from "./OperatorParts.js"
import { minute } from "../../contract/Milliseconds.js"
import { now } from "../store/Statements.js"

type Failure = StoreError | GatewayError | LedgerError<NotResolved | InvalidArgument>

/** Ends a change by a decision, or takes one back. */
export const resolveChange = Effect.fnUntraced(function* (
  parts: OperatorParts,
  row: ChangeRow,
  resolution: ChangeResolution
): Effect.fn.Return<ChangeOutcome, Failure> {
  const { changes, dualApprovalAbove } = parts
  const { key } = row
  const problem = problemOf(row, resolution)
  if (problem !== undefined) return yield* notResolved(key, problem)
  const entry = yield* entryNamed(parts, row, resolution)
  const needsTwo = resolution.as !== "undecided" && (row.amount ?? Infinity) > dualApprovalAbove
  const agreed = needsTwo ? agreedBy(row, resolution, entry) : resolution
  if (agreed === undefined) {
    const proposed = yield* changes.move(row, proposalOf(resolution, entry))
    return Option.isSome(proposed) ? outcomeOf(proposed.value) : yield* notResolved(key, hasMoved)
  }
  const moved =
    resolution.as === "undecided"
      ? yield* changes.takeBack(row, takenBack(row, resolution))
      : yield* changes.move(row, patchOf(row, agreed, entry))
  if (Option.isNone(moved)) {
    return yield* notResolved(
      key,
      resolution.as === "undecided"
        ? "Another change of the payment was sent since the decision, or holds the payment now: it cannot be taken back."
        : hasMoved
    )
  }
  return outcomeOf(moved.value)
})

const hasMoved = "The change has moved since. Read it again."

/** The decision of two operators, where another one has said the same before. */
const agreedBy = (
  { proposal }: ChangeRow,
  resolution: ChangeResolution,
  entry: string | undefined
): ChangeResolution | undefined =>
  proposal !== null &&
  proposal.as === resolution.as &&
  proposal.refundId === entry &&
  canonicalName(proposal.by) !== canonicalName(resolution.by)
    ? {
        ...resolution,
        by: `${proposal.by} and ${resolution.by.trim()}`,
        note: proposal.note === resolution.note ? resolution.note : `${proposal.note} ${resolution.note}`
      }
    : undefined

/** What one operator says, until another one says the same. */
const proposalOf = ({ as, by, note }: ChangeResolution, entry: string | undefined): Patch =>
  as === "undecided"
    ? {}
    : {
        proposal: { as, by: by.trim(), note, ...(entry === undefined ? undefined : { refundId: entry }) },
        problem: `${by} says ${as}: ${note} Another operator has to agree.`,
        tries: 0
      }

/** Fails since nothing was decided. */
export const notResolved = (key: string, message: string): Effect.Effect<never, LedgerError<NotResolved>> =>
  Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))

const problemOf = (row: ChangeRow, { as, refundId, version }: ChangeResolution): string | undefined => {
  if (row.version !== version) {
    return `The change has moved since: it is at version ${row.version}. Read it again.`
  }
  if ((row.status === "locked" || row.status === "sending" || row.status === "refusing") && !isDue(row)) {
    return "A process is at this change. Read it again in a minute."
  }
  const fitting = decisionsFor(row)
  if (!fitting.includes(as)) {
    if (isDecided(row)) return "The change is decided."
    return `${unfit[as]} What fits: ${fitting.join(", ")}.`
  }
  return as === "byHand" && refundId === undefined ? "Name the refund that was made by hand (refundId)." : undefined
}

/** Why a decision does not fit a change that is not decided. */
const unfit: Readonly<Record<ChangeDecision, string>> = {
  done: "It was never sent, so it cannot be done: cancel it, or name the refund that was made in its place.",
  notDone: "It was never sent: cancel it.",
  cancelled: "It was sent, so it cannot be cancelled: was it done or not?",
  byHand: "It was sent, or is no refund: was it done or not?",
  undecided: "It is not decided."
}

/** The entry that a decision names: one that the gateway lists, of the same amount, that belongs to no one else. */
const entryNamed = Effect.fnUntraced(function* (
  parts: OperatorParts,
  row: ChangeRow,
  { as, chargeId, refundId }: ChangeResolution
): Effect.fn.Return<string | undefined, Failure> {
  const { changes, gateway } = parts
  if (row.operation === "createRecurrence") {
    if (as === "done") return yield* chargeNamed(parts, row, chargeId)
    if (as === "notDone" && row.entry !== null) yield* closedUnpaid(gateway, row.key, row.entry)
    return undefined
  }
  if (refundId === undefined || (as !== "done" && as !== "byHand")) return undefined
  const id = yield* idOf("refundId", refundId)
  const refuse = (message: string) => notResolved(row.key, message)
  if (row.operation !== "refundPayment") return yield* refuse("Only a refund has an entry in the gateway's list.")
  const { refunds } = yield* gateway.listRefunds(row.payment_id)
  const entry = refunds.find((one) => String(one.id) === id)
  if (entry === undefined || isContradictory(refunds)) {
    return yield* refuse(`The gateway lists no refund ${id} of this payment.`)
  }
  if (entry.amount !== row.amount) return yield* refuse(`Refund ${id} has another amount.`)
  const others = (yield* changes.refundsOf(row.payment_id)).filter(({ key }) => key !== row.key)
  if (boundEntries(others).has(id)) return yield* refuse(`Refund ${id} belongs to another change of this ledger.`)
  if ((yield* changes.acknowledgedOf(row)).has(id)) {
    return yield* refuse(`Refund ${id} was acknowledged as one for another reason.`)
  }
  return id
})

/** The payment that a charge has made, as an operator names it: it is read, and has to be paid. */
const chargeNamed = Effect.fnUntraced(function* (
  { changes, gateway }: OperatorParts,
  row: ChangeRow,
  chargeId: ChangeResolution["chargeId"]
): Effect.fn.Return<string, Failure> {
  const given = chargeId ?? row.entry ?? undefined
  if (given === undefined) return yield* notResolved(row.key, "Name the payment that it made (chargeId).")
  const id = yield* idOf("chargeId", given)
  const child = yield* gateway.reads.getPayment(id)
  if (String(child.parent_id) !== row.payment_id || !isOfCharge(row, child)) {
    return yield* notResolved(row.key, `Payment ${id} is not what was requested: it is another charge, or none.`)
  }
  const other = (yield* changes.chargesBoundTo(row.payment_id, id)).find(({ key }) => key !== row.key)
  if (other !== undefined) {
    return yield* notResolved(row.key, `Payment ${id} was made by another change: ${other.key}.`)
  }
  return stateOf(child.state) === "paid"
    ? id
    : yield* notResolved(row.key, `Payment ${id} is ${child.state}: adopt it (adoptPayment), and it decides.`)
})

/** A charge whose payment is known was not made only when that payment is closed. */
const closedUnpaid = (
  gateway: Pick<LedgerGateway, "reads">,
  key: string,
  chargeId: string
): Effect.Effect<void, Failure> =>
  Effect.flatMap(gateway.reads.getPayment(chargeId), ({ state }) =>
    stateOf(state) === "closed"
      ? Effect.void
      : notResolved(key, `It has made payment ${chargeId}, which is ${state}: that decides.`)
  )

const patchOf = (row: ChangeRow, { as, by, note }: ChangeResolution, entry: string | undefined): Patch => {
  const outcome = as === "done" || as === "byHand" ? "done" : "refused"
  const isWatched = as === "notDone" && row.operation === "refundPayment"
  return {
    holds: null,
    proposal: null,
    attention: null,
    problem: null,
    tries: 0,
    ...(entry === undefined ? undefined : { entry }),
    // A refund that was sent is watched on, and so is one whose entry is known.
    next_at: isWatched || entry !== undefined ? { after: minute } : null,
    ...(row.status === "done"
      ? undefined
      : {
          status: outcome,
          decided_at: now,
          decision: {
            outcome,
            how: "operator",
            message: `${verbs[as]} ${by}: ${note}`,
            ...(as === "undecided" ? undefined : { as })
          }
        })
  }
}

const verbs: Readonly<Record<ChangeDecision, string>> = {
  done: "Decided by",
  notDone: "Decided by",
  cancelled: "Cancelled by",
  byHand: "Made by hand, says",
  undecided: "Taken back by"
}

/** As it was before it was decided: in doubt, or queued. */
const takenBack = (row: ChangeRow, { as, by, note }: ChangeResolution): Patch => ({
  decision: null,
  decided_at: null,
  problem: `${verbs[as]} ${by}: ${note}`,
  tries: 0,
  ...(!wasSent(row)
    ? { status: "queued", attempt: null, entry: null, attention: null, next_at: now }
    : { status: "needsOperator", attention: "InDoubt", next_at: { after: minute } })
})
