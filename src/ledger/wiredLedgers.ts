/**
 * The ledgers of this process with their parts, so that an operator can be made of one. A ledger shows none of them.
 */
import type { WiredLedger } from "./wireLedger.js"

/** What an operator needs of a ledger. */
type Parts = Pick<WiredLedger<never>, "guard" | "parts">

const wiredLedgers = new WeakMap<object, Parts>()

/** Remembers the parts of a ledger, and gives it back. */
export const remember = <Ledger extends object>(ledger: Ledger, { guard, parts }: Parts): Ledger => {
  wiredLedgers.set(ledger, { guard, parts })
  return ledger
}

/** The parts of a ledger. */
export const partsOf = (ledger: object): Parts => {
  const found = wiredLedgers.get(ledger)
  if (found === undefined) {
    throw new TypeError("An operator is made of a ledger itself, not of a copy or a stand-in, and of the same version.")
  }
  return found
}
