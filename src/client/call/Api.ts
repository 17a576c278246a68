/**
 * What a call needs to know about its API. v3 and v4 share the rooms for calls, transport, errors and tokens.
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

/** The types of the token operation, which has the same name and the same kinds of failures in every API. */
export interface TokenTypes extends ApiTypes {
  readonly name: "getAccessToken"
  readonly reason: ReadReason
  readonly change: never
}

/** The token request. It is the same in every API, except for how the gateway refuses it. */
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
  /** The check that runs before a change is sent. */
  readonly beforeSend: Context.Reference<PreSendCheck<Types["change"]> | undefined>
  /** How changes with an unknown outcome are reported. */
  readonly unknownOutcomes: UnknownOutcomes<Types["change"]>
  /** The failure in the form that a `RetryPolicy` sees, which is the same for every API. */
  readonly shownToPolicy: (failure: GatewayFailure<Types["reason"], Types["name"]>) => GatewayFailure
  /**
   * Whether a 403 is the gateway's own statement that the token does not allow the request: then it was not carried
   * out.
   */
  readonly isPermissionDenied: (refusal: Pick<Extract<AnyReason, { readonly status?: number }>, "errors">) => boolean
}
