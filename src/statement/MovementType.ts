/**
 * The meaning of the types of movements in a file.
 */
import { ownMember } from "../basics/OwnMember.js"
import type { MovementTag, StatementMovement } from "./ParsedStatement.js"
import { Notes } from "./StatementError.js"

/**
 * Keyed by the type in upper case without accents. The codes of the first five are certain; the words of CSV_B have a
 * single source.
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

/** The part after the slash varies. */
const unmatched = /^GOPAY-NESPAROVANE(?: |\/|$)/

/** Whether an amount is incoming or outgoing. A type that is not listed may be either. */
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

/** Finds the meaning of the types in a file, and notes unknown ones. */
export class MovementTypes extends Notes {
  private readonly described: ReadonlyMap<string, MovementTag>

  constructor(types: Readonly<Record<string, MovementTag>>) {
    super()
    this.described = new Map(Object.entries(types).map(([type, tag]) => [plain(type), tag]))
  }

  tagOf(type: string, amount: number, line: number): MovementTag {
    const key = plain(type)
    const described = this.described.get(key)
    const own = ownMember(known, key) ?? (unmatched.test(key) ? "UnmatchedTransfer" : undefined)
    const found = own ?? described
    if (found === undefined) {
      this.add({ _tag: "UnknownType", line, text: type, isOfClearing: false }, type)
      return "Unknown"
    }
    if (described !== undefined && described !== found) {
      this.add({ _tag: "OptionNotUsed", line, text: type, option: "types", given: described, own: found }, type)
    }
    if (amount * (direction[found] ?? 0) >= 0) return found
    this.add({ _tag: "UnexpectedSign", line, text: type, amount, isOfClearing: false })
    return "Unknown"
  }
}

/** The kinds of movements that are part of a clearing itself: their number is the clearing's. */
const ofClearing: ReadonlySet<MovementTag> = new Set(["Payout", "Fee", "CreditNote"])

/**
 * The number that identifies a movement: its order's, or its clearing's for a payout or a fee. A payment is not
 * identified by the number of the clearing that paid it out.
 */
export const numberOf = ({ _tag, clearing, orderNumber, reference }: StatementMovement): string | undefined =>
  orderNumber ?? (ofClearing.has(_tag) ? clearing : undefined) ?? reference

/** The meaning of the column "ID objednávky/VS" for each kind of movement. */
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
