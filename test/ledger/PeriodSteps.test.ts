/**
 * The decisions about a period, from its row and the rows of its attempts.
 */
import { describe, expect, it } from "@effect/vitest"
import { isBeforeRestore } from "../../src/ledger/change/ChargeSteps.js"
import { judgeAttempt, judgeBlocked, obstacleIn, paidTwice } from "../../src/ledger/subscription/PeriodSteps.js"
import { changeRow, periodRow, subscriptionRow, itemsOf } from "./LedgerRows.js"

const hour = 3_600_000
const day = 24 * hour

const declined = (more: Parameters<typeof changeRow>[0] = {}) =>
  changeRow({ status: "refused", entry: "11", decision: { outcome: "refused", how: "found", message: "No." }, ...more })
const paid = (more: Parameters<typeof changeRow>[0] = {}) => changeRow({ status: "done", ...more })

describe("an attempt that was not paid", () => {
  const decided = (
    decision: Partial<NonNullable<ReturnType<typeof changeRow>["decision"]>>,
    entry: string | null = "11"
  ) => declined({ entry, decision: { outcome: "refused", how: "found", message: "No.", ...decision } })
  const asked = { as: "notDone", how: "operator" } as const
  const at = (days: number) => ({ status: "waiting", due_at: days * day, next_at: days * day })
  const first = { attempts: 1, first_at: 0 }
  const last = { attempts: 3, first_at: 0 }

  it.each([
    [
      "is tried again on the first of the days",
      first,
      decided({}),
      "declined",
      { ...at(2), failure: { remedy: "anotherDay", message: "No." } }
    ],
    ["is tried again on the next of the days", { ...first, attempts: 2 }, decided({}), "declined", at(5)],
    [
      "is tried no earlier than in an hour",
      { ...first, now: 9 * day },
      decided({}),
      "declined",
      { due_at: 9 * day + hour }
    ],
    [
      "gives the period up after the last of the days",
      last,
      decided({}),
      "givenUp",
      { status: "givenUp", next_at: null, failure: { remedy: "anotherDay", message: "No." } }
    ],
    [
      "asks for a new card by its code",
      first,
      decided({ code: 342 }, null),
      "needsCard",
      { ...at(5), needs_card: 1, failure: { remedy: "newCard", message: "No.", code: 342 } }
    ],
    [
      "asks for a new card by the state of its payment",
      first,
      decided({ subState: "_5007" }),
      "needsCard",
      { needs_card: 1 }
    ],
    [
      "is the merchant's when no card was asked",
      first,
      decided({}, null),
      undefined,
      { status: "blocked", next_at: { after: 0 }, failure: { remedy: "merchant", message: "No." } }
    ],
    [
      "is the merchant's by a code that is not listed",
      first,
      decided({ code: 999_999 }, null),
      undefined,
      { status: "blocked", failure: { remedy: "merchant", message: "No.", code: 999_999 } }
    ],
    [
      "is the merchant's by the state of its payment, and after the last of the days",
      last,
      decided({ subState: "_5020" }),
      undefined,
      { status: "blocked", failure: { remedy: "merchant", message: "No.", subState: "_5020" } }
    ],
    [
      "is not counted among the tries when it was made before the period was blocked",
      { ...last, first_at: day, now: day },
      decided({}),
      "declined",
      at(3)
    ],
    [
      "is made again when an operator says that it was not made",
      first,
      decided(asked),
      undefined,
      { status: "waiting", next_at: { after: 0 } }
    ],
    [
      "is not made again by an operator after the last of the days",
      last,
      decided(asked),
      "givenUp",
      { status: "givenUp" }
    ],
    [
      "is not made again when an operator has cancelled it",
      first,
      decided({ ...asked, as: "cancelled" }),
      "givenUp",
      { status: "givenUp" }
    ]
  ] as const)("%s", (_, row, attempt, type, patch) => {
    // Only the last attempt was made on the second day.
    const attempts = Array.from({ length: row.attempts }, (_, index) =>
      declined({ created_at: index === row.attempts - 1 ? day : 0 })
    )
    const taken = { row: periodRow(row), subscription: subscriptionRow(), attempts }
    const move = judgeAttempt(taken, attempt, [2, 5])
    expect(move.type).toBe(type)
    expect(move.patch).toMatchObject(patch)
  })

  it("with a card that was replaced meanwhile is made at once", () => {
    const subscription = subscriptionRow({ payment_id: "20" })
    const taken = { row: periodRow({ ...first, now: 7 }), subscription, attempts: [declined()] }
    const { patch, type } = judgeAttempt(taken, decided({ code: 342 }, null), [2, 5])
    expect(type).toBeUndefined()
    expect(patch).toMatchObject({ status: "waiting", due_at: 7, next_at: { after: 0 } })
    expect(patch.needs_card).toBeUndefined()
  })
})

