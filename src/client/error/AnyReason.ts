/**
 * What the failures of calls of all APIs have in common: v3 and v4 share the code of calls.
 */
import type { ErrorItem, GatewayId } from "../../contract/Messages.js"
import type { OperationName } from "../../contract/GatewayOperations.js"
import type { ChangeRecord } from "./ChangeRecord.js"
import type { GatewayErrorReason, OutcomeUnknown } from "./GatewayError.js"

/** The members of every change's record. */
export interface SentChange {
  readonly operation: string
  readonly goid?: GatewayId | undefined
  readonly paymentId?: GatewayId | undefined
  readonly cardId?: GatewayId | undefined
  readonly recurrenceId?: string | undefined
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly orderNumber?: string | undefined
  readonly usesStoredCard?: boolean | undefined
  /** ISO 8601 in UTC. */
  readonly sentAt: string
}

/** It is unknown whether a change was carried out; with its record. */
export interface LostOutcome<out Change extends SentChange> extends Omit<OutcomeUnknown, "change"> {
  readonly change: Change
}

/** The gateway knows no such thing. */
export interface NotFound {
  readonly _tag: `${string}NotFound`
  readonly message: string
  readonly isRetryable: boolean
  readonly status?: number
  readonly errors?: ReadonlyArray<ErrorItem>
}

/** A reason of a failed call. */
export type AnyReason = Exclude<GatewayErrorReason, OutcomeUnknown> | NotFound | LostOutcome<SentChange>

/** The types that differ between APIs. */
export interface ApiTypes {
  /** The names of its operations. */
  readonly name: string
  readonly reason: AnyReason
  /** The record of a change. */
  readonly change: SentChange
}

/** The types of API v3. */
export interface ApiTypesV3 extends ApiTypes {
  readonly name: OperationName
  readonly reason: GatewayErrorReason
  readonly change: ChangeRecord
}
