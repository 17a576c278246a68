/**
 * The one table of operators' decisions: which of them fit a change or an order's payment, what each one does, and its
 * words. The calls, the page for accountants, the command line and the documents are made from it.
 */
import { ownMember } from "../../basics/OwnMember.js"
import type { AttentionItem, AttentionKind, ChangeDecision, ChangeResolution, PaymentDecision } from "./Attention.js"
import type { ChangeEntry } from "./Change.js"

/** The subject of a decision: a change, or the payment of an order. */
export type Subject = "change" | "payment"

/** A text in each language of the page. */
export interface Words {
  readonly en: string
  readonly cs: string
}

// ---- Changes

/** The effect of a decision on a change. */
export type ChangeEffect = "isDone" | "isRefused" | "isTakenBack"

/** The facts about a change that decide which decisions fit. */
export interface ChangeFacts {
  readonly status: ChangeEntry["status"] | "locked" | "refusing"
  readonly operation: string
  /** The kind of its item; `null` if it needs no operator. */
  readonly kind: AttentionKind | null
  readonly wasSent: boolean
  /** It was refused temporarily, and is sent again unless reads show that it was accepted. */
  readonly isPassing: boolean
  /** A refund that is done and whose entry in the gateway's list is unknown. */
  readonly isUnbound: boolean
  readonly isDecidedByOperator: boolean
}

export const changeDecisions = {
  done: { does: "isDone", words: { en: "GoPay carried it out", cs: "Operace proběhla" } },
  notDone: { does: "isRefused", words: { en: "GoPay did not carry it out", cs: "Operace neproběhla" } },
  cancelled: { does: "isRefused", words: { en: "Do not send it", cs: "Neodesílat" } },
  byHand: {
    does: "isDone",
    words: { en: "It was already refunded by hand", cs: "Refundaci už někdo provedl ručně" }
  },
  undecided: { does: "isTakenBack", words: { en: "Take the decision back", cs: "Vzít rozhodnutí zpět" } }
} as const satisfies Record<ChangeDecision, { readonly does: ChangeEffect; readonly words: Words }>

/** The names of all decisions about changes. */
export const changeDecisionNames = [
  "done",
  "notDone",
  "cancelled",
  "byHand",
  "undecided"
] as const satisfies ReadonlyArray<ChangeDecision>

/** Whether a word names a decision about a change. */
export const isChangeDecision = (text: string): text is ChangeDecision => Object.hasOwn(changeDecisions, text)

/** The decisions that fit a change, given what is known of it. */
export const changeDecisionsFor = (facts: ChangeFacts): ReadonlyArray<ChangeDecision> => {
  const isRefund = facts.operation === "refundPayment"
  switch (facts.status) {
    case "queued":
      return isRefund ? ["cancelled", "byHand"] : ["cancelled"]
    case "locked":
      return []
    case "refusing":
      return facts.isPassing ? ["done", "cancelled"] : ["done", "notDone"]
    case "sending":
    case "unknown":
    case "accepted":
      return ["done", "notDone"]
    case "needsOperator":
      if (facts.wasSent) return ["done", "notDone"]
      if (facts.operation === "createRecurrence") return ["done", "notDone", "cancelled"]
      // Nothing was sent, but an earlier change of the same kind may have been.
      return isRefund ? ["cancelled", "byHand"] : ["done", "cancelled"]
    case "done":
    case "refused":
    case "failed":
      if (facts.kind === "DecisionContradicted") return ["done", "notDone"]
      if (facts.kind === "ChargeRefused") return ["done", "notDone", "cancelled"]
      if (facts.kind === "PaidTwice" || facts.isUnbound) return ["done"]
      return facts.isDecidedByOperator ? ["undecided"] : []
  }
}

/**
 * Whether it is too early to say that a change was not done: it was sent, and the ledger still looks for it without an
 * operator. The gateway may yet carry it out, and what is done in its place by another key would then be done twice. Of a
 * charge that was accepted the payment is known, and decides.
 */
