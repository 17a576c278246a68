/**
 * An XLSX file, unpacked within limits and packed again with only its cells.
 *
 * Parts are unpacked whatever sizes the file declares. A spreadsheet library trusts what a file says about its parts,
 * and visits every cell that a link, an area or a formula refers to, one by one.
 */
import { Inflate, zipSync } from "fflate/browser"
import { SaxesParser } from "saxes"
import type { Limits } from "./FileText.js"
import { notReadable, StatementError, tooLarge } from "./StatementError.js"

/** The most parts that an XLSX file may have. */
const maxParts = 200

/** In bytes: larger than the parts that define which sheet is the first one. */
const maxIndexBytes = 1024 * 1024

const asciiOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Each byte as one character, so that positions in the text are positions in the bytes. */
const lettersOf = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes)

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const beforeCells = asciiOf("<worksheet><sheetData>")
const afterCells = asciiOf("</sheetData></worksheet>")

/** A harmless formula that replaces one which may refer to thousands of cells. It is refused anyway. */
const formula = "<f>0</f>"

const formulas = /<((?:\w+:)?)f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1f>)/g

/**
 * A sheet with only its cells. A formula, or what surrounds the cells, such as a link, may refer to every possible
 * cell, and a spreadsheet library visits them one by one.
 */
const cellsAlone = (sheet: Uint8Array): Uint8Array => {
  const text = lettersOf(sheet)
  const opening = /<(?:\w+:)?sheetData(?:\s[^<>]*)?>/.exec(text)
  if (opening === null) throw notReadable()
  const start = opening.index + opening[0].length
  const length = text.slice(start).search(/<\/(?:\w+:)?sheetData\s*>/)
  if (opening[0].endsWith("/>") || length === -1) throw notReadable()
  const cells = text.slice(start, start + length)
  const kept: Array<Uint8Array> = [beforeCells]
  let at = 0
  for (const { 0: found, index } of cells.matchAll(formulas)) {
    kept.push(sheet.subarray(start + at, start + index), asciiOf(formula))
    at = index + found.length
  }
  if (/<(?:\w+:)?f[\s/>]/.test(cells.replaceAll(formulas, ""))) throw notReadable()
  return joined([...kept, sheet.subarray(start + at, start + length), afterCells])
}

/** More tags than a row of a statement has: those of the row, its cells and their values. */
const tagsOfMovement = 32

/** How many bytes are unpacked at a time. DEFLATE expands one byte to at most 1032. */
const step = 4096

/** A part in the directory of the file. */
interface Part {
  readonly name: string
  readonly isDeflated: boolean
  readonly packed: Uint8Array
}

const partAt = (bytes: Uint8Array, view: DataView, at: number): Part => {
  if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw notReadable()
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
  const [packedSize, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)]
  const local = view.getUint32(at + 42, true)
  if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) throw notReadable()
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const isEncrypted = (flags & 1) !== 0
  if (isEncrypted || (method !== 0 && method !== 8) || start + packedSize > bytes.length) throw notReadable()
  return {
    name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
    isDeflated: method === 8,
    packed: bytes.subarray(start, start + packedSize)
  }
}

/** The parts in the directory at the end of the file. Each name may occur only once. */
const partsOf = (bytes: Uint8Array): ReadonlyArray<Part> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const endLength = 22
  const lowest = Math.max(0, bytes.length - endLength - 0xffff)
  let end = bytes.length - endLength
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < lowest) throw notReadable()
  const count = view.getUint16(end + 10, true)
  if (count > maxParts) throw tooLarge({ _tag: "TooManyParts", limit: maxParts })
  const parts: Array<Part> = []
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    parts.push(partAt(bytes, view, at))
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (new Set(parts.map(({ name }) => name)).size < count) throw notReadable()
  return parts
}

/** Unpacks parts up to a limit for all of them together. */
class Unpacking {
  private unpacked = 0
  private tags = 0
  private readonly limits: Limits

  constructor(limits: Limits) {
    this.limits = limits
  }

  part({ isDeflated, packed }: Part): Uint8Array {
    if (!isDeflated) {
      this.count(packed)
      return packed
    }
    const chunks: Array<Uint8Array> = []
    const inflate = new Inflate((chunk) => {
      this.count(chunk)
      chunks.push(chunk)
    })
    for (let at = 0; at < packed.length; at += step) {
      inflate.push(packed.subarray(at, at + step), at + step >= packed.length)
    }
    return joined(chunks)
  }

