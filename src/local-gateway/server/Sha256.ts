/**
 * SHA-256 where a caller cannot wait: Web Crypto has it only as a promise, and Node's is missing in a browser. It
 * takes as long for one text as for another of the same length.
 */

const firstPrimes = (count: number): ReadonlyArray<number> => {
  const primes: Array<number> = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

/** The first 32 bits behind the binary point. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0

const roundConstants = Int32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)))

const initialState = Int32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)))

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The message with its end mark and its length in bits, in whole blocks of 64 bytes. */
const padded = (bytes: Uint8Array): DataView => {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(view.buffer).set(bytes)
  view.setUint8(bytes.length, 0x80)
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n)
  return view
}

/** The 64 words of a block. */
const schedule = (message: DataView, offset: number): Int32Array => {
  const words = new Int32Array(64)
  const word = (index: number): number => words[index] ?? 0
  for (let index = 0; index < 16; index++) words[index] = message.getInt32(offset + index * 4)
  for (let index = 16; index < 64; index++) {
    const near = word(index - 2)
    const far = word(index - 15)
    words[index] =
      word(index - 16) +
      (rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3)) +
      word(index - 7) +
      (rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10))
  }
  return words
}

/** The SHA-256 of a text in UTF-8. */
export const sha256 = (text: string): Uint8Array => {
  const message = padded(new TextEncoder().encode(text))
  const state = Int32Array.from(initialState)
  for (let offset = 0; offset < message.byteLength; offset += 64) {
    const words = schedule(message, offset)
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let round = 0; round < 64; round++) {
      const chosen = (e & f) ^ (~e & g)
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const first =
        h +
        (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
        chosen +
        (roundConstants[round] ?? 0) +
        (words[round] ?? 0)
      const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word)
  return new Uint8Array(digest.buffer)
}