export const isTooEarly = (
  { operation, status }: Pick<ChangeFacts, "operation" | "status">,
  hasItem: boolean,
  { as, early }: { readonly as: string; readonly early?: boolean | undefined }
): boolean =>
  as === "notDone" &&
  early !== true &&
  !hasItem &&
  (status === "sending" || status === "unknown" || (status === "accepted" && operation !== "createRecurrence"))

/**
 * The listed refund has another reason: it is acknowledged (`acknowledgeRefund`), and the change that it stopped is
 * sent.
 */
export const acknowledgement: Words = {
  en: "The other refund has another reason: send this one, too",
  cs: "Druhá refundace má jiný důvod: odeslat i tuto"
}

/** Whether the refund that stops a change may be acknowledged. */
export const isAcknowledgeable = (kind: AttentionKind): boolean => kind === "StrangeRefund"

/** The words for a charge that was paid twice: one of the two payments is settled elsewhere. */
const oneOfTwo: Words = {
  en: "It is settled: one of the two was refunded",
  cs: "Je to vyřízeno: jedna z nich je vrácena"
}

/** What the decisions say about a charge that only the merchant can have made. */
const ofRefusedCharge: { readonly [decision: string]: Words } = {
  notDone: { en: "It is mended: charge it again", cs: "Je to opraveno: strhnout znovu" },
  cancelled: { en: "Give this period up", cs: "Toto období už nestrhávat" }
}

// ---- Payments of orders

/** The effect of a decision on a payment. */
export type PaymentEffect =
  /** The item ends, and the payment stays as it is. */
  | "isSettled"
  /** It was not created: its order may get another payment. */
  | "isNotCreated"
  /** It is accepted as it is, and treated as paid. */
  | "isAccepted"
  /** It does not count: its order may get another payment. */
  | "isRefused"
  /** The ledger takes it over, as by `adoptPayment`. */
  | "isAdopted"
  /** The rest of its money is refunded, or its hold released; that ends its item. */
  | "isGivenBack"

/** The effect of a decision, in a sentence for the operator. */
export const effectWords: Readonly<Record<PaymentEffect, string>> = {
  isSettled: "Its item is settled, and the payment stays as it is.",
  isNotCreated: "It counts as not created: its order may be paid anew.",
  isAccepted: "It counts as it is: it is read again, and taken as paid.",
  isRefused: "It does not count. Give its money back.",
  isAdopted: "The ledger takes it over: it is read again, and onPayment is notified.",
  isGivenBack: "Its money is given back, and its item ends with that."
}

interface PaymentMeaning {
  readonly does: PaymentEffect
  readonly words: Words
}

type PaymentMeanings = { readonly [Decision in PaymentDecision]?: PaymentMeaning }

const settled = {
  done: { does: "isSettled", words: { en: "It is settled", cs: "Je to vyřízeno" } },
  notDone: { does: "isSettled", words: { en: "There was nothing to do", cs: "Nebylo co řešit" } }
} as const satisfies PaymentMeanings

const returnable = {
  ...settled,
  giveBack: {
    does: "isGivenBack",
    words: {
      en: "Give this payment's money back: refund it, or release the hold",
      cs: "Vrátit peníze z této platby: refundovat ji, nebo uvolnit blokaci"
    }
  }
} as const satisfies PaymentMeanings

const none: PaymentMeanings = {}

