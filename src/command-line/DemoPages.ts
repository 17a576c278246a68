/**
 * The pages of the demonstration shop, in Czech and English.
 */
import { payerMessage } from "../client/payment/PayerMessage.js"
import { type Content, Html, html } from "../html/Html.js"
import { moneyText } from "../html/Money.js"
import { framedSequence, sequenceStyle } from "../html/SequenceDiagram.js"
import { pictureMarkup } from "../html/PictureNode.js"
import { paymentStateWords, recurrenceStateWords } from "../contract/StateWords.js"
import { subStateText } from "../local-gateway/books/SubStateTexts.js"
import type { LogEntry } from "../local-gateway/pages/LogEntry.js"
import { logSequence, type NotificationUnderWay } from "../local-gateway/pages/LogSequence.js"

/** An article; `amount` is in minor units. */
export interface Article {
  readonly cs: string
  readonly en: string
  readonly amount: number
  readonly currency: "CZK" | "EUR"
  /**
   * `hold`: the amount is held when it is ordered, and captured later. `subscription`: the card is charged again later.
   */
  readonly sale?: "hold" | "subscription"
}

export type Language = "cs" | "en"

export interface DemoOrder {
  readonly orderNumber: string
  readonly article: Article
  readonly paymentId: number
  /** For a charge of a subscription: the subscription's payment. */
  readonly parentId: number | undefined
  readonly gwUrl: string
  /** The payment's state, as last read. */
  state: string
  /** Why the payment was not made, if the gateway says so. */
  subState: string | undefined
  /** The state of the subscription that the payment started. */
  recurrenceState: string | undefined
  /** What the buyer pays: less than the price if only part of a hold was captured. */
  amount: number
  refunded: number
  /** Whether the shop released the held amount. */
  isReleased: boolean
  /** Whether the gateway no longer knows the payment. */
  isForgotten: boolean
  /** When the gateway notified the shop of changes of the payment, and the states that were read then. */
  readonly notifications: Array<{ readonly at: Date; readonly state: string }>
  /** The events of the order, oldest first. */
  readonly steps: Array<DemoStep>
}

/** An event of an order, and the shop's line of code for it. */
export interface DemoStep {
  /** By the gateway's clock, as in the picture. */
  readonly at: Date
  readonly what: keyof typeof happenings
  readonly code: string
}

type Text = { readonly [In in Language]: string }

/** The shop's name, in every language. */
export const shopName = "Švejk & Co."

