/**
 * Notifies operators of items: each once, by one process, and again while `onAttention` fails. A row records what was
 * reported, and until when a process has claimed the report. If that process ends, the others take over.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { day, hour } from "../../basics/Milliseconds.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import type { AttentionItem, AttentionKind } from "../model/Attention.js"
import { longestWait } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import { newItems, type RowWithItems, type SeenItem } from "../store/Items.js"
import type { FoundItems, ItemTable, ListedItems, UnnotifiedItem, UnnotifiedItems } from "../store/ItemTable.js"
import { type NotificationClaim, notifyingTime } from "../store/Statements.js"
import type { InFlight, Places } from "./InFlight.js"

/** How many calls of `onAttention` run concurrently. */
export const reportsAtOnce = 4

/**
 * How long `onAttention` may take before its place is given to other items. It keeps running, and is not called again
 * for the same item meanwhile.
 */
const placeTime = "30 seconds"

const reportTime = "10 minutes"

/** How long a call waits until the items it has found are reported. */
const briefly = "1 second"

export interface AttentionReportsOptions {
  readonly inFlight: InFlight
  readonly onAttention: ((item: AttentionItem) => Effect.Effect<void>) | undefined
}

/** A row whose items are reported. Its number is in the claim, its version in the item. */
interface ReportedRow extends RowWithItems {
  readonly seq: number
  readonly version: number
}

export interface AttentionReports {
  /** The places in which `onAttention` runs. */
  readonly places: Places
  /** The items of a table's rows that no operator has been notified of and that this process may report. */
  readonly dueIn: <Row extends RowWithItems>(
    items: Pick<ItemTable<Row>, "notification" | "unnotified">,
    itemsOf: (found: FoundItems<Row>) => ListedItems
  ) => Effect.Effect<ReadonlyArray<UnnotifiedItem>, StoreError>
  /** Claims an item unless another process is reporting it. The claim is renewed while `onAttention` is slow. */
  readonly take: (unnotified: UnnotifiedItem) => Effect.Effect<Option.Option<UnnotifiedItem>>
  /** Notifies an operator of a claimed item. Returns whether that has succeeded so far. */
  readonly notify: (taken: UnnotifiedItem) => Effect.Effect<boolean>
  readonly takeAndNotify: (unnotified: UnnotifiedItem) => Effect.Effect<boolean>
  /**
   * Notifies an operator of an item that a call has found. Waits for a moment only, and not at all while there is no
   * free place.
   */
  readonly found: (unnotified: UnnotifiedItem) => Effect.Effect<void>
  /** Notifies an operator of the items that a row has now and did not have before. */
  readonly foundIn: <Row extends ReportedRow>(
    items: Pick<ItemTable<Row>, "notification">,
    itemOf: (row: Row, item: SeenItem) => AttentionItem,
    after: Row,
    before?: RowWithItems
  ) => Effect.Effect<void>
  /** Reports that the database cannot record, by their subject: each is made once in this process. */
  readonly unrecorded: {
    readonly claim: (about: string, what: string) => NotificationClaim
    readonly has: (about: string) => boolean
    readonly end: (about: string) => void
  }
  /** Reports work that has stopped, which the database cannot record. Does not wait for the report. */
  readonly workStopped: (about: string, what: string, message: string) => Effect.Effect<unknown>
  /** Reports, once a day, that the gateway asks for a longer pause than the ledger makes. */
  readonly reportWait: (reason: GatewayErrorReason) => Effect.Effect<unknown>
}

