/**
 * What a patch makes of a row's items, in whatever database: the items keep the order in which they have begun, and the text of
 * what no patch changes is the same, since triggers compare it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dialectOf } from "../../src/ledger/store/Sql.js"
import type { LedgerStore } from "../../src/ledger/model/LedgerStore.js"
import type { ItemPatch } from "../../src/ledger/store/Items.js"
import { attentionKinds } from "../../src/ledger/model/Attention.js"
import { Chance } from "../simulation/Chance.js"

interface Started {
  readonly store: Pick<LedgerStore<never>, "dialect" | "query">
  readonly end: () => Promise<void>
}

/** Words that JSON or SQL could take for something else. */
const words = ["late", "", "{}", "null", `"quoted" and \\`, "Žluťoučký\nkůň", "\u2028"]

/** Patches of a few kinds, one after another. */
const patchesOf = (seed: number): ReadonlyArray<ItemPatch> => {
  const chance = new Chance(seed, "patches")
  return Array.from({ length: chance.between(2, 8) }, () =>
    Object.fromEntries(
      Array.from({ length: chance.between(0, 4) }, () => [
        chance.pick(...attentionKinds),
        chance.percent(35) ? null : chance.pick("sent", ...words)
      ])
    )
  )
}

/** The items with a patch applied: the remaining ones keep their places, and the new ones follow. */
const patched = (items: Readonly<Record<string, string>>, patch: ItemPatch) =>
  Object.fromEntries(
    Object.entries({ ...items, ...patch }).flatMap(([name, said]) => (typeof said === "string" ? [[name, said]] : []))
  )

export const describePatchedItems = (name: string, start: () => Promise<Started>) =>
  describe(`the items of a row in ${name}`, () => {
    let started: Started

    beforeAll(async () => {
      started = await start()
      await started.store.query("CREATE TABLE patched (seq INTEGER, attention TEXT)", [])
      await started.store.query("INSERT INTO patched VALUES (1, NULL)", [])
    })

    afterAll(() => started.end())

    /** What a row has after each patch. */
    const afterEach = async (patches: ReadonlyArray<ItemPatch>) => {
      const { query } = started.store
      const { patchedItems, placeholders } = dialectOf(started.store)
      await query("UPDATE patched SET attention = NULL", [])
      const texts: Array<unknown> = []
      for (const patch of patches) {
        const update = placeholders(`UPDATE patched SET attention = ${patchedItems} WHERE seq = 1 RETURNING attention`)
        const [row] = await query(update, [JSON.stringify(patch)])
        texts.push(row?.["attention"])
      }
      return texts
    }

    it("keep the order in which they have begun", async () => {
      for (let seed = 1; seed <= 100; seed++) {
        const patches = patchesOf(seed)
        const expected = patches.reduce<ReadonlyArray<Readonly<Record<string, string>>>>(
          (all, patch) => [...all, patched(all.at(-1) ?? {}, patch)],
          []
        )
        const found = (await afterEach(patches)).map((text) => (typeof text === "string" ? JSON.parse(text) : {}))
        expect(found.map(Object.entries), `seed ${seed}`).toEqual(expected.map(Object.entries))
      }
    })

    it("are the same text when nothing is patched, and none when the last one has ended", async () => {
      const begun = { PaidLate: "late", InDoubt: "sent" }
      const [first, second, , last] = await afterEach([begun, {}, { PaidLate: null }, { InDoubt: null }])
      expect([first, second]).toEqual([JSON.stringify(begun), JSON.stringify(begun)])
      expect(last).toBeNull()
    })
  })