const texts = {
  banner: { en: "DEMO", cs: "UKÁZKA" },
  noMoney: { en: "No real money moves here.", cs: "Žádné skutečné peníze." },
  buy: { en: "Buy", cs: "Koupit" },
  orders: { en: "Your orders", cs: "Vaše objednávky" },
  order: { en: "Order", cs: "Objednávka" },
  payment: { en: "Payment", cs: "Platba" },
  state: { en: "State", cs: "Stav" },
  price: { en: "Price", cs: "Cena" },
  refunded: { en: "Refunded", cs: "Vráceno" },
  notifications: { en: "Notifications", cs: "Notifikace" },
  noNotification: { en: "none yet", cs: "zatím žádné" },
  pay: { en: "Continue the payment", cs: "Dokončit platbu" },
  payHere: { en: "Pay in a window over this page", cs: "Zaplatit v okně nad touto stránkou" },
  todo: {
    en: "Buy something, pay with the test card that is filled in, and see what the shop and the gateway say to each other.",
    cs: "Něco kupte, zaplaťte předvyplněnou testovací kartou a podívejte se, co si obchod s bránou řeknou."
  },
  way: { en: "Where do you want to pay?", cs: "Kde chcete zaplatit?" },
  wayThere: { en: "On the gateway's page", cs: "Na stránce brány" },
  wayHere: { en: "In a window over this page", cs: "V okně nad touto stránkou" },
  startedBy: { en: "Charge of the order", cs: "Stržení k objednávce" },
  forgotten: {
    en: "The gateway was reset, and no longer knows this payment.",
    cs: "Brána byla vymazána a tuto platbu už nezná."
  },
  refund: { en: "Refund {amount}", cs: "Vrátit {amount}" },
  refundAll: { en: "Refund all", cs: "Vrátit vše" },
  back: { en: "Back to the shop", cs: "Zpět do obchodu" },
  gateway: { en: "The gateway's dashboard", cs: "Přehled platební brány" },
  open: { en: "We are waiting for your payment.", cs: "Čekáme na vaši platbu." },
  paid: { en: "Paid. Thank you!", cs: "Zaplaceno. Děkujeme!" },
  held: {
    en: "The amount is held on your card. We charge it when we ship your order.",
    cs: "Částka je na vaší kartě blokována. Strhneme ji, až zboží odešleme."
  },
  released: { en: "The amount is no longer held. You pay nothing.", cs: "Částka už není blokována. Nic neplatíte." },
  capture: { en: "Send it: capture {amount}", cs: "Odeslat: strhnout {amount}" },
  release: { en: "Cancel it: release the hold", cs: "Zrušit: uvolnit blokovanou částku" },
  charge: { en: "Charge the next month", cs: "Strhnout další měsíc" },
  endSubscription: { en: "End the subscription", cs: "Ukončit předplatné" },
  recurrence: { en: "Subscription", cs: "Předplatné" },
  again: { en: "Try again", cs: "Zkusit znovu" },
  moneyBack: { en: "Your money is on its way back.", cs: "Peníze vracíme." },
  partBack: { en: "Part of your money ({amount}) is on its way back.", cs: "Část peněz ({amount}) vracíme." },
  unknown: { en: "There is no such page.", cs: "Taková stránka tu není." },
  unknownOrder: {
    en: "The shop has no order {number}. It forgets its orders when it is restarted.",
    cs: "Obchod nemá objednávku {number}. Po novém spuštění si žádné nepamatuje."
  },
  failed: { en: "That did not work:", cs: "To se nepodařilo:" },
  office: { en: "Behind the counter", cs: "Zázemí obchodu" },
  officeHint: { en: "Only the shop sees this part.", cs: "Tuto část vidí jen obchod." },
  picture: { en: "Who said what to whom", cs: "Kdo komu co řekl" },
  happened: { en: "What just happened", cs: "Co se právě stalo" },
  other: { en: "Česky", cs: "English" },
  hold: { en: "held now, charged when it ships", cs: "teď blokujeme, platíte při odeslání" },
  subscription: { en: "each month, until you end it", cs: "každý měsíc, dokud předplatné neukončíte" }
} satisfies Readonly<Record<string, Text>>

/** The names of a payment's states in a list. */
const names = {
  open: { en: "Waiting for payment", cs: "Čeká na platbu" },
  paid: { en: "Paid", cs: "Zaplaceno" },
  held: { en: "Held on the card", cs: "Blokováno na kartě" },
  released: { en: "No longer held", cs: "Blokace zrušena" },
  moneyBack: { en: "Refunded", cs: "Vráceno" },
  closed: { en: "Not paid", cs: "Nezaplaceno" },
  forgotten: { en: "Forgotten by the gateway", cs: "Brána ji nezná" }
} satisfies Readonly<Record<ReturnType<typeof meaningOf>, Text>>

const happenings = {
  created: { en: "The shop created the payment", cs: "Obchod založil platbu" },
  notified: { en: "The gateway notified the shop of a change", cs: "Brána obchodu oznámila změnu" },
  read: { en: "The shop read the payment's state", cs: "Obchod si přečetl stav platby" },
  refundsRead: { en: "The shop read the refunds", cs: "Obchod si přečetl refundace" },
  refunded: { en: "The shop refunded", cs: "Obchod vrátil peníze" },
  refused: {
    en: "The gateway refuses a part for 24 hours after the payment",
    cs: "Brána část platby 24 hodin po zaplacení nevrací"
  },
  dayPassed: { en: "A day passed at the gateway", cs: "V bráně uplynul den" },
  captured: { en: "The shop captured what was held", cs: "Obchod strhl blokovanou částku" },
  released: { en: "The shop released the hold", cs: "Obchod blokovanou částku uvolnil" },
  charged: { en: "The shop charged the card again", cs: "Obchod kartu strhl znovu" },
  ended: { en: "The shop ended the subscription", cs: "Obchod ukončil předplatné" }
} satisfies Readonly<Record<string, Text>>

