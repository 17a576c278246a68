/**
 * Statements that are prepared once in each connection.
 */
import type { SqlQuery, SqlRow } from "../model/LedgerStore.js"

/**
 * A statement that each connection of `pg` prepares by its name the first time.
 */
interface PgStatement {
  /** No other statement has it. */
  readonly name: string
  /** The statement, with `$1` placeholders. */
  readonly text: string
  /** The values of the placeholders. */
  readonly values: Array<unknown>
}

/** A statement that was run so often is prepared: what is run once is not worth it, and connections keep what they have. */
const worthIt = 3
const mostNames = 200

/**
 * Runs statements prepared by name, where they come again. Each of these failures comes before the statement is carried
 * out, so that it is run as it is, outside every transaction:
 *
 * - 26000 and 42P05: a pooler has given the statement another connection than the one that has prepared it.
 * - 0A000: the tables have changed since.
 */
export const preparing = (
  plain: SqlQuery,
  runNamed: (statement: PgStatement) => Promise<ReadonlyArray<SqlRow>>
): SqlQuery => {
  const times = new Map<string, number>()
  // No other process has these names, on whatever connection it comes.
  const prefix = `gopay_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`
  const names = new Map<string, string>()
  let count = 0
  let isPossible = true

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || !isPossible || count >= mostNames) return known
    const used = (times.get(text) ?? 0) + 1
    if (used < worthIt) {
      if (times.size < 10 * mostNames) times.set(text, used)
      return undefined
    }
    times.delete(text)
    return named(text)
  }

  const named = (text: string): string => {
    const name = `${prefix}_${++count}`
    names.set(text, name)
    return name
  }

  return async (text, values) => {
    const name = nameOf(text)
    if (name === undefined) return plain(text, values)
    try {
      return await runNamed({ name, text, values: [...values] })
    } catch (error) {
      const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
      if (code === "26000" || code === "42P05") isPossible = false
      else if (code !== "0A000") throw error
      if (isPossible) named(text)
      else names.clear()
      return plain(text, values)
    }
  }
}
