import { assert, describe, it } from "@effect/vitest"
import { correction, generate } from "lean-qr"
import { toPngBuffer } from "lean-qr/extras/node_export"
import { inflateSync } from "node:zlib"
import { qrPicture } from "../../../src/local-gateway/documents/QrPicture.js"

/** The chunks of a PNG with their checksums, the pixels unpacked. */
const chunksOf = (file: Uint8Array): ReadonlyArray<readonly [type: string, content: string]> => {
  const bytes = Buffer.from(file)
  const chunks: Array<readonly [string, string]> = [["signature", bytes.toString("hex", 0, 8)]]
  for (let at = 8; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    const content = type === "IDAT" ? inflateSync(bytes.subarray(at + 8, end - 4)) : bytes.subarray(at + 8, end)
    chunks.push([type, content.toString("hex")])
    at = end
  }
  return chunks
}

describe("A QR code as a PNG", () => {
  it("is that of the library that needs Node.js, of every size", () => {
    for (let length = 1; length < 2_000; length += 37) {
      const text = "SPD*1.0*ž".repeat(length).slice(0, length)
      const expected = toPngBuffer(generate(text, { minCorrectionLevel: correction.M }), {
        on: [0, 0, 0],
        off: [255, 255, 255],
        scale: 4
      })
      assert.deepStrictEqual(chunksOf(qrPicture(text, "png")), chunksOf(expected), `length ${length}`)
    }
  })

  it("is a few kB for a bank transfer", () => {
    assert.isBelow(qrPicture("SPD*1.0*ACC:CZ6508000000192000145399*AM:1399.50*CC:CZK*X-VS:42", "png").length, 4_000)
  })
})
