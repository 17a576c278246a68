/**
 * Places of the page: what stands in its address after `#`.
 */
import { signal } from "@preact/signals"

/** The tabs, in their order. */
export const tabNames = {
  payments: "Payments",
  notifications: "Notifications",
  log: "Log",
  faults: "Faults",
  settings: "Settings",
  keys: "Keys",
  gateway: "Gateway"
} as const

/** A tab. */
export type Tab = keyof typeof tabNames

/** A place: a tab or the form of a new payment, the payment that is open, and the filter. */
export interface Place {
  readonly tab: Tab | "new"
  readonly id: string | undefined
  readonly search: { readonly [name: string]: string }
}

const isTab = (name: string): name is Tab => Object.hasOwn(tabNames, name)

/** The place of an address; anything unknown is the list of payments. */
export const placeIn = (hash: string): Place => {
  const [, name = "", id, search = ""] = /^#\/(\w+)(?:\/(\d+))?(?:\?(.*))?$/.exec(hash) ?? []
  const tab = isTab(name) || name === "new" ? name : "payments"
  const given = Object.fromEntries(new URLSearchParams(search))
  return tab === "log" && id !== undefined
    ? { tab, id: undefined, search: { ...given, payment_id: id } }
    : { tab, id, search: given }
}

/** The address of a place. */
export const addressOf = ({ id, search, tab }: Place): string => {
  const given = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]]))
  )
  return `#/${tab}${id === undefined ? "" : `/${id}`}${given.size === 0 ? "" : `?${given.toString()}`}`
}

/** The place that is shown. */
export const place = signal<Place>({ tab: "payments", id: undefined, search: {} })

let wasNavigated = false

/** Whether the reader has gone from one place to another: then the focus goes along. */
export const hasNavigated = (): boolean => wasNavigated

/** Goes to the place of the address, and follows it from now on. */
export const followAddress = (): void => {
  place.value = placeIn(location.hash)
  addEventListener("hashchange", () => {
    wasNavigated = true
    place.value = placeIn(location.hash)
  })
}

/** Changes the filter of the place that is shown, and its address. */
export const filterBy = (changes: Place["search"]): void => {
  place.value = { ...place.value, search: { ...place.value.search, ...changes } }
  history.replaceState(null, "", addressOf(place.value))
}

/** Takes the filter away. */
export const clearFilter = (): void => {
  place.value = { ...place.value, search: {} }
  history.replaceState(null, "", addressOf(place.value))
}