const style = `
:root { color-scheme: light dark; --ground: #f2f3fa; --card: #fff; --ink: #191d33; --muted: #555c77; --line: #d5d9ea;
  --accent: #3f37c9; --accent-ink: #fff; --bad: #a8241d; --good: #14703c; --good-soft: #e5f6ec; --focus: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f111a; --card: #1a1d2c; --ink: #eef0fb; --muted: #a9b0cb;
  --line: #343a54; --accent: #aab1ff; --bad: #ffb4ab; --accent-ink: #14162a; --good: #84dba6; --good-soft: #14301f; --focus: #a8c7fa; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
.banner { padding: .5rem 1rem; background: #ffcf3f; color: #2e2300; text-align: center; font-size: .875rem; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; }
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 1rem; }
.card { padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; }
form .row { flex-wrap: nowrap; } form .row > button { flex: none; }
.card > h2 { margin: 0; }
dl { margin: 1rem 0 0; }
dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: .45rem 0; border-top: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
a { color: var(--accent); }
button, .button { display: inline-block; min-height: 2.75rem; padding: .6rem 1.25rem; border: 0; border-radius: .75rem;
  background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.done { padding: .75rem 1rem; border-radius: .75rem; background: var(--good-soft); color: var(--good); font-weight: 600; }
.second { border: 1px solid var(--accent); background: transparent; color: var(--accent); }
.office { margin-top: 1.5rem; border-style: dashed; border-color: var(--muted); }
.office h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
ol { margin: 0; padding: 0; list-style: none; display: grid; gap: .75rem; }
code { display: block; overflow-wrap: anywhere; font: .875rem/1.5 ui-monospace, monospace; }
.ways { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 1rem; padding: 0; border: 0; }
.ways legend { padding: 0; font-weight: 600; }
.ways label { display: inline-flex; gap: .5rem; align-items: center; min-height: 2.5rem; }
.muted { color: var(--muted); font-size: .875rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
`

const inLanguage =
  (language: Language) =>
  (name: keyof typeof texts, amount = ""): string =>
    texts[name][language].replace("{amount}", amount)

const priceOf = ({ amount, currency }: Article, language: Language): string => moneyText(amount, currency, language)

/** The state of a payment, as a shop sees it. */
const meaningOf = ({ isForgotten, isReleased, state }: DemoOrder) => {
  if (isForgotten) return "forgotten"
  if (isReleased) return "released"
  if (state === "PAID") return "paid"
  if (state === "AUTHORIZED") return "held"
  if (state === "REFUNDED" || state === "PARTIALLY_REFUNDED") return "moneyBack"
  return state === "CANCELED" || state === "TIMEOUTED" ? "closed" : "open"
}

/** The meaning of the payment for its buyer. */
const outcomeText = (order: DemoOrder, language: Language): string => {
  const { amount, article, refunded, state, subState } = order
  const text = inLanguage(language)
  const meaning = meaningOf(order)
  if (meaning === "closed") return payerMessage({ state, sub_state: subState }, language).text
  return meaning === "moneyBack" && refunded < amount
    ? text("partBack", moneyText(refunded, article.currency, language))
    : text(meaning)
}

/** Reloads when the shop has been notified of the payment. An open overlay is not disturbed. */
const follow = `
new EventSource(document.currentScript.dataset.changes).onmessage = async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html")
  const fresh = page.querySelectorAll("[data-live]")
  document.querySelectorAll("[data-live]").forEach((part, index) => {
    part.className = fresh[index].className
    part.replaceChildren(...fresh[index].childNodes)
  })
}
`

/** What every page gets. */
export interface Page {
  readonly language: Language
  /** The address of the same page in the other language. */
  readonly otherLanguage: string
  readonly gatewayUrl: string
}

const page = ({ gatewayUrl, language, otherLanguage }: Page, body: Html, scripts?: Html): string => {
  const text = inLanguage(language)
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${shopName}</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${style}${sequenceStyle}</style>`)}
      </head>
      <body>
        <aside class="banner" aria-label="${text("banner")}">
          <strong>${text("banner")}</strong> ${text("noMoney")}
        </aside>
        <header>
          <h1>${shopName}</h1>
          <span
            ><a href="${gatewayUrl}">${text("gateway")}</a> ·
            <a lang="${language === "cs" ? "en" : "cs"}" href="${otherLanguage}">${text("other")}</a></span
          >
        </header>
        <main>${body}</main>
        ${scripts}
      </body>
    </html> `.text
}

