/**
 * The page of `/try`: it starts the workers, passes their messages on, and shows what they do.
 */
import type { JournalEntry, LoggedEvent, LoggedRequest } from "../../dist/local-gateway/promise/index.js"
import { framedSequence } from "../../src/html/SequenceDiagram.js"
import { pictureMarkup } from "../../src/html/PictureNode.js"
import { subStateText } from "../../src/local-gateway/books/SubStateTexts.js"
import { type DrawnEntry, logSequence } from "../../src/local-gateway/pages/LogSequence.js"
import { coloured } from "./coloured.js"
import { ask, isRequest, membersOf } from "./Exchange.js"
import { sessionFragment, sessionIn } from "./SessionLink.js"
import { type Chapter, chapters, type Goal, type Language, pageWords } from "./Texts.js"

type LogEntry = JournalEntry<LoggedEvent | (LoggedRequest & { readonly type: "request" })>

const language: Language = document.documentElement.lang === "cs" ? "cs" : "en"
const words = pageWords[language]

const element = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`There is no ${id}.`)
}

const code = element("code", HTMLTextAreaElement)
const colours = element("colours", HTMLPreElement)
const output = element("output", HTMLPreElement)
const log = element("log", HTMLOListElement)
const frame = element("payer", HTMLIFrameElement)
const noPayer = element("no-payer", HTMLParagraphElement)
const nothing = element("nothing", HTMLParagraphElement)
const status = element("status", HTMLParagraphElement)
const run = element("run", HTMLButtonElement)
const stop = element("stop", HTMLButtonElement)
const again = element("again", HTMLButtonElement)
const link = element("link", HTMLButtonElement)
const intro = element("intro", HTMLParagraphElement)
const heading = element("chapter", HTMLHeadingElement)
const seen = element("seen", HTMLElement)
const seenText = element("seen-text", HTMLParagraphElement)
const picture = element("picture", HTMLDivElement)
const next = element("next", HTMLAnchorElement)
const guide = element("guide", HTMLAnchorElement)

// ---------------------------------------------------------------------------------------------------------------------
// Chapters
// ---------------------------------------------------------------------------------------------------------------------

const [first] = chapters
if (first === undefined) throw new Error("There are no chapters.")

let chapter: Chapter = first
const written = new Map<string, string>()

/** Shows a program. The colours behind it give the field its height. */
const write = (program: string): void => {
  code.value = program
  colour()
}

const colour = (): void => colours.replaceChildren(...coloured(code.value))

/** Shows what was seen, once the chapter is complete. */
const reach = (goal: Goal): void => {
  if (goal !== chapter.goal) return
  seen.hidden = false
  draw()
}

const open = (opened: Chapter): void => {
  written.set(chapter.id, code.value)
  chapter = opened
  const {
    guide: [name, path],
    intro: shownIntro,
    seen: shownSeen,
    title
  } = chapter.words[language]
  heading.textContent = title
  intro.textContent = shownIntro
  seenText.textContent = shownSeen
  guide.textContent = name
  guide.href = `${document.body.dataset["site"]}${path}`
  const following = chapters[chapters.indexOf(chapter) + 1]
  next.textContent = `${words.next} ${following?.words[language].title ?? words.firstPayment[0]}`
  next.href = following === undefined ? `${document.body.dataset["site"]}${words.firstPayment[1]}` : `#${following.id}`
  write(written.get(chapter.id) ?? chapter.code)
  seen.hidden = true
  output.textContent = ""
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    if (link.hash === `#${chapter.id}`) link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
  }
}

const openAddressed = (): void => {
  const [fragment] = location.hash.split("~")
  open(chapters.find(({ id }) => `#${id}` === fragment) ?? first)
}

/** Opens a chapter that the reader has chosen. It starts clean, with nothing of the chapter before. */
const change = (): void => {
  openAddressed()
  // The first shop has not started yet.
  if (status.hidden) startClean()
  heading.scrollIntoView({ block: "nearest" })
}

// ---------------------------------------------------------------------------------------------------------------------
// The log
// ---------------------------------------------------------------------------------------------------------------------

const wordsOf = (entry: LogEntry): string => {
  switch (entry.type) {
    case "request": {
      const what = entry.operation ?? `${entry.method} ${entry.path.replace(/[0-9a-f]{20,}/, "…")}`
      return `${what} → ${entry.status === 0 ? words.noResponse : entry.status}`
    }
    case "state":
      return [entry.from, entry.from && "→", entry.to, entry.subState].filter(Boolean).join(" ")
    case "payer":
      return words.payerDid[entry.action]
    case "operation":
      return `${entry.operation}: ${entry.result}`
    case "notification":
      return `${words.notified} → ${entry.status === 0 ? words.noResponse : entry.status}`
    case "fault":
      return `${entry.fault} ${words.fault[entry.change] ?? entry.change}`
    case "time":
      return `${words.advanced} ${Math.round(entry.advancedMillis / 86_400_000)}`
    case "warning":
      return `${entry.operation}: ${entry.refusal}`
    case "control":
      return entry.action
    case "recurrence":
    case "preauthorization":
      return `${entry.type} → ${entry.to}`
  }
}

