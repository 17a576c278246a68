/**
 * The reasons that every API has, with the gateway's error elements in them, as schemas that document themselves.
 */
import * as Errors from "../client/error/GatewayErrorSchema.js"
import * as Plain from "../contract/GatewaySchema.js"
import { documented } from "./documented.js"

/** {@inheritDoc ErrorItem} */
export const ErrorItem: typeof Plain.ErrorItem = /* @__PURE__ */ documented(Plain.ErrorItem, "ErrorItem")

/** The reason `InvalidRequest`. An `HttpApi` responds to it with status 422. */
export const InvalidRequest: typeof Errors.InvalidRequest = /* @__PURE__ */ documented(
  Errors.InvalidRequest,
  "InvalidRequest"
)

/** The reason `AuthenticationFailed`. An `HttpApi` responds to it with status 502. */
export const AuthenticationFailed: typeof Errors.AuthenticationFailed = /* @__PURE__ */ documented(
  Errors.AuthenticationFailed,
  "AuthenticationFailed"
)

/** The reason `PermissionDenied`. An `HttpApi` responds to it with status 502. */
export const PermissionDenied: typeof Errors.PermissionDenied = /* @__PURE__ */ documented(
  Errors.PermissionDenied,
  "PermissionDenied"
)

/** The reason `OperationRefused`. An `HttpApi` responds to it with status 409. */
export const OperationRefused: typeof Errors.OperationRefused = /* @__PURE__ */ documented(
  Errors.OperationRefused,
  "OperationRefused"
)

/** The reason `RateLimited`. An `HttpApi` responds to it with status 503. */
export const RateLimited: typeof Errors.RateLimited = /* @__PURE__ */ documented(Errors.RateLimited, "RateLimited")

/** The reason `GatewayUnavailable`. An `HttpApi` responds to it with status 503. */
export const GatewayUnavailable: typeof Errors.GatewayUnavailable = /* @__PURE__ */ documented(
  Errors.GatewayUnavailable,
  "GatewayUnavailable"
)

/** The reason `UnexpectedResponse`. An `HttpApi` responds to it with status 502. */
export const UnexpectedResponse: typeof Errors.UnexpectedResponse = /* @__PURE__ */ documented(
  Errors.UnexpectedResponse,
  "UnexpectedResponse"
)

/** The reasons that a read can fail for, each with its status. */
export type ReadReasons = readonly [
  typeof InvalidRequest,
  typeof AuthenticationFailed,
  typeof PermissionDenied,
  typeof OperationRefused,
  typeof RateLimited,
  typeof GatewayUnavailable,
  typeof UnexpectedResponse
]

/** The reasons of a read, as the `error` of an endpoint takes them. */
export const readReasons: ReadReasons = [
  InvalidRequest,
  AuthenticationFailed,
  PermissionDenied,
  OperationRefused,
  RateLimited,
  GatewayUnavailable,
  UnexpectedResponse
]
