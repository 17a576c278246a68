/**
 * Keeps strangers out of a gateway that several people share: the dashboard and the control API need a password.
 *
 * A program sends it as HTTP Basic, with any user name. A browser sends it once and gets a cookie, which holds until
 * the gateway stops; the password itself is in no cookie. Both are compared in constant time, and wrong passwords are
 * refused one after another, each after a pause, so that no one can try many.
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { basePath } from "./BasePath.js"
import { sha256 } from "./Sha256.js"

/** The headers of a request, by lower-case name. */
interface RequestHeaders {
  readonly [name: string]: string | undefined
}

const cookieName = "effect-gopay-session"

const pauseAfterWrong = "1 second"

/** Takes as long for unequal digests as for equal ones. */
const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0

/** The password of HTTP Basic; undefined without one. */
const basicPassword = ({ authorization = "" }: RequestHeaders): string | undefined => {
  const [, encoded] = /^basic +(\S+)\s*$/i.exec(authorization) ?? []
  const decoded = encoded === undefined ? undefined : Result.getOrUndefined(Base64.decodeString(encoded))
  return decoded === undefined ? undefined : /:(.*)$/s.exec(decoded)?.[1]
}

/** The lock of a gateway with a password. */
export class PasswordLock {
  private readonly password: Uint8Array
  private readonly session = Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))
  private readonly attributes: string
  private readonly wrong = Semaphore.makeUnsafe(1)

  /** `url` is the address of the gateway: behind HTTPS, the cookie is for HTTPS alone. */
  constructor(password: string, url: string) {
    this.password = sha256(password)
    this.attributes = `Path=${basePath(url) || "/"}; HttpOnly; SameSite=Lax${url.startsWith("https:") ? "; Secure" : ""}`
  }

  /** Whether a request comes from someone who knows the password. */
  admits(headers: RequestHeaders): Effect.Effect<boolean> {
    const [, cookie = ""] = new RegExp(`(?:^|;\\s*)${cookieName}=([^;\\s]*)`).exec(headers["cookie"] ?? "") ?? []
    if (areEqual(sha256(cookie), sha256(this.session))) return Effect.succeed(true)
    const password = basicPassword(headers)
    return password === undefined ? Effect.succeed(false) : this.isRight(password)
  }

  /** The header that sets the cookie; undefined for a wrong password. */
  open(password: string): Effect.Effect<string | undefined> {
    return Effect.map(this.isRight(password), (isRight) =>
      isRight ? `${cookieName}=${this.session}; ${this.attributes}` : undefined
    )
  }

  private isRight(password: string): Effect.Effect<boolean> {
    return areEqual(sha256(password), this.password)
      ? Effect.succeed(true)
      : Effect.as(this.wrong.withPermits(1)(Effect.sleep(pauseAfterWrong)), false)
  }
}
