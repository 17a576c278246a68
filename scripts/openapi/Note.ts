/**
 * Notes about the gateway, and how well each thing is known.
 */

/**
 * A text about the gateway. A plain text is backed by the gateway's documentation or its official clients. Otherwise
 * each further sentence stands under the mark of its evidence.
 */
export type Note = string | MarkedNote

/** See {@link Note}. */
export interface MarkedNote extends Marks {
  readonly text: string
}

type Marks = { readonly [Mark in keyof typeof openings]?: string }

/** The certainty of a fact about the gateway. */
type Evidence = keyof typeof evidenceMeanings

/** The meaning of each word of {@link Evidence}, from the most certain to the least. */
export const evidenceMeanings = {
  recorded: "seen in recorded traffic of the real gateway",
  documented: "stated by GoPay's documentation or its official clients",
  weak: "from a single or a third-party source; the mark is Weakly known",
  inferred: "concluded by us, stated nowhere",
  unknown: "no source says it"
} as const

/** The marks, and how a sentence under each begins. What is invented is no evidence: the local gateway does it so. */
const openings = {
  recorded: "Recorded",
  weak: "Weakly known",
  inferred: "Inferred",
  unknown: "Unknown",
  invented: "Invented"
} as const

const marks = Object.keys(openings).filter((mark): mark is keyof typeof openings => Object.hasOwn(openings, mark))

/** The same marks after another text. */
export const withText = (note: Note, change: (text: string) => string): Note =>
  typeof note === "string" ? change(note) : { ...note, text: change(note.text) }

/** The whole of a note as text: `The id. Inferred: a multiple of 13.` */
export const noteText = (note: Note): string =>
  typeof note === "string"
    ? note
    : [note.text, ...marks.flatMap((mark) => (note[mark] === undefined ? [] : [`${openings[mark]}: ${note[mark]}`]))]
        .filter((sentence) => sentence !== "")
        .join(" ")

const evidenceOf = (note: Note): Evidence =>
  typeof note === "string"
    ? "documented"
    : marks
        .filter((mark) => note[mark] !== undefined)
        .reduce<Evidence>((evidence, mark) => (mark === "invented" ? evidence : mark), "documented")

/** The evidence of what is least certain. */
const leastCertain = (notes: ReadonlyArray<Note>): Evidence => {
  const order: ReadonlyArray<string> = Object.keys(evidenceMeanings)
  return notes.map(evidenceOf).reduce((a, b) => (order.indexOf(a) > order.indexOf(b) ? a : b), "recorded")
}

/** A note as members of an OpenAPI object. */
export const described = (note: Note) => describedTogether([note], "")

/** Several notes as members of one OpenAPI object. */
export const describedTogether = (notes: ReadonlyArray<Note>, separator: string) => ({
  description: notes.map(noteText).join(separator),
  "x-evidence": leastCertain(notes)
})
