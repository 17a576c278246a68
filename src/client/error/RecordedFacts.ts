/**
 * What the record of a change has of it: what it is about, and what is kept of its request.
 */
import * as Predicate from "effect/Predicate"
import { givenMember } from "../../basics/OwnMember.js"
import { changeFacts, type KeptFact, keptFields } from "../../contract/ChangeFacts.js"
import type { Currency } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import type { ChangeOperation } from "../../contract/GatewayOperations.js"
import { type Subject, subjectOfPath } from "../../contract/Subject.js"

const endpoints: { readonly [Name in ChangeOperation]: { readonly path: string } } = Endpoint

/** The member of a change's record that has the id in its path. */
export const subjectOf = (operation: ChangeOperation): Subject | undefined => subjectOfPath(endpoints[operation].path)

interface KeptFacts {
  readonly amount?: number
  readonly currency?: Currency
  readonly orderNumber?: string
  readonly usesStoredCard?: boolean
}

/** What the record of a change keeps of its request. */
export const keptOf = (operation: ChangeOperation, request: unknown): KeptFacts => {
  if (!Predicate.isObject(request)) return {}
  const kept: ReadonlyArray<KeptFact> = changeFacts[operation].kept
  const read = (fact: KeptFact): unknown => (kept.includes(fact) ? givenMember(request, keptFields[fact]) : undefined)
  const [amount, currency, orderNumber] = [read("amount"), read("currency"), read("orderNumber")]
  const payer = givenMember(request, "payer")
  const usesStoredCard = Predicate.isObject(payer) && givenMember(payer, "allowed_card_token") !== undefined
  return {
    ...(Predicate.isNumber(amount) ? { amount } : undefined),
    ...(Predicate.isString(currency) ? { currency } : undefined),
    ...(Predicate.isString(orderNumber) ? { orderNumber } : undefined),
    ...(usesStoredCard ? { usesStoredCard } : undefined)
  }
}
