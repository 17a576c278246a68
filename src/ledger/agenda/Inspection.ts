/**
 * The inspection of the ledger itself: what keeps it from sending, what has happened to its database, which handlers no
 * process runs any more, and which duties have died.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { hour } from "../../basics/Milliseconds.js"
import type { AttentionItem } from "../model/Attention.js"
import { type AttentionReports, ofLedger } from "../process/AttentionReports.js"
import type { StoreError } from "../store/Database.js"
import type { HandlerTable, IdleHandler } from "../store/HandlerTable.js"
import * as LedgerTable from "../store/LedgerTable.js"
import type { AgendaOptions } from "./Agenda.js"

export interface InspectionOptions {
  readonly attention: AttentionReports
  readonly handlers: HandlerTable
  readonly ledger: LedgerTable.LedgerTable
  /** Probes reads that the breaker has stopped. Returns whether they work again. */
  readonly triedReads: Effect.Effect<boolean>
}

/** The name under which a blocked ledger is reported. */
const sending = "sending"

/** Reports what keeps the ledger from sending, and what has happened to its database. */
export const make = ({
  attention,
  handlers,
  ledger,
  triedReads
}: InspectionOptions): Effect.Effect<void, StoreError> => {
  const reportBlockage = Effect.fnUntraced(function* (blockage: LedgerTable.Blockage): Effect.fn.Return<void> {
    const isRecorded = "since" in blockage
    // A pause, or an outage of the gateway, may be short.
    if ("lasts" in blockage && blockage.lasts < hour) return
    const since = isRecorded ? blockage.since : yield* Clock.currentTimeMillis
    const message = `Nothing is sent${isRecorded ? ` since ${new Date(since).toISOString()}` : ""}: ${LedgerTable.sentenceOf(blockage)}`
    const claim = isRecorded ? ledger.notification(blockage._tag) : attention.unrecorded.claim(sending, blockage._tag)
    yield* attention.takeAndNotify({ item: ofLedger("SendingStopped", since, message), claim })
  })

  let handlersCheckedAt = -Infinity

  /** Reports the handlers that no process runs any more, and gives up those that were reported long ago. */
  const checkHandlers: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const time = yield* Clock.currentTimeMillis
    if (time - handlersCheckedAt < hour) return
    for (const idle of yield* handlers.idle) {
      yield* attention.takeAndNotify({ item: handlerIdle(idle), claim: handlers.notification(idle.name) })
    }
    yield* handlers.expire
    handlersCheckedAt = time
  })

  return Effect.gen(function* () {
    const { blockage, isNotified, isRestored } = yield* ledger.inspect
    if (isRestored) {
      const claim = ledger.notification("DatabaseRestored")
      yield* attention.takeAndNotify({
        item: ofLedger("DatabaseRestored", yield* Clock.currentTimeMillis, restored),
        claim: {
          ...claim,
          end: (isNotified) => Effect.andThen(isNotified ? ledger.acceptRestored : Effect.void, claim.end(isNotified))
        }
      })
    }
    if (blockage !== undefined) {
      // If nothing is queued, nothing else probes the gateway.
      if ("circuit" in blockage && blockage.circuit === "reads" && (yield* triedReads)) return
      return yield* reportBlockage(blockage)
    }
    attention.unrecorded.end(sending)
    if (isNotified && !isRestored) yield* ledger.forgetNotified
    yield* checkHandlers
  })
}

const restored =
  "The database was restored to an earlier time, or a standby was promoted. Sending goes on. If commits were lost, run distrust({ since }) with the time of the last one that is there."

const handlerIdle = ({ endsAt, lastRunAt, name, waiting }: IdleHandler): AttentionItem => {
  const until = new Date(endsAt).toISOString()
  const left = waiting === 0 ? "" : ` (${waiting} now)`
  const message = `No process has run with ${name} since ${new Date(lastRunAt).toISOString()}. What it is to be notified of${left} is kept for it until ${until}, and not from then on. Start a process with it; if the shop has given it up, call ledger.operator.retireHandler("${name}").`
  return { ...ofLedger("WorkStopped", lastRunAt, message), key: name }
}

/** The duties that have died and not worked since. Each is reported once. */
export const deathsOf = ({ unrecorded, workStopped }: AttentionReports): AgendaOptions["deaths"] => ({
  has: unrecorded.has,
  report: (duty) => workStopped(duty, "defect", stopped(duty)),
  end: unrecorded.end
})

const stopped = (duty: string): string =>
  `A part of the worker's work fails by a fault in the program or its database client, and is tried again: ${duty}. Everything else goes on. The log has the fault.`
