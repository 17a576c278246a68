/**
 * What operators are notified of: each item once, by one process, and again while `onAttention` fails. The rows know what was
 * reported, and until when a process reports it, so that one that ends before leaves it to the others.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { AttentionItem, AttentionKind } from "../model/Attention.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { FoundItems, ItemTable, ListedItems, UnnotifiedItem, UnnotifiedItems } from "../store/ItemTable.js"
import type { RowWithItems } from "../store/Items.js"
import type { StoreError } from "../store/Database.js"
import type { HandlerTable, IdleHandler } from "../store/HandlerTable.js"
import * as LedgerTable from "../store/LedgerTable.js"
import { type NotificationClaim, notifyingTime } from "../store/Statements.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import { longestWait } from "../model/LedgerGateway.js"
import { day, hour } from "../../basics/Milliseconds.js"

export interface AttentionReportsOptions extends Pick<LedgerParts, "inFlight"> {
  readonly onAttention: ((item: AttentionItem) => Effect.Effect<void>) | undefined
  readonly ledger: LedgerTable.LedgerTable
  readonly handlers: Pick<HandlerTable, "expire" | "idle" | "notification">
  /** Whether reads, which were stopped, work again. */
  readonly triedReads: Effect.Effect<boolean>
}

/** How long `onAttention` may take before other items have its place. It goes on, and is not called again meanwhile. */
const placeTime = "30 seconds"

const reportTime = "10 minutes"

export type AttentionReports = ReturnType<typeof make>

export const make = ({ handlers, inFlight, ledger, onAttention, triedReads }: AttentionReportsOptions) => {
  /** Until when what could not be reported waits, and how often it could not. */
  const waiting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** What was reported that the database cannot record, by what it is about. */
  const reported = new Map<string, string>()

  const running = new Set<string>()

  /** Whether its report is under way in this process, or has just failed. */
  const isLeft = (item: AttentionItem): Effect.Effect<boolean> =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => running.has(nameOf(item)) || now < (waiting.get(nameOf(item))?.until ?? 0)
    )

  /** Takes an item, unless another process reports it. The claim is renewed while `onAttention` is slow. */
  const take = (unnotified: UnnotifiedItem): Effect.Effect<Option.Option<UnnotifiedItem>> =>
    Effect.flatMap(isLeft(unnotified.item), (left) =>
      left
        ? Effect.succeedNone
        : Effect.map(
            Effect.orElseSucceed(unnotified.claim.take, () => false),
            (isTaken) => (isTaken ? Option.some(unnotified) : Option.none())
          )
    )

  /** Notifies an operator to the end, and records what came of it. */
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

  /** Notifies an operator of an item that was taken. Gives whether it succeeded by now. */
  const notify = (taken: UnnotifiedItem): Effect.Effect<boolean> =>
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

  /** The same of what concerns no row. */
  const notifyOfLedger = (unnotified: UnnotifiedItem): Effect.Effect<boolean> =>
    Effect.flatMap(take(unnotified), (taken) => (Option.isSome(taken) ? notify(taken.value) : Effect.succeed(false)))

  /** The claim to report what the database cannot record: it is this process's own. */
  const unrecorded = (about: string, what: string): NotificationClaim => ({
    take: Effect.sync(() => {
      const isFirst = reported.get(about) !== what
      reported.set(about, what)
      return isFirst
    }),
    renew: Effect.void,
    end: (isNotified) => Effect.sync(() => void (isNotified ? reported.set(about, what) : reported.delete(about)))
  })

  const reportBlockage = Effect.fnUntraced(function* (blockage: LedgerTable.Blockage): Effect.fn.Return<void> {
    const isRecorded = "since" in blockage
    // A pause, or a gateway that is away, may be short.
    if ("lasts" in blockage && blockage.lasts < hour) return
    const since = isRecorded ? blockage.since : yield* Clock.currentTimeMillis
    const message = `Nothing is sent${isRecorded ? ` since ${new Date(since).toISOString()}` : ""}: ${LedgerTable.sentenceOf(blockage)}`
    const claim = isRecorded ? ledger.notification(blockage._tag) : unrecorded(sending, blockage._tag)
    yield* notifyOfLedger({ item: ofLedger("SendingStopped", since, message), claim })
  })

  let handlersCheckedAt = -Infinity

  /** Reports the handlers with which no process runs any more, and gives up those that were reported long ago. */
  const checkHandlers: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const time = yield* Clock.currentTimeMillis
    if (time - handlersCheckedAt < hour) return
    for (const idle of yield* handlers.idle) {
      yield* notifyOfLedger({ item: handlerIdle(idle), claim: handlers.notification(idle.name) })
    }
    yield* handlers.expire
    handlersCheckedAt = time
  })

  /** Reports what keeps the ledger from sending, and what its database has gone through. */
  const inspect: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const { blockage, isNotified, isRestored } = yield* ledger.inspect
    if (isRestored) {
      const claim = ledger.notification("DatabaseRestored")
      yield* notifyOfLedger({
        item: ofLedger("DatabaseRestored", yield* Clock.currentTimeMillis, restored),
        claim: {
          ...claim,
          end: (isNotified) => Effect.andThen(isNotified ? ledger.acceptRestored : Effect.void, claim.end(isNotified))
        }
      })
    }
    if (blockage !== undefined) {
      // Where nothing is queued, no one else finds out.
      if ("circuit" in blockage && blockage.circuit === "reads" && (yield* triedReads)) return
      return yield* reportBlockage(blockage)
    }
    reported.delete(sending)
    if (isNotified && !isRestored) yield* ledger.forgetNotified
    yield* checkHandlers
  })

  /** The items of a table's rows that no operator has been notified of, and that this process may report. */
  const dueIn = Effect.fnUntraced(function* <Row extends RowWithItems>(
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
  })

  /** Reports what concerns no row and the database cannot record, once in this process. Does not wait for that. */
  const reportHere = (about: string, what: string, message: string): Effect.Effect<unknown> =>
    Effect.flatMap(Clock.currentTimeMillis, (time) =>
      Effect.forkIn(
        notifyOfLedger({ item: ofLedger("WorkStopped", time, message), claim: unrecorded(about, what) }),
        inFlight.scope
      )
    )

  return {
    dueIn,
    take,
    notify,
    inspect,
    /** The duties that have died and not worked since: each is reported once. Does not wait for that. */
    deaths: {
      has: (duty: string): boolean => reported.has(duty),
      report: (duty: string): Effect.Effect<unknown> => reportHere(duty, "defect", stopped(duty)),
      end: (duty: string): void => void reported.delete(duty)
    },
    /** Reports a failure by which the gateway asks to wait for longer than the ledger does: once a day. */
    reportWait: (reason: GatewayErrorReason): Effect.Effect<unknown> => {
      if (reason._tag !== "RateLimited" || (reason.retryAfterMillis ?? 0) <= longestWait) return Effect.void
      const hours = Math.round((reason.retryAfterMillis ?? 0) / hour)
      return Effect.flatMap(Clock.currentTimeMillis, (time) =>
        reportHere("wait", String(Math.floor(time / day)), waitMessage(hours))
      )
    }
  }
}

