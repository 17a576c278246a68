/**
 * The pay page as HTML. It depends only on the payment and on the query of the page.
 */

import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { PaymentInstrument } from "../../contract/CodeLists.js"
import { payPageScript } from "./EmbedScript.js"
import { html, type Content, type Html } from "../../html/Html.js"
import { pageResponse } from "../server/HtmlPage.js"
import { isGivenUp } from "../books/GivenUp.js"
import { isOpen, lastDecline, mayBePaidLate, type Payment, type StoredCard } from "../books/Payment.js"
import { pageStyle } from "../server/PageStyle.js"
import { grouped } from "./LogWords.js"
import {
  cardDeclines,
  commonDeclines,
  languageNames,
  threeDSecureDeclines,
  type PageLanguage,
  type Texts
} from "./PayPageTexts.js"
import { moneyText } from "../../html/Money.js"
import { subStateText } from "../books/SubStateTexts.js"
import { qrPaymentResponse } from "../documents/QrPayment.js"
import { returnAddress } from "./ReturnAddress.js"
import { testCard, testCardNumbers, TestCards, type TestCardNumber } from "../books/TestCards.js"
import { ownMember } from "../../basics/OwnMember.js"

/** The fields of the card form, in their order. */
export const cardFields = ["number", "expiry", "cvc"] as const

export type CardField = (typeof cardFields)[number]

/** A payment method on the page. */
export interface OfferedInstrument {
  readonly code: PaymentInstrument
  readonly label: { readonly [Language in PageLanguage]: string }
}

/** The input of the page. */
export interface PayPageView {
  readonly payment: Payment
  readonly shopName: string
  readonly language: PageLanguage
  readonly texts: Texts
  /** The amount, in the language. */
  readonly amount: string
  /** The language to which the page links. */
  readonly otherLanguage: PageLanguage
  /** The origin of the page below this one, if this one is an overlay. */
  readonly inline: string | undefined
  /** The address of this page, in the same language and frame, with a query. */
  readonly address: (query?: { readonly [name: string]: string }) => string
  /** The address of the same page in another language. */
  readonly translatedAddress: (language: PageLanguage) => string
  readonly instruments: ReadonlyArray<OfferedInstrument>
  /** The open payment method; `undefined` if there is none. */
  readonly shown: OfferedInstrument | undefined
  /** The stored card that the order presents. */
  readonly storedCard: StoredCard | undefined
  /** The chosen test card. */
  readonly card: TestCardNumber | undefined
  /** Wrong fields of the card form. */
  readonly problems: ReadonlyArray<CardField>
  /** The expiry that was typed and is wrong. */
  readonly typedExpiry: string | undefined
  /** The English name of the order's language, if the page does not exist in it and is in English. */
  readonly missingLanguage: string | undefined
  /** The payment's page of the dashboard. */
  readonly dashboardAddress: string
  /** The list of the shop's newest other payments, if there is one. */
  readonly newest: Content
  /** The state of the payment, and the address where the page polls it. */
  readonly standing: string
  readonly standingAddress: string
}

/** `12/39` for `3912` */
const monthAndYear = (expiration: string): string => `${expiration.slice(2)}/${expiration.slice(0, 2)}`

// ---------------------------------------------------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------------------------------------------------

/** The id of an action's button in tests: `decline-_5006` for `decline:_5006`. It is the same in each language. */
const testId = (action: string): string => action.replace(":", "-")

interface ButtonOptions {
  readonly kind?: string
  /** The form that the button submits, if the button is outside of it. */
  readonly form?: string
}

const actionButton = (action: string, content: Content, { form, kind = "" }: ButtonOptions = {}): Html =>
  html`<button
    name="payer_action"
    value="${action}"
    data-testid="${testId(action)}"
    class="${kind}"
    ${form === undefined ? undefined : html`form="${form}"`}
  >
    ${content}
  </button>`

const form = ({ address }: PayPageView, contents: Content, id?: string): Html =>
  html`<form
    method="post"
    action="${address()}"
    novalidate
    class="stack"
    ${id === undefined ? undefined : html`id="${id}"`}
  >
    ${contents}
  </form>`

/** The form of the shown payment method. The test controls, which are elsewhere, submit it as well. */
const payForm = "pay-form"