  private count(bytes: Uint8Array): void {
    const { maxBytes, maxMovements } = this.limits
    this.unpacked += bytes.length
    if (this.unpacked > maxBytes) throw tooLarge({ _tag: "TooManyUnpackedBytes", bytes: maxBytes })
    for (let at = bytes.indexOf(0x3c); at !== -1; at = bytes.indexOf(0x3c, at + 1)) this.tags += 1
    if (this.tags > 10_000 + maxMovements * tagsOfMovement)
      throw tooLarge({ _tag: "TooManyMovements", limit: maxMovements })
  }
}

/** Called with an element of XML and its attributes. */
type OnElement = (name: string, attributes: Readonly<Record<string, string>>) => void

/** Reads the elements of a part. Refuses a DOCTYPE. */
const forEachElement = (part: Uint8Array, onElement: OnElement): void => {
  if (part.length > maxIndexBytes) throw tooLarge({ _tag: "TooManyIndexBytes", bytes: maxIndexBytes })
  const parser = new SaxesParser({ xmlns: true })
  parser.on("error", (error) => {
    throw error
  })
  parser.on("doctype", () => {
    throw notReadable()
  })
  parser.on("opentag", ({ attributes, local }) =>
    onElement(
      local,
      Object.fromEntries(
        Object.values(attributes).map(({ local: name, uri, value }) => [`${uri && "r:"}${name}`, value])
      )
    )
  )
  parser.write(new TextDecoder().decode(part)).close()
}

/** The name of the first sheet's part, and whether days are counted from 1904. */
const firstSheetOf = (workbook: Uint8Array, relations: Uint8Array) => {
  let id: string | undefined
  let isFrom1904 = false
  forEachElement(workbook, (name, attributes) => {
    if (name === "sheet") id ??= attributes["r:id"]
    if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/i.test(attributes["date1904"] ?? "")
  })
  let target: string | undefined
  forEachElement(relations, (name, attributes) => {
    if (name === "Relationship" && attributes["Id"] === id) target ??= attributes["Target"]
  })
  return { name: target?.replace(/^\/xl\//, "").replace(/^\.\//, ""), isFrom1904 }
}

const xml = (type: string, content: string): string => `<${type}>${content}</${type.replace(/ .*/, "")}>`

const schemas = "http://schemas.openxmlformats.org"
const relationTypes = `${schemas}/officeDocument/2006/relationships`
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

/** The parts of a workbook with one sheet and the texts of its cells. The file's own index of parts is left out. */
const workbookParts = (isFrom1904: boolean): Readonly<Record<string, string>> => {
  const override = (part: string, kind: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${contentType}.${kind}+xml"/>`
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relationTypes}/${kind}" Target="${target}"/>`
  const relations = `Relationships xmlns="${schemas}/package/2006/relationships"`
  return {
    "[Content_Types].xml": xml(
      `Types xmlns="${schemas}/package/2006/content-types"`,
      override("workbook.xml", "sheet.main") +
        override("worksheets/sheet1.xml", "worksheet") +
        override("sharedStrings.xml", "sharedStrings")
    ),
    "_rels/.rels": xml(relations, relation("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/_rels/workbook.xml.rels": xml(
      relations,
      relation("rId1", "worksheet", "worksheets/sheet1.xml") + relation("rId2", "sharedStrings", "sharedStrings.xml")
    ),
    "xl/workbook.xml": xml(
      `workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationTypes}"`,
      `<workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets>`
    )
  }
}

/**
 * Builds an uncompressed XLSX file of only the cells of the first sheet and their texts. Throws if the file is damaged,
 * or unpacks to more than a limit. The sheet is found through the workbook's relations, since a file may give it any
 * name.
 */
export const cellParts = (bytes: Uint8Array, limits: Limits): Uint8Array => {
  const unpacking = new Unpacking(limits)
  try {
    const parts = new Map(partsOf(bytes).map((part) => [part.name.toLowerCase(), part]))
    const unpacked = (name: string): Uint8Array => {
      const part = parts.get(`xl/${name}`.toLowerCase())
      if (part === undefined) throw notReadable()
      return unpacking.part(part)
    }
    const { isFrom1904, name } = firstSheetOf(unpacked("workbook.xml"), unpacked("_rels/workbook.xml.rels"))
    if (name === undefined || !/^worksheets\/[^/]+\.xml$/i.test(name)) throw notReadable()
    const texts = parts.has("xl/sharedstrings.xml") ? unpacked("sharedStrings.xml") : asciiOf("<sst/>")
    const made = Object.entries(workbookParts(isFrom1904)).map(([part, text]) => [part, asciiOf(text)] as const)
    return zipSync(
      Object.fromEntries([
        ...made,
        ["xl/worksheets/sheet1.xml", cellsAlone(unpacked(name))] as const,
        ["xl/sharedStrings.xml", texts] as const
      ]),
      { level: 0 }
    )
  } catch (cause) {
    throw cause instanceof StatementError ? cause : notReadable(cause)
  }
}
