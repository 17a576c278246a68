/**
 * The dashboard: reads the state of the gateway every second, and brings the page up to date.
 */
import { effect } from "@preact/signals"
import { render } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { ArmedLine, FaultsPage } from "./faults.js"
import { countText } from "./format.js"
import { GatewayPage } from "./gateway.js"
import { KeysPage } from "./keys.js"
import { LogPage } from "./log.js"
import { NewPaymentPage } from "./newPayment.js"
import { NotificationsPage } from "./notifications.js"
import { Button, deliverNow, keepFocus } from "./parts.js"
import { PaymentsPage, readEarly } from "./payments.js"
import { followAddress, place, tabNames, type Tab } from "./place.js"
import { SettingsPage } from "./settings.js"
import {
  fullTime,
  gatewayUrl,
  lostSince,
  messageOf,
  pause,
  readCatalogue,
  refresh,
  said,
  state,
  unseen
} from "./state.js"
import { Ahead, TimeLine, TimeMenu } from "./time.js"

const pages = {
  payments: PaymentsPage,
  notifications: NotificationsPage,
  log: LogPage,
  faults: FaultsPage,
  settings: SettingsPage,
  keys: KeysPage,
  gateway: GatewayPage,
  new: NewPaymentPage
} as const

const tabs: ReadonlyArray<Tab> = ["payments", "notifications", "log", "faults", "settings", "keys", "gateway"]

const title = "Local gateway"

/** How long the state is waited for before the page is shown without it. */
const longestBlankMillis = 500

const Waiting = () => {
  const waiting = state.value?.notifications_waiting ?? 0
  return (
    <span id="waiting">
      {waiting === 0 ? null : (
        <Button class="small" title="Deliver them now" action={deliverNow}>
          {countText(waiting, "pending notification")}
        </Button>
      )}
    </span>
  )
}

const Head = () => {
  const isLost = lostSince.value !== undefined
  const now = state.value?.now
  const status = isLost ? "lost" : state.value === undefined ? "" : "connected"
  return (
    <header id="head">
      <h1>{title}</h1>
      <span id="status" role="status" data-status={status}>
        {isLost ? "not responding" : status === "" ? "connecting" : status}
      </span>
      <code id="url">{gatewayUrl.value}</code>
      <Waiting />
      <span id="time">
        <span id="clock">{now === undefined ? "" : fullTime(now)}</span>
        <Ahead />
        <TimeMenu />
      </span>
    </header>
  )
}

const countOf = (tab: Tab): string => {
  const { faults = [], notifications_waiting = 0, payments } = state.value ?? {}
  if (tab === "payments") return payments === undefined ? "" : String(payments.total)
  const count = tab === "notifications" ? notifications_waiting : tab === "faults" ? faults.length : 0
  return count === 0 ? "" : String(count)
}

const TabLink = ({ tab }: { readonly tab: Tab }) => {
  const link = useRef<HTMLAnchorElement>(null)
  const isShown = place.value.tab === tab
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [isShown])
  return (
    <a ref={link} data-testid={`tab-${tab}`} href={`#/${tab}`} aria-current={isShown ? "page" : undefined}>
      {tabNames[tab]} <span class={tab === "faults" ? "count bad" : "count"}>{countOf(tab)}</span>
    </a>
  )
}

const App = () => {
  const { tab } = place.value
  const Page = pages[tab]
  const since = lostSince.value
  return (
    <>
      <Head />
      <nav aria-label={title}>
        <div>
          {tabs.map((name) => (
            <TabLink key={name} tab={name} />
          ))}
        </div>
        <a
          class="button primary"
          href="#/new"
          data-testid="new-payment"
          aria-current={tab === "new" ? "page" : undefined}
        >
          New payment
        </a>
      </nav>
      <aside aria-label="Notices">
        {since === undefined ? null : (
          <p class="line lost" role="alert">
            The gateway stopped responding at {fullTime(since)}. This page shows its last state. Retrying every second.
          </p>
        )}
        <TimeLine />
        <ArmedLine />
      </aside>
      <main id="content" tabIndex={-1} class={since === undefined ? "" : "stale"}>
        <Page key={tab} />
      </main>
      <p id="said" role="status" aria-live="polite">
        {said.value}
      </p>
    </>
  )
}

/** `/` goes to the search of the page; Escape leaves it. */
const onKey = (event: KeyboardEvent): void => {
  const { target } = event
  const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea")
  if (event.key === "Escape" && isTyping) target.blur()
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  const search = document.querySelector('main input[type="search"]')
  if (!(search instanceof HTMLInputElement) || search.offsetParent === null) return
  event.preventDefault()
  search.focus()
  search.select()
}

/** The title of the page: the payment that is open, or the tab. */
const titleOf = (): string => {
  const { id, tab } = place.value
  const name = id !== undefined ? `Payment ${id}` : tab === "new" ? "New payment" : tabNames[tab]
  return `${unseen.value > 0 ? `(${unseen.value}) ` : ""}${name} – ${title}`
}

const begin = async (): Promise<void> => {
  const app = document.getElementById("app")
  const lost = document.getElementById("lost")
  if (app === null || lost === null) return
  followAddress()
  readEarly()
  try {
    // What depends on the state is not moved by it, where it comes in time.
    await Promise.all([readCatalogue(), Promise.race([refresh(), pause(longestBlankMillis)])])
  } catch (failure) {
    lost.textContent = `The dashboard could not start: ${messageOf(failure)} Reload the page.`
    lost.hidden = false
    return
  }
  app.replaceChildren()
  render(<App />, app)
  keepFocus()
  effect(() => {
    document.title = titleOf()
  })
  document.getElementById("skip")?.addEventListener("click", (event) => {
    // An address after # is a place of this page.
    event.preventDefault()
    document.getElementById("content")?.focus()
  })
  addEventListener("keydown", onKey)
  document.addEventListener("visibilitychange", () => void refresh())
}

void begin()
