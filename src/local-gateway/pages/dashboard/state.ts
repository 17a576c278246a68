/**
 * The state of the page: that of the gateway, which is read every second, and further reads that depend on it.
 */
import { computed, signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { messageOf } from "../../../basics/AnyRealm.js"
import type { DashboardCatalogue } from "../Dashboard.js"
import { base, ControlFailure, read, type State } from "./api.js"
import { countText, timeWriter } from "./format.js"

const pollMillis = 1000
const announcementMillis = 6000

let catalogueRead: DashboardCatalogue | undefined

/** Reads the settings and codes that never change. */
export const readCatalogue = async (): Promise<void> => {
  catalogueRead = await read("/dashboard/catalogue.json")
}

/** The settings and codes, which never change and are read before anything is shown. */
export const catalogue = (): DashboardCatalogue => {
  if (catalogueRead === undefined) throw new Error("The catalogue was not read.")
  return catalogueRead
}

/** The state of the gateway as last read. */
export const state = signal<State | undefined>(undefined)

/** Since when the gateway has not responded, by this computer's clock. */
export const lostSince = signal<string | undefined>(undefined)

export const said = signal("")

/** Increases when everything read before may be wrong: the gateway was gone and is back, or was reset. */
const epoch = signal(0)

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

const today = computed(() => times.day(state.value?.now ?? new Date().toISOString()))

/** A time, with its day unless it is today at the gateway; with milliseconds if wanted. */
export const timeText = (iso: string, withMillis = false): string => {
  void today.value // Written again once another day has begun.
  return (withMillis ? precise : times).short(iso, now())
}

export const fullTime = times.full

let silence: ReturnType<typeof setTimeout> | undefined

/** Shows a message, and lets screen readers announce it. */
export const announce = (text: string): void => {
  said.value = text
  isFailure.value = false
  clearTimeout(silence)
  silence = setTimeout(() => (said.value = ""), announcementMillis)
}

/** Whether what was said last is why something failed: it stays to be read until it is dismissed. */
export const isFailure = signal(false)

const announceFailure = (text: string): void => {
  said.value = text
  isFailure.value = true
  clearTimeout(silence)
}

export const dismiss = (): void => {
  said.value = ""
  isFailure.value = false
}

/** Runs an action, announces its result or its failure, and reads the state again. */
export const act = async (action: () => Promise<string>): Promise<void> => {
  try {
    announce(await action())
  } catch (failure) {
    announceFailure(`That failed. ${messageOf(failure)}`)
  }
  void refresh()
}

/** Reports why something could not be read. If there was no response, the page says so until there is one again. */
const reportUnread = (failure: unknown): void => {
  if (failure instanceof ControlFailure && failure.status === 0) lostSince.value ??= new Date().toISOString()
  else announce(messageOf(failure))
}

const readState = async (): Promise<void> => {
  try {
    const next = await read("/state")
    const known = state.peek() ?? next
    const added = next.payments.total - known.payments.total
    // If there is less than before, the gateway is another one or was reset.
    const isAnother = next.newest < known.newest || next.revision < known.revision || added < 0
    if (isAnother || lostSince.value !== undefined) epoch.value++
    lostSince.value = undefined
    // News does not replace the message of the user's own action.
    if (added > 0 && said.value === "") announce(`${countText(added, "new payment")}.`)
    state.value = next
  } catch (failure) {
    reportUnread(failure)
  }
}

let lastRead = Promise.resolve()

/** Reads the state after all reads that have begun before. */
export const refresh = (): Promise<void> => (lastRead = lastRead.then(readState))

/** Reads the state repeatedly while the page is visible. */
export const poll = (): void => {
  const read = async () => {
    if (!document.hidden) await refresh()
    poll()
  }
  setTimeout(() => void read(), pollMillis)
}

/** A value that is read, and read again when its key or the gateway's state changes; `undefined` until then. */
export const useReading = <Value>(key: string, get: () => Promise<Value>): Value | undefined => {
  const value = useSignal<Value | undefined>(undefined)
  const turns = useRef({ last: 0, shown: 0 })
  useEffect(() => {
    const turn = ++turns.current.last
    const run = async () => {
      const found = await get()
      // A later read may have returned first.
      if (turn < turns.current.shown) return
      turns.current.shown = turn
      value.value = found
    }
    run().catch(reportUnread)
  }, [epoch.value, key])
  return value.value
}

/** The browser's storage for the next visit; `undefined` if it may not store anything. */
const storage = ((): Storage | undefined => {
  try {
    return localStorage
  } catch {
    return undefined
  }
})()

export const remembered = (name: string): string | undefined => storage?.getItem(`effect-gopay-${name}`) ?? undefined

export const remember = (name: string, text: string): void => storage?.setItem(`effect-gopay-${name}`, text)