const testButton = (action: string, content: Content): Html => actionButton(action, content, { form: payForm })

const fact = (term: string, value: Content, kind = ""): Html =>
  html`<div class="${kind}">
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`

const text = (content: string | undefined): Html => html`<bdi>${content}</bdi>`

const itemList = ({ language, payment, texts }: PayPageView): Content => {
  const { currency, items = [] } = payment.order
  if (items.length === 0) return undefined
  return html`<details ${items.length <= 3 ? html`open` : undefined}>
    <summary>${texts.items} (${items.length})</summary>
    <ul class="facts">
      ${items.map(
        ({ amount, count = 1, name }) =>
          html`<li>
            <span>${text(name)}${count > 1 ? ` × ${count}` : undefined}</span>
            ${amount === undefined ? undefined : html`<span class="price">${moneyText(amount, currency, language)}</span>`}
          </li>`
      )}
    </ul>
  </details>`
}

/** The order: open next to the form; on a phone, one line that opens above it. */
const orderSummary = (view: PayPageView): Html => {
  const { amount, payment, texts } = view
  const { order, preauthorization, recurrence } = payment
  return html`<details class="card order">
    <summary>
      <h2>${texts.order}</h2>
      <span class="muted brief">${text(order.order_description ?? order.order_number)}</span>
    </summary>
    <dl class="facts">
      ${fact(texts.orderNumber, text(order.order_number))}
      ${order.order_description === undefined ? undefined : fact(texts.description, text(order.order_description))}
    </dl>
    ${itemList(view)}
    <dl class="facts">${fact(texts.total, amount, "total")}</dl>
    ${preauthorization === undefined ? undefined : html`<p class="muted">${texts.held}</p>`}
    ${recurrence === undefined ? undefined : html`<p class="muted">${texts.recurring}</p>`}
  </details>`
}

const declineGroup = (
  title: string,
  codes: ReadonlyArray<string>,
  language: PageLanguage,
  options: ButtonOptions = {}
): Html =>
  html`<fieldset class="group">
    <legend>${title}</legend>
    <div class="buttons">
      ${codes.map((code) =>
        actionButton(
          `decline:${code}`,
          html`<span>${subStateText(code, language)}</span> <small>${code}</small>`,
          options
        )
      )}
    </div>
  </fieldset>`

/** Controls for testing, set apart from what a payer would see. */
const testControls = ({ texts }: PayPageView, contents: Content): Html =>
  html`<fieldset class="lab">
    <legend>${texts.simulationTitle}</legend>
    <p class="muted">${texts.simulationNote}</p>
    ${contents}
  </fieldset>`

// ---------------------------------------------------------------------------------------------------------------------
// Ways to pay
// ---------------------------------------------------------------------------------------------------------------------

const testCardChoices = ({ address, card, texts }: PayPageView): Html =>
  html`<div role="group" aria-labelledby="cards">
    <h3 id="cards">${texts.testCards}</h3>
    <ul class="choices">
      ${testCardNumbers.map(
        (number) =>
          html`<li>
            <a
              class="button"
              href="${address({ card: number.slice(-4) })}"
              ${number === card ? html`aria-current="true"` : undefined}
              >${grouped(number)} <small>${TestCards[number].brand} · GoPay sandbox</small></a
            >
          </li>`
      )}
    </ul>
    <p class="muted">${texts.testCardsNote}</p>
  </div>`

const input = (
  { problems, texts }: PayPageView,
  { hint, kind = "", name, value }: { name: CardField; value: string; hint?: string; kind?: string }
): Html => {
  const labels = { number: texts.cardNumber, expiry: texts.expiry, cvc: "CVC" }
  const refused = problems.includes(name)
  const descriptions = [...(hint === undefined ? [] : [`${name}-hint`]), ...(refused ? [`${name}-error`] : [])]
  return html`<div class="${kind}">
    <label for="${name}">${labels[name]}</label>
    <input
      id="${name}"
      name="${name}"
      data-testid="${name}"
      value="${value}"
      inputmode="numeric"
      autocomplete="off"
      required
      maxlength="${name === "number" ? 23 : 7}"
      ${descriptions.length === 0 ? undefined : html`aria-describedby="${descriptions.join(" ")}"`}
      ${refused ? html`aria-invalid="true"` : undefined}
    />
    ${hint === undefined ? undefined : html`<p id="${name}-hint" class="muted">${hint}</p>`}
    ${refused ? html`<p id="${name}-error" class="error">${texts.problems[name]}</p>` : undefined}
  </div>`
}

