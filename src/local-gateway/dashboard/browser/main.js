/**
 * The dashboard: reads the state of the gateway every second, and brings the page up to date.
 *
 * @import { DashboardCatalogue } from "../DashboardCatalogue.js"
 * @import { State } from "./page/controlResponses.js"
 * @import { Page, View } from "./page/page.js"
 */
import { base, change, ControlFailure, read } from "./page/api.js"
import { byId, element, fill, section, write } from "./page/dom.js"
import { faultsView } from "./faults.js"
import { menu } from "./page/menu.js"
import { countText, durationText, timeWriter } from "./page/format.js"
import { moveOf } from "./page/timeMove.js"
import { connectPanel } from "./connect.js"
import { copyEnvironment, gatewayView } from "./gateway.js"
import { logView } from "./log.js"
import { openPayment } from "./payment/payment.js"
import { paymentList } from "./payment/payments.js"
import { settingsView } from "./settings.js"
import { createTestPayment } from "./testPayment.js"
import { notificationTable } from "./tables.js"
import { ownMember } from "./page/ownMember.js"

/** Pauses between reads. In the background only the title is kept up to date. */
const pollMillis = 1000
const backgroundPollMillis = 10_000

/** Display time of an announcement. */
const announcementMillis = 6000

const tabs = ["payments", "notifications", "log", "faults", "settings", "gateway"]

/** @type {(failure: unknown) => string} */
const messageOf = (failure) => (failure instanceof Error ? failure.message : String(failure))

/** @type {() => { readonly tab: string, readonly argument: string | undefined, readonly search: string }} */
const place = () => {
  const [, tab = "", argument, search = ""] = /^#\/(\w+)(?:\/(\d+))?(?:\?(.*))?$/.exec(location.hash) ?? []
  return { tab: tabs.includes(tab) ? tab : "payments", argument, search }
}

/** @type {Readonly<Record<string, string>>} */
const tabNames = {
  payments: "Payments",
  notifications: "Notifications",
  log: "Log",
  faults: "Faults",
  settings: "Settings",
  gateway: "Gateway"
}

/** The title of the page: the payment that is open, or the tab. @type {(shown: Pick<ReturnType<typeof place>, "tab" | "argument">) => string} */
const titleOf = ({ argument, tab }) => {
  const name = tab === "payments" && argument !== undefined ? `Payment ${argument}` : (ownMember(tabNames, tab) ?? "")
  return `${name} – Local gateway`
}

/** `/` goes to the search of the tab; Escape leaves it. @type {(event: KeyboardEvent) => void} */
const onKey = (event) => {
  const { target } = event
  const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea")
  if (event.key === "Escape" && isTyping) target.blur()
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  const search = document.querySelector(`#${place().tab} input[type="search"]`)
  if (!(search instanceof HTMLInputElement) || search.offsetParent === null) return
  event.preventDefault()
  search.focus()
  search.select()
}

const announcer = () => {
  const said = byId("said")
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {(text: string) => void} */
  const announce = (text) => {
    write(said, text)
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      write(said, "")
    }, announcementMillis)
  }
  /**
   * News does not take the place of what the user's own action has said.
   *
   * @type {(text: string) => void}
   */
  const announceNews = (text) => {
    if (timer === undefined) announce(text)
  }
  return { announce, announceNews }
}

/** @type {Page["confirm"]} */
const confirm = (question, label) =>
  new Promise((resolve) => {
    const yes = element("button", { type: "submit", value: "yes", class: "danger" }, label)
    const no = element("button", { type: "submit", value: "no", autofocus: true }, "Cancel")
    const dialog = element(
      "dialog",
      {
        "aria-label": question,
        close: () => {
          dialog.remove()
          resolve(dialog.returnValue === "yes")
        }
      },
      element("form", { method: "dialog" }, element("p", {}, question), element("div", { class: "group" }, no, yes))
    )
    document.body.append(dialog)
    dialog.showModal()
  })

/**
 * Writes all times of the page again once another day has begun at the gateway: today's have no day.
 *
 * @type {(page: Page) => () => void}
 */
const timesOfDay = (page) => {
  const { day } = timeWriter()
  let today = ""
  return () => {
    const before = today
    today = day(page.now())
    if (before === "" || before === today) return
    for (const time of document.querySelectorAll("time"))
      write(time, page.time(time.dateTime, "precise" in time.dataset))
  }
}