export const make = ({ inFlight, onAttention }: AttentionReportsOptions): AttentionReports => {
  const places = inFlight.places(reportsAtOnce)
  /** For each item whose report failed: until when it waits, and how often it has failed. */
  const waiting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** The reports that the database cannot record, by their subject. */
  const reported = new Map<string, string>()
  /** The names of the items that are being reported. */
  const running = new Set<string>()
  /** The names of the items that calls have found and that wait for a place. */
  const placing = new Set<string>()

  /** Whether its report is under way in this process or has just failed. */
  const isLeft = (item: AttentionItem): Effect.Effect<boolean> =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => running.has(nameOf(item)) || now < (waiting.get(nameOf(item))?.until ?? 0)
    )

  const take: AttentionReports["take"] = (unnotified) =>
    Effect.flatMap(isLeft(unnotified.item), (left) =>
      left
        ? Effect.succeedNone
        : Effect.map(
            Effect.orElseSucceed(unnotified.claim.take, () => false),
            (isTaken) => (isTaken ? Option.some(unnotified) : Option.none())
          )
    )

  /** Notifies an operator, however long that takes, and records the outcome. */
  const notified = ({ claim, item }: UnnotifiedItem): Effect.Effect<boolean> => {
    const name = nameOf(item)
    running.add(name)
    return Effect.gen(function* () {
      const { failures } = waiting.get(name) ?? { failures: 0 }
      const renewing = Effect.forever(Effect.andThen(Effect.sleep(notifyingTime / 3), Effect.ignore(claim.renew)))
      const isReported = yield* Effect.raceFirst(report(onAttention, item), renewing)
      if (isReported) waiting.delete(name)
      else {
        const pause = Math.min(10_000 * 2 ** failures, hour)
        waiting.set(name, { failures: failures + 1, until: (yield* Clock.currentTimeMillis) + pause })
      }
      yield* Effect.ignore(claim.end(isReported))
      return isReported
    }).pipe(Effect.ensuring(Effect.sync(() => running.delete(name))))
  }

  const notify: AttentionReports["notify"] = (taken) =>
    Effect.flatMap(
      Effect.forkIn(
        Effect.suspend(() => notified(taken)),
        inFlight.scope
      ),
      (fiber) =>
        Effect.map(
          Effect.timeoutOption(Fiber.join(fiber), placeTime),
          Option.getOrElse(() => false)
        )
    )

  const takeAndNotify: AttentionReports["takeAndNotify"] = (unnotified) =>
    Effect.flatMap(take(unnotified), (taken) => (Option.isSome(taken) ? notify(taken.value) : Effect.succeed(false)))

  const found: AttentionReports["found"] = (unnotified) =>
    Effect.suspend(() => {
      const name = nameOf(unnotified.item)
      if (placing.has(name) || inFlight.has(name)) return Effect.void
      placing.add(name)
      const placed = Effect.sync(() => placing.delete(name))
      const work = Effect.catchCause(inFlight.runOnce(name, takeAndNotify(unnotified)), (cause) =>
        Effect.logWarning("An operator could not be notified", cause)
      ).pipe(Effect.ensuring(placed))
      return Effect.flatMap(places.beginIfFree(work), (fiber): Effect.Effect<unknown> =>
        fiber === undefined
          ? Effect.forkIn(places.begin(work), inFlight.scope)
          : Effect.timeoutOption(Fiber.await(fiber), briefly)
      ).pipe(
        Effect.onInterrupt(() => placed),
        Effect.asVoid
      )
    })

  const unrecorded: AttentionReports["unrecorded"] = {
    claim: (about, what) => ({
      take: Effect.sync(() => {
        const isFirst = reported.get(about) !== what
        reported.set(about, what)
        return isFirst
      }),
      renew: Effect.void,
      end: (isNotified) => Effect.sync(() => void (isNotified ? reported.set(about, what) : reported.delete(about)))
    }),
    has: (about) => reported.has(about),
    end: (about) => void reported.delete(about)
  }

  const workStopped: AttentionReports["workStopped"] = (about, what, message) =>
    Effect.flatMap(Clock.currentTimeMillis, (time) =>
      Effect.forkIn(
        takeAndNotify({ item: ofLedger("WorkStopped", time, message), claim: unrecorded.claim(about, what) }),
        inFlight.scope
      )
    )

  return {
    places,
    dueIn: Effect.fnUntraced(function* <Row extends RowWithItems>(
      { notification, unnotified }: Pick<ItemTable<Row>, "notification" | "unnotified">,
      itemsOf: (found: FoundItems<Row>) => ListedItems
    ): Effect.fn.Return<ReadonlyArray<UnnotifiedItem>, StoreError> {
      const due: Array<UnnotifiedItem> = []
      for (let afterSeq: number | undefined = 0; afterSeq !== undefined;) {
        const page: UnnotifiedItems<Row> = yield* unnotified(afterSeq)
        for (const { item, seq } of itemsOf(page)) {
          if (!(yield* isLeft(item))) due.push({ item, claim: notification(seq, item.kind) })
        }
        afterSeq = page.lastSeq
      }
      return due
    }),
    take,
    notify,
    takeAndNotify,
    found,
    foundIn: ({ notification }, itemOf, after, before) =>
      Effect.forEach(
        newItems(after, before),
        (item) =>
          found({
            item: itemOf(after, { ...item, version: after.version }),
            claim: notification(after.seq, item.kind)
          }),
        { discard: true }
      ),
    unrecorded,
    workStopped,
    reportWait: (reason) => {
      if (reason._tag !== "RateLimited" || (reason.retryAfterMillis ?? 0) <= longestWait) return Effect.void
      const hours = Math.round((reason.retryAfterMillis ?? 0) / hour)
      return Effect.flatMap(Clock.currentTimeMillis, (time) =>
        workStopped("wait", String(Math.floor(time / day)), waitMessage(hours))
      )
    }
  }
}

/** Calls the shop's `onAttention`. Returns whether it succeeded. */
const report = (onAttention: AttentionReportsOptions["onAttention"], item: AttentionItem): Effect.Effect<boolean> =>
  onAttention === undefined
    ? Effect.as(Effect.logWarning("The ledger needs an operator", item), true)
    : Effect.suspend(() => onAttention(item)).pipe(
        Effect.timeout(reportTime),
        Effect.as(true),
        Effect.catchCause((cause) => Effect.as(Effect.logError("onAttention of the ledger failed", cause), false))
      )

const waitMessage = (hours: number): string =>
  `The gateway responds that there are too many requests (429), and asks to wait for ${hours === 1 ? "an hour" : `${hours} hours`}. The ledger waits for ten minutes at most, and tries again.`

export const nameOf = ({ key, kind }: AttentionItem): string => `attention ${kind} ${key}`

/** An item about the ledger as a whole. */
export const ofLedger = (kind: AttentionKind, since: number, message: string): AttentionItem => ({
  kind,
  key: "ledger",
  operation: "ledger",
  message,
  version: 0,
  decisions: [],
  since: new Date(since).toISOString()
})
