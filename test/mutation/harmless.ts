/**
 * Mutants that no test needs to notice, and why. Each is known by its line and the change, so that edits elsewhere do not
 * matter: `npm run mutate` prints both.
 */
export interface Harmless {
  readonly file: string
  readonly line: string
  readonly changes: ReadonlyArray<string>
  readonly why: string
}

const reconcile = "src/client/outcome/Reconcile.ts"
const idIsThere = "The check of the record guarantees the id; only the types do not know it."

export const harmless: ReadonlyArray<Harmless> = [
  {
    file: reconcile,
    line: 'Effect.map(getPayment(sent.change.paymentId ?? ""), (payment) => judge(payment, sent))',
    changes: ['sent.change.paymentId ?? "" -> sent.change.paymentId', '"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: 'const { amount, paymentId = "", refundsBefore } = sent.change',
    changes: ['"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: 'Effect.map(reads.getCardDetails(sent.change.cardId ?? ""), ({ status }): Reconciliation =>',
    changes: ['sent.change.cardId ?? "" -> sent.change.cardId', '"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: "if (listed !== undefined && refundsBefore !== undefined) {",
    changes: ["listed !== undefined -> true", "refundsBefore !== undefined -> true"],
    why: "Both are there or neither: each is for the types of the other."
  },
  {
    file: reconcile,
    line: "if (state !== undefined && holdRuledOutBy[state]?.has(paymentState) === true) {",
    changes: ["state !== undefined -> true"],
    why: "The table has no member for an absent state; the check is for the types."
  }
]
