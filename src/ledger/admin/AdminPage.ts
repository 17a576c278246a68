/**
 * The page for accountants: what needs a decision, and what is in progress. It needs no script.
 */
import { paymentStateWords } from "../../contract/StateWords.js"
import { type Content, Html, html } from "../../html/Html.js"
import { adminStyle, alert, hidden, type Row, table } from "./AdminElements.js"
import { type AdminLanguage, type AdminTexts, type Formats, formatsOf, textsOf } from "./AdminTexts.js"
import { type AttentionItem, namedRefund } from "../model/Attention.js"
import { isAcknowledgeable, type Subject, wordsOf } from "../model/Decisions.js"
import { isPaymentKey } from "../model/LedgerKey.js"
import type { HistoryEntry, LedgerHealth, ListedRefund, PaymentEntry } from "../model/Lists.js"
import type { ChangeEntry } from "../model/Change.js"
import { monthSection, type MonthView } from "./MonthSection.js"
import { inOrderOf } from "../../basics/Lists.js"
import { ownMember } from "../../basics/OwnMember.js"

export interface AdminView {
  readonly language: AdminLanguage
  /** The operator's name; `undefined` for a viewer who decides nothing. */
  readonly operator: string | undefined
  /** Whether anything is sent, and why not. */
  readonly health?: LedgerHealth | undefined
  /** The time zone of the times. */
  readonly timeZone: string
  readonly attention: ReadonlyArray<AttentionItem>
  /** The payments on the page, as the ledger lists them, by id. */
  readonly payments: ReadonlyMap<number | undefined, PaymentEntry>
  /** All changes of the payments that need a decision, by the payments' ids. */
  readonly changes: ReadonlyMap<number | undefined, ReadonlyArray<ChangeEntry>>
  /**
   * The gateway's refunds of the payments that need a decision about one, by id. Absent if the list could not be read.
   */
  readonly listed: ReadonlyMap<number | undefined, ReadonlyArray<ListedRefund>>
  readonly open: ReadonlyArray<ChangeEntry>
  /** The last steps of what was just decided, which the page's address names. */
  readonly decided?: ReadonlyArray<HistoryEntry> | undefined
  readonly problem?: string | undefined
  /** A decision that was not complete: it is shown again, to be completed. */
  readonly draft?: Draft | undefined
  /** The requested history, oldest step first. */
  readonly history?: { readonly key: string; readonly steps: ReadonlyArray<HistoryEntry> } | undefined
  /** The search and its results. */
  readonly search?: SearchView | undefined
  /** The chosen month; `undefined` if the shop does not compare months. */
  readonly month: MonthView | undefined
}

/** A decision about one item, as the form has it. */
export interface Draft {
  readonly key: string
  readonly as: string
  readonly note: string
}

/** The results of a search by an order's number, a payment's id or a key. */
export interface SearchView {
  readonly text: string
  readonly payments: ReadonlyArray<PaymentEntry>
  readonly changes: ReadonlyArray<ChangeEntry>
}

export const adminPage = (view: AdminView): string => new AdminSections(view).page().text

/** The sections of the page. They share its texts, its formats and what is known of its payments. */
class AdminSections {
  readonly #view: AdminView
  readonly #texts: AdminTexts
  readonly #formats: Formats

  constructor(view: AdminView) {
    this.#view = view
    this.#texts = textsOf(view.language)
    this.#formats = formatsOf(view.language, view.timeZone)
  }

