/**
 * The names and kinds of the operations.
 */
import type { GatewayOperations } from "../../contract/GatewayOperations.js"

/**
 * The operations that may move money or alter something; the gateway has no idempotency key for them.
 *
 * @category operations
 */
export type ChangeOperation =
  | "createPayment"
  | "refundPayment"
  | "createRecurrence"
  | "voidRecurrence"
  | "captureAuthorization"
  | "captureAuthorizationPartial"
  | "voidAuthorization"
  | "deleteCard"

/**
 * The operations that leave the gateway's books as they are; repeating them is harmless.
 *
 * @category operations
 */
export type ReadOperation = Exclude<keyof GatewayOperations, ChangeOperation> | "getAccessToken" | "reconcile"

/**
 * Every operation, by its method's name. `sendRequest` sends a request of your own, of either kind.
 *
 * @category operations
 */
export type OperationName = ReadOperation | ChangeOperation | "sendRequest"
