/**
 * Pictures of QR codes.
 */
import { correction, generate } from "lean-qr"
import { toSvgSource } from "lean-qr/extras/svg"

/** The light squares on each side of a code. */
const margin = 4

/** A text as a QR code, in the format asked for: the bytes of the file. */
export const qrPicture = (text: string, format: "png" | "svg"): Uint8Array => {
  const code = generate(text, { minCorrectionLevel: correction.M })
  return format === "svg"
    ? new TextEncoder().encode(toSvgSource(code, { on: "black", off: "white" }))
    : pngOf({ size: code.size + 2 * margin, isBlack: (x, y) => code.get(x - margin, y - margin) }, 4)
}

/** Squares in black and white. */
interface Squares {
  /** Squares along each side. */
  readonly size: number
  readonly isBlack: (x: number, y: number) => boolean
}

/** Bits, from the lowest of each byte. */
class BitWriter {
  readonly bytes: Array<number> = []
  private pending = 0
  private count = 0

  add(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit++) {
      this.pending |= ((value >> bit) & 1) << this.count
      if (++this.count === 8) this.flush()
    }
  }

  /** A code of Huffman's, which starts with its highest bit. */
  addCode(code: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) this.add((code >> bit) & 1, 1)
  }

  flush(): void {
    if (this.count > 0) this.bytes.push(this.pending)
    this.pending = 0
    this.count = 0
  }
}

/** A literal or a length, in the fixed codes of DEFLATE (RFC 1951, 3.2.6). */
const addSymbol = (writer: BitWriter, symbol: number): void => {
  if (symbol < 144) return writer.addCode(0x30 + symbol, 8)
  if (symbol < 256) return writer.addCode(0x190 + symbol - 144, 9)
  if (symbol < 280) return writer.addCode(symbol - 256, 7)
  writer.addCode(0xc0 + symbol - 280, 8)
}

/** The last `length` bytes again: at least 3, at most 257. */
const addRepetition = (writer: BitWriter, length: number): void => {
  const lengthBits = Math.max(0, 29 - Math.clz32(length - 3))
  addSymbol(writer, 257 + 4 * lengthBits + ((length - 3) >> lengthBits))
  writer.add(length - 3, lengthBits)
  const distanceBits = Math.max(0, 30 - Math.clz32(length - 1))
  writer.addCode(2 * distanceBits + ((length - 1) >> distanceBits), 5)
  writer.add(length - 1, distanceBits)
}

const adler32 = (rows: ReadonlyArray<Uint8Array>, times: number): number => {
  let low = 1
  let high = 0
  for (const row of rows) {
    for (let time = 0; time < times; time++) {
      for (const byte of row) {
        low = (low + byte) % 65_521
        high = (high + low) % 65_521
      }
    }
  }
  return high * 65_536 + low
}

const bigEndian = (value: number): ReadonlyArray<number> => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff)

/** Rows, each several times, as a stream of zlib (RFC 1950). */
const compressed = (rows: ReadonlyArray<Uint8Array>, times: number): ReadonlyArray<number> => {
  const writer = new BitWriter()
  writer.add(0b011, 3)
  for (const row of rows) {
    for (const byte of row) addSymbol(writer, byte)
    for (let time = 1; time < times; time++) addRepetition(writer, row.length)
  }
  addSymbol(writer, 256)
  writer.flush()
  return [0x78, 0x01, ...writer.bytes, ...bigEndian(adler32(rows, times))]
}

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

/** A row of pixels, one bit for each, after the byte that says that they are not filtered. */
const pixels = ({ isBlack, size }: Squares, y: number, scale: number): Uint8Array => {
  const row = new Uint8Array(1 + Math.ceil((size * scale) / 8))
  for (let x = 0; x < size * scale; x++) {
    const index = 1 + (x >> 3)
    if (isBlack(Math.floor(x / scale), y)) row[index] = (row[index] ?? 0) | (0x80 >> (x & 7))
  }
  return row
}

const signature = [137, 80, 78, 71, 13, 10, 26, 10]

/** The bytes of the file. `scale` is how many pixels a square has along each side. */
const pngOf = (squares: Squares, scale: number): Uint8Array => {
  const side = bigEndian(squares.size * scale)
  const rows = Array.from({ length: squares.size }, (_, y) => pixels(squares, y, scale))
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", [...side, ...side, 1, 3, 0, 0, 0]),
    ...chunk("PLTE", [255, 255, 255, 0, 0, 0]),
    ...chunk("IDAT", compressed(rows, scale)),
    ...chunk("IEND", [])
  ])
}
