/**
 * What the page knows: the state of the gateway, which is read every second, and what is read because of it.
 */
import { computed, signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { DashboardCatalogue } from "../DashboardCatalogue.js"
import { base, change, ControlFailure, read } from "./api.js"
import type { Merchants, State } from "./controlResponses.js"
import type { Access } from "./copies.js"
import { countText, timeWriter } from "./format.js"

/** Pauses between reads. In the background only the title is kept up to date. */
const pollMillis = 1000
const backgroundPollMillis = 10_000

/** Display time of an announcement. */
const announcementMillis = 6000

let catalogueRead: DashboardCatalogue | undefined

/** Reads the settings and codes that never change. */
export const readCatalogue = async (): Promise<void> => {
  catalogueRead = await read("/dashboard/catalogue.json")
}

/** The settings and codes that never change, which are read before anything is shown. */
export const catalogue = (): DashboardCatalogue => {
  if (catalogueRead === undefined) throw new Error("The catalogue was not read.")
  return catalogueRead
}

/** The gateway as it was read last. */
export const state = signal<State | undefined>(undefined)

/** Increases when everything read before may be wrong: the gateway was gone and is back, or has started over. */
export const epoch = signal(0)

/** Since when the gateway does not respond, of this computer's clock. */
export const lostSince = signal<string | undefined>(undefined)

/** What is announced. */
export const said = signal("")

/** New payments since the page was last visible. */
export const unseen = signal(0)

/** Increases with every change of payments, cards, settings and time. */
export const revision = computed(() => state.value?.revision ?? -1)

/** The number of the newest entry of the log. */
export const newest = computed(() => state.value?.newest ?? -1)

/** The gateway's time, ISO 8601. */
export const now = (): string => state.peek()?.now ?? new Date().toISOString()

/** Address of the gateway, without `/api`. */
export const gatewayUrl = computed(() => state.value?.url ?? `${location.origin}${base}`)

const times = timeWriter()
const precise = timeWriter({ withMillis: true })

/** Today at the gateway. */
const today = computed(() => times.day(state.value?.now ?? new Date().toISOString()))

/** A time, with its day unless that is today at the gateway; with its milliseconds where they are wanted. */
export const timeText = (iso: string, withMillis = false): string => {
  void today.value // Written again once another day has begun.
  return (withMillis ? precise : times).short(iso, now())
}

/** The day with the time. */
export const fullTime = times.full

// ---------------------------------------------------------------------------------------------------------------------
// Announcements
// ---------------------------------------------------------------------------------------------------------------------

let silence: ReturnType<typeof setTimeout> | undefined

/** Shows a message, and has screen readers read it out. */
export const announce = (text: string): void => {
  said.value = text
  clearTimeout(silence)
  silence = setTimeout(() => {
    silence = undefined
    said.value = ""
  }, announcementMillis)
}

/** The message of a failure. */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

/** Does something, announces its result or its failure, and reads the state again. */
export const act = async (action: () => Promise<string>): Promise<void> => {
  try {
    announce(await action())
  } catch (failure) {
    announce(`That failed. ${messageOf(failure)}`)
  }
  void refresh()
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

/** News does not take the place of what the user's own action has said. */
const tellOfNew = (before: State | undefined, { payments: { total } }: State): void => {
  const added = before === undefined ? 0 : total - before.payments.total
  if (added <= 0) return
  if (document.hidden) unseen.value += added
  if (silence === undefined) announce(`${countText(added, "new payment")}.`)
}

let known: State | undefined

const look = async (): Promise<void> => {
  try {
    const next = await read<State>("/state")
    // A gateway with less than before is another one, or was reset.
    const isAnother =
      known !== undefined &&
      (next.newest < known.newest || next.revision < known.revision || next.payments.total < known.payments.total)
    if (isAnother || lostSince.value !== undefined) epoch.value++
    lostSince.value = undefined
    tellOfNew(known, next)
    known = next
    if (document.hidden) return
    unseen.value = 0
    state.value = next
  } catch (failure) {
    if (!(failure instanceof ControlFailure) || failure.status !== 0) announce(messageOf(failure))
    else lostSince.value ??= new Date().toISOString()
  }
}

let timer: ReturnType<typeof setTimeout> | undefined
let isLooking = false
let isAskedAgain = false

/** Reads the state again, now and then every second. */
export const refresh = async (): Promise<void> => {
  if (isLooking) {
    isAskedAgain = true
    return
  }
  isLooking = true
  clearTimeout(timer)
  do {
    isAskedAgain = false
    await look()
  } while (isAskedAgain)
  isLooking = false
  timer = setTimeout(() => void refresh(), document.hidden ? backgroundPollMillis : pollMillis)
}

/** A pause, such as after a failure. */
export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * Runs an effect one at a time when its key changes, and again after a failure. What changes meanwhile is done when it
 * has ended.
 */
export const useSerial = (key: string, effect: () => Promise<void>): void => {
  const latest = useRef({ key, effect, done: "", isBusy: false, isGone: false })
  latest.current.key = key
  latest.current.effect = effect
  useEffect(() => {
    const { current } = latest
    const run = async () => {
      while (!current.isGone && current.done !== current.key) {
        const { effect, key } = current
        try {
          await effect()
          current.done = key
        } catch (failure) {
          if (!(failure instanceof ControlFailure) || failure.status !== 0) announce(messageOf(failure))
          await pause(pollMillis)
        }
      }
      current.isBusy = false
    }
    if (current.isBusy) return
    current.isBusy = true
    void run()
  }, [key])
  useEffect(
    () => () => {
      latest.current.isGone = true
    },
    []
  )
}

/** What is read, and read again when its key or the gateway changes; undefined until it is there. */
export const useReading = <Value>(key: string, get: () => Promise<Value>): Value | undefined => {
  const value = useSignal<Value | undefined>(undefined)
  useSerial(`${epoch.value} ${key}`, async () => {
    value.value = await get()
  })
  return value.value
}

/** The key of lists that depend on the books, the settings, and the hour. */
export const listKey = computed(() => `${revision.value} ${(state.value?.now ?? "").slice(0, 13)}`)

/** The credentials of a shop; of the first one without a GoID. They are to be copied, and never shown. */
export const accessOf = async (goid?: number): Promise<Access> => {
  const { merchants } = await read<Merchants>("/merchants")
  const merchant = goid === undefined ? merchants[0] : merchants.find((known) => known.goid === goid)
  if (merchant === undefined) throw new Error("This merchant no longer exists.")
  return { ...merchant, url: gatewayUrl.value }
}

/** Moves time, and gives what has happened by then. */
export const changeTime = async (path: "/advance-time" | "/advance-time/stop", body?: unknown): Promise<string> => {
  const { now: reached } = await change<{ readonly now: string }>(path, body)
  return `It is now ${fullTime(reached)}.`
}
