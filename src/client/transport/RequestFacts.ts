/**
 * What an `HttpClient` of ours knows of a request besides the request itself.
 */
import * as Context from "effect/Context"

interface RequestFacts {
  readonly isChange: boolean
  /** Milliseconds that it may take. */
  readonly time: number
  /** How many bytes of the response are read. */
  readonly bytes: number
}

/** The facts of the request that the fiber is about to send; `undefined` for one that is not of this package. */
export const RequestFacts: Context.Reference<RequestFacts | undefined> = Context.Reference<RequestFacts | undefined>(
  "effect-gopay/RequestFacts",
  { defaultValue: () => undefined }
)