/** The articles, and the orders that were placed, newest first. */
export const articlesPage = (
  shown: Page,
  articles: ReadonlyArray<Article>,
  orders: ReadonlyArray<DemoOrder>
): string => {
  const { language } = shown
  const text = inLanguage(language)
  const offers = articles.map(
    (article, index) =>
      html`<li class="card row">
        <span
          >${article[language]}<br /><span class="muted"
            >${priceOf(article, language)}${article.sale === undefined ? undefined : `, ${text(article.sale)}`}</span
          ></span
        >
        <button
          data-testid="buy-${index}"
          formaction="/order?article=${index}&amp;lang=${language}"
          aria-label="${text("buy")}: ${article[language]}"
        >
          ${text("buy")}
        </button>
      </li>`
  )
  const placed = orders.toReversed().map(
    (order) =>
      html`<li class="card row">
        <a href="${orderAddress(order, language)}">${order.article[language]}</a>
        <span class="muted">${names[meaningOf(order)][language]}</span>
      </li>`
  )
  return page(
    shown,
    html`<p>${text("todo")}</p>
      <form method="post" action="/order?lang=${language}">
        <fieldset class="ways">
          <legend>${text("way")}</legend>
          <label><input type="radio" name="way" value="there" checked /> ${text("wayThere")}</label>
          <label><input type="radio" name="way" value="here" /> ${text("wayHere")}</label>
        </fieldset>
        <ul>
          ${offers}
        </ul>
      </form>
      ${
        placed.length === 0
          ? undefined
          : html`<h2>${text("orders")}</h2>
              <ul>
                ${placed}
              </ul>`
      }`
  )
}

const orderAddress = ({ orderNumber }: DemoOrder, language: Language): string =>
  `/order?number=${orderNumber}&lang=${language}`

/** Opens the pay page over this one. The address is changed, so that reloading the page does not open it again. */
const payHere = `
const address = new URL(location)
address.searchParams.delete("pay")
history.replaceState(null, "", address)
_gopay.checkout({ gatewayUrl: document.getElementById("gopay-payment-button").action, inline: true })
`

/** The gateway's log of a payment, oldest entry first, and the notifications that the shop has not responded to yet. */
export interface PaymentLog {
  readonly timeline: ReadonlyArray<LogEntry>
  readonly under_way: ReadonlyArray<NotificationUnderWay>
}

interface ShownOrder {
  readonly order: DemoOrder
  /** The order whose subscription this one is a charge of. */
  readonly parent: DemoOrder | undefined
  readonly log: PaymentLog | undefined
  readonly embedScript: string
  /** Whether the pay page opens at once. */
  readonly isPaidHere: boolean
}

const locales = { cs: "cs-CZ", en: "en-GB" } as const

const clockText = (at: Date, language: Language): string => at.toLocaleTimeString(locales[language])

const pictureOf = ({ timeline, under_way: underWay }: PaymentLog, language: Language): Html => {
  const options = {
    language,
    underWay,
    clock: (at: Date) => clockText(at, language),
    day: (at: Date) => at.toLocaleDateString(locales[language], { day: "numeric", month: "long", year: "numeric" }),
    reason: (subState: string) => subStateText(subState, language)
  }
  return pictureMarkup(framedSequence(logSequence(timeline, options)))
}