/** The form is filled in with a test card, so that no one is tempted to type a real one. */
const cardInputs = (view: PayPageView): Html => {
  const { card, problems, texts, typedExpiry } = view
  const value = (field: CardField, filled: string) =>
    problems.includes(field) ? ((field === "expiry" ? typedExpiry : undefined) ?? "") : filled
  const { expiration } = testCard(card ?? "4444444444444448")
  return html`${testCardChoices(view)}
    <div class="fields">
      ${input(view, { name: "number", value: card === undefined ? "" : grouped(card), kind: "wide" })}
      ${input(view, { name: "expiry", value: value("expiry", monthAndYear(expiration)) })}
      ${input(view, { name: "cvc", value: value("cvc", "123"), hint: texts.anyCvc })}
    </div>`
}

/** The card that the button pays with, on a phone, where the card's form may be out of sight. */
const withCard = ({ card, storedCard, texts }: PayPageView): Html =>
  html`<small class="with-card"
    >${texts.withCard} …<span data-card-ending>${(storedCard?.card.number ?? card)?.slice(-4)}</span></small
  >`

const cardForm = (view: PayPageView): Html => {
  const { amount, storedCard, texts } = view
  return html`<h2>${texts.cardTitle}</h2>
    ${form(
      view,
      html`<input type="hidden" name="method" value="PAYMENT_CARD" /> ${
          storedCard === undefined
            ? cardInputs(view)
            : html`<p>${texts.storedCard(storedCard.card.number, monthAndYear(storedCard.card.expiration))}</p>`
        }
        ${actionButton("approve", [html`<span>${texts.pay(amount)}</span> `, withCard(view)], { kind: "primary" })}`,
      payForm
    )}`
}

const cardControls = (view: PayPageView): Html => {
  const { language, texts } = view
  const groups = Object.entries(cardDeclines).map(([group, codes]) => {
    const titles: { readonly [group: string]: string } = texts.declineGroups
    return declineGroup(ownMember(titles, group) ?? "", codes, language, { form: payForm })
  })
  return testControls(
    view,
    html`<div class="buttons">
        ${testButton("threeDSecure", texts.threeDSecure)} ${testButton("timeOut", texts.timeOut)}
      </div>
      ${declineGroup(texts.declinedFor, commonDeclines, language, { form: payForm })}
      <details>
        <summary data-testid="declines">${texts.otherDeclines}</summary>
        ${groups}
      </details>`
  )
}

const codeNames: { readonly [code: string]: string } = {
  spayd: "QR Platba (SPAYD)",
  paybysquare: "PAY by square",
  sepa: "SEPA (EPC)",
  mnb_qr: "MNB QR"
}

/** A text with a button that copies it, which appears if a script can do so. */
const copied = (texts: Texts, shown: string, value: string): Html =>
  html`<span class="copied">${shown}</span>
    <button type="button" class="copy" data-copy="${value}" data-copied="${texts.copied}" hidden>${texts.copy}</button>`

const transferDetails = ({ amount: total, payment, texts }: PayPageView): Html => {
  const amount = fact(texts.amount, total)
  const qrPayment = qrPaymentResponse(payment, "svg")
  // Without a code for the currency and amount, the page has no account to show.
  if (Result.isFailure(qrPayment)) return html`<dl class="facts">${amount}</dl>`
  const { qr_code, recipient } = qrPayment.success
  const { international, local } = recipient?.bank_account ?? {}
  return html`<div class="codes">
      ${Object.entries(qr_code).map(
        ([code, picture]) =>
          html`<figure>
            <img
              src="data:image/svg+xml;base64,${picture}"
              alt="${texts.qrAlt(ownMember(codeNames, code) ?? code)}"
              width="208"
              height="208"
            />
            <figcaption class="muted" aria-hidden="true">${ownMember(codeNames, code) ?? code}</figcaption>
          </figure>`
      )}
    </div>
    <dl class="facts">
      ${fact(texts.account, `${local?.prefix}-${local?.account_number}/${local?.bank_code}`)}
      ${fact("IBAN", copied(texts, grouped(international?.iban ?? ""), international?.iban ?? ""), "whole")}
      ${fact("BIC", international?.bic)} ${fact(texts.variableSymbol, local?.variable_symbol)} ${amount}
    </dl>`
}

