/**
 * The dashboard: reads the state of the gateway every second, and updates the page.
 */
import { messageOf } from "../../../basics/AnyRealm.js"
import { effect } from "@preact/signals"
import { render } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { ArmedLine, FaultsPage } from "./faults.js"
import { aheadText } from "./format.js"
import { GatewayPage } from "./gateway.js"
import { KeysPage } from "./keys.js"
import { LogPage } from "./log.js"
import { NewPaymentPage } from "./newPayment.js"
import { NotificationsPage } from "./notifications.js"
import { PaymentsPage } from "./payments.js"
import { followAddress, pageNames, place, type PageName } from "./place.js"
import { SettingsPage } from "./settings.js"
import {
  dismiss,
  fullTime,
  gatewayUrl,
  isFailure,
  lostSince,
  poll,
  readCatalogue,
  refresh,
  said,
  state
} from "./state.js"
import { TimeLine, TimeMenu } from "./time.js"

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

const tabs: ReadonlyArray<PageName> = ["payments", "notifications", "log", "faults", "settings", "keys", "gateway"]

const title = "Local gateway"

/** How long the page waits for the state before it is shown without it. */
const maxBlankMillis = 500

const Head = () => {
  const { now, time_ahead = 0 } = state.value ?? {}
  const status = lostSince.value !== undefined ? "not responding" : now === undefined ? "connecting" : "connected"
  return (
    <header id="head">
      <h1>{title}</h1>
      <span id="status" role="status" data-status={status}>
        {status}
      </span>
      <code id="url">{gatewayUrl.value}</code>
      <span id="time">
        <span id="clock">{now && fullTime(now)}</span>
        <span id="ahead" class="tag">
          {time_ahead < 1 ? "" : [aheadText(time_ahead), <span> ahead</span>]}
        </span>
        <TimeMenu />
      </span>
    </header>
  )
}

/** The number next to a tab's name, if there is one, and whether it indicates a problem. */
const countOf = (tab: PageName): { readonly count: number | undefined; readonly isBad: boolean } => {
  const { faults = [], notifications_failing = 0, notifications_waiting = 0, payments } = state.value ?? {}
  switch (tab) {
    case "payments":
      return { count: payments?.total, isBad: false }
    case "notifications":
      return { count: notifications_failing || notifications_waiting || undefined, isBad: notifications_failing > 0 }
    case "faults":
      return { count: faults.length || undefined, isBad: true }
    case "new":
    case "log":
    case "keys":
    case "settings":
    case "gateway":
      return { count: undefined, isBad: false }
  }
}

/** Scrolls the tabs to one of them. With `scrollIntoView`, the first Tab key would begin there in Chromium 150. */
const bringIntoView = (link: HTMLAnchorElement): void => {
  const tabs = link.parentElement
  if (tabs === null) return
  const [shown, all] = [link.getBoundingClientRect(), tabs.getBoundingClientRect()]
  tabs.scrollLeft += Math.min(0, shown.left - all.left) + Math.max(0, shown.right - all.right)
}

const Tab = ({ tab }: { readonly tab: PageName }) => {
  const link = useRef<HTMLAnchorElement>(null)
  const isShown = place.value.tab === tab
  const { count, isBad } = countOf(tab)
  useEffect(() => {
    if (isShown && link.current !== null) bringIntoView(link.current)
  }, [isShown])
  return (
    <a ref={link} data-testid={`tab-${tab}`} href={`#/${tab}`} aria-current={isShown ? "page" : undefined}>
      {pageNames[tab]} <span class={isBad ? "count bad" : "count"}>{count}</span>
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
            <Tab key={name} tab={name} />
          ))}
        </div>
        <a
          class="button primary"
          href="#/new"
          data-testid="new-payment"
          aria-current={tab === "new" ? "page" : undefined}
        >
          {pageNames.new}
        </a>
      </nav>
      <aside aria-label="Notices">
        {since && (
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
      <div id="toast">
        <p id="said" role="status" aria-live="polite">
          {said.value}
        </p>
        {isFailure.value && (
          <button class="small" onClick={dismiss}>
            Dismiss
          </button>
        )}
      </div>
    </>
  )
}

/** When the focused element is removed, moves the focus to the nearest ancestor that still exists. */
const keepFocus = (): void => {
  let around: ReadonlyArray<HTMLElement> = []
  addEventListener("focusin", ({ target }) => {
    const chain: Array<HTMLElement> = []
    for (let one = target; one instanceof HTMLElement && one !== document.body; one = one.parentElement) chain.push(one)
    around = chain
  })
  const look = () => {
    const [focused] = around
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body) return
    const left = around.find((one) => one.isConnected)
    if (left === undefined || left.id === "app") return
    if (left.tabIndex < 0 && !left.hasAttribute("tabindex")) left.tabIndex = -1
    left.focus({ preventScroll: true })
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}

const begin = async (): Promise<void> => {
  const app = document.getElementById("app")
  const lost = document.getElementById("lost")
  if (app === null || lost === null) return
  followAddress()
  try {
    // Avoids a layout shift when the state arrives in time.
    const blank = new Promise((resolve) => setTimeout(resolve, maxBlankMillis))
    await Promise.all([readCatalogue(), Promise.race([refresh(), blank])])
  } catch (failure) {
    lost.textContent = `The dashboard could not start: ${messageOf(failure)} Reload the page.`
    lost.hidden = false
    return
  }
  app.replaceChildren()
  render(<App />, app)
  keepFocus()
  effect(() => {
    const { id, tab } = place.value
    document.title = `${id === undefined ? pageNames[tab] : `Payment ${id}`} – ${title}`
  })
  document.getElementById("skip")?.addEventListener("click", (event) => {
    // The part after # is an address within this page.
    event.preventDefault()
    document.getElementById("content")?.focus()
  })
  document.addEventListener("visibilitychange", () => void refresh())
  poll()
}

void begin()
