/**
 * A shop in a process that may be killed at any time. It puts each change into its notebook before it is sent; when it
 * is started again, it reconciles those without an outcome, and continues with the others.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { appendFileSync, writeSync } from "node:fs"
import { Gateway, RetryPolicy } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { makePlan } from "./Plan.js"
import { concluded, type Notebook, lookFor, makeInTurn, readNotebook } from "./RememberingShop.js"

const [, , environment = "", path = "", seedText = "", changesText = ""] = process.argv
const seed = Number(seedText)

const put = (entry: object) => {
  appendFileSync(path, `${JSON.stringify(entry)}\n`)
  writeSync(1, "\n")
}

const notebook: Notebook = {
  begins: (change, record) => put({ change, record }),
  told: ({ index }, told) => put({ index, told })
}

const open = readNotebook(path)
const begun = new Set(open.map(({ change }) => change.index))
// Of what is left of a task, no one can say any more that no earlier refund is in doubt: each is a task of its own.
const tasks = makePlan(seed, Number(changesText)).tasks.flatMap((task) => {
  const left = task.filter(({ index }) => !begun.has(index))
  return left.length === task.length ? [task] : left.map((change) => [change])
})

await Effect.gen(function* () {
  for (const { change, record, told } of open) {
    if (told.why === "killed") notebook.told(change, concluded(yield* lookFor(record)))
  }
  yield* Effect.forEach(tasks, (task) => makeInTurn(task, seed, notebook), { concurrency: 8, discard: true })
}).pipe(
  Effect.provide(
    Gateway.layer({ ...LocalGateway.merchant, environment, timeout: "300 millis" }).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
  ),
  Effect.provideService(RetryPolicy, { schedule: Schedule.recurs(2), renewToken: true }),
  Effect.runPromise
)
