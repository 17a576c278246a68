/**
 * What a change needs an operator for: what a step of it decides anew, and how it is reported.
 */
import type * as Effect from "effect/Effect"
import type { AttentionKind } from "../model/Attention.js"
import type { AttentionReports } from "../process/AttentionReports.js"
import { type ChangeRow, itemOf } from "../store/ChangeRow.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { ItemPatch, RowWithItems } from "../store/Items.js"

/** How far the change is needs no operator. What has another cause, such as a handler that fails, stays. */
export const needsNothing: ItemPatch = {
  InDoubt: null,
  NotSent: null,
  StrangeRefund: null,
  ListIncomplete: null,
  Unbound: null,
  CredentialsRefused: null,
  AccountEmpty: null,
  ChargesDisabled: null,
  StateContradicted: null
}

/** It needs an operator for this, and for nothing else that a step decides. */
export const needs = (kind: AttentionKind, message: string): ItemPatch => ({ ...needsNothing, [kind]: message })

/** Where the items of changes are reported. */
export interface ChangeReports {
  readonly attention: AttentionReports
  readonly changes: ChangeTable
}

/** Notifies an operator of the items that a change has, and had not before. */
export const reportItems = (
  { attention, changes }: ChangeReports,
  after: ChangeRow,
  before: RowWithItems
): Effect.Effect<void> => attention.foundIn(changes.items, itemOf, after, before)