/** Calls the shop, and gives whether that succeeded. */
const report = (onAttention: AttentionReportsOptions["onAttention"], item: AttentionItem): Effect.Effect<boolean> =>
  onAttention === undefined
    ? Effect.as(Effect.logWarning("The ledger needs an operator", item), true)
    : Effect.suspend(() => onAttention(item)).pipe(
        Effect.timeout(reportTime),
        Effect.as(true),
        Effect.catchCause((cause) => Effect.as(Effect.logError("onAttention of the ledger failed", cause), false))
      )

/** What is reported of whether anything is sent. */
const sending = "sending"

const stopped = (duty: string): string =>
  `A part of the worker's work fails by a fault in the program or its database client, and is tried again: ${duty}. Everything else goes on. The log has the fault.`

const waitMessage = (hours: number): string =>
  `The gateway responds that there are too many requests (429), and asks to wait for ${hours === 1 ? "an hour" : `${hours} hours`}. The ledger waits for ten minutes at most, and tries again.`

const restored =
  "The database was restored to an earlier time, or a standby was promoted. Sending goes on. If commits were lost, run distrust({ since }) with the time of the last one that is there."

const handlerIdle = ({ endsAt, lastRunAt, name, waiting }: IdleHandler): AttentionItem => {
  const until = new Date(endsAt).toISOString()
  const left = waiting === 0 ? "" : ` (${waiting} now)`
  const message = `No process has run with ${name} since ${new Date(lastRunAt).toISOString()}. What it is to be notified of${left} is kept for it until ${until}, and not from then on. Start a process with it; if the shop has given it up, call ledger.operator.retireHandler("${name}").`
  return { ...ofLedger("WorkStopped", lastRunAt, message), key: name }
}

export const nameOf = ({ key, kind }: AttentionItem): string => `attention ${kind} ${key}`

/** What concerns all rows. */
const ofLedger = (kind: AttentionKind, since: number, message: string): AttentionItem => ({
  kind,
  key: "ledger",
  operation: "ledger",
  message,
  version: 0,
  decisions: [],
  since: new Date(since).toISOString()
})