const factList = (facts: ReadonlyArray<readonly [string, Content]>): Html =>
  html`<dl data-live>
    ${facts.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`
    )}
  </dl>`

/**
 * The page of one order: what its customer sees, and what only the shop does. It is updated whenever the gateway
 * notifies the shop of its payment.
 */
export const orderPage = (shown: Page, { embedScript, isPaidHere, log, order, parent }: ShownOrder): string => {
  const { gatewayUrl, language } = shown
  const text = inLanguage(language)
  const { amount, article, gwUrl, notifications, orderNumber, paymentId, recurrenceState, refunded, state, steps } =
    order
  const money = (amount: number): string => moneyText(amount, article.currency, language)
  const meaning = meaningOf(order)
  const left = amount - refunded
  const notified =
    notifications.length === 0
      ? text("noNotification")
      : notifications
          .map(({ at, state }) => `${clockText(at, language)} ${paymentStateWords(state, language)}`)
          .join(", ")
  const facts: ReadonlyArray<readonly [string, Content]> = [
    [text("payment"), html`<a href="${gatewayUrl}/#/payments/${paymentId}">${paymentId}</a>`],
    [text("state"), paymentStateWords(state, language)],
    ...(parent === undefined
      ? []
      : [[text("startedBy"), html`<a href="${orderAddress(parent, language)}">${parent.orderNumber}</a>`] as const]),
    ...(recurrenceState === undefined
      ? []
      : [[text("recurrence"), recurrenceStateWords(recurrenceState, language)] as const]),
    ...(refunded === 0 ? [] : [[text("refunded"), money(refunded)] as const]),
    [text("notifications"), notified]
  ]
  const action = (path: string, label: string, testId = path, query?: Html, look = ""): Html =>
    html`<form method="post" action="/${path}?number=${orderNumber}${query}&amp;lang=${language}">
      <button class="${look}" data-testid="${testId}">${label}</button>
    </form>`
  const refundForm = (amount: number, label: string): Html =>
    action("refund", label, `refund-${amount}`, html`&amp;amount=${amount}`)
  const canRefund = left > 0 && meaning !== "forgotten" && /PAID|PARTIALLY_REFUNDED/.test(state)
  const canPay = meaning === "open" && gwUrl !== ""
  return page(
    shown,
    html`<div class="card">
        <h2>${article[language]}</h2>
        <p
          class="${meaning === "paid" || meaning === "held" ? "done" : ""}"
          role="status"
          data-live
          data-testid="outcome"
        >
          ${outcomeText(order, language)}
        </p>
        <div class="actions" data-live>
          ${
            canPay
              ? html`<a class="button" href="${gwUrl}">${text("pay")}</a>
                  <form id="gopay-payment-button" method="post" action="${gwUrl}">
                    <button class="second" data-testid="pay-here">${text("payHere")}</button>
                  </form>`
              : undefined
          }
          ${(meaning === "closed" || meaning === "forgotten") && gwUrl !== "" ? action("again", text("again")) : undefined}
        </div>
        ${factList([
          [text("order"), orderNumber],
          [text("price"), money(article.amount)]
        ])}
      </div>
      <section class="card office" aria-labelledby="office">
        <h2 id="office">${text("office")}</h2>
        <p class="muted">${text("officeHint")}</p>
        <div class="actions" data-live>
          ${meaning === "held" ? [action("capture", text("capture", money(amount))), action("release", text("release"), "release", undefined, "second")] : undefined}
          ${
            recurrenceState === "STARTED" && meaning !== "forgotten"
              ? [
                  action("charge", text("charge")),
                  action("end-subscription", text("endSubscription"), "end-subscription", undefined, "second")
                ]
              : undefined
          }
          ${canRefund && left > 1_000 ? refundForm(1_000, text("refund", money(1_000))) : undefined}
          ${canRefund ? refundForm(left, text("refundAll")) : undefined}
        </div>
        ${factList(facts)}
        ${
          log === undefined
            ? undefined
            : html`<h3>${text("picture")}</h3>
                <div data-live data-testid="picture">${pictureOf(log, language)}</div>`
        }
        <h3>${text("happened")}</h3>
        <ol data-live data-testid="steps">
          ${steps.map(
            ({ at, code, what }) =>
              html`<li>
                <span class="muted">${clockText(at, language)}</span> ${happenings[what][language]}<code>${code}</code>
              </li>`
          )}
        </ol>
      </section>
      <p><a href="/?lang=${language}">${text("back")}</a></p>`,
    html`${canPay ? html`<script src="${embedScript}"></script>` : undefined}
      ${
        canPay && isPaidHere
          ? html`<script>
              ${new Html(payHere)}
            </script>`
          : undefined
      }
      <script data-changes="/changes?number=${orderNumber}&amp;seen=${notifications.length}">
        ${new Html(follow)}
      </script>`
  )
}

const messagePage = (shown: Page, message: Content): string =>
  page(
    shown,
    html`<p class="card">${message}</p>
      <p><a href="/?lang=${shown.language}">${inLanguage(shown.language)("back")}</a></p>`
  )

/** A page that says why something did not work. */
export const failurePage = (shown: Page, reason: string): string =>
  messagePage(shown, [`${inLanguage(shown.language)("failed")} `, html`<span lang="en">${reason}</span>`])

/** The page for an order that the shop does not know, or for any other unknown address. */
export const missingPage = (shown: Page, orderNumber: string): string => {
  const { unknown, unknownOrder } = texts
  const message = orderNumber === "" ? unknown : unknownOrder
  return messagePage(
    shown,
    message[shown.language].replace("{number}", () => orderNumber)
  )
}
