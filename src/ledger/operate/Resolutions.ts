/**
 * The decisions of operators about a change or an order's payment, and which of them fit the known facts.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GatewayId } from "../../contract/Messages.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { isContradictory } from "../../client/payment/RefundEntries.js"
import type { AttentionKind, ChangeDecision, ChangeResolution, PaymentResolution } from "../model/Attention.js"
import {
  changeDecisions,
  effectWords,
  isTooEarly,
  itemsSeen,
  paymentDecisions,
  paymentDecisionsFor,
  type PaymentEffect,
  unfitDecision
} from "../model/Decisions.js"
import { idOf } from "../model/LedgerArguments.js"
import type { NotResolved } from "../model/LedgerError.js"
import { LedgerError } from "../model/YieldableLedgerError.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import { boundToOthers } from "../change/Balance.js"
import { decided, isPassing, passingAgain } from "../change/ChangeJudgement.js"
import { recordOwn } from "../change/Changes.js"
import { isOfCharge, stateOf } from "../change/ChargeSteps.js"
import { type ChangeRow, decisionsFor, isDecided, isDue, outcomeOf, saidOf, wasSent } from "../store/ChangeRow.js"
import type { Patch } from "../store/ChangeTable.js"
import { orderOf } from "../order/OrderView.js"
import { becomesKnown, recordOwnCharge } from "../change/ChargePayments.js"
import { amountsOf, moneyIn } from "../order/PaymentAmounts.js"
import { cameToNothing } from "../order/PaymentDecision.js"
import { hasMoney, progressOf } from "../order/PaymentProgress.js"
import { nameOf, type PaymentPatch, type PaymentRow } from "../store/PaymentTable.js"
import { needs, needsNothing } from "../change/ChangeItems.js"
import type { StoreError } from "../store/Database.js"
import type { SeenItem } from "../store/Items.js"
import type { OperatorParts } from "./OperatorParts.js"
import { agreementOf, checkDecision, type Signed } from "./Signatures.js"
import { minute } from "../../basics/Milliseconds.js"
import { now } from "../store/Statements.js"

const unsigned = "a decision needs the name of an operator (by) and the evidence (note)"

/**
 * How often a decision is retried if a step moves the row first, as long as the row still is what the operator has
 * seen.
 */
const attemptsAtMost = 5

export const make = (parts: OperatorParts): Pick<OperatorPrograms, "resolveChange" | "resolvePayment"> => ({
  resolveChange: Effect.fnUntraced(function* (key, resolution) {
    yield* parts.ready
    yield* checkDecision(unsigned, resolution)
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      const row = yield* orNotResolved(key, parts.changes.find(key), "There is no change with this key.")
      const moved = yield* decideChange(parts, row, resolution)
      if (Option.isSome(moved)) {
        const outcome = outcomeOf(moved.value)
        yield* parts.watch.moved(row, outcomeOf(row)._tag, outcome._tag)
        return outcome
      }
    }
    return yield* notResolved(key, "The change has moved since. Read it again.")
  }),

  resolvePayment: Effect.fnUntraced(function* (key, resolution) {
    const { payments, ready } = parts
    yield* ready
    yield* checkDecision(unsigned, resolution)
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      const row = yield* orNotResolved(key, payments.byName(key), "There is no such payment.")
      if (row.attention.length === 0) return yield* notResolved(key, "There is nothing to decide about this payment.")
      const seen = itemsSeen(yield* payments.items.ofRow(row), row.version, resolution)
      const problem = paymentProblemOf(seen, row, resolution)
      const [item] = seen
      if (problem !== undefined || item === undefined)
        return yield* notResolved(key, problem ?? movedOf("payment", row))
      const does = paymentDecisions[item.kind][resolution.as]?.does
      const moved =
        does === "isGivenBack"
          ? yield* giveBack(parts, row, item, resolution)
          : yield* payments.move(row, paymentPatchOf(row, item.kind, resolution))
      if (Option.isSome(moved)) {
        const order = orderOf(moved.value)
        return does === undefined ? order : { ...order, message: effectWords[does] }
      }
    }
    return yield* notResolved(key, "The payment has moved since. Read it again.")
  })
})

const movedOf = (subject: "change" | "payment", { version }: Pick<ChangeRow, "version">): string =>
  `The ${subject} has moved since: it is at version ${version}. Read it again.`

