import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createDecipheriv, pbkdf2Sync } from "node:crypto"
import { vi } from "vitest"
import { webCrypto } from "../../../src/client/call/TokenEncryption.js"

const secret = Redacted.make("s3cr3tXY")

const quick = webCrypto({ rounds: 1 })

const nonceLength = 12

/** The first bytes of what was encrypted. */
const nonceOf = (encrypted: string): string => Buffer.from(encrypted, "base64").subarray(0, nonceLength).toString("hex")

describe("an encrypted text", () => {
  it.effect("is decrypted with the same secret, salt and purpose, and with no other", () =>
    Effect.gen(function* () {
      const cipher = quick.cipher(secret, "salt")
      const encrypted = yield* cipher.encrypt("a token, žluťoučký", "purpose")
      const again = quick.cipher(Redacted.make("s3cr3tXY"), "salt")
      assert.strictEqual(yield* again.decrypt(encrypted, "purpose"), "a token, žluťoučký")
      yield* Effect.flip(again.decrypt(encrypted, "another purpose"))
      yield* Effect.flip(quick.cipher(Redacted.make("s3cr3tXZ"), "salt").decrypt(encrypted, "purpose"))
      yield* Effect.flip(quick.cipher(secret, "pepper").decrypt(encrypted, "purpose"))
    })
  )

  it.effect("is not decrypted when any byte of it was changed, cut off or added", () =>
    Effect.gen(function* () {
      const cipher = quick.cipher(secret, "salt")
      const encrypted = Buffer.from(yield* cipher.encrypt("a token", "purpose"), "base64")
      const changed = Array.from(encrypted.keys(), (index) =>
        encrypted.map((byte, at) => (at === index ? byte ^ 1 : byte))
      )
      const others = [...changed, encrypted.subarray(0, -1), Buffer.concat([encrypted, Buffer.of(0)]), Buffer.alloc(0)]
      for (const other of others) {
        yield* Effect.flip(cipher.decrypt(Buffer.from(other).toString("base64"), "purpose"))
      }
      yield* Effect.flip(cipher.decrypt("no base64!", "purpose"))
    })
  )

  // Two texts under one nonce give away both, and the key that authenticates them.
  it.effect("never has the nonce of another, neither of the same use nor of another one with the same secret", () =>
    Effect.gen(function* () {
      const first = quick.cipher(secret, "salt")
      const second = quick.cipher(secret, "salt")
      const encrypted = yield* Effect.forEach(Array.from({ length: 1_000 }), (_, index) =>
        (index % 2 === 0 ? first : second).encrypt("a token", "purpose")
      )
      assert.strictEqual(new Set(encrypted.map(nonceOf)).size, encrypted.length)
      // No part of it stands still either: each byte takes many values.
      for (let byte = 0; byte < nonceLength; byte++) {
        const values = new Set(encrypted.map((text) => nonceOf(text).slice(byte * 2, byte * 2 + 2)))
        assert.isAbove(values.size, 100, `byte ${byte} of the nonce`)
      }
    })
  )

  it.effect("is AES-256-GCM under a key of 600,000 rounds of PBKDF2, never more than 100,000 at a time", () =>
    Effect.gen(function* () {
      const cipher = webCrypto().cipher(secret, "salt")
      const encrypted = Buffer.from(yield* cipher.encrypt("a token", "purpose"), "base64")
      let key = Buffer.from("s3cr3tXY")
      for (let derivation = 0; derivation < 6; derivation++) key = pbkdf2Sync(key, "salt", 100_000, 32, "sha256")
      const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, nonceLength))
        .setAAD(Buffer.from("purpose"))
        .setAuthTag(encrypted.subarray(-16))
      const text = Buffer.concat([decipher.update(encrypted.subarray(nonceLength, -16)), decipher.final()])
      assert.strictEqual(text.toString(), "a token")
    })
  )

  it.effect("has a key that no one can read out", () =>
    Effect.gen(function* () {
      const keys = vi.spyOn(crypto.subtle, "importKey")
      yield* webCrypto({ rounds: 1 }).cipher(secret, "salt").encrypt("a token", "purpose")
      assert.isNotEmpty(keys.mock.calls)
      assert.isTrue(keys.mock.calls.every(([, , , isExtractable]) => !isExtractable))
      keys.mockRestore()
    })
  )
})
