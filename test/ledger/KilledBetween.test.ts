/**
 * A process that dies just after a statement that concerns another row: what is due for that row is due all the same, at
 * once.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AdminLanguage, textsOf } from "../../src/ledger/admin/AdminTexts.js"
import { makeAdminHandler, type LedgerOptions, type SqliteTransaction } from "../../src/ledger/index.js"
import { attentionKinds } from "../../src/ledger/model/Attention.js"
import { captureLog } from "../support/LogGuard.js"
import { charge, decline, first, month, notify, opened, pay, started, terms, typesOf } from "./RecurrenceScene.js"
import { held, inWorld, paid, type World } from "./World.js"

/** A process that dies as soon as the committed rows fit: no later statement of it reaches the database. */
const dyingOnce = (
  { makeProcess, store }: Pick<World, "makeProcess" | "store">,
  rows: string,
  settings: Partial<LedgerOptions<SqliteTransaction>> = {}
) =>
  Effect.gen(function* () {
    let isDead = false
    const never = new Promise<never>(() => {})
    const looked = async <A>(result: A): Promise<A> => {
      if (isDead) return never
      if ((await store.rows(rows)).length === 0) return result
      isDead = true
      await Effect.runPromise(dying.kill)
      return never
    }
    const dying = yield* makeProcess({
      ...settings,
      store: {
        ...store,
        query: async (sql, values) => (isDead ? never : looked(await store.query(sql, values))),
        transaction: async (run) => (isDead ? never : looked(await store.transaction(run)))
      }
    })
    return { ...dying, isDead: () => isDead }
  })

const untilKilled = <E, R>(
  { killed }: { readonly killed: Effect.Effect<void> },
  work: Effect.Effect<unknown, E, R>
): Effect.Effect<unknown, never, R> =>
  Effect.suspend(() => {
    // What a killed process still waits for.
    captureLog(/^(The ledger waits|The ledger leaves|A payment could not be checked)/)
    return Effect.raceFirst(Effect.ignore(work), killed)
  })

describe("a process that dies", () => {
  it.effect("just after a charge is paid leaves its period to be told at once", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { events, pass, shop } = scene
        yield* shop.chargePeriod("sub", "1970-01", month)
        const dying = yield* dyingOnce(
          scene,
          "SELECT 1 FROM gopay_change WHERE operation = 'createRecurrence' AND status = 'done'",
          { onSubscription: () => Effect.void }
        )
        yield* untilKilled(dying, dying.runOnce())
        assert.isTrue(dying.isDead())
        yield* pass("1 minute")
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["paid"])
      })
    )
  )

  it.effect("just after an operator has decided a charge leaves its period to be charged at once", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, events, listed, pass, sent, shop } = scene
        listed.fails = ({ pathname }) => (pathname.endsWith("/create-recurrence") ? 500 : undefined)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        listed.fails = () => undefined
        const [item] = yield* shop.operator.listAttention()
        assert.strictEqual(item?.kind, "InDoubt")
        const { key = "", version = 0 } = item ?? {}
        const dying = yield* dyingOnce(
          scene,
          "SELECT 1 FROM gopay_change WHERE operation = 'createRecurrence' AND status = 'refused'"
        )
        const decision = { version, as: "notDone", by: "accounting", note: "not on the statement" } as const
        yield* untilKilled(dying, dying.operator.resolveChange(key, decision))
        assert.isTrue(dying.isDead())
        yield* pass("1 minute")
        yield* shop.runOnce()
        yield* pass("1 minute")
        yield* shop.runOnce()
        assert.deepStrictEqual([sent.length, typesOf(events)], [2, ["paid"]])
      })
    )
  )

  it.effect("just after the first payment of an order is paid leaves its subscription to start at once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* opened(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        // It is looked at ever more seldom.
        for (let time = 0; time < 20; time++) {
          yield* pass("2 minutes")
          yield* ledger.runOnce()
        }
        const dying = yield* dyingOnce(world, "SELECT 1 FROM gopay_payment WHERE state = 'PAID'", {
          onPayment: () => Effect.void
        })
        yield* untilKilled(dying, pay(dying, id))
        assert.isTrue(dying.isDead())
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getSubscription("sub"), { status: "active", paymentId: id })
      })
    )
  )

  it.effect.each(["before it is recorded", "when it is recorded"] as const)(
    "when a charge is paid after all leaves it and its period to be paid: %s",
    (when) =>
      started(
        (scene) =>
          Effect.gen(function* () {
            const { days, events, id, listed, pass, shop } = scene
            yield* decline(true)
            yield* shop.chargePeriod("sub", "1970-01", month)
            yield* days(1)
            assert.deepStrictEqual(typesOf(events.splice(0)), ["givenUp"])
            const [child] = yield* Effect.promise(() =>
              scene.store.rows("SELECT payment_id FROM gopay_payment WHERE parent_id IS NOT NULL")
            )
            listed.seePayment = { state: "PAID" }
            const dying = yield* dyingOnce(
              scene,
              when === "before it is recorded"
                ? "SELECT 1 FROM gopay_change WHERE operation = 'createRecurrence' AND next_at IS NOT NULL"
                : "SELECT 1 FROM gopay_payment WHERE parent_id IS NOT NULL AND state = 'PAID'"
            )
            yield* untilKilled(dying, notify(dying, Number(child?.["payment_id"]), id))
            assert.isTrue(dying.isDead())
            yield* pass("1 minute")
            yield* shop.runOnce()
            assert.deepStrictEqual(typesOf(events), ["paid"])
          }),
        { retryAfterDays: [] }
      )
  )
})

describe("what never left the process", () => {
  /** Says that something was sent, and not only that it may have been, or that nothing was. */
  const claim = /(?<!nothing )was sent(?!,? or may)|(?<!ne)byl[ao]? odesl/i

  it("is not said to have been sent by the words of any kind of item", () => {
    for (const language of ["en", "cs"] as const satisfies ReadonlyArray<AdminLanguage>) {
      const { explanations } = textsOf(language)
      for (const kind of attentionKinds) assert.notMatch(explanations[kind], claim, `${kind}, ${language}`)
    }
  })

  it.effect.each(["refund", "capture", "release", "charge"] as const)(
    "is not said to have been sent to whom a %s is in doubt, and to operators",
    (operation) =>
      inWorld((world) =>
        Effect.gen(function* () {
          const { ledger, pass, sent } = world
          const id = yield* operation === "charge" ? first : operation === "refund" ? paid : held
          const dying = yield* dyingOnce(world, "SELECT 1 FROM gopay_change WHERE status = 'sending'")
          yield* untilKilled(
            dying,
            operation === "refund"
              ? dying.refund("a", id, { amount: 500 })
              : operation === "charge"
                ? dying.charge("a", id, charge)
                : dying[operation]("a", id)
          )
          assert.lengthOf(sent, 0)
          const told: Array<string> = []
          for (let hours = 0; hours < 26; hours += 2) {
            yield* ledger.runOnce()
            const outcome = yield* ledger.getOutcome("a")
            const entry = yield* ledger.operator.getChange("a")
            const items = yield* ledger.operator.listAttention()
            told.push(outcome?.message ?? "", entry?.message ?? "", ...items.map(({ message }) => message))
            yield* pass("2 hours")
          }
          const handle = makeAdminHandler(ledger.operator, { authorize: () => Effect.succeed("Jana") })
          const page = yield* handle(new Request("https://shop.example/admin?lang=en"))
          told.push(yield* Effect.promise(() => page.text()))
          for (const words of told) assert.notMatch(words, claim)
        })
      )
  )
})
