/**
 * QR codes by ISO/IEC 18004, as far as payments need them: bytes, error correction level M, versions 1 to 10, and always
 * mask 0. (The mask only eases reading; a reader takes any.)
 */

/** Error correction bytes of each block, by version (level M). */
const correctionBytes = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]

/** Number of blocks, by version (level M). */
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]

/** Where the centres of alignment patterns lie in both directions, by version. */
const alignments = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]].map((positions) =>
  positions.length === 0 ? [] : [6, ...positions]
)

/** Data and error correction bytes together, by version. */
const totalBytes = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]

/** Level M and mask 0, with their error correction and the fixed mask of the format bits. */
const formatBits = 0b101010000010010

/** Multiplies in the field of 256 elements that the code uses. */
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** The generator polynomial of Reed-Solomon codes with this many correction bytes, without its leading 1. */
const generator = (degree: number): ReadonlyArray<number> => {
  let polynomial: ReadonlyArray<number> = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let step = 0; step < degree; step++) {
    const factor = root
    polynomial = polynomial.map((value, index) => multiply(value, factor) ^ (polynomial[index + 1] ?? 0))
    root = multiply(root, 2)
  }
  return polynomial
}

const correction = (data: ReadonlyArray<number>, polynomial: ReadonlyArray<number>): ReadonlyArray<number> =>
  data.reduce<ReadonlyArray<number>>(
    (remainder, byte) => {
      const factor = byte ^ (remainder[0] ?? 0)
      return polynomial.map((coefficient, index) => (remainder[index + 1] ?? 0) ^ multiply(coefficient, factor))
    },
    polynomial.map(() => 0)
  )

/** The first bytes of all blocks, then the second ones, and so on. */
const interleave = (blocks: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> =>
  Array.from({ length: Math.max(...blocks.map(({ length }) => length)) }, (_, index) =>
    blocks.flatMap((block) => block.slice(index, index + 1))
  ).flat()

interface Layout {
  readonly version: number
  readonly dataBytes: number
  readonly correctionBytes: number
  readonly blocks: number
}

/** The smallest version that has room for this many bytes. */
const layoutFor = (length: number): Layout => {
  for (const [index, total] of totalBytes.entries()) {
    const blocks = blockCounts[index] ?? 0
    const perBlock = correctionBytes[index] ?? 0
    const version = index + 1
    const dataBytes = total - blocks * perBlock
    const header = version < 10 ? 12 : 20
    if (header + length * 8 <= dataBytes * 8) return { version, dataBytes, correctionBytes: perBlock, blocks }
  }
  throw new RangeError("Too long a text for a QR code: at most 213 bytes.")
}

const dataBits = (bytes: Uint8Array, { dataBytes, version }: Layout): string => {
  const bits = [
    "0100",
    bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0"),
    ...Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0"))
  ].join("")
  const ended = bits.padEnd(Math.min(bits.length + 4, dataBytes * 8), "0")
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, "0")
  return whole.padEnd(dataBytes * 8, "1110110000010001")
}

const codeBytes = (text: string): { readonly layout: Layout; readonly bytes: ReadonlyArray<number> } => {
  const input = new TextEncoder().encode(text)
  const layout = layoutFor(input.length)
  const data = (dataBits(input, layout).match(/.{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2))
  const shortLength = Math.floor(layout.dataBytes / layout.blocks)
  const shortBlocks = layout.blocks - (layout.dataBytes % layout.blocks)
  const blocks = Array.from({ length: layout.blocks }, (_, index) => {
    const start = index * shortLength + Math.max(0, index - shortBlocks)
    return data.slice(start, start + shortLength + (index < shortBlocks ? 0 : 1))
  })
  const polynomial = generator(layout.correctionBytes)
  return {
    layout,
    bytes: [...interleave(blocks), ...interleave(blocks.map((block) => correction(block, polynomial)))]
  }
}

/** The version with its error correction, for versions from 7 on. */
const versionBits = (version: number): number => {
  let remainder = version
  for (let step = 0; step < 12; step++) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25)
  return (version << 12) | remainder
}

/** Where the concentric squares of a finder pattern are dark; the outermost one is the light border. */
const finder = (distance: number): boolean => distance !== 2 && distance !== 4

/** The modules of a QR code, row by row: true is dark. */
export type Modules = ReadonlyArray<ReadonlyArray<boolean>>

/**
 * Encodes a text.
 *
 * @throws RangeError for more than 213 bytes
 */
export const qrCode = (text: string): Modules => {
  const { bytes, layout } = codeBytes(text)
  const size = layout.version * 4 + 17
  const modules: Array<Array<boolean | undefined>> = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => undefined)
  )
  const set = (x: number, y: number, dark: boolean): void => {
    const row = modules[y]
    if (row !== undefined && x >= 0 && x < size) row[x] = dark
  }
  const isFree = (x: number, y: number): boolean => modules[y]?.[x] === undefined
  /** Concentric squares around a centre: dark where `isDark` says so of the distance. */
  const square = (cx: number, cy: number, reach: number, isDark: (distance: number) => boolean): void => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) set(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }

  for (let at = 0; at < size; at++) {
    set(at, 6, at % 2 === 0)
    set(6, at, at % 2 === 0)
  }
  square(3, 3, 4, finder)
  square(size - 4, 3, 4, finder)
  square(3, size - 4, 4, finder)
  const centres = alignments[layout.version - 1] ?? []
  for (const cx of centres) {
    for (const cy of centres) {
      const inCorner = (cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)
      if (!inCorner) square(cx, cy, 2, (distance) => distance !== 1)
    }
  }
  for (let bit = 0; bit < 15; bit++) {
    const dark = ((formatBits >>> bit) & 1) === 1
    if (bit < 8) {
      set(8, bit < 6 ? bit : bit + 1, dark)
      set(size - 1 - bit, 8, dark)
    } else {
      set(bit === 8 ? 7 : 14 - bit, 8, dark)
      set(8, size - 15 + bit, dark)
    }
  }
  set(8, size - 8, true)
  if (layout.version >= 7) {
    const bits = versionBits(layout.version)
    for (let bit = 0; bit < 18; bit++) {
      const dark = ((bits >>> bit) & 1) === 1
      const far = size - 11 + (bit % 3)
      set(far, Math.floor(bit / 3), dark)
      set(Math.floor(bit / 3), far, dark)
    }
  }

  // Data runs up and down in columns two modules wide, from the right, past the vertical timing pattern.
  let position = 0
  let upwards = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (isFree(x, y)) {
          const bit = ((bytes[position >>> 3] ?? 0) >>> (7 - (position & 7))) & 1
          set(x, y, (bit === 1) !== ((x + y) % 2 === 0))
          position++
        }
      }
    }
    upwards = !upwards
  }
  return modules.map((row) => row.map((dark) => dark === true))
}
