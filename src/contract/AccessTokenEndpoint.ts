/**
 * The token endpoint: every API has it, and it is the only one that both clients share.
 */
import { AccessTokenRequest } from "./GatewaySchema.js"
import { AccessTokenResponse } from "./ResponseSchema.js"

/** The OAuth 2.0 client credentials grant. */
export const getAccessToken = {
  name: "getAccessToken",
  kind: "read",
  method: "POST",
  path: "/oauth2/token",
  authorization: "basic",
  request: { type: "form", schema: AccessTokenRequest },
  response: { type: "json", schema: AccessTokenResponse }
} as const
