/**
 * What a step of a change decides anew of what needs an operator.
 */
import type { AttentionKind } from "../model/Attention.js"
import type { ItemPatch } from "../store/Items.js"

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
