/**
 * Pictures of QR codes, without a canvas and without a compressor: PNG allows data that is merely stored.
 */
import { qrCode, type Modules } from "./QrCode.js"

/** The light border that readers need, in modules. */
const quietZone = 4

/** Pixels of one module in a PNG. */
const scale = 4

/** A text as a QR code, in the format asked for: the bytes of the file. Throws RangeError for more than 213 bytes of text. */
export const qrPicture = (text: string, format: "png" | "svg"): Uint8Array =>
  format === "svg" ? new TextEncoder().encode(svg(qrCode(text))) : png(qrCode(text))

const svg = (modules: Modules): string => {
  const size = modules.length + 2 * quietZone
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + quietZone} ${y + quietZone}h1v1h-1z` : "")))
    .join("")
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
  )
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const png = (modules: Modules): Uint8Array => {
  const size = (modules.length + 2 * quietZone) * scale
  const header = [...uint32(size), ...uint32(size), 1, 0, 0, 0, 0] // one bit a pixel, grey
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", header),
    ...chunk("IDAT", stored(scanlines(modules, size))),
    ...chunk("IEND", [])
  ])
}

/** Rows of pixels, each behind a 0 (no filter); a light pixel is a 1. */
const scanlines = (modules: Modules, size: number): ReadonlyArray<number> =>
  Array.from({ length: size }, (_, y) => {
    const row = modules[Math.floor(y / scale) - quietZone]
    const isDark = (x: number): boolean => row?.[Math.floor(x / scale) - quietZone] === true
    const bytes = Array.from({ length: Math.ceil(size / 8) }, (_empty, index) =>
      [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, bit) => byte * 2 + (isDark(index * 8 + bit) ? 0 : 1), 0)
    )
    return [0, ...bytes]
  }).flat()

/** A zlib stream of one stored block, enough for 65 535 bytes; a QR code of version 10 has 8 500. */
const stored = (data: ReadonlyArray<number>): ReadonlyArray<number> => {
  const low = data.length & 0xff
  const high = data.length >>> 8
  return [0x78, 0x01, 0x01, low, high, ~low & 0xff, ~high & 0xff, ...data, ...uint32(adler32(data))]
}

const chunk = (type: string, data: ReadonlyArray<number>): ReadonlyArray<number> => {
  const content = [...new TextEncoder().encode(type), ...data]
  return [...uint32(data.length), ...content, ...uint32(crc32(content))]
}

const uint32 = (value: number): ReadonlyArray<number> => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)

const crc32 = (data: ReadonlyArray<number>): number => {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb88320)
  }
  return ~crc
}

const adler32 = (data: ReadonlyArray<number>): number => {
  let sum = 1
  let sumOfSums = 0
  for (const byte of data) {
    sum = (sum + byte) % 65_521
    sumOfSums = (sumOfSums + sum) % 65_521
  }
  return sumOfSums * 65_536 + sum
}
