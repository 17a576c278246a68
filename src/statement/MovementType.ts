/**
 * What the types of movements in a file mean.
 */
import { ownMember } from "../contract/OwnMember.js"
import type { MovementTag, StatementMovement, StatementNote } from "./ParsedStatement.js"
import { quoted } from "./StatementError.js"

/**
 * By the type in upper case without accents. The codes of the first five are certain, the words of CSV_B have one
 * source.
 */
const known: Readonly<Record<string, MovementTag>> = {
  "GOPAY-PLATBA": "Payment",
  "GOPAY-STORNO-PLATBY": "Refund",
  "GOPAY-STORNO-POPL": "RefundFee",
  "GOPAY-POPL": "Fee",
  "GOPAY-VYUCTOVANI": "Payout",
  "GOPAY-DOBITI-UCTU": "TopUp",
  "BLOKACE POHYBU": "Hold",
  PLATBA: "Payment",
  "POPLATEK ZA PLATBU": "Fee",
  "VYPLATA NA UCET": "Payout"
}

/** What follows the slash is not known. */
const unmatched = /^GOPAY-NESPAROVANE(?: |\/|$)/

/** Whether an amount goes in or out. A type that is not here may do either. */
const direction: Readonly<Partial<Record<MovementTag, 1 | -1>>> = {
  Payment: 1,
  Refund: -1,
  RefundFee: -1,
  Fee: -1,
  CreditNote: 1,
  Payout: -1,
  TopUp: 1,
  UnmatchedTransfer: 1,
  Hold: -1
}

const plain = (type: string): string =>
  type.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toUpperCase()

/** Says what the types of a file mean, and notes what is not known. */
export class MovementTypes {
  readonly notes: Array<StatementNote> = []
  private readonly described: ReadonlyMap<string, MovementTag>
  private readonly reported = new Set<string>()

  constructor(types: Readonly<Record<string, MovementTag>>) {
    this.described = new Map(Object.entries(types).map(([type, tag]) => [plain(type), tag]))
  }

  /** The kind of a movement. */
  tagOf(type: string, amount: number, line: number): MovementTag {
    const key = plain(type)
    const described = this.described.get(key)
    const own = ownMember(known, key) ?? (unmatched.test(key) ? "UnmatchedTransfer" : undefined)
    const found = own ?? described
    if (found === undefined) return this.unknownType(type, line)
    if (described !== undefined && described !== found) this.notUsed(type, described, found, line)
    if (amount * (direction[found] ?? 0) < 0) return this.unexpectedSign(type, amount, line)
    return found
  }

  private unknownType(type: string, line: number): "Unknown" {
    const message = `Line ${line}: the type ${quoted(type)} is not known. Its movements are kept as Unknown; pass types to say what it is.`
    this.noteOnce({ _tag: "UnknownType", line, text: type, message })
    return "Unknown"
  }

  private notUsed(type: string, described: MovementTag, found: MovementTag, line: number): void {
    const message = `Line ${line}: the type ${quoted(type)} is known as ${found}, so types: ${described} was not used.`
    this.noteOnce({ _tag: "OptionNotUsed", line, text: type, message })
  }

  /** Once for each type: a file may have thousands of them. */
  private noteOnce(note: StatementNote): void {
    if (this.reported.has(note.text)) return
    this.reported.add(note.text)
    this.notes.push(note)
  }

  private unexpectedSign(type: string, amount: number, line: number): "Unknown" {
    const message = `Line ${line}: ${quoted(type)} ${amount < 0 ? "debits" : "credits"} the account, against its type. The movement is kept as Unknown.`
    this.notes.push({ _tag: "UnexpectedSign", line, text: type, message })
    return "Unknown"
  }
}

/** Where the column "ID objednávky/VS" belongs, by the kind of movement. */
export const referenceOf = (
  tag: MovementTag,
  reference: string,
  relatedMovementId: string
): Pick<StatementMovement, "orderNumber" | "clearing" | "reference"> => {
  if (reference === "") return {}
  if (tag === "Payment" || tag === "Refund" || tag === "RefundFee") return { orderNumber: reference }
  if (tag === "Fee" && relatedMovementId !== "") return { orderNumber: reference }
  if (tag === "Fee" || tag === "Payout" || tag === "CreditNote") return { clearing: reference }
  return { reference }
}