/** Entries that are kept on the page. */
const mostEntries = 200

const clock = new Intl.DateTimeFormat(language === "cs" ? "cs" : "en-GB", { timeStyle: "medium" })
const dayAndClock = new Intl.DateTimeFormat(language === "cs" ? "cs" : "en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})

/** The time of the first entry that is shown. */
let begunAt: Date | undefined

/** A time, with its day unless that is the day on which the log begins. */
const timeText = (at: Date): string => {
  begunAt ??= at
  return (at.toDateString() === begunAt.toDateString() ? clock : dayAndClock).format(at)
}

/** What is shown of the log. */
let entries: ReadonlyArray<LogEntry> = []

const longDay = new Intl.DateTimeFormat(language === "cs" ? "cs" : "en-GB", { dateStyle: "long" })

/** What is drawn: the log, and the kill, which comes when the gateway has responded to the refund. */
const drawnEntries = (): ReadonlyArray<DrawnEntry> => {
  const refund = entries.find((entry) => entry.type === "request" && entry.operation === "refundPayment")
  if (!isKillDrawn || refund === undefined) return entries
  return entries.flatMap((entry) => (entry === refund ? [entry, { type: "killed", at: entry.at } as const] : [entry]))
}

/** Draws who has said what to whom, below what was seen. */
const draw = (): void => {
  if (seen.hidden) return
  const sequence = logSequence(drawnEntries(), {
    language,
    reason: (subState) => subStateText(subState, language),
    clock: (at) => clock.format(at),
    day: (at) => longDay.format(at)
  })
  picture.innerHTML = pictureMarkup(framedSequence(sequence)).text
}

const show = (entry: LogEntry): void => {
  nothing.hidden = true
  entries = [...entries, entry].slice(-mostEntries)
  const item = document.createElement("li")
  item.dataset["type"] = entry.type
  const time = document.createElement("time")
  const at = new Date(entry.at)
  time.dateTime = at.toISOString()
  time.textContent = timeText(at)
  item.append(time, ` ${wordsOf(entry)}`)
  log.append(item)
  while (log.children.length > mostEntries) log.firstElementChild?.remove()
  log.scrollTop = log.scrollHeight
  if (entry.type === "state" && entry.to === "PAID") reach("paid")
  if (entry.type === "notification" && entry.status === 200) reach("notified")
  draw()
}

/** Whether a message of the gateway's is an entry; the gateway is our own. */
const isEntry = (value: unknown): value is LogEntry => typeof membersOf(value)["type"] === "string"

// ---------------------------------------------------------------------------------------------------------------------
// Workers
// ---------------------------------------------------------------------------------------------------------------------

const script = (name: string): URL => new URL(name, import.meta.url)

/** The name of the tab, which a reload keeps. */
const tab = sessionStorage.getItem("tab") ?? crypto.randomUUID()
sessionStorage.setItem("tab", tab)
const home = new URL(`tab/${tab}`, script(".")).href

const gateway = new Worker(script("gatewayWorker.js"), {
  name: JSON.stringify([tab, `${home}/gateway`]),
  type: "module"
})
let shop: Worker | undefined
let merchant: unknown
/** The rows of the shop's ledger, for as long as the page is open. */
let rows: unknown
/** A shop is killed once in a run of the code. */
let wasKilled = false
/** Whether a shop was killed since the gateway was emptied. */
let isKillDrawn = false

const say = (text: string): void => {
  output.textContent += `${text}\n`
  output.scrollTop = output.scrollHeight
}

const startShop = (): Worker => {
  const name = JSON.stringify({ home: `${home}/shop`, language, merchant, wasKilled })
  const started = new Worker(script("shopWorker.js"), { name, type: "module" })
  const { port1, port2 } = new MessageChannel()
  gateway.postMessage({ type: "shop" }, { transfer: [port1] })
  started.postMessage({ type: "gateway", rows }, { transfer: [port2] })
  started.addEventListener("message", ({ data }) => {
    if (started !== shop) return
    const { text, type, url } = membersOf(data)
    if (type === "completed" || type === "failed") isIdle(true)
    if (type === "completed") reach("ran")
    if (type === "rows") rows = membersOf(data)["rows"]
    if (type === "kill") killShop()
    if (type === "said") say(String(text))
    if (type !== "redirect") return
    // The code may be another reader's, and some addresses are programs.
    if (!String(url).startsWith(`${home}/`)) return say(String(url))
    noPayer.hidden = true
    frame.hidden = false
    frame.src = String(url)
    frame.scrollIntoView({ block: "nearest" })
  })
  started.addEventListener("error", ({ message }) => say(message))
  return started
}

const isIdle = (idle: boolean): void => {
  run.disabled = !idle
  run.textContent = idle ? words.run : words.running
}

const runCode = (): void => {
  if (shop === undefined || run.disabled) return
  output.textContent = ""
  runIn(shop)
}

const runIn = (runner: Worker): void => {
  isIdle(false)
  seen.hidden = true
  runner.postMessage({ type: "run", code: code.value }, { transfer: [] })
}

/** Ends the shop at once; another one starts, as its host would see to, and runs the same code. */
const killShop = (): void => {
  shop?.terminate()
  wasKilled = true
  isKillDrawn = true
  shop = startShop()
  wasKilled = false
  say(words.killed)
  runIn(shop)
}

const stopShop = (): void => {
  shop?.terminate()
  shop = startShop()
  isIdle(true)
  say(words.stopped)
}

/** Ends the shop and the payer's page, and empties the gateway. */
const startClean = (): void => {
  run.disabled = true
  shop?.terminate()
  shop = undefined
  frame.hidden = true
  frame.removeAttribute("src")
  noPayer.hidden = false
  output.textContent = ""
  seen.hidden = true
  gateway.postMessage({ type: "reset", round: ++cleaned }, { transfer: [] })
}

/** Starts a shop that knows nothing. What the gateway reported before it was emptied has been shown by now. */
const emptied = (round: unknown): void => {
  // Another chapter was chosen meanwhile.
  if (round !== cleaned) return
  // One may have been started, and have run, while the gateway was being emptied.
  shop?.terminate()
  rows = undefined
  output.textContent = ""
  log.replaceChildren()
  begunAt = undefined
  entries = []
  isKillDrawn = false
  nothing.hidden = false
  shop = startShop()
  isIdle(true)
}

let cleaned = 0

const beginAgain = (): void => {
  written.clear()
  write(chapter.code)
  startClean()
}

const control = (name: string, ...args: ReadonlyArray<unknown>) => ask(gateway, { type: "control", name, args })

/** Puts a link to the session into the address bar, and where it can be put, into the clipboard. */
const linkSession = async (): Promise<void> => {
  const { value: books } = membersOf(await control("exportSeed"))
  history.replaceState(undefined, "", await sessionFragment(chapter.id, { code: code.value, books }))
  const isCopied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false
  )
  say(isCopied ? words.copied : words.addressed)
}

