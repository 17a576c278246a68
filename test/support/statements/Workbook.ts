/**
 * A spreadsheet as XLSX: one sheet, in a ZIP file without compression.
 */

/** A cell: text, a number as its decimal text, or nothing. */
export type Cell = string | { readonly number: string } | undefined

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"

const escaped = (text: string): string =>
  text
    // XML has no such characters.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "?")
    .replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`)

const cellXml = (cell: Cell, address: string): string => {
  if (cell === undefined) return ""
  return typeof cell === "string"
    ? `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    : `<c r="${address}"><v>${cell.number}</v></c>`
}

/** Columns A to Z are enough. */
const rowXml = (cells: ReadonlyArray<Cell>, index: number): string => {
  const line = index + 1
  return `<row r="${line}">${cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${line}`)).join("")}</row>`
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Numbers of two or four bytes, little-endian. */
const fields = (...values: ReadonlyArray<readonly [value: number, bytes: 2 | 4]>): Uint8Array =>
  Uint8Array.from(
    values.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 0xff))
  )

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The first of January 1980: a file without a time. */
const date = 0x21

const zip = (files: Readonly<Record<string, string>>): Uint8Array => {
  const encoder = new TextEncoder()
  const parts: Array<Uint8Array> = []
  const directory: Array<Uint8Array> = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const [name, bytes] = [encoder.encode(path), encoder.encode(content)]
    const size = bytes.length
    const about = fields(
      [20, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [date, 2],
      [crcOf(bytes), 4],
      [size, 4],
      [size, 4],
      [name.length, 2],
      [0, 2]
    )
    const local = joined([fields([0x04034b50, 4]), about, name, bytes])
    parts.push(local)
    directory.push(
      joined([fields([0x02014b50, 4], [20, 2]), about, fields([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name])
    )
    offset += local.length
  }
  const length = directory.reduce((sum, entry) => sum + entry.length, 0)
  const count = directory.length
  const end = fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [offset, 4], [0, 2])
  return joined([...parts, ...directory, end])
}

/** Rows as the bytes of an XLSX file. */
export const workbook = (rows: ReadonlyArray<ReadonlyArray<Cell>>): Uint8Array =>
  zip({
    "[Content_Types].xml": `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    "_rels/.rels": `${xml}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${xml}<workbook xmlns="${spreadsheet}" xmlns:r="${officeRelations}"><sheets><sheet name="Vypis" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${xml}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `${xml}<worksheet xmlns="${spreadsheet}"><sheetData>${rows.map(rowXml).join("")}</sheetData></worksheet>`
  })