  page(): Html {
    const { attention, language, month, operator } = this.#view
    const { title, nothingForOperator, readOnly, forOperator, times } = this.#texts
    return html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${new Html(`<style>${adminStyle}</style>`)}
        </head>
        <body>
          ${this.#header()}
          <main>
            ${this.#messages()} ${this.#numbers()} ${this.#searchForm()} ${this.#found()} ${this.#history()}
            <h2 id="decisions">${forOperator}</h2>
            ${operator === undefined ? html`<p class="muted">${readOnly}</p>` : undefined}
            ${
              attention.length === 0
                ? html`<p>${nothingForOperator}</p>`
                : attention.map((one, index) => this.#item(one, index))
            }
            ${operator && this.#batch("change")} ${operator && this.#batch("payment")} ${this.#underWay()}
            ${month && monthSection(language, month)}
            <p class="muted">${times}: ${this.#view.timeZone}</p>
          </main>
        </body>
      </html> `
  }

  #header(): Html {
    const { language, operator } = this.#view
    const other = language === "cs" ? "en" : "cs"
    return html`<header>
      <h1>${this.#texts.title}</h1>
      <p>
        ${operator && `${operator} · `}<a href="${this.#address({ lang: other })}" lang="${other}" hreflang="${other}"
          >${this.#texts.otherLanguage}</a
        >
      </p>
    </header>`
  }

  /** What was just decided, and why nothing is sent. */
  #messages(): Html {
    const { decided = [], health, problem } = this.#view
    const { kinds, recorded } = this.#texts
    const steps = decided.map(
      (step) =>
        html`<br />${this.#historyLink(step.key, step.key)}: ${this.#statusOf(step)}.
          <span lang="en">${step.message}</span>`
    )
    return html`${problem && alert(problem)}
    ${steps.length === 0 ? undefined : html`<p class="card good" role="status">${recorded}: ${steps}</p>`}
    ${
      health?.isSending === false
        ? alert(
            html`<strong>${kinds.SendingStopped}${health.since && [" (", this.#time(health.since), ")"]}.</strong>
              <span lang="en">${health.message}</span>`
          )
        : undefined
    }`
  }

  #numbers(): Html {
    const { attention, open } = this.#view
    const { numbers } = this.#texts
    const doubtful = open.filter(({ status }) => status === "unknown").length
    const [oldest] = [...attention, ...open].map(({ since }) => since).toSorted()
    const number = (count: number, label: string, section: string, isBad = false): Html =>
      html`<li class="${isBad && count > 0 ? "bad" : "quiet"}">
        <strong>${count < mostListed ? count : `${count}+`}</strong><a href="#${section}">${label}</a>
      </li>`
    return html`<ul class="numbers" aria-label="${numbers.title}">
      ${number(attention.length, numbers.decisions, "decisions", true)}
      ${number(this.#others().length, numbers.underWay, "under-way")} ${number(doubtful, numbers.doubtful, "under-way")}
      ${oldest === undefined ? undefined : html`<li><strong>${this.#formats.day(oldest)}</strong>${numbers.oldest}</li>`}
    </ul>`
  }

  #searchForm(): Html {
    const { language, search } = this.#view
    return html`<form class="search" method="get" role="search">
      ${hidden("lang", language)}
      <div>
        <label class="field" for="find">${this.#texts.search.label}</label>
        <input type="search" id="find" name="find" value="${search?.text}" maxlength="200" required />
      </div>
      <button>${this.#texts.search.button}</button>
    </form>`
  }

  #found(): Html | undefined {
    const { search } = this.#view
    if (search === undefined) return undefined
    const { changes, payments, text } = search
    const { columns, search: words } = this.#texts
    const { amount, order, payment, since, status } = columns
    const rows = payments.map((one): Row => [
      { name: this.#historyLink(one.key, one.orderNumber) },
      one.paymentId,
      { amount: this.#formats.amount(one.amount, one.currency) },
      this.#time(one.since),
      one.state === undefined
        ? this.#texts.paymentStatuses[one.status]
        : paymentStateWords(one.state, this.#view.language)
    ])
    // The link may contain any text, so it is not repeated if nothing was found.
    if (payments.length + changes.length === 0) return html`<p id="found" role="status">${words.nothing}</p>`
    return html`<h2 id="found">${words.found}: ${text}</h2>
      ${table(words.payments, [order, payment, amount, since, status], rows)} ${this.#changes(words.changes, changes)}`
  }

  #history(): Html | undefined {
    if (this.#view.history === undefined) return undefined
    const { key, steps } = this.#view.history
    const { history, historyColumns, kinds, noHistory } = this.#texts
    const rows = steps.map(({ attention, ...step }): Row => [
      this.#time(step.at),
      [
        this.#statusOf(step),
        ...(step.state === undefined ? [] : [paymentStateWords(step.state, this.#view.language)])
      ].join(" · "),
      step.process,
      html`${attention && html`<strong>${attention.map((kind) => kinds[kind]).join(", ")}</strong>`}
        <span lang="en">${step.message}</span>`
    ])
    if (steps.length === 0) return html`<p id="history">${noHistory}</p>`
    return html`<h2 id="history">${history}: ${key}</h2>
      ${table(history, historyColumns, rows)}`
  }

  #statusOf({ operation, status }: HistoryEntry): string {
    const { paymentStatuses, statuses, stepStatuses } = this.#texts
    const known = operation === "createPayment" ? paymentStatuses : { ...statuses, ...stepStatuses }
    return ownMember<string>(known, status) ?? status
  }

  #item(one: AttentionItem, index: number): Html {
    const { columns, details, explanations, history, kinds, proposed, sent } = this.#texts
    const { amount, key, kind, paymentId, proposal, sentAt, since } = one
    const payment = this.#view.payments.get(paymentId)
    return html`<article class="card bad" aria-labelledby="title-${index}">
      <h3 id="title-${index}">${kinds[kind]}: ${key}</h3>
      <p>${explanations[kind]}</p>
      ${
        proposal &&
        html`<p><strong>${proposed}: ${proposal.by}, ${this.#wordsOf(one, proposal.as)}.</strong> ${proposal.note}</p>`
      }
      ${this.#proof(key)}
      <dl>
        ${fact(columns.order, one.orderNumber ?? payment?.orderNumber)} ${fact(columns.payment, paymentId)}
        ${fact(columns.operation, this.#operation(one.operation))}
        ${fact(columns.amount, this.#formats.amount(amount, payment?.currency))}
        ${fact(columns.since, this.#time(since))} ${fact(sent, sentAt && this.#time(sentAt))}
      </dl>
      ${this.#beside(one)} ${this.#listed(one)}
      <details class="muted">
        <summary>${details}</summary>
        <p lang="en">${one.message}</p>
      </details>
      <p>${this.#historyLink(key, history)}</p>
      ${this.#view.operator && this.#itemForm(one, index)}
    </article>`
  }

  /**
   * The other changes of its payment, next to it in a table: two refunds of the same amount are distinguished by their
   * times.
   */
  #beside(one: AttentionItem): Html | undefined {
    const { columns, ofPayment, sent, statuses, thisOne } = this.#texts
    const all = this.#view.changes.get(one.paymentId) ?? []
    if (all.length < 2 || !all.some(({ key }) => key === one.key)) return undefined
    const currency = this.#view.payments.get(one.paymentId)?.currency
    const rows = all
      .toSorted(inOrderOf(({ since }) => since))
      .map(({ amount, key, operation, sentAt, since, status }): Row => [
        { name: key === one.key ? html`<strong>${key}</strong> (${thisOne})` : this.#historyLink(key, key) },
        this.#operation(operation),
        { amount: this.#formats.amount(amount, currency) },
        this.#time(since),
        sentAt && this.#time(sentAt),
        statuses[status]
      ])
    const heads = [columns.key, columns.operation, columns.amount, columns.since, sent, columns.status]
    return titled(`${ofPayment} ${one.paymentId}`, heads, rows)
  }

  /** The refunds that the gateway lists for its payment, and whom they belong to. */
  #listed({ operation, paymentId }: AttentionItem): Html | undefined {
    const { columns, listed: words } = this.#texts
    const refunds = this.#view.listed.get(paymentId)
    if (operation !== "refundPayment" || paymentId === undefined) return undefined
    if (refunds === undefined) return html`<p class="muted">${words.unread}</p>`
    if (refunds.length === 0) return html`<p>${words.none}</p>`
    const currency = this.#view.payments.get(paymentId)?.currency
    const ownerOf = ({ acknowledgedBy, key, mayBeOf, proposedBy }: ListedRefund): string => {
      if (acknowledgedBy !== undefined) return words.acknowledged(acknowledgedBy)
      const owner = key ?? (mayBeOf === undefined ? words.unknown : words.perhaps(mayBeOf))
      return proposedBy === undefined ? owner : `${owner}; ${words.proposed(proposedBy)}`
    }
    const rows = refunds.map((refund): Row => [
      { name: refund.refundId },
      { amount: this.#formats.amount(refund.amount, currency) },
      refund.requestedAt && this.#time(refund.requestedAt),
      refund.state,
      ownerOf(refund)
    ])
    const heads = [words.number, columns.amount, columns.since, columns.status, words.owner]
    return titled(`${words.title} ${paymentId}`, heads, rows)
  }

  /** What a compared statement says about a change in doubt. */
  #proof(key: string): Html | undefined {
    const proof = this.#view.month?.found?.evidence.find(({ change }) => change.key === key)
    if (proof === undefined) return undefined
    const { amount, currency, date } = proof.movement
    const { mayShow, shows } = this.#texts.month
    const line = `: ${date}, ${this.#formats.amount(amount)} ${currency}`
    return proof.isAmbiguous ? html`<p>${mayShow}${line}</p>` : html`<p><strong>${shows}${line}</strong></p>`
  }

  /** The form that decides an item. If the chosen decision names an id, the form asks for it. */
  #itemForm(one: AttentionItem, index: number): Html {
    const { chargeId, noteHint, refundId } = this.#texts
    const all = [...one.decisions, ...(isAcknowledgeable(one.kind) ? ["acknowledge"] : [])]
    const namesCharge = one.operation === "createRecurrence"
    const namesRefund = one.operation === "refundPayment" && one.paymentId !== undefined
    const names = (as: string): string => {
      if (namesCharge && as === "done") return "charge"
      return namesRefund && ["done", "byHand", "acknowledge"].includes(as) ? "refund" : "nothing"
    }
    const id = (name: "charge" | "refund", label: string, value: number | undefined): Html =>
      html`<div class="named ${name}">
        <label class="field" for="${name}-${index}">${label}</label>
        <input type="text" id="${name}-${index}" name="${name}" inputmode="numeric" maxlength="20" value="${value}" />
      </div>`
    const about = [
      hidden("key", one.key),
      hidden("version", one.version),
      hidden("kind", one.kind),
      hidden("payment", one.paymentId)
    ]
    const draft = this.#view.draft?.key === one.key ? this.#view.draft : undefined
    const choices = all.map((as) => choice(as, this.#wordsOf(one, as), names(as), as === draft?.as))
    const ids = [
      namesCharge ? id("charge", chargeId, one.proposal?.chargeId) : undefined,
      namesRefund ? id("refund", refundId, one.proposal?.refundId ?? namedRefund(one)) : undefined
    ]
    return this.#form(index, about, choices, { ids, hint: noteHint, note: draft?.note })
  }

  /**
   * A form that decides several changes, or several payments, together: those for which one of these decisions fits and
   * has the same meaning. Nothing if there are fewer than two.
   */
  #batch(subject: Subject): Html | undefined {
    const { kinds, several, severalItems, wordsOf } = this.#texts
    const { decisions, kind: alike } = batches[subject]
    const fitting = this.#view.attention.filter(
      (one) => subjectOf(one) === subject && decisions.some((as) => isAmong(one.decisions, as) && means(one, as, alike))
    )
    if (fitting.length < 2) return undefined
    const items = fitting.map(
      ({ key, kind, version }) =>
        html`<label class="choice"
          ><input type="checkbox" name="item" value="${kind} ${version} ${key}" />${key} (${kinds[kind]})</label
        >`
    )
    const choices = decisions.map((as) => choice(as, wordsOf(subject, alike, as)))
    return html`<details class="card">
      <summary>${several[subject]}</summary>
      ${this.#form(`several-${subject}`, fieldset(severalItems, items), choices)}
    </details>`
  }

  #wordsOf(one: AttentionItem, as: string): string {
    return this.#texts.wordsOf(subjectOf(one), one.kind, as)
  }

  /** A form that submits a decision with its evidence. */
  #form(
    id: number | string,
    about: Content,
    choices: Content,
    {
      hint,
      ids,
      note: written
    }: { readonly ids?: Content; readonly hint?: string; readonly note?: string | undefined } = {}
  ): Html {
    const { decide, decision, note } = this.#texts
    const described = hint && html`aria-describedby="hint-${id}"`
    return html`<form method="post">
      ${hidden("lang", this.#view.language)} ${about} ${fieldset(decision, choices)} ${ids}
      <label class="field" for="note-${id}">${note}</label>
      <textarea id="note-${id}" name="note" rows="2" required maxlength="2000" ${described}>${written}</textarea>
      ${hint && html`<p class="muted" id="hint-${id}">${hint}</p>`}
      <button>${decide}</button>
    </form>`
  }

  #others(): ReadonlyArray<ChangeEntry> {
    return this.#view.open.filter(({ status }) => status !== "needsOperator")
  }

  #underWay(): Html {
    const { doubtHint, nothingOpen, open, openHint } = this.#texts
    const others = this.#others()
    return html`<h2 id="under-way">${open}</h2>
      ${
        others.length === 0
          ? html`<p>${nothingOpen}</p>`
          : html`<p class="muted">${openHint}</p>
              ${others.some(({ status }) => status === "unknown") ? html`<p><strong>${doubtHint}</strong></p>` : undefined}
              ${this.#changes(open, others)}`
      }`
  }

  #changes(title: string, changes: ReadonlyArray<ChangeEntry>): Html | undefined {
    const rows = changes.map((one): Row => {
      const payment = this.#view.payments.get(one.paymentId)
      return [
        { name: this.#historyLink(one.key, one.key) },
        payment?.orderNumber,
        one.paymentId,
        this.#operation(one.operation),
        { amount: this.#formats.amount(one.amount, payment?.currency) },
        this.#time(one.since),
        this.#texts.statuses[one.status]
      ]
    })
    return table(title, Object.values(this.#texts.columns), rows)
  }

  #operation(name: string): string {
    return ownMember(this.#texts.operations, name) ?? name
  }

  #time(iso: string): Html {
    return html`<time datetime="${iso}">${this.#formats.time(iso)}</time>`
  }

  #historyLink(key: string, text: string): Html {
    return html`<a href="${this.#address({ history: key })}#history">${text}</a>`
  }

  /** The address of the page, with the query that it has to keep. */
  #address(query: Readonly<Record<string, string>>): string {
    return `?${new URLSearchParams({ lang: this.#view.language, ...query })}`
  }
}

const titled = (title: string, heads: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Html =>
  html`<h4>${title}</h4>
    ${table(title, heads, rows)}`

const fieldset = (legend: string, content: Content): Html =>
  html`<fieldset>
    <legend>${legend}</legend>
    ${content}
  </fieldset>`

/** A decision to choose, and the id that it names. */
const choice = (value: string, label: string, names = "nothing", isChosen = false): Html =>
  html`<label class="choice"
    ><input
      type="radio"
      name="as"
      value="${value}"
      data-names="${names}"
      required
      ${isChosen ? html`checked` : undefined}
    />${label}</label
  >`

/**
 * The decisions that can be made for several items together: they need only evidence, and mean the same for this kind
 * of item.
 */
const batches: Readonly<
  Record<Subject, { readonly decisions: ReadonlyArray<string>; readonly kind: AttentionItem["kind"] }>
> = {
  change: { decisions: ["done", "notDone", "cancelled"], kind: "InDoubt" },
  payment: { decisions: ["done", "notDone"], kind: "PaidLate" }
}

const subjectOf = ({ key }: AttentionItem): Subject => (isPaymentKey(key) ? "payment" : "change")

const isAmong = (decisions: ReadonlyArray<string>, as: string): boolean => decisions.includes(as)

/** Whether a decision has the same text as for another kind of item. */
const means = (one: AttentionItem, as: string, kind: AttentionItem["kind"]): boolean =>
  wordsOf(subjectOf(one), one.kind, as)?.en === wordsOf(subjectOf(one), kind, as)?.en

/** The most entries that a list of the ledger returns. */
const mostListed = 500

const fact = (label: string, value: Content): Content =>
  value &&
  html`<dt>${label}</dt>
    <dd>${value}</dd>`
