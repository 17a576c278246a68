/**
 * A charged period whose process is killed at any of its statements.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SqliteTransaction, SubscriptionEvent } from "../../src/ledger/index.js"
import { captureLog } from "../support/LogGuard.js"
import { children, month, paidFirst, terms } from "./RecurrenceScene.js"
import { inWorld } from "./World.js"

describe("a process that is killed", () => {
  /** Charges a period in a process that is killed at a statement; another process continues for some days. */
  const killedAt = (statement: number, when: "before" | "after") =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, makeProcess, pass, sent } = world
        yield* paidFirst(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        const types: Array<string> = []
        const onSubscription = ({ type }: SubscriptionEvent<SqliteTransaction>) =>
          Effect.sync(() => void types.push(type))
        const killed = yield* makeProcess({ onSubscription, killAt: { statement, when } })
        const work = Effect.gen(function* () {
          yield* killed.chargePeriod("sub", "1970-01", month)
          yield* killed.runOnce()
        })
        yield* Effect.timeoutOption(Effect.raceFirst(work, killed.killed), "1 minute")
        const wasKilled = killed.isKilled()
        yield* killed.kill
        const other = yield* makeProcess({ onSubscription })
        yield* other.chargePeriod("sub", "1970-01", month)
        for (let day = 0; day < 3; day++) {
          yield* pass("1 day")
          yield* other.runOnce()
        }
        const period = (yield* other.getSubscription("sub"))?.periods[0]
        const attention = (yield* other.operator.listAttention()).map(({ key, kind }) => `${kind} ${key}`)
        const made = (yield* children).filter(({ state }) => state === "PAID").length
        return { wasKilled, status: period?.status, attention, made, sent: sent.length, types }
      })
    )

  it.effect(
    "at any statement leaves no period charged twice, and none without an end",
    () =>
      Effect.gen(function* () {
        // What a killed process still waits for.
        captureLog(/did not respond within|leaves the (period|subscription)/)
        captureLog(/^The ledger waits/)
        const ends = new Map<string, number>()
        for (let statement = 1; ; statement++) {
          for (const when of ["before", "after"] as const) {
            const { attention, made, sent, status, types, wasKilled } = yield* killedAt(statement, when)
            if (!wasKilled) {
              assert.isAbove(statement, 20)
              assert.hasAllKeys(Object.fromEntries(ends), ["paid, told once", "in doubt, not made", "in doubt, made"])
              return
            }
            const where = `${when} statement ${statement}`
            assert.isAtMost(sent, 1, where)
            assert.isAtMost(made, 1, where)
            const isInDoubt = attention.includes("InDoubt subscription:sub:1970-01:1")
            assert.strictEqual(status, isInDoubt ? "charging" : "paid", where)
            assert.isAtMost(types.filter((type) => type === "paid").length, isInDoubt ? 0 : 2, where)
            const end = isInDoubt ? (made === 0 ? "in doubt, not made" : "in doubt, made") : "paid, told once"
            ends.set(end, (ends.get(end) ?? 0) + 1)
          }
        }
      }),
    300_000
  )
})
