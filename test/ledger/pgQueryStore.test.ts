/**
 * The store over any client of PostgreSQL's, whatever that makes of the names of columns.
 */
import { expect, it } from "vitest"
import { pgQueryStore } from "../../src/ledger/promise/index.js"

it.each([
  ["as they are", { min_reader: 1, seq: 2 }],
  ["in camel case", { minReader: 1, seq: 2 }],
  ["in Pascal case", { MinReader: 1, Seq: 2 }],
  ["in kebab case", { "min-reader": 1, seq: 2 }]
])("takes the columns of a client that names them %s", async (_, row) => {
  const query = async () => [row, row]
  const store = pgQueryStore({ query, queryIn: () => query, transaction: (run) => run(undefined) })
  const own = { min_reader: 1, seq: 2 }
  expect(await store.query("SELECT 1", [])).toEqual([own, own])
  expect(await store.queryIn(undefined)("SELECT 1", [])).toEqual([own, own])
})
