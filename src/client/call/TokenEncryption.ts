/**
 * Encryption of data that is stored outside of the process, bound to its purpose.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

interface Cipher {
  /** Base64, different each time. It can only be decrypted with the same `purpose`. */
  readonly encrypt: (text: string, purpose: string) => Effect.Effect<string, unknown>
  /** Fails if the text was encrypted with another key or purpose, or is not encrypted at all. */
  readonly decrypt: (encrypted: string, purpose: string) => Effect.Effect<string, unknown>
}

/** Derives a key from a secret. The salt keeps the keys of two uses apart. */
export interface TokenEncryption {
  readonly cipher: (secret: Redacted.Redacted<string>, salt: string) => Cipher
}

/**
 * In all samples a ClientSecret has eight characters. Anyone who reads the store can guess it offline, so each guess
 * must be expensive. OWASP recommends 600 000 rounds in all. They are split into six consecutive derivations, each from
 * the result of the previous one, since Cloudflare Workers refuse more than 100 000 rounds at once.
 */
const derivations = 6
const rounds = 100_000

const nonceLength = 12

/**
 * AES-256-GCM with a random nonce and a key by PBKDF2, from the runtime's `crypto`. The key is derived when it is first
 * needed, in about 0.1 seconds of one core, and kept: as a value, since calls that wait for each other's promises die
 * in Cloudflare Workers.
 *
 * It does not use `effect/crypto`, which would add 4 kB to the bundle of the promise client.
 */
export const webCrypto = (options: { readonly rounds: number } = { rounds }): TokenEncryption => ({
  cipher: (secret, salt) => {
    let derived: CryptoKey | undefined
    const using = <A>(work: (key: CryptoKey) => Promise<A>): Effect.Effect<A, unknown> =>
      Effect.tryPromise({
        try: async () => work((derived ??= await deriveKey(secret, utf8(salt), options.rounds))),
        catch: (cause) => cause
      })
    return {
      encrypt: (text, purpose) =>
        using(async (key) => {
          const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
          const encrypted = await crypto.subtle.encrypt(parameters(nonce, purpose), key, utf8(text))
          return btoa(String.fromCharCode(...nonce, ...new Uint8Array(encrypted)))
        }),
      decrypt: (encrypted, purpose) =>
        using(async (key) => {
          const bytes = Uint8Array.from(atob(encrypted), (character) => character.charCodeAt(0))
          const nonce = bytes.slice(0, nonceLength)
          const text = await crypto.subtle.decrypt(parameters(nonce, purpose), key, bytes.slice(nonceLength))
          return new TextDecoder().decode(text)
        })
    }
  }
})

/** How tokens are encrypted. Tests and simulations, which cannot wait for a promise, replace it. */
export const TokenEncryption: Context.Reference<TokenEncryption> = Context.Reference("effect-gopay/TokenEncryption", {
  defaultValue: () => webCrypto()
})

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const parameters = (nonce: Uint8Array<ArrayBuffer>, purpose: string) => ({
  name: "AES-GCM",
  iv: nonce,
  additionalData: utf8(purpose)
})

const deriveKey = async (
  secret: Redacted.Redacted<string>,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number
): Promise<CryptoKey> => {
  let bits: ArrayBuffer | Uint8Array<ArrayBuffer> = utf8(Redacted.value(secret))
  for (let derivation = 0; derivation < derivations; derivation++) {
    const material = await crypto.subtle.importKey("raw", bits, "PBKDF2", false, ["deriveBits"])
    bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, material, 256)
  }
  return crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"])
}
