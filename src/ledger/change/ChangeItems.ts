/**
 * The items of a change for an operator: which of them a step sets, and how they are reported.
 */
import type * as Effect from "effect/Effect"
import type { AttentionKind } from "../model/Attention.js"
import type { AttentionReports } from "../process/AttentionReports.js"
import { type ChangeRow, itemOf } from "../store/ChangeRow.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { ItemPatch, RowWithItems } from "../store/Items.js"

/** No item follows from the change's progress. Items with another cause, such as a failing handler, stay. */
export const needsNothing: ItemPatch = {
  InDoubt: null,
  NotSent: null,
  StrangeRefund: null,
  ListIncomplete: null,
  Unbound: null,
  CredentialsRefused: null,
  AccountEmpty: null,
  ChargesDisabled: null,
  ChargeRefused: null,
  StateContradicted: null
}

/** This item follows from the change's progress, and no other. */
export const needs = (kind: AttentionKind, message: string): ItemPatch => ({ ...needsNothing, [kind]: message })

/** Where the items of changes are reported. */
export interface ChangeReports {
  readonly attention: AttentionReports
  readonly changes: ChangeTable
}

/** Notifies an operator of the items that a change has now and did not have before. */
export const reportItems = (
  { attention, changes }: ChangeReports,
  after: ChangeRow,
  before: RowWithItems
): Effect.Effect<void> => attention.foundIn(changes.items, itemOf, after, before)
