/**
 * The parts of a change that its record contains: its subject, and what is kept of its request.
 */
import * as Predicate from "effect/Predicate"
import { givenMember } from "../../basics/OwnMember.js"
import { changeFacts, type KeptFact, keptFields } from "../../contract/ChangeFacts.js"
import type { Currency } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import type { ChangeOperation } from "../../contract/GatewayOperations.js"
import { type Subject, subjectOfPath } from "../../contract/Subject.js"

const endpoints: { readonly [Name in ChangeOperation]: { readonly path: string } } = Endpoint

/** The member of a change's record that has the id from its path. */
export const subjectOf = (operation: ChangeOperation): Subject | undefined => subjectOfPath(endpoints[operation].path)

interface KeptFacts {
  readonly amount?: number
  readonly currency?: Currency
  readonly orderNumber?: string
  readonly usesStoredCard?: boolean
}

/** How each fact is read from its field. A value of another type is not kept: the check of the request refuses it. */
const readers: { readonly [Fact in KeptFact]: (field: unknown) => Pick<KeptFacts, Fact> | undefined } = {
  amount: (amount) => (Predicate.isNumber(amount) ? { amount } : undefined),
  currency: (currency) => (Predicate.isString(currency) ? { currency } : undefined),
  orderNumber: (orderNumber) => (Predicate.isString(orderNumber) ? { orderNumber } : undefined),
  usesStoredCard: (payer) =>
    Predicate.isObject(payer) && givenMember(payer, "allowed_card_token") !== undefined
      ? { usesStoredCard: true }
      : undefined
}

/** The parts of a request that the record of a change keeps. */
export const keptOf = (operation: ChangeOperation, request: unknown): KeptFacts =>
  Predicate.isObject(request)
    ? changeFacts[operation].kept.reduce<KeptFacts>(
        (facts, fact) => ({ ...facts, ...readers[fact](givenMember(request, keptFields[fact])) }),
        {}
      )
    : {}
