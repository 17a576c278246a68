/**
 * Reads QR codes out of the pictures that the local gateway draws.
 */
import { inflateSync } from "node:zlib"
import { decodeQR } from "qr/decode.js"

/** What a reader of QR codes reads where dark pixels are, as columns and rows from the top left. */
const read = (width: number, height: number, isDark: (x: number, y: number) => boolean): string => {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isDark(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return decodeQR({ width, height, data })
}

/** Reads a PNG of one bit a pixel, where 1 is dark. */
export const readPng = (png: Buffer): string => {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const data = inflateSync(png.subarray(png.indexOf("IDAT") + 4))
  const rowLength = Math.ceil(width / 8) + 1
  return read(width, height, (x, y) => (((data[y * rowLength + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1)
}

/** Reads an SVG with one path, whose lines are one unit long: it fills what it goes around (`nonzero`). */
export const readSvg = (svg: string): string => {
  const [, left = "", size = ""] = /viewBox="(-?\d+) -?\d+ (\d+) \d+"/.exec(svg) ?? []
  const margin = -Number(left)
  // How the winding number changes at the left side of each unit square.
  const changes = new Map<string, number>()
  for (const [, outline = ""] of (/<path d="([^"]*)"/.exec(svg)?.[1] ?? "").matchAll(/M([^MZ]*)Z/g)) {
    const points = outline.split("L").map((point) => point.split(" ").map(Number))
    for (const [index, [x = 0, y = 0]] of points.entries()) {
      const [, next = 0] = points[(index + 1) % points.length] ?? []
      if (next === y) continue
      const side = `${x} ${Math.min(y, next)}`
      changes.set(side, (changes.get(side) ?? 0) + next - y)
    }
  }
  const isFilled = (x: number, y: number): boolean => {
    let winding = 0
    for (let side = 0; side <= x; side++) winding += changes.get(`${side} ${y}`) ?? 0
    return winding !== 0
  }
  const scale = 4
  const toUnit = (pixel: number): number => Math.floor(pixel / scale) - margin
  return read(Number(size) * scale, Number(size) * scale, (x, y) => isFilled(toUnit(x), toUnit(y)))
}
