import { describe, expect, it } from "@effect/vitest"
import { accountStatement } from "../../src/contract/AccountStatement.js"

const text = "Příliš žluťoučký kůň"

const fromHex = (hex: string): ReadonlyArray<number> => hex.split(" ").map((byte) => Number.parseInt(byte, 16))

/** The text in the encodings that a statement may have. */
const bytes = {
  utf8: [...new TextEncoder().encode(text)],
  windows1250: fromHex("50 f8 ed 6c 69 9a 20 9e 6c 75 9d 6f 75 e8 6b fd 20 6b f9 f2"),
  latin2: fromHex("50 f8 ed 6c 69 b9 20 be 6c 75 bb 6f 75 e8 6b fd 20 6b f9 f2"),
  utf16le: Array.from(text, (character) => character.charCodeAt(0)).flatMap((unit) => [unit & 0xff, unit >> 8]),
  utf16be: Array.from(text, (character) => character.charCodeAt(0)).flatMap((unit) => [unit >> 8, unit & 0xff])
}

const byteOrderMark = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] }

const statement = (content: ReadonlyArray<number>, contentType: string | null = "application/octet-stream") =>
  accountStatement({ data: Uint8Array.from(content).buffer, contentType, contentDisposition: null })

describe("an account statement", () => {
  it("has the bytes and the headers as they came", () => {
    const data = Uint8Array.from({ length: 256 }, (_, index) => index).buffer
    const answer = accountStatement({
      data,
      contentType: "application/vnd.ms-excel",
      contentDisposition: 'attachment; filename="statement.xls"'
    })
    expect(answer.data).toBe(data)
    answer.toText()
    expect([...new Uint8Array(answer.data)]).toStrictEqual(Array.from({ length: 256 }, (_, index) => index))
    expect(answer.contentType).toBe("application/vnd.ms-excel")
    expect(answer.contentDisposition).toBe('attachment; filename="statement.xls"')
    expect(statement([], null).contentType).toBe(null)
  })

  describe("without a named encoding", () => {
    it.each([
      ["no content type", null],
      ["a content type that says nothing", "application/octet-stream"],
      ["a charset that is not known", "text/csv; charset=x-unheard-of"],
      ["an empty charset", 'text/csv; charset=""']
    ])("and with %s is UTF-8 when its bytes are, else windows-1250", (_, contentType) => {
      expect(statement(bytes.utf8, contentType).toText()).toBe(text)
      expect(statement(bytes.windows1250, contentType).toText()).toBe(text)
    })

    it.each([
      ["text/csv; charset=iso-8859-2", bytes.latin2],
      ["text/csv; charset=utf-8", bytes.utf8],
      ["text/csv; charset=utf-16le", bytes.utf16le],
      ["text/csv; charset=utf-16be", bytes.utf16be]
    ])("is in the charset of %s", (contentType, content) => {
      expect(statement(content, contentType).toText()).toBe(text)
    })

    it.each([
      ["text/csv; charset=windows-1250", "Ĺľ"],
      ["text/csv;charset=CP1250", "Ĺľ"],
      ['text/csv; charset="windows-1250"', "Ĺľ"],
      ["text/csv; header=present; Charset = windows-1250; x=y", "Ĺľ"],
      ["text/csv; charset=iso-8859-2", "Ĺž"],
      ["text/csv; charset=UTF8; header=present", "ž"],
      ["text/csv; xcharset=windows-1250", "ž"],
      ["text/csv", "ž"]
    ])("is in the charset of %s even where its bytes happen to be UTF-8", (contentType, expected) => {
      expect(statement([0xc5, 0xbe], contentType).toText()).toBe(expected)
    })

    it.each([
      ["UTF-8", byteOrderMark.utf8, bytes.utf8],
      ["UTF-16, the lower byte first", byteOrderMark.utf16le, bytes.utf16le],
      ["UTF-16, the higher byte first", byteOrderMark.utf16be, bytes.utf16be]
    ])("is what its byte order mark says, whatever the charset: %s", (_, mark, content) => {
      for (const contentType of [null, "text/csv; charset=windows-1250", "text/csv; charset=utf-8"]) {
        expect(statement([...mark, ...content], contentType).toText()).toBe(text)
      }
    })

    it("keeps a byte order mark inside of the text", () => {
      expect(statement([...byteOrderMark.utf8, 0x61, ...byteOrderMark.utf8]).toText()).toBe("a\uFEFF")
    })

    it("never fails, whatever the bytes", () => {
      const all = Array.from({ length: 256 }, (_, index) => index)
      expect(statement(all).toText()).toHaveLength(256)
      for (const contentType of ["text/csv; charset=utf-8", "text/csv; charset=utf-16le", "charset", "; charset="]) {
        expect(() => statement(all, contentType).toText()).not.toThrow()
      }
      for (const start of [[], [0xef], [0xef, 0xbb], [0xff], [0xfe]]) {
        expect(() => statement(start).toText()).not.toThrow()
      }
    })

    it("is empty when the file is", () => {
      expect(statement([]).toText()).toBe("")
      expect(statement(byteOrderMark.utf8).toText()).toBe("")
    })

    it("gives the same text each time", () => {
      const answer = statement(bytes.windows1250)
      expect([answer.toText(), answer.toText("utf-8"), answer.toText()]).toStrictEqual([
        text,
        expect.stringContaining("\uFFFD"),
        text
      ])
    })
  })

  describe("with a named encoding", () => {
    it.each([
      ["windows-1250", bytes.windows1250],
      ["cp1250", bytes.windows1250],
      ["ISO-8859-2", bytes.latin2],
      ["utf-8", bytes.utf8],
      ["utf-16le", bytes.utf16le]
    ])("is in %s, whatever the charset", (encoding, content) => {
      expect(statement(content, "text/csv; charset=utf-16be").toText(encoding)).toBe(text)
    })

    it("is in that encoding even where the bytes are in another", () => {
      expect(statement([0xc5, 0xbe]).toText("windows-1250")).toBe("Ĺľ")
    })

    it("has no byte order mark in its text", () => {
      expect(statement([...byteOrderMark.utf8, ...bytes.utf8]).toText("utf-8")).toBe(text)
    })

    it.each(["", "czech", "utf-9", "windows 1250"])("cannot be in %j: no runtime knows it", (encoding) => {
      const answer = statement(bytes.utf8)
      expect(() => answer.toText(encoding)).toThrow(RangeError)
      expect(() => answer.toText(encoding)).toThrow(
        `Unknown encoding ${JSON.stringify(encoding)}. Use a label such as "utf-8" or "windows-1250", or none to detect it.`
      )
    })
  })
})