/** Restores the session that the address names. The code is shown, and not run. */
const restore = async (): Promise<void> => {
  const session = await sessionIn(location.hash)
  if (session === undefined) return
  // After a reload the page continues here, not at the link.
  history.replaceState(undefined, "", `#${chapter.id}`)
  write(session.code)
  const { error } = membersOf(await control("loadSeed", session.books))
  if (typeof error === "string") say(error)
}

/** Answers a request of this tab's frame, from the gateway or from the shop. */
const routed = ({ data, ports: [port] }: MessageEvent): void => {
  if (port === undefined || !isRequest(data) || !data.url.startsWith(`${home}/`)) return
  const asked = data.url.startsWith(`${home}/gateway/`) ? gateway : shop
  if (asked !== undefined) void ask(asked, data).then((answered) => port.postMessage(answered))
}

/** Ends when the payer's frame is routed, and never where it cannot be. */
const route = async (): Promise<void> => {
  const { serviceWorker } = navigator
  serviceWorker.addEventListener("message", routed)
  serviceWorker.startMessages()
  await serviceWorker.register(script("serviceWorker.js"), { scope: script(".").pathname })
  await serviceWorker.ready
}

const missing = (): Promise<never> => {
  element("missing", HTMLElement).hidden = false
  element("app", HTMLElement).hidden = true
  return new Promise(() => undefined)
}

const routes = "serviceWorker" in navigator ? route().catch(missing) : missing()

const begin = async (): Promise<void> => {
  await restore()
  shop = startShop()
  status.hidden = true
  isIdle(true)
  stop.disabled = false
  again.disabled = false
  link.disabled = false
}

gateway.addEventListener("message", ({ data }) => {
  const { entry, merchant: first, round, type } = membersOf(data)
  if (type === "log" && isEntry(entry)) show(entry)
  if (type === "emptied") emptied(round)
  if (type !== "ready") return
  merchant = first
  void routes.then(begin)
})
gateway.addEventListener("error", ({ message }) => {
  status.textContent = message
})

// The way back to the shop replaces the payer's page, and not the page around it.
frame.addEventListener("load", () => {
  for (const link of frame.contentDocument?.querySelectorAll("a[target=_top]") ?? []) link.removeAttribute("target")
})
addEventListener("hashchange", change)
run.addEventListener("click", runCode)
stop.addEventListener("click", stopShop)
link.addEventListener("click", () => void linkSession())
again.addEventListener("click", beginAgain)
code.addEventListener("input", colour)
code.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) runCode()
})
write(chapter.code)
openAddressed()