const transferForm = (view: PayPageView): Html => {
  const { texts } = view
  return html`<h2>${texts.transferTitle}</h2>
    <p>${texts.transferNote} <strong>${texts.transferTest}</strong></p>
    ${transferDetails(view)}
    <p class="muted">${texts.transferLater}</p>
    ${form(view, html`<input type="hidden" name="method" value="BANK_ACCOUNT" />`, payForm)}`
}

const transferControls = (view: PayPageView): Html => {
  const { texts } = view
  return testControls(
    view,
    html`<div class="buttons">
        ${testButton("approve", texts.transferComes)} ${testButton("leave", texts.transferStays)}
        ${testButton("decline:_5042", html`${texts.transferDeclined} <small>_5042</small>`)}
        ${testButton("timeOut", texts.timeOut)}
      </div>
      <p class="muted">${texts.transferStays}: ${texts.transferStaysNote}</p>`
  )
}

const otherForm = (view: PayPageView, { code, label }: OfferedInstrument): Html => {
  const { amount, language, texts } = view
  return html`<h2>${label[language]}</h2>
    <p class="muted">${texts.otherNote(label[language])}</p>
    ${form(
      view,
      html`<input type="hidden" name="method" value="${code}" />
        ${actionButton("approve", texts.pay(amount), { kind: "primary" })}`,
      payForm
    )}`
}

const otherControls = (view: PayPageView): Html => {
  const { texts } = view
  return testControls(
    view,
    html`<div class="buttons">
      ${testButton("decline:_5023", html`${texts.otherDeclined} <small>_5023</small>`)}
      ${testButton("timeOut", texts.timeOut)}
    </div>`
  )
}

/** The controls that decide the payment's outcome: next to the form on a wide page, below it on a phone. */
const controlsOf = (view: PayPageView): Content => {
  if (view.shown === undefined) return undefined
  if (view.shown.code === "PAYMENT_CARD") return cardControls(view)
  return view.shown.code === "BANK_ACCOUNT" ? transferControls(view) : otherControls(view)
}

const formOf = (view: PayPageView): Html => {
  const { payment, shown, texts } = view
  if (shown === undefined) {
    const allowed = payment.order.payer?.allowed_payment_instruments ?? []
    return html`<p>${texts.noMethod}</p>
      <p class="muted"><code>allowed_payment_instruments: ${allowed.join(", ")}</code></p>`
  }
  if (shown.code === "PAYMENT_CARD") return cardForm(view)
  return shown.code === "BANK_ACCOUNT" ? transferForm(view) : otherForm(view, shown)
}

const methodChoice = (view: PayPageView): Content => {
  const { instruments, language, shown, texts } = view
  if (instruments.length < 2) return undefined
  return form(
    view,
    html`<fieldset>
      <legend>${texts.chooseMethod}</legend>
      <div class="methods">
        ${instruments.map(
          ({ code, label }) =>
            html`<button
              name="payer_action"
              data-testid="choose-${code}"
              value="choose:${code}"
              aria-pressed="${String(code === shown?.code)}"
            >
              ${label[language]}
            </button>`
        )}
      </div>
    </fieldset>`
  )
}

/** An alert. It gets the focus, so that a screen reader starts with it. */
const notice = ({ inline }: PayPageView, title: string, contents: Content): Html =>
  html`<div class="notice" role="alert" tabindex="-1" ${inline === undefined ? html`autofocus` : undefined}>
    <h2>${title}</h2>
    ${contents}
  </div>`