describe("a period that only the merchant can have charged", () => {
  const operators = (as: "notDone" | "cancelled") => ({ outcome: "refused", how: "operator", message: "", as }) as const
  const again = { status: "waiting", first_at: null, tries: 0 }

  it.each([
    ["stays as it is", {}, false, undefined],
    [
      "is charged as anew when an operator says that it is mended",
      { decision: operators("notDone") },
      false,
      { patch: { ...again, next_at: { after: 0 } } }
    ],
    [
      "is given up when an operator says so, whatever would be charged now",
      { decision: operators("cancelled") },
      true,
      { type: "givenUp" }
    ],
    [
      "is charged by another request an hour after the refusal",
      { decided_at: day - 10 },
      true,
      { patch: { ...again, due_at: day - 10 + hour, next_at: day - 10 + hour } }
    ],
    [
      "is charged by another request at once after that",
      { decided_at: 0 },
      true,
      { patch: { due_at: day, next_at: day } }
    ]
  ] as const)("%s", (_, attempt, isOther, expected) => {
    expect({ move: judgeBlocked({ now: day }, declined(attempt), isOther) }).toMatchObject({ move: expected })
  })
})

describe("the next attempt", () => {
  it.each([
    ["begins when nothing is in its way", {}, {}, [declined()], undefined],
    [
      "waits for a decision of the one before",
      {},
      {},
      [changeRow({ status: "accepted" })],
      { tries: 1, next_at: { after: hour } }
    ],
    ["waits for the start of the subscription", {}, { status: "waiting" }, [], { tries: 1, next_at: { after: day } }],
    ["waits for a first payment", {}, { payment_id: null }, [], { tries: 1, next_at: { after: day } }],
    ["waits for its day", { due_at: 9, now: 8 }, {}, [], { next_at: 9 }],
    ["begins on its day", { due_at: 9, now: 9 }, {}, [], undefined]
  ] as const)("%s", (_, row, subscription, attempts, patch) => {
    const obstacle = obstacleIn({ row: periodRow(row), subscription: subscriptionRow(subscription), attempts })
    expect(obstacle).toEqual(patch === undefined ? undefined : { patch })
  })
})

describe("an attempt that is paid beside another one", () => {
  const [one, two, three] = [1, 2, 3].map((seq) => paid({ seq }))
  const reported = { attention: itemsOf("PaidTwice") }

  it.each([
    ["is none where one is paid", [declined(), paid()], 0, undefined],
    ["is the latest", [one, two, three], 0, 3],
    ["is the one before when the latest is reported", [one, two, { ...paid({ seq: 3 }), ...reported }], 1, 2],
    ["is none when all but one are reported", [one, { ...paid({ seq: 2 }), ...reported }], 1, undefined],
    ["is none when an operator has resolved each", [one, two], 1, undefined]
  ])("%s", (_, attempts, reported_twice, seq) => {
    const found = paidTwice({ attempts: attempts.flatMap((row) => row ?? []), row: periodRow({ reported_twice }) })
    expect(found?.seq).toBe(seq)
  })

  it("is the only one where another charge has paid the period", () => {
    const row = periodRow({ status: "paid", payment_id: "77" })
    expect(paidTwice({ attempts: [paid({ seq: 1, entry: "78" })], row })?.seq).toBe(1)
    expect(paidTwice({ attempts: [paid({ seq: 1, entry: "77" })], row })).toBeUndefined()
  })
})

describe("after a restore a ledger may lack an attempt", () => {
  const operators = { outcome: "refused", how: "operator", message: "", as: "notDone" } as const

  it.each([
    ["of a period that was due before", 100, [], true],
    ["not of one that was not due", 101, [], false],
    ["not after one that was begun since", 50, [declined({ created_at: 101 })], false],
    ["after one that was begun before", 101, [declined({ created_at: 100 })], true],
    [
      "not after what an operator has said since",
      50,
      [declined({ created_at: 50, decided_at: 101, decision: operators })],
      false
    ],
    [
      "after what an operator had said before",
      50,
      [declined({ created_at: 101, decided_at: 99, decision: operators })],
      true
    ],
    ["whatever is not decided", 50, [declined({ created_at: 50 }), changeRow({ created_at: 101 })], true]
  ] as const)("%s", (_, due_at, attempts, expected) => {
    expect(isBeforeRestore(100, { due_at }, attempts)).toBe(expected)
  })
})
