/**
 * A seed followed by its changes, one per line: the data file of a running gateway. The cost of appending a change
 * depends on its own size only.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { readJson, type JsonError } from "./JsonText.js"
import type { SeedContent } from "./SeedSchema.js"
import { ownMember } from "../../contract/OwnMember.js"

/** A change of a state. What has the same id is replaced; what is new comes after the rest. */
export interface SeedChange extends Pick<SeedContent, "time_ahead" | "settings" | "cards" | "payments"> {
  /** The payments whose pending notifications have changed: those that are left are among `notifications`. */
  readonly notified?: ReadonlyArray<number>
  readonly notifications?: SeedContent["notifications"]
}

/** A change as a line of the journal. */
export const changeLine = (change: SeedChange): string => `${JSON.stringify({ change })}\n`

/** The seed itself spans several lines, none of which begins like this. */
const firstChange = /^\{"change":/m

/**
 * Reads a seed, with or without changes after it. The last line may have no end, when its gateway was killed while it
 * wrote: it is passed over, as the change was not acknowledged yet. One that has its end was, so it must be readable.
 */
export const readSeedJournal = (text: string): Result.Result<unknown, JsonError> => {
  const start = firstChange.exec(text)?.index ?? 0
  if (start === 0) return readJson(text)
  return Result.gen(function* () {
    const base = yield* readJson(text.slice(0, start))
    const firstLine = text.slice(0, start).split("\n").length
    const changes = yield* readChanges(text.slice(start).split("\n").slice(0, -1), firstLine)
    return Predicate.isReadonlyObject(base) ? withChanges(base, changes) : base
  })
}

type Json = { readonly [name: PropertyKey]: unknown }

const readChanges = (lines: ReadonlyArray<string>, firstLine: number): Result.Result<ReadonlyArray<Json>, JsonError> =>
  Result.gen(function* () {
    const changes: Array<Json> = []
    for (const [index, text] of lines.entries()) {
      const line = firstLine + index
      const entry = readJson(text)
      if (Result.isFailure(entry)) return yield* Result.fail({ line, column: entry.failure.column })
      const change = member(entry.success, "change")
      if (!Predicate.isReadonlyObject(change)) return yield* Result.fail({ line, column: 1 })
      changes.push(change)
    }
    return changes
  })

const member = (json: unknown, name: string): unknown =>
  Predicate.isReadonlyObject(json) ? ownMember(json, name) : undefined

const listOf = (json: Json, name: string): ReadonlyArray<unknown> => {
  const list = ownMember(json, name)
  return Array.isArray(list) ? list : []
}

/** Applies changes to a seed; the result is not checked yet. */
const withChanges = (base: Json, changes: ReadonlyArray<Json>): Json => {
  const payments = byId(base, "payments", "id")
  const cards = byId(base, "cards", "card_id")
  const notifications = new Map<unknown, Array<unknown>>()
  let { settings, time_ahead } = base
  for (const change of changes) {
    settings = change["settings"] ?? settings
    time_ahead = change["time_ahead"] ?? time_ahead
    for (const [id, payment] of byId(change, "payments", "id")) payments.set(id, payment)
    for (const [id, card] of byId(change, "cards", "card_id")) cards.set(id, card)
    for (const id of listOf(change, "notified")) {
      notifications.delete(id)
      notifications.set(id, [])
    }
    for (const pending of listOf(change, "notifications"))
      notifications.get(member(pending, "payment_id"))?.push(pending)
  }
  const unchanged = listOf(base, "notifications").filter((pending) => !notifications.has(member(pending, "payment_id")))
  return {
    ...base,
    settings,
    time_ahead,
    cards: [...cards.values()],
    payments: [...payments.values()],
    notifications: [...unchanged, ...[...notifications.values()].flat()]
  }
}

/** The items of a list by id; an item without one is kept under itself. */
const byId = (json: Json, name: string, id: string): Map<unknown, unknown> =>
  new Map(listOf(json, name).map((thing) => [member(thing, id) ?? thing, thing]))