/** Decides a change that was read. Returns nothing if a step has moved it since. */
const decideChange = Effect.fnUntraced(function* (parts: OperatorParts, row: ChangeRow, resolution: ChangeResolution) {
  const { changes, dualApprovalAbove } = parts
  const { as } = resolution
  const seen = itemsSeen(yield* changes.items.ofRow(row), row.version, resolution)
  // A decision about a change that has no item refers to the version of the change itself.
  const kinds =
    row.attention.length > 0 ? seen.map(({ kind }) => kind) : row.version === resolution.version ? [null] : []
  const kind = kinds.find((one) => decisionsFor(row, one).includes(as)) ?? kinds[0]
  if (kind === undefined) return yield* notResolved(row.key, movedOf("change", row))
  const problem = problemOf(row, kind, resolution)
  if (problem !== undefined) return yield* notResolved(row.key, problem)
  const entry = as === "undecided" ? undefined : yield* entryNamed(parts, row, as, resolution)
  const { proposal } = row
  const isSame = proposal !== null && proposal.as === as && proposal.refundId === entry
  const needsTwo = (row.amount ?? Infinity) > dualApprovalAbove
  const agreed = !needsTwo ? resolution : isSame ? agreementOf(proposal, resolution) : undefined
  if (as === "undecided" && agreed !== undefined) {
    const tooLate =
      "Another change of the payment was sent since the decision, or holds the payment now: it cannot be taken back."
    return Option.some(yield* orNotResolved(row.key, changes.takeBack(row, takenBack(row, agreed)), tooLate))
  }
  if (as === "undecided" || agreed === undefined) return yield* changes.move(row, proposalOf(as, resolution, entry))
  if (entry !== undefined && row.operation === "createRecurrence") yield* takeOverCharge(parts, row, entry)
  return yield* changes.move(row, patchOf(row, kind, as, agreed, entry))
})

const notResolved = (key: string, message: string): Effect.Effect<never, LedgerError<NotResolved>> =>
  Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))

/** The row that was found or moved; fails with `NotResolved` if there is none. */
const orNotResolved = <Row>(key: string, row: Effect.Effect<Option.Option<Row>, StoreError>, message: string) =>
  Effect.flatMap(row, (found) => (Option.isSome(found) ? Effect.succeed(found.value) : notResolved(key, message)))

// ---- Changes

type Verdict = Exclude<ChangeDecision, "undecided">

/** The decision of one operator, until a second one decides the same. */
const proposalOf = (as: ChangeDecision, { by, note }: Signed, entry: string | undefined): Patch => ({
  proposal: withoutUndefined({ as, by: by.trim(), note, refundId: entry }),
  message: saidOf({ as, by, note }),
  tries: 0
})

const problemOf = (
  row: ChangeRow,
  kind: AttentionKind | null,
  { as, early, refundId }: ChangeResolution
): string | undefined => {
  if (
    (row.status === "locked" || row.status === "sending" || (row.status === "refusing" && !isPassing(row))) &&
    !isDue(row)
  ) {
    return "A process is at this change. Read it again in a minute."
  }
  const fitting = decisionsFor(row, kind)
  if (!fitting.includes(as)) {
    return isDecided(row)
      ? `The change is decided: ${unfitDecision(as, fitting)}`
      : `${unfit[as]} ${unfitDecision(as, fitting)}`
  }
  if (isTooEarly(row, kind !== null, { as, early })) {
    return "The ledger still looks for it: GoPay may yet carry it out. It is listed when it needs you. If GoPay says that it never will be carried out, resolve it with early: true."
  }
  return as === "byHand" && refundId === undefined ? "Name the refund that was made by hand (refundId)." : undefined
}

/** Why a decision does not fit an undecided change. */
const unfit: Readonly<Record<ChangeDecision, string>> = {
  done: "It was never sent, so it cannot be done: cancel it, or name the refund that was made in its place.",
  notDone: "It was not made yet, and waits to be sent: cancel it, or let it wait.",
  cancelled: "It was sent, or may have been, so it cannot be cancelled: was it done or not?",
  byHand: "It was sent, or may have been, or is no refund: was it done or not?",
  undecided: "It is not decided."
}

/**
 * The entry that a decision names: the gateway has to list it, with the same amount, and it must not belong to anything
 * else.
 */