const notices = (view: PayPageView): Content => {
  const { language, payment, problems, texts } = view
  const decline = lastDecline(payment)
  if (problems.length > 0) {
    return notice(
      view,
      texts.problemTitle,
      html`<ul>
        ${problems.map((field) => html`<li><a href="#${field}">${texts.problems[field]}</a></li>`)}
      </ul>`
    )
  }
  if (decline === undefined) return undefined
  return notice(
    view,
    texts.declined,
    html`<p>${subStateText(decline, language)} <small>(${decline})</small></p>
      <p class="muted">${texts.tryAgain}</p>`
  )
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages
// ---------------------------------------------------------------------------------------------------------------------

/** The message of an overlay to the page around it. The address is empty if it would not be safe to follow. */
const resultOf = ({ id, order, state }: Payment): string =>
  JSON.stringify({ url: returnAddress(order.callback.return_url, id) ?? "", id, state })

const page = (view: PayPageView, title: string, contents: Content, isFinished = false): HttpServerResponse => {
  const { inline, language, otherLanguage, payment, shopName, standing, standingAddress, texts, translatedAddress } =
    view
  return pageResponse({
    status: 200,
    language,
    title: `${title} – ${shopName} (TEST)`,
    style: pageStyle,
    script: payPageScript,
    framedBy: "any page",
    body: html`<div
      data-page
      data-standing="${standing}"
      data-standing-address="${standingAddress}"
      class="${inline === undefined ? "" : "framed"}"
      ${inline === undefined ? undefined : html`data-inline="${inline}"`}
      ${isFinished ? html`data-result="${resultOf(payment)}"` : undefined}
    >
      <aside class="banner" aria-label="TEST">
        <strong>TEST</strong>
        <span role="note"
          ><span class="full">${texts.banner}</span><span class="short">${texts.shortBanner}</span></span
        >
      </aside>
      ${contents}
      <footer class="foot">
        <span>${texts.paymentId} ${payment.id}</span>
        <a
          data-testid="switch-language"
          href="${translatedAddress(otherLanguage)}"
          lang="${otherLanguage}"
          hreflang="${otherLanguage}"
          >${languageNames[otherLanguage]}</a
        >
      </footer>
    </div>`
  })
}

const insteadOf = (language: string): string =>
  `The local gateway has no ${language} pay page, so it shows the English one.`

/** The page of an open payment. */
export const openPage = (view: PayPageView): HttpServerResponse => {
  const { amount, missingLanguage, payment, problems, shopName, texts } = view
  const decline = lastDecline(payment)
  const title = problems.length > 0 ? texts.problemTitle : decline === undefined ? amount : texts.declined
  return page(
    view,
    title,
    html`<main class="content stack">
      <header>
        <p class="shop">${texts.payTo} ${text(shopName)}</p>
        <h1>${amount}</h1>
        ${missingLanguage === undefined ? undefined : html`<p class="muted">${insteadOf(missingLanguage)}</p>`}
      </header>
      <div class="columns">
        <div class="stack">${notices(view)} ${orderSummary(view)}</div>
        <div class="card stack">${methodChoice(view)}${formOf(view)}</div>
        <div>${controlsOf(view)}</div>
      </div>
      <div class="cancel">
        ${form(view, actionButton("cancel", decline === undefined ? texts.cancel : texts.giveUp, { kind: "quiet" }))}
      </div>
    </main>`
  )
}

/** The page of the payer's bank, which asks for a confirmation. */
export const threeDSecurePage = (view: PayPageView): HttpServerResponse => {
  const { address, amount, card, language, shopName, texts } = view
  return page(
    view,
    texts.bankTitle,
    html`<main class="content narrow">
      <div class="card stack">
        <p class="muted">${texts.bankName}</p>
        <h1>${texts.bankTitle}</h1>
        <p>${texts.bankNote(amount, shopName)}</p>
        ${card === undefined ? undefined : html`<p>${texts.cardNumber}: …${card.slice(-4)}</p>`}
        ${form(
          view,
          html`<input type="hidden" name="method" value="PAYMENT_CARD" />
            ${card === undefined ? undefined : html`<input type="hidden" name="card" value="${card.slice(-4)}" />`}
            ${actionButton("approve", texts.confirm, { kind: "primary" })}
            ${testControls(
              view,
              html`${declineGroup(texts.declinedFor, threeDSecureDeclines, language)}
                <div class="buttons">${actionButton("timeOut", texts.timeOut)}</div>`
            )}`
        )}
        <p class="cancel">
          <a class="button quiet" data-testid="back" href="${address({ step: "form" })}">${texts.back}</a>
        </p>
      </div>
    </main>`
  )
}

const signs: { readonly [state: string]: { readonly sign: string; readonly kind: string } } = {
  PAID: { sign: "✓", kind: "good" },
  AUTHORIZED: { sign: "✓", kind: "good" },
  CANCELED: { sign: "✕", kind: "bad" },
  TIMEOUTED: { sign: "!", kind: "bad" }
}

const outcomePage = (view: PayPageView, title: string, contents: Content, isFinished: boolean): HttpServerResponse => {
  const { amount, dashboardAddress, inline, newest, payment, shopName, texts } = view
  const { kind = "", sign = "↩" } = signs[payment.state] ?? {}
  return page(
    view,
    title,
    html`<main class="content narrow">
      <div class="card stack outcome">
        <p class="sign ${kind}" aria-hidden="true">${sign}</p>
        <div role="status"><h1>${title}</h1></div>
        <p>${amount} · ${texts.payTo} ${text(shopName)}</p>
        ${contents}
        <p class="muted">
          ${texts.orderNumber} ${text(payment.order.order_number)} ·
          <code data-testid="state"
            >${payment.state}${payment.subState === undefined ? undefined : ` ${payment.subState}`}</code
          >
        </p>
      </div>
      ${
        // In an overlay, the page around it already has the outcome.
        isOpen(payment) || inline !== undefined
          ? undefined
          : html`<div class="cancel">
              ${form(view, actionButton("orderAgain", texts.orderAgain, { kind: "quiet" }))}
            </div>`
      }
      <p class="cancel">
        <a
          class="button quiet"
          data-testid="dashboard"
          href="${dashboardAddress}"
          ${inline === undefined ? undefined : html`target="_blank"`}
          >${texts.dashboard}</a
        >
      </p>
      ${inline === undefined ? newest : undefined}
    </main>`,
    isFinished
  )
}

const wayBack = ({ payment, texts }: PayPageView): Html => {
  const { return_url } = payment.order.callback
  const address = returnAddress(return_url, payment.id)
  return address === undefined
    ? html`<p>${texts.unsafeReturn}<br /><code>${text(return_url)}</code></p>`
    : html`<p>
        <a class="button primary" data-testid="back-to-shop" href="${address}" target="_top">${texts.backToShop}</a>
      </p>`
}

const outcome = ({ payment, texts }: PayPageView): string => {
  const titles: { readonly [state: string]: string } = texts.over
  const { state, subState } = payment
  if (state === "CANCELED" && !isGivenUp(subState)) return texts.overDeclined
  return titles[payment.state] ?? texts.finishedTitle
}

/** The page of a payment that the payer is done with. */
export const overPage = (view: PayPageView): HttpServerResponse => {
  const { language, payment, texts } = view
  const reason = payment.subState === undefined ? "" : subStateText(payment.subState, language)
  return outcomePage(
    view,
    outcome(view),
    html`${payment.state === "CANCELED" && reason !== "" ? html`<p>${reason}</p>` : undefined}
      <p class="muted">${isOpen(payment) ? texts.stillOpen : texts.overNote}</p>
      ${wayBack(view)}
      ${
        mayBePaidLate(payment)
          ? form(
              view,
              testControls(
                view,
                html`<p class="muted">${texts.lateTransferNote}</p>
                  <div class="buttons">${actionButton("lateTransfer", texts.lateTransfer)}</div>`
              )
            )
          : undefined
      }`,
    true
  )
}

/** The page of a payment that the payer has made, and that the gateway is still processing. */
export const processedPage = (view: PayPageView): HttpServerResponse => {
  const { texts } = view
  return outcomePage(
    view,
    texts.processedTitle,
    html`<p class="muted">${texts.processedNote}</p>
      ${wayBack(view)}`,
    false
  )
}

/** The page of a payer who will not return to the shop. */
export const leftPage = (view: PayPageView): HttpServerResponse => {
  const { texts } = view
  return outcomePage(view, texts.leftTitle, html`<p class="muted">${texts.leftNote}</p>`, false)
}