/** @type {(page: Page) => { readonly update: (state: State) => void, readonly lost: () => void }} */
const header = (page) => {
  const status = byId("status")
  const banner = byId("lost")
  const clock = byId("clock")
  const ahead = byId("ahead")
  const waiting = byId("waiting")
  const { full } = timeWriter()
  /**
   * A move that is stopped ends two requests at once. Both say the same, whichever ends last.
   *
   * @type {(path: string, body?: unknown) => Promise<string>}
   */
  const changeTime = async (path, body) => {
    /** @type {{ now: string }} */
    const { now } = await change(path, body)
    return `It is now ${full(now)}.`
  }
  const notifications = element("button", {
    type: "button",
    class: "small",
    hidden: true,
    title: "Deliver them now",
    click: () =>
      page.act(notifications, async () => {
        await change("/deliver-notifications")
        return "Every notification has been accepted or given up."
      })
  })
  waiting.append(notifications)
  const steps = element("div", { class: "group" })
  for (const [by, label] of /** @type {const} */ ([
    ["PT1H", "+1 hour"],
    ["P1D", "+1 day"],
    ["P1M", "+1 month"]
  ])) {
    const forward = element(
      "button",
      {
        type: "button",
        class: "small",
        click: () => page.act(forward, () => changeTime("/advance-time", { by }))
      },
      label
    )
    steps.append(forward)
  }
  const field = element("input", {
    type: "text",
    size: 14,
    autocomplete: "off",
    placeholder: "2 days, or a date",
    "aria-label": "Move time by a duration, or to a date",
    "aria-describedby": "move-problem",
    "data-testid": "move-time",
    input: () => complain("")
  })
  const problem = element("span", { id: "move-problem", class: "problem", role: "alert" })
  /** @type {(text: string) => void} */
  const complain = (text) => {
    write(problem, text)
    if (text === "") return field.removeAttribute("aria-invalid")
    field.setAttribute("aria-invalid", "true")
    field.focus()
  }
  const move = element("button", { type: "submit", class: "small" }, "Move")
  byId("time").append(
    ...menu("forward", "Move time", [
      steps,
      element(
        "form",
        {
          class: "group",
          submit: (event) => {
            event.preventDefault()
            const by = moveOf(field.value, page.now())
            if (by === undefined) return complain("Type a duration, such as 2 days, or a date to come.")
            page.act(move, async () => {
              const outcome = await changeTime("/advance-time", { by })
              field.value = ""
              return outcome
            })
          }
        },
        field,
        move,
        problem
      )
    ])
  )
  const moving = byId("moving")
  const progress = element("progress", { max: 100, "aria-hidden": "true" })
  const movingText = element("span")
  const stop = element(
    "button",
    {
      type: "button",
      class: "small",
      "data-testid": "stop-time",
      click: () => page.act(stop, () => changeTime("/advance-time/stop"))
    },
    "Stop here"
  )
  moving.append(progress, movingText, stop)
  /** @type {(state: State) => void} */
  const showMove = ({ moving: move, now }) => {
    moving.hidden = move === undefined
    if (move === undefined) return
    const [from, to] = [Date.parse(move.from), Date.parse(move.to)]
    const percent = Math.min(100, Math.round(((Date.parse(now) - from) / Math.max(1, to - from)) * 100))
    progress.value = percent
    write(movingText, `Moving time to ${full(move.to)}: ${percent} %.`)
  }
  const showUrl = section(byId("url"), /** @param {string} url */ (url) => [url])

  return {
    lost: () => {
      status.dataset["status"] = "lost"
      write(status, "not responding")
      document.body.classList.add("stale")
      if (!banner.hidden) return
      banner.hidden = false
      write(
        banner,
        `The gateway stopped responding at ${full(new Date().toISOString())}. This page shows its last state. Retrying every second.`
      )
    },
    update: (state) => {
      status.dataset["status"] = "connected"
      write(status, "connected")
      document.body.classList.remove("stale")
      banner.hidden = true
      showUrl(state.url)
      write(clock, full(state.now))
      write(ahead, state.time_ahead < 1 ? "" : `${durationText(state.time_ahead)} ahead`)
      showMove(state)
      notifications.hidden = state.notifications_waiting === 0
      write(notifications, countText(state.notifications_waiting, "pending notification"))
      write(byId("payments-count"), String(state.payments.total))
      write(byId("notifications-count"), state.notifications_waiting === 0 ? "" : String(state.notifications_waiting))
    }
  }
}

/** @type {(page: Page) => (state: State) => void} */
const firstSteps = (page) => {
  const connect = connectPanel(page)
  const credentials = element("div")
  const create = element(
    "button",
    {
      type: "button",
      class: "primary",
      "data-testid": "create-test-payment",
      click: () =>
        page.act(create, async () => {
          const id = await createTestPayment()
          location.hash = `#/payments/${id}`
          return `The payment ${id} was created. Open its pay page, or act as its payer here.`
        })
    },
    "Create a test payment"
  )
  byId("no-payments").append(
    element("h2", {}, "No payments yet"),
    element("p", {}, "Send an order to this gateway, and it will appear here."),
    create,
    credentials,
    connect.element
  )
  const show = section(
    credentials,
    /** @param {Pick<State, "url" | "merchants">} state */ ({ merchants, url }) =>
      merchants
        .slice(0, 1)
        .flatMap(({ client_id, goid }) => [
          element(
            "p",
            {},
            element("code", {}, `${url}/api`),
            ", GoID ",
            element("span", { class: "id" }, goid),
            ", ClientID ",
            element("span", { class: "id" }, client_id)
          ),
          copyEnvironment(page, goid, url)
        ])
  )
  return ({ merchants, url }) => {
    show({ merchants, url })
    connect.update({ merchants, url })
  }
}

