/**
 * Pictures of QR codes.
 */
import { correction, generate, type Bitmap2D } from "lean-qr"
import { toSvgSource } from "lean-qr/extras/svg"

/** The light squares on each side of a code. */
const margin = 4

/** The pixels along each side of a square. */
const scale = 4

/** A text as a QR code, as a file in the requested format. */
export const qrPicture = (text: string, format: "png" | "svg"): Uint8Array => {
  const code = generate(text, { minCorrectionLevel: correction.M })
  return format === "svg" ? new TextEncoder().encode(toSvgSource(code, { on: "black", off: "white" })) : pngOf(code)
}

const bytesOf = (value: number, size: number): ReadonlyArray<number> =>
  Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 0xff)

const bigEndian = (value: number): ReadonlyArray<number> => bytesOf(value, 4).toReversed()

const adler32 = (bytes: ReadonlyArray<number>): number => {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return high * 65_536 + low
}

/** Blocks as a zlib stream (RFC 1950) that stores them uncompressed: a picture has a few kB. */
const stored = (blocks: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => [
  0x78,
  0x01,
  ...blocks.flatMap((block, index) => [
    index === blocks.length - 1 ? 1 : 0,
    ...bytesOf(block.length, 2),
    ...bytesOf(~block.length, 2),
    ...block
  ]),
  ...bigEndian(adler32(blocks.flat()))
]

const crc32 = (bytes: ReadonlyArray<number>): number => {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}

const chunk = (type: string, data: ReadonlyArray<number>): ReadonlyArray<number> => {
  const content = [...new TextEncoder().encode(type), ...data]
  return [...bigEndian(data.length), ...content, ...bigEndian(crc32(content))]
}

/** A row of squares as rows of pixels: one bit for each, after the byte that says that they are not filtered. */
const pixels = (code: Bitmap2D, y: number, side: number): ReadonlyArray<number> => {
  const row = Array.from({ length: 1 + Math.ceil(side / 8) }, () => 0)
  for (let x = 0; x < side; x++) {
    const index = 1 + (x >> 3)
    if (code.get(Math.floor(x / scale) - margin, y - margin)) row[index] = (row[index] ?? 0) | (0x80 >> (x & 7))
  }
  return Array.from({ length: scale }, () => row).flat()
}

const signature = [137, 80, 78, 71, 13, 10, 26, 10]

const pngOf = (code: Bitmap2D): Uint8Array => {
  const squares = code.size + 2 * margin
  const side = squares * scale
  const rows = Array.from({ length: squares }, (_, y) => pixels(code, y, side))
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", [...bigEndian(side), ...bigEndian(side), 1, 3, 0, 0, 0]),
    ...chunk("PLTE", [255, 255, 255, 0, 0, 0]),
    ...chunk("IDAT", stored(rows)),
    ...chunk("IEND", [])
  ])
}
