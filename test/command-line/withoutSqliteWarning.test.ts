import { expect, it } from "vitest"
import { withoutSqliteWarning } from "../../src/command-line/ShopClient.js"

it("leaves out the warning of SQLite, and no other", () => {
  const said: Array<unknown> = []
  const target = { emitWarning: (warning: string | Error) => void said.push(warning) }
  withoutSqliteWarning(target)
  target.emitWarning("SQLite is an experimental feature and might change at any time")
  target.emitWarning("The port is in use")
  const error = new Error("of another kind")
  target.emitWarning(error)
  expect(said).toEqual(["The port is in use", error])
})