const entryNamed = Effect.fnUntraced(function* (
  parts: OperatorParts,
  row: ChangeRow,
  as: Verdict,
  { chargeId, refundId }: ChangeResolution
) {
  const { changes, gateway } = parts
  if (row.operation === "createRecurrence") {
    if (as === "done") return yield* chargeNamed(parts, row, chargeId)
    // If its payment is known, the charge counts as not made only when that payment is closed.
    if (as === "notDone" && row.entry !== null) {
      const { state } = yield* gateway.reads.getPayment(row.entry)
      if (stateOf(state) !== "closed") {
        yield* notResolved(row.key, `It has made payment ${row.entry}, which is ${state}: that decides.`)
      }
    }
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
  if (boundToOthers(row, yield* changes.refundsOf(row.payment_id)).has(id)) {
    return yield* refuse(`Refund ${id} belongs to another change of this ledger.`)
  }
  if ((yield* changes.acknowledgedOf(row)).has(id)) {
    return yield* refuse(`Refund ${id} was acknowledged as one for another reason.`)
  }
  return id
})

/** The payment that an operator names as made by a charge. It is read, and has to be paid. */
const chargeNamed = Effect.fnUntraced(function* (parts: OperatorParts, row: ChangeRow, chargeId?: GatewayId) {
  const { changes, gateway } = parts
  const given = chargeId ?? row.entry ?? undefined
  if (given === undefined) return yield* notResolved(row.key, "Name the payment that it made (chargeId).")
  const id = yield* idOf("chargeId", given)
  const child = yield* gateway.reads.getPayment(id)
  if (String(child.parent_id) !== row.payment_id || !isOfCharge(row, child)) {
    return yield* notResolved(row.key, `Payment ${id} is not what was requested: it is another charge, or none.`)
  }
  const other = (yield* changes.chargesBoundTo(row.payment_id, id)).find(({ key }) => key !== row.key)
  if (other !== undefined) return yield* notResolved(row.key, `Payment ${id} was made by another change: ${other.key}.`)
  return stateOf(child.state) === "paid"
    ? id
    : yield* notResolved(row.key, `Payment ${id} is ${child.state}: adopt it (adoptPayment), and it decides.`)
})

/** Makes the payment of a charge the ledger's own, and due: whichever process reads it notifies the shop. */
const takeOverCharge = Effect.fnUntraced(function* (parts: OperatorParts, row: ChangeRow, chargeId: string) {
  const { gateway, payments } = parts
  const first = yield* payments.byPaymentId(row.payment_id)
  yield* recordOwnCharge(payments, {
    child: yield* gateway.reads.getPayment(chargeId),
    firstPaymentId: row.payment_id,
    orderNumber: row.request?.order_number ?? "",
    reference: Option.isSome(first) ? first.value.reference : null
  })
})

const patchOf = (
  row: ChangeRow,
  kind: AttentionKind | null,
  as: Verdict,
  { by, note }: Signed,
  entry: string | undefined
): Patch => {
  const outcome = changeDecisions[as].does === "isDone" ? "done" : "refused"
  const isWatched = outcome === "refused" && wasSent(row) && row.operation === "refundPayment"
  const message = `${verbs[as]} ${by}: ${note}`
  return {
    ...(row.status === "done"
      ? { holds: null, proposal: null, attention: { [kind ?? "Unbound"]: null }, message: null }
      : decided({ outcome, how: "operator", message, as })),
    tries: 0,
    ...(entry === undefined ? undefined : { entry }),
    // A refund that was sent, or whose entry is known, is watched further.
    next_at: isWatched || entry !== undefined ? { after: minute } : null
  }
}

const verbs: Readonly<Record<Verdict, string>> = {
  done: "Decided by",
  notDone: "Decided by",
  cancelled: "Cancelled by",
  byHand: "Made by hand, says"
}

/** The columns as before the decision: in doubt, queued, or refused temporarily. */
const takenBack = (row: ChangeRow, { by, note }: Signed): Patch => {
  const message = `Taken back by ${by}: ${note}`
  if (row.decision?.as === "cancelled" && wasSent(row) && row.record !== null) {
    return { ...passingAgain(message), proposal: null, decided_at: null }
  }
  return {
    decision: null,
    proposal: null,
    decided_at: null,
    message,
    tries: 0,
    ...(!wasSent(row)
      ? { status: "queued", attempt: null, entry: null, attention: needsNothing, next_at: now }
      : { status: "needsOperator", attention: needs("InDoubt", message), next_at: { after: minute } })
  }
}

// ---- Payments of orders

const paymentProblemOf = (
  seen: ReadonlyArray<SeenItem>,
  row: PaymentRow,
  { as }: PaymentResolution
): string | undefined => {
  const [item, ...others] = seen
  if (item === undefined) return movedOf("payment", row)
  if (others.length > 0) {
    return `It needs an operator for ${seen.map(({ kind }) => kind).join(" and ")}: say which of them is decided (kind).`
  }
  const fitting = paymentDecisionsFor(item.kind)
  if (item.kind === "InDoubt" && as === "done") {
    return `${unfitDecision(as, fitting)} If it was created, adopt it by its id in GoPay's administration: adoptPayment(orderNumber, paymentId).`
  }
  return fitting.includes(as) ? undefined : unfitDecision(as, fitting)
}

const paymentPatchOf = (row: PaymentRow, kind: AttentionKind, { as, by, note }: PaymentResolution): PaymentPatch => ({
  attention: { [kind]: null },
  message: null,
  decisions: [...(row.decisions ?? []), { kind, as, by, note }],
  ...effectOn(row, paymentDecisions[kind][as]?.does)
})

/**
 * Refunds what is left of a payment's money, or releases its hold, with a change of the ledger's own. The decision and
 * the change are recorded in one transaction. If that change is refused or fails, another one may follow.
 */
const giveBack = Effect.fnUntraced(function* (
  { changes, dualApprovalAbove, moves, payments }: OperatorParts,
  row: PaymentRow,
  { kind, message }: SeenItem,
  { as, by, note }: PaymentResolution
) {
  const name = nameOf(row)
  const amounts = amountsOf(row, progressOf(row), row.refunded)
  if (row.payment_id === null || moneyIn(amounts) === 0) {
    return yield* notResolved(name, "There is no money of it to give back.")
  }
  if (amounts.refundable.isUpperBound) {
    return yield* notResolved(name, "How much of it was captured is not known. Refund it in the shop, by its amount.")
  }
  if (moneyIn(amounts) > dualApprovalAbove) {
    return yield* notResolved(name, "It is above the amount that takes two operators. Refund it in the shop.")
  }
  const all = yield* changes.ofPayments([row.payment_id])
  const earlier = all.filter((one) => one.key.startsWith(`${name}:giveBack`))
  const last = earlier.at(-1)
  if (last !== undefined && !cameToNothing(last)) {
    return yield* notResolved(name, `It was to be given back before: see the change ${last.key}.`)
  }
  const open = all.find(
    ({ holds, operation, status }) => (holds !== null || status === "queued") && operation !== "createRecurrence"
  )
  if (open !== undefined) {
    return yield* notResolved(name, `Another change of it is under way: ${open.key}. Decide when it has ended.`)
  }
  const key = `${name}:giveBack${last === undefined ? "" : earlier.length + 1}`
  const change =
    amounts.held > 0 ? { release: row.payment_id } : { refund: row.payment_id, amount: amounts.refundable.amount }
  const words = `${message} ${by} has its money given back by the change ${key}: ${note}`
  return yield* moves.inTransaction((query) =>
    Effect.tap(
      payments.move(
        row,
        {
          attention: { [kind]: words },
          message: words,
          decisions: [...(row.decisions ?? []), { kind, as, by, note, change: key }]
        },
        query
      ),
      (moved) => (Option.isSome(moved) ? recordOwn(changes, key, change, query) : Effect.void)
    )
  )
})

/** What a decision does to a payment besides ending its item. */
const effectOn = (row: PaymentRow, does: PaymentEffect | undefined): PaymentPatch | undefined => {
  switch (does) {
    case "isNotCreated":
      return { status: "lost", offered: null }
    case "isAdopted":
      return becomesKnown
    case "isAccepted":
      // It is read again at once, and treated as paid.
      return { doubt: null, doubt_since: null, tries: 0, next_at: now }
    case "isRefused":
      // Its order may get another payment, unless this one was recorded as paid.
      return hasMoney(row) ? undefined : { offered: null, gw_url: null }
    case "isGivenBack":
    case "isSettled":
    case undefined:
      return undefined
  }
}
