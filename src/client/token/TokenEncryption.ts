/**
 * Sealing what is kept outside of the process: encrypted, and of use for nothing but what it was sealed for.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"

/** Seals texts with one secret. */
export interface Seal {
  /** Encrypts a text (AES-256-GCM, a random nonce each time). It opens with the same `purpose` only. Base64. */
  readonly close: (text: string, purpose: string) => Effect.Effect<string, unknown>
  /** Fails for what was sealed with another secret or purpose, or never. */
  readonly open: (sealed: string, purpose: string) => Effect.Effect<string, unknown>
}

/**
 * A ClientSecret has eight characters in all samples. Whoever reads the store can try guesses at it against what is sealed,
 * for as long as he likes: so a guess must cost him something. The number is the one that OWASP recommends. Tests take
 * fewer.
 */
export const KeyDerivationRounds: Context.Reference<number> = Context.Reference("effect-gopay/KeyDerivationRounds", {
  defaultValue: () => 600_000
})

const nonceLength = 12

/** The key is derived once (PBKDF2, about 0.1 seconds of one core); the salt keeps the keys of two uses apart. */
export const make = (secret: Redacted.Redacted<string>, salt: string): Effect.Effect<Seal> =>
  Effect.map(derivedOnce(secret, salt), (derived) => ({
    close: (text, purpose) =>
      Effect.flatMap(derived, (key) =>
        Effect.tryPromise({
          try: async () => {
            const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
            const encrypted = await crypto.subtle.encrypt(parameters(nonce, purpose), key, utf8(text))
            return Base64.encode(new Uint8Array([...nonce, ...new Uint8Array(encrypted)]))
          },
          catch: cause
        })
      ),
    open: (sealed, purpose) =>
      Effect.flatMap(Effect.all([derived, Effect.fromResult(Base64.decode(sealed))]), ([key, bytes]) =>
        Effect.tryPromise({
          try: async () => {
            const nonce = bytes.slice(0, nonceLength)
            const text = await crypto.subtle.decrypt(parameters(nonce, purpose), key, bytes.slice(nonceLength))
            return new TextDecoder().decode(text)
          },
          catch: cause
        })
      )
  }))

/** What tokens are encrypted with. Another one is for simulations, which can wait for no promise. */
export const TokenEncryption: Context.Reference<{ readonly make: typeof make }> = Context.Reference(
  "effect-gopay/TokenEncryption",
  { defaultValue: () => ({ make }) }
)

const cause = (cause: unknown): unknown => cause

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const parameters = (nonce: Uint8Array<ArrayBuffer>, purpose: string) => ({
  name: "AES-GCM",
  iv: nonce,
  additionalData: utf8(purpose)
})

const derivedOnce = (secret: Redacted.Redacted<string>, salt: string) =>
  Effect.flatMap(KeyDerivationRounds, (rounds) =>
    Effect.cached(Effect.tryPromise({ try: () => deriveKey(secret, salt, rounds), catch: cause }))
  )

const deriveKey = async (secret: Redacted.Redacted<string>, salt: string, iterations: number): Promise<CryptoKey> => {
  const material = await crypto.subtle.importKey("raw", utf8(Redacted.value(secret)), "PBKDF2", false, ["deriveKey"])
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt: utf8(salt), iterations },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"]
  )
}
