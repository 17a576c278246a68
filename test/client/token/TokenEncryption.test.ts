import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createDecipheriv, pbkdf2Sync } from "node:crypto"
import { KeyDerivationRounds, make } from "../../../src/client/token/TokenEncryption.js"

const secret = Redacted.make("s3cr3tXY")

const quick = Effect.provideService(KeyDerivationRounds, 1)

const nonceLength = 12

/** The first bytes of what was sealed. */
const nonceOf = (sealed: string): string => Buffer.from(sealed, "base64").subarray(0, nonceLength).toString("hex")

describe("a sealed text", () => {
  it.effect("opens with the same secret, salt and purpose, and with no other", () =>
    Effect.gen(function* () {
      const seal = yield* make(secret, "salt")
      const sealed = yield* seal.close("a token, žluťoučký", "purpose")
      const again = yield* make(Redacted.make("s3cr3tXY"), "salt")
      assert.strictEqual(yield* again.open(sealed, "purpose"), "a token, žluťoučký")
      yield* Effect.flip(again.open(sealed, "another purpose"))
      yield* Effect.flip(Effect.flatMap(make(Redacted.make("s3cr3tXZ"), "salt"), ({ open }) => open(sealed, "purpose")))
      yield* Effect.flip(Effect.flatMap(make(secret, "pepper"), ({ open }) => open(sealed, "purpose")))
    }).pipe(quick)
  )

  it.effect("does not open when any byte of it was changed, cut off or added", () =>
    Effect.gen(function* () {
      const seal = yield* make(secret, "salt")
      const sealed = Buffer.from(yield* seal.close("a token", "purpose"), "base64")
      const changed = Array.from(sealed.keys(), (index) => sealed.map((byte, at) => (at === index ? byte ^ 1 : byte)))
      const others = [...changed, sealed.subarray(0, -1), Buffer.concat([sealed, Buffer.of(0)]), Buffer.alloc(0)]
      for (const other of others) {
        yield* Effect.flip(seal.open(Buffer.from(other).toString("base64"), "purpose"))
      }
      yield* Effect.flip(seal.open("no base64!", "purpose"))
    }).pipe(quick)
  )

  // Two texts under one nonce give away both, and the key that authenticates them.
  it.effect("never has the nonce of another, neither of the same use nor of another one with the same secret", () =>
    Effect.gen(function* () {
      const first = yield* make(secret, "salt")
      const second = yield* make(secret, "salt")
      const sealed = yield* Effect.forEach(Array.from({ length: 1_000 }), (_, index) =>
        (index % 2 === 0 ? first : second).close("a token", "purpose")
      )
      assert.strictEqual(new Set(sealed.map(nonceOf)).size, sealed.length)
      // No part of it stands still either: each byte takes many values.
      for (let byte = 0; byte < nonceLength; byte++) {
        const values = new Set(sealed.map((text) => nonceOf(text).slice(byte * 2, byte * 2 + 2)))
        assert.isAbove(values.size, 100, `byte ${byte} of the nonce`)
      }
    }).pipe(quick)
  )

  it.effect("is AES-256-GCM under a key of 600,000 rounds of PBKDF2, unless a test takes fewer", () =>
    Effect.gen(function* () {
      const seal = yield* make(secret, "salt")
      const sealed = Buffer.from(yield* seal.close("a token", "purpose"), "base64")
      const key = pbkdf2Sync("s3cr3tXY", "salt", 600_000, 32, "sha256")
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceLength))
        .setAAD(Buffer.from("purpose"))
        .setAuthTag(sealed.subarray(-16))
      const text = Buffer.concat([decipher.update(sealed.subarray(nonceLength, -16)), decipher.final()])
      assert.strictEqual(text.toString(), "a token")
    })
  )
})
