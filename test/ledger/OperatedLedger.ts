/**
 * Ledgers of tests, each with its operator's calls beside its own.
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Gateway } from "../../src/index.js"
import * as Ledgers from "../../src/ledger/index.js"
import { makeLedgerOperator, type LedgerOperator as Operator } from "../../src/ledger/operator.js"
import * as Promises from "../../src/ledger/promise/index.js"
import { createLedgerOperator, type LedgerOperator } from "../../src/ledger/promise/operator.js"

/** A ledger of promises, and what an operator does with it. */
export type OperatedLedger<Tx> = Promises.Ledger<Tx> & LedgerOperator

export const operated = <Tx>(ledger: Promises.Ledger<Tx>): OperatedLedger<Tx> => ({
  ...ledger,
  ...createLedgerOperator(ledger)
})

export const createLedger = <Tx>(options: Promises.LedgerOptions<Tx>): OperatedLedger<Tx> =>
  operated(Promises.createLedger(options))

export const makeLedger = <Tx>(
  options: Ledgers.LedgerOptions<Tx>
): Effect.Effect<Ledgers.LedgerService<Tx> & Operator, Config.ConfigError, Gateway | Scope.Scope> =>
  Effect.map(Ledgers.makeLedger(options), (ledger) => ({
    ...ledger,
    ...makeLedgerOperator(ledger)
  }))
