/**
 * The places within the page, with their filters: the part of the address after `#`.
 */
import { signal } from "@preact/signals"

/** The pages, in the order of their tabs. */
export const pageNames = {
  payments: "Payments",
  notifications: "Notifications",
  log: "Log",
  faults: "Faults",
  settings: "Settings",
  keys: "Keys",
  gateway: "Gateway",
  new: "New payment"
} as const

/** The name of a page in an address. */
export type PageName = keyof typeof pageNames

/** A place: a page, the open payment, and the filter. */
export interface Place {
  readonly tab: PageName
  readonly id: string | undefined
  readonly search: { readonly [name: string]: string }
}

const isPage = (name: string): name is PageName => Object.hasOwn(pageNames, name)

/** The place of an address; anything unknown is the list of payments. */
export const placeIn = (hash: string): Place => {
  const [, name = "", id, search = ""] = /^#\/(\w+)(?:\/(\d+))?(?:\?(.*))?$/.exec(hash) ?? []
  const tab = isPage(name) ? name : "payments"
  return { tab, id, search: Object.fromEntries(new URLSearchParams(search)) }
}

/** The filled-in part of a filter. */
export const filledIn = (search: Place["search"]): Place["search"] =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]]))
  )

/** The address of a place. */
export const addressOf = ({ id, search, tab }: Place): string => {
  const given = new URLSearchParams(filledIn(search))
  return `#/${tab}${id === undefined ? "" : `/${id}`}${given.size === 0 ? "" : `?${given.toString()}`}`
}

/** The place that is shown. */
export const place = signal<Place>({ tab: "payments", id: undefined, search: {} })

/** How often the reader has navigated; typing into a filter does not count. */
export const visits = signal(0)

/** Goes to the place in the address, and follows the address from then on. */
export const followAddress = (): void => {
  place.value = placeIn(location.hash)
  // The browser leaves `hashchange` for later: what is typed meanwhile would still count as typed at the old place.
  addEventListener("popstate", () => {
    place.value = placeIn(location.hash)
    visits.value++
  })
}

/** Filters what is shown, and puts the filter into the address. */
export const filterBy = (search: Place["search"]): void => {
  const address = addressOf({ ...place.value, search })
  place.value = placeIn(address)
  history.replaceState(null, "", address)
}
