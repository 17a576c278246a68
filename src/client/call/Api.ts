/**
 * What a call needs to know of the API that it is made to. v3 and v4 go through the same call, transport, error and token rooms.
 */
import type * as Context from "effect/Context"
import type { AccessTokenResponse } from "../../contract/Messages.js"
import * as AccessTokenEndpoint from "../../contract/AccessTokenEndpoint.js"
import type { AnyReason, ApiTypes } from "../error/AnyReason.js"
import type { GatewayFailure, ReadReason } from "../error/GatewayFailure.js"
import { type Operation, preparation } from "./ApiOperation.js"
import type { PreSendCheck } from "./BeforeSend.js"
import type { UnknownOutcomes } from "./OnUnknownOutcome.js"
import { type RefusalLanguage, responseReader } from "./ResponseReader.js"

/** The operation that every API has under this name, and whose failures are alike. */
export interface TokenTypes extends ApiTypes {
  readonly name: "getAccessToken"
  readonly reason: ReadReason
  readonly change: never
}

/** The request of a token is the same in every API, but for how the gateway refuses it. */
export const tokenOperation = (language: RefusalLanguage): Operation<AccessTokenResponse, ReadReason, TokenTypes> => {
  const { kind, method, name, path, request, response } = AccessTokenEndpoint.getAccessToken
  return {
    name,
    kind,
    method,
    carries: response.type,
    path,
    isReason: (reason): reason is ReadReason => reason._tag !== "OutcomeUnknown" && !reason._tag.endsWith("NotFound"),
    ...preparation<TokenTypes>({
      path,
      request,
      parameter: () => ({ read: () => undefined, problem: "" }),
      defaults: () => ({}),
      notTaken: `is not accepted by ${name}`,
      record: undefined
    }),
    read: responseReader(response, language)
  }
}

/** One of the gateway's APIs. */
export interface Api<in out Types extends ApiTypes> {
  readonly getAccessToken: Operation<AccessTokenResponse, ReadReason, TokenTypes>
  /** What is asked before a change is sent. */
  readonly beforeSend: Context.Reference<PreSendCheck<Types["change"]> | undefined>
  /** What is reported of changes whose outcome is unknown. */
  readonly unknownOutcomes: UnknownOutcomes<Types["change"]>
  /** A failure as a `RetryPolicy` sees it, which is that of every API. */
  readonly shownToPolicy: (failure: GatewayFailure<Types["reason"], Types["name"]>) => GatewayFailure
  /** Whether a 403 is the gateway's own word that the token does not allow it: then the request was not taken. */
  readonly isPermissionDenied: (refusal: Pick<Extract<AnyReason, { readonly status?: number }>, "errors">) => boolean
}
