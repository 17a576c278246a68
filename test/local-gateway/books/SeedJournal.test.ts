import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { changeLine, readSeedJournal, type SeedChange } from "../../../src/local-gateway/books/SeedJournal.js"

const paid = { amount: 1, currency: "CZK", state: "PAID" } as const
const pending = (payment_id: number, attempts = 0) => ({
  payment_id,
  url: "https://shop.example.com/notify",
  attempts,
  due_at: "2026-01-31T12:00:00.000Z"
})

const base = {
  time_ahead: 5,
  settings: { refund: "failed" },
  merchants: [{ goid: 1, name: 'an odd {"change": name', client_id: "id", client_secret: "secret" }],
  cards: [{ card_id: 11 }, { card_number: "444444******4448" }, { card_id: 22 }],
  payments: [{ ...paid, id: 13 }, paid, paid, { ...paid, id: 26 }],
  notifications: [pending(13), pending(26)]
}

const journal = (...changes: ReadonlyArray<SeedChange>) =>
  readSeedJournal(`${JSON.stringify(base, null, 2)}\n${changes.map(changeLine).join("")}`)

describe("A seed with changes", () => {
  it("is the seed, where nothing has changed", () => {
    assert.deepStrictEqual(journal(), Result.succeed(base))
    assert.deepStrictEqual(journal({}), Result.succeed(base))
  })

  it("has the last of each payment and card, in their places, and new ones after them", () => {
    const read = journal(
      { payments: [{ ...paid, id: 13, state: "REFUNDED" }], cards: [{ card_id: 22, status: "DELETED" }] },
      { payments: [{ ...paid, id: 39 }], cards: [{ card_id: 33 }] }
    )
    const payments = [{ ...paid, id: 13, state: "REFUNDED" }, paid, paid, { ...paid, id: 26 }, { ...paid, id: 39 }]
    const cards = [{ card_id: 11 }, base.cards[1], { card_id: 22, status: "DELETED" }, { card_id: 33 }]
    assert.deepStrictEqual(read, Result.succeed({ ...base, payments, cards }))
  })

  it("has the last time and settings", () => {
    const read = journal({ time_ahead: 7 }, { settings: { refund: "finished" } })
    assert.deepStrictEqual(read, Result.succeed({ ...base, time_ahead: 7, settings: { refund: "finished" } }))
  })

  it("has of each payment the notifications that its last change left", () => {
    const read = journal(
      { notified: [26], notifications: [pending(26, 1)] },
      { notified: [13], notifications: [pending(13, 1), pending(13, 2)] },
      { notified: [26], notifications: [] },
      { notified: [39], notifications: [pending(39)] },
      { notified: [13], notifications: [pending(13, 3)] }
    )
    const notifications = [pending(39), pending(13, 3)]
    assert.deepStrictEqual(read, Result.succeed({ ...base, notifications }))
    assert.deepStrictEqual(
      journal({ notified: [13], notifications: [] }),
      Result.succeed({ ...base, notifications: [pending(26)] })
    )
  })

  it("passes over a last line that was cut off, and no other", () => {
    const line = changeLine({ time_ahead: 7 })
    assert.deepStrictEqual(readSeedJournal(`{}\n${line}${line.slice(0, 20)}`), readSeedJournal(`{}\n${line}`))
    assert.deepStrictEqual(readSeedJournal(`{\n}\n${line}{"change":{]}\n`), Result.fail({ line: 4, column: 12 }))
    const broken = `{\n}\n${line}{"change":{]}\n${line}`
    assert.deepStrictEqual(readSeedJournal(broken), Result.fail({ line: 4, column: 12 }))
    assert.deepStrictEqual(readSeedJournal(`{\n}\n{"change":1}\n${line}`), Result.fail({ line: 3, column: 1 }))
    for (const odd of [7, null]) {
      assert.deepStrictEqual(readSeedJournal(`{}\n${line}${odd}\n${line}`), Result.fail({ line: 3, column: 1 }))
    }
  })

  it("leaves what is no seed, or no change, as it is", () => {
    const odd = { time_ahead: 5, odd: [{ change: 1 }] }
    assert.deepStrictEqual(readSeedJournal(JSON.stringify(odd)), Result.succeed(odd))
    assert.deepStrictEqual(readSeedJournal(`[]\n${changeLine({ time_ahead: 7 })}`), Result.succeed([]))
  })
})
