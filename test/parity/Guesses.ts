/**
 * The steps of the scenario that would settle each line of "What is a guess" in docs/local-gateway-guesses.md, or why no step
 * does.
 */

/** What a recording of responses cannot have. */
interface Unsettled {
  readonly why: string
}

export const guesses: Readonly<Record<string, ReadonlyArray<string> | Unsettled>> = {
  "`lang`": ["create without lang", "create with lang in lower case", "create with an unknown lang"],
  amounts: ["create with an amount of ten billion crowns"],
  "fractions of amounts": { why: "plugins send them, and no step does yet" },
  "echoed texts": { why: "no step sends a text with special characters yet" },
  "a full capture as JSON": { why: "clients of others send it, and no step does yet" },
  "empty lists": { why: "official clients send them, and no step does yet" },
  "error names": ["create without amount", "refund again", "charge an unpaid recurrence", "capture again"],
  "field errors": ["create without callback", "create without order_number", "create with text as amount"],
  "absent `target`": ["create without target", "create with an unknown currency", "create with an unknown cycle"],
  "codes without evidence": [
    "an unknown address",
    "create from no JSON",
    "token, unknown grant type",
    "read without authorization"
  ],
  "content types": [
    "void a recurrence, sent as JSON",
    "create, sent as a form",
    "refund, sent as JSON",
    "token, sent as JSON"
  ],
  "scopes, sum of items": ["read with a token to create payments only", "create with items that do not add up"],
  ids: { why: "a recording has no identifiers" },
  "time-out": { why: "it takes hours to days" },
  refunds: [
    "refund a part",
    "refund the rest",
    "refund all",
    "refund more than was paid",
    "refunds in the end",
    "refund again"
  ],
  "unknown ids": ["refund an unknown payment", "refund an id that no payment can have", "capture an unknown payment"],
  captures: ["capture more than is held", "capture again", "read what was captured"],
  preauthorization: ["void an unpaid preauthorization", "capture an unpaid preauthorization"],
  "accepted operations": { why: "it depends on the shop and the bank which operations are accepted first" },
  recurrence: ["void an unpaid recurrence", "charge an automatic recurrence"],
  "automatic recurrences": { why: "the first charge comes a day later" },
  "charges of a recurrence": ["charge", "read a charge"],
  "the payer": ["read what is cancelled", "read what is to be transferred"],
  "a declined attempt": ["read what is declined"],
  "late money": { why: "a transfer takes days" },
  notifications: { why: "they are requests of the gateway's, and the recorder has no public address" },
  "the payer's return": { why: "it happens in the payer's browser" },
  cards: ["a stored card", "a deleted card", "read the payment that stored a card"],
  "bank transfers": { why: "the sandbox has no bank to pay from" },
  headers: ["create", "refund a part"],
  "payment instruments": ["instruments for CZK", "all instruments"],
  "QR codes": ["QR payment", "QR payment of a refunded payment"],
  "CSV_B statements": { why: "a recording has no contents of statements, which are the merchant's" },
  "other CSV statements": { why: "a recording has no contents of statements, which are the merchant's" },
  "fees and clearings": { why: "they are a matter of the contract" },
  "other statements": ["statement as PDF_A"],
  "`Accept-Language`": ["token, wrong secret, in Czech"]
}

const isNoResponse = "it is a meaning, which no response tells"

/** The same of each sentence under "Unknown" in the reference of the local gateway. */
export const unknowns: Readonly<Record<string, ReadonlyArray<string> | Unsettled>> = {
  "whether 401 can come in its place.": ["read without authorization", "read with a token that was never given"],
  "the code.": ["an unknown address", "QR payment of a refunded payment"],
  "the name, and that the code comes in each of these cases.": [
    "read without authorization",
    "read with a token to create payments only"
  ],
  "how a nested field is named.": ["create with an unknown cycle"],
  "how long the gateway waits for the response, and between two attempts.": {
    why: "notifications are requests of the gateway's, and the recorder has no public address"
  },
  "for a recurrence whose first payment is not paid.": ["charge an unpaid recurrence"],
  "which code that has.": ["capture more than is held"],
  "the status and the code.": ["an unknown card", "delete an unknown card", "delete it again"],
  "whether it is sent.": ["statement as CSV_A", "statement as PDF_A"],
  "what happens without it.": ["token, no scope", "create without target"],
  "the longest time that it may cover.": { why: "no step asks for more than a month" },
  "what it is for.": { why: isNoResponse },
  "which members may be absent.": ["a stored card"],
  "whether a partial capture changes it.": ["read what was captured"],
  "when it comes.": ["create", "read a paid payment", "read a hold"],
  "for most codes.": ["refund again", "capture again", "charge a voided recurrence", "an unknown card"],
  "the others.": ["refund again", "capture again", "charge a voided recurrence", "token, wrong secret, in Czech"],
  "the gateway's default. The list is open.": ["create without lang"],
  "when it is set.": ["read a paid payment", "read a refunded payment"],
  "for which payments it comes.": ["read a paid payment", "read a hold", "read a recurrence"],
  "whether the Czech 12 % is taken.": ["create with VAT of 12 %"],
  "its meaning.": { why: isNoResponse },
  "their order.": ["refunds in the end"],
  "the form that the gateway uses here.": ["refunds in the end"],
  "the columns of `CSV_A`, `CSV_C`, `CSV_D` and `CSV_E`; whether XLS is the old binary format.": {
    why: "a recording has no contents of statements, which are the merchant's"
  }
}
