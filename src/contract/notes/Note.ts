/**
 * Texts about the gateway, and how well each thing is known: a sentence that begins with a mark says it, as in `Id of the payment.
 * Inferred: a multiple of 13, as all known ones are.` What has no mark is backed by the gateway's documentation or its official
 * clients. A sentence after `Invented: ` is no fact about the gateway, but what the local one does.
 */

/** The meaning of each word of `x-evidence`, from the most certain to the least. */
export const evidenceMeanings = {
  recorded: "seen in recorded traffic of the real gateway",
  documented: "stated by GoPay's documentation or its official clients",
  weak: "from a single or a third-party source; the mark is Weakly known",
  inferred: "concluded by us, stated nowhere",
  unknown: "no source says it"
} as const

type Evidence = keyof typeof evidenceMeanings

/** From the least certain to the most. */
const marks = { unknown: "Unknown: ", inferred: "Inferred: ", weak: "Weakly known: ", recorded: "Recorded: " } as const

const evidences = Object.keys(evidenceMeanings)

/** The evidence of what is least certain in a text. */
const evidenceOf = (text: string): string =>
  Object.entries(marks).find(([, mark]) => text.includes(mark))?.[0] ?? ("documented" satisfies Evidence)

/** A text as members of an OpenAPI object. */
export const described = (text: string) => describedTogether([text], "")

/** Several texts as members of one OpenAPI object. */
export const describedTogether = (texts: ReadonlyArray<string>, separator: string) => ({
  description: texts.join(separator),
  "x-evidence": evidences[Math.max(...texts.map((text) => evidences.indexOf(evidenceOf(text))))]
})
