/**
 * The number of an environment and a merchant in the rows. It follows from their names, so that no process has to look it
 * up, and none goes on with another merchant's number when the database is restored to a time before its own. Two that
 * have the same one are found out when a ledger begins; see the table of scopes.
 */

/** FNV-1a with 32 bits. */
const hashOf = (characters: Iterable<string>, basis: number): number => {
  let hash = basis
  for (const character of characters) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** The number of a scope, with 48 bits. */
export const scopeIdOf = (scope: string): number => {
  const characters = Array.from(scope)
  const high = hashOf(characters, 0x811c9dc5)
  const low = hashOf(characters.toReversed(), 0x01000193)
  return high * 2 ** 16 + (low % 2 ** 16)
}