/** The decisions about the payment of an order, by the kind of its item. */
export const paymentDecisions: Readonly<Record<AttentionKind, PaymentMeanings>> = {
  InDoubt: {
    notDone: {
      does: "isNotCreated",
      words: {
        en: "GoPay has no such payment: the order may be paid anew",
        cs: "GoPay takovou platbu nemá: objednávku lze zaplatit znovu"
      }
    }
  },
  UnknownPayment: {
    accepted: {
      does: "isAdopted",
      words: { en: "It pays the order: take it over", cs: "Platba patří k objednávce: převzít ji" }
    },
    refused: {
      does: "isRefused",
      words: {
        en: "It does not pay the order: I refund or release it myself",
        cs: "Platba k objednávce nepatří: vrátím nebo uvolním ji sám"
      }
    }
  },
  PaymentMismatch: {
    accepted: {
      does: "isAccepted",
      words: { en: "Accept the payment as it is", cs: "Platbu přijmout tak, jak je" }
    },
    refused: {
      does: "isRefused",
      words: {
        en: "Do not accept the payment: I refund or release it myself",
        cs: "Platbu nepřijmout: vrátím nebo uvolním ji sám"
      }
    }
  },
  PaidTwice: returnable,
  PaidLate: returnable,
  Unfulfillable: returnable,
  StateContradicted: settled,
  ReturnedElsewhere: settled,
  HoldNotEnded: settled,
  ChargeMissing: settled,
  OnPaymentFailed: settled,
  OnSubscriptionFailed: settled,
  CredentialsRefused: settled,
  // These kinds are of changes, of rows that cannot be read, or of the ledger as a whole.
  StrangeRefund: none,
  ListIncomplete: none,
  NotSent: none,
  Unbound: none,
  AccountEmpty: none,
  ChargesDisabled: none,
  ChargeRefused: none,
  DecisionContradicted: none,
  OnChangeFailed: none,
  UnreadableRow: none,
  SendingStopped: none,
  WorkStopped: none,
  DatabaseRestored: none
}

/** The names of all decisions about payments of orders. */
export const paymentDecisionNames = [
  "done",
  "notDone",
  "accepted",
  "refused",
  "giveBack"
] as const satisfies ReadonlyArray<PaymentDecision>

/** Whether a word names a decision about the payment of an order. */
export const isPaymentDecision = (text: string): text is PaymentDecision =>
  paymentDecisionNames.some((name) => name === text)

/** The decisions that fit the payment of an order. */
export const paymentDecisionsFor = (kind: AttentionKind): ReadonlyArray<PaymentDecision> =>
  paymentDecisionNames.filter((name) => paymentDecisions[kind][name] !== undefined)

// ---- Both

/** The version of an item, or of its row, that an operator has seen. */
type SeenVersion = Pick<ChangeResolution, "kind" | "version">

/**
 * The items of a row that an operator has seen and that have not changed since: an item with the version itself, or
 * else those that have not changed since the row had that version.
 */
export const itemsSeen = <Item extends Pick<AttentionItem, "kind" | "version">>(
  items: ReadonlyArray<Item>,
  rowVersion: number,
  { kind, version }: SeenVersion
): ReadonlyArray<Item> => {
  const seen = items.filter(
    (item) => item.version <= version && version <= rowVersion && (kind === undefined || item.kind === kind)
  )
  const own = seen.filter((item) => item.version === version)
  return own.length > 0 ? own : seen
}

/** The words of a decision; `undefined` if it does not fit its subject. */
export const wordsOf = (subject: Subject, kind: AttentionKind, decision: string): Words | undefined => {
  if (subject === "payment") {
    return isPaymentDecision(decision) ? paymentDecisions[kind][decision]?.words : undefined
  }
  if (decision === "acknowledge") return isAcknowledgeable(kind) ? acknowledgement : undefined
  if (kind === "PaidTwice" && decision === "done") return oneOfTwo
  const own = kind === "ChargeRefused" ? ownMember(ofRefusedCharge, decision) : undefined
  if (own !== undefined) return own
  return isChangeDecision(decision) ? changeDecisions[decision].words : undefined
}

/** The choices for an item: decisions, or that a refund of unknown origin has another reason. */
export type Decision = ChangeDecision | PaymentDecision | "acknowledge"

export const isDecision = (text: string): text is Decision =>
  isChangeDecision(text) || isPaymentDecision(text) || text === "acknowledge"

/** The message for a decision that does not fit: it lists those that do. */
export const unfitDecision = (as: string, fitting: ReadonlyArray<string>): string =>
  fitting.length === 0
    ? `${as} does not fit it: there is nothing to decide about it.`
    : `${as} does not fit it. What fits: ${fitting.join(", ")}.`
