/**
 * An XLS file (BIFF in a compound file) reduced to its cells.
 *
 * A spreadsheet library visits every cell that a link or an array refers to, one by one, and a file of 3.5 kB can refer
 * to all of them. So every record except those of cells and texts is masked. The masked bytes keep their place, since
 * sheets are found by their offsets.
 */
import type { SpreadsheetReader } from "./ParsedStatement.js"
import { invalidLine, notReadable, StatementError } from "./StatementError.js"

/** The records that cells need, by their ids. Source: [MS-XLS], and [MS-XLS] of earlier versions for those below 0x0200. */
const cellIds = new Set([
  // BOF of each version, EOF, the sheets
  0x0009, 0x0209, 0x0409, 0x0809, 0x000a, 0x0085,
  // CodePage, Date1904, FilePass
  0x0042, 0x0022, 0x002f,
  // SST, Continue, LabelSst, Label, RString
  0x00fc, 0x003c, 0x00fd, 0x0004, 0x0204, 0x00d6,
  // Integer, Number, RK, MulRk
  0x0002, 0x0003, 0x0203, 0x027e, 0x00bd
])

const formulaIds = new Set([0x0006, 0x0206, 0x0406])

/** DCon, which is skipped. */
const maskedId = 0x0050

/** A stream of records in which all but those of cells are masked. Refuses a formula. */
const maskedRecords = (stream: Uint8Array): Uint8Array => {
  const bytes = Uint8Array.from(stream)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at + 4 <= bytes.length;) {
    const id = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    if (formulaIds.has(id) && at + 6 <= bytes.length) {
      throw invalidLine(view.getUint16(at + 4, true) + 1, { _tag: "Formula" })
    }
    if (!cellIds.has(id) && id !== 0) view.setUint16(at, maskedId, true)
    at += 4 + length
  }
  return bytes
}

/** A compound file with only the cells. */
export const cellRecords = (bytes: Uint8Array, { CFB }: SpreadsheetReader): Uint8Array => {
  if (CFB === undefined) {
    const message = `The file is a XLS. Pass the whole module as spreadsheets: await import("@e965/xlsx"), or order the format CSV_B.`
    throw new StatementError({ reason: { _tag: "SpreadsheetReaderNeeded", message } })
  }
  try {
    const container = CFB.read(bytes, { type: "array" })
    const stream = CFB.find(container, "/Workbook") ?? CFB.find(container, "/Book")
    if (stream === null) throw notReadable()
    const cells = CFB.utils.cfb_new()
    CFB.utils.cfb_add(cells, "/Workbook", maskedRecords(Uint8Array.from(stream.content)))
    return Uint8Array.from(CFB.write(cells, { type: "array" }))
  } catch (cause) {
    throw cause instanceof StatementError ? cause : notReadable(cause)
  }
}