/** @type {(catalogue: DashboardCatalogue) => void} */
const start = (catalogue) => {
  const times = timeWriter()
  const precise = timeWriter({ withMillis: true })
  const { announce, announceNews } = announcer()
  /** @type {State | undefined} */
  let state
  let epoch = 0
  /** Payments known when the page was last visible. */
  let known = 0
  let isBusy = false
  let isAskedAgain = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @type {Page} */
  const page = {
    catalogue,
    epoch: () => epoch,
    url: () => state?.url ?? `${location.origin}${base}`,
    now: () => state?.now ?? new Date().toISOString(),
    time: (iso, withMillis = false) => (withMillis ? precise : times).short(iso, state?.now ?? iso),
    refresh: () => void look(),
    announce,
    confirm,
    act: (button, action) => {
      if (button.disabled) return
      const hadFocus = document.activeElement === button
      button.disabled = true
      void action()
        .then(announce, (failure) => announce(`That failed. ${messageOf(failure)}`))
        .finally(() => {
          button.disabled = false
          if (hadFocus && document.activeElement === document.body) button.focus()
          page.refresh()
        })
    }
  }

  const head = header(page)
  const steps = firstSteps(page)
  const writeTimes = timesOfDay(page)
  const payments = paymentList(page)
  const payment = openPayment(page)
  const log = logView(page)
  const faults = faultsView(page)
  /** @type {Readonly<Record<string, ReadonlyArray<View>>>} */
  const views = {
    payments: [payments, payment],
    notifications: [notificationTable(page)],
    log: [log],
    faults: [],
    settings: [settingsView(page)],
    gateway: [gatewayView(page)]
  }

  /** @type {(next: State) => void} */
  const tellOfNew = ({ payments: { total } }) => {
    const added = total - known
    if (!document.hidden) known = total
    document.title = `${document.hidden && added > 0 ? `(${added}) ` : ""}${titleOf(place())}`
    if (state !== undefined && total > state.payments.total) {
      announceNews(`${countText(total - state.payments.total, "new payment")}.`)
    }
  }

  /** @type {() => Promise<void>} */
  const lookOnce = async () => {
    try {
      /** @type {State} */
      const next = await read("/state")
      if (state === undefined) known = next.payments.total
      // A gateway with less than before is another one, or was reset.
      const isAnother =
        state !== undefined &&
        (next.newest < state.newest || next.revision < state.revision || next.payments.total < state.payments.total)
      if (isAnother || document.body.classList.contains("stale")) epoch++
      byId("loading").hidden = true
      tellOfNew(next)
      state = next
      head.update(next)
      steps(next)
      writeTimes()
      if (document.hidden) return
      await Promise.all([faults, ...(ownMember(views, place().tab) ?? [])].map((view) => view.update(next)))
    } catch (failure) {
      if (failure instanceof ControlFailure && failure.status === 0) head.lost()
      else announce(messageOf(failure))
    }
  }

  const look = async () => {
    if (isBusy) {
      isAskedAgain = true
      return
    }
    isBusy = true
    clearTimeout(timer)
    do {
      isAskedAgain = false
      await lookOnce()
    } while (isAskedAgain)
    isBusy = false
    timer = setTimeout(look, document.hidden ? backgroundPollMillis : pollMillis)
  }

  const go = () => {
    const { argument, search, tab } = place()
    for (const name of tabs) {
      byId(name).hidden = name !== tab
      const link = byId(`${name}-tab`)
      if (name === tab) {
        link.setAttribute("aria-current", "page")
        link.scrollIntoView({ block: "nearest", inline: "nearest" })
      } else link.removeAttribute("aria-current")
    }
    document.title = titleOf({ argument, tab })
    if (tab === "payments") {
      payments.select(argument)
      payment.open(argument)
      byId("payments").classList.toggle("opened", argument !== undefined)
    }
    if (tab === "log") log.go(argument, search)
    page.refresh()
  }

  byId("skip").addEventListener("click", (event) => {
    // An address after # is a place of this page.
    event.preventDefault()
    byId("content").focus()
  })
  byId("loading").hidden = false
  addEventListener("hashchange", () => {
    go()
    if (place().tab === "payments") payment.focus()
  })
  addEventListener("keydown", onKey)
  document.addEventListener("visibilitychange", () => page.refresh())
  go()
}

/** @type {() => Promise<void>} */
const begin = async () => {
  try {
    start(await read("/dashboard/catalogue.json"))
  } catch (failure) {
    fill(byId("lost"), `The dashboard could not start: ${messageOf(failure)} Reload the page.`)
    byId("lost").hidden = false
  }
}

void begin()
