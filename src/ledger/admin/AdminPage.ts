/**
 * The page for accountants: what needs a decision, and what is under way. It needs no script.
 */
import { type Content, Html, html } from "../../html/Html.js"
import { type AdminLanguage, type AdminTexts, type Formats, formatsOf, textsOf } from "./AdminTexts.js"
import { type AttentionItem, type ChangeDecision, namedRefund, type PaymentDecision } from "../model/Attention.js"
import type { HistoryEntry, LedgerHealth, PaymentEntry } from "../model/Lists.js"
import type { ChangeEntry } from "../model/Change.js"
import { hidden, monthSection, type MonthView, table } from "./MonthSection.js"
import { ownMember } from "../../contract/OwnMember.js"

export interface AdminView {
  readonly language: AdminLanguage
  /** The operator's name; `undefined` for someone who decides nothing. */
  readonly person: string | undefined
  /** Whether anything is sent, and why not. */
  readonly health?: LedgerHealth | undefined
  /** The time zone of the times. */
  readonly timeZone: string
  readonly attention: ReadonlyArray<AttentionItem>
  /** What is known of the payments on the page, by their ids. */
  readonly payments: ReadonlyMap<number | undefined, PaymentEntry>
  readonly open: ReadonlyArray<ChangeEntry>
  /** The key of a change that was decided just now. */
  readonly decided?: string | undefined
  readonly problem?: string | undefined
  /** The history that was asked for, oldest step first. */
  readonly history?: { readonly key: string; readonly steps: ReadonlyArray<HistoryEntry> } | undefined
  /** What was searched for, and what there is of it. */
  readonly search?: SearchView | undefined
  /** The month that is chosen; `undefined` where the shop compares none. */
  readonly month: MonthView | undefined
}

/** What was found by an order's number, a payment's id or a key. */
export interface SearchView {
  readonly text: string
  readonly payments: ReadonlyArray<PaymentEntry>
  readonly changes: ReadonlyArray<ChangeEntry>
}

/** The style sheet. The page's policy allows it by its hash. */
export const adminStyle = `
:root { color-scheme: light dark; --ground: #f4f5fa; --card: #fff; --ink: #191d33; --muted: #555c77; --line: #c9cee2; --accent: #3730a3; --bad: #a3211a; --good: #14603a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f111a; --card: #1a1d2c; --ink: #eef0fb; --muted: #a9b0cb; --line: #454c6b; --accent: #b3b9ff; --bad: #ffb4ab; --good: #84dba6; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: baseline; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
a { color: var(--accent); } p { margin: .25rem 0; } .muted { color: var(--muted); }
.card { margin: .75rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
.bad { border-left: .4rem solid var(--bad); } .good { border-left: .4rem solid var(--good); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: .5rem 0; } dt { color: var(--muted); } dd { margin: 0; }
fieldset { border: 0; margin: 0; padding: 0; } legend, label.field { display: block; margin-top: .5rem; padding: 0; font-weight: 600; }
label.choice { display: inline-flex; gap: .4rem; align-items: center; min-height: 2rem; margin-right: 1.5rem; }
input[type=text], input[type=search], input[type=month], textarea { width: 100%; max-width: 34rem; padding: .5rem; border: 1px solid var(--muted); border-radius: .4rem; background: var(--card); color: var(--ink); font: inherit; }
button { margin-top: .75rem; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .4rem; background: var(--accent); color: var(--card); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; background: var(--card); }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .5rem; margin: .5rem 0; padding: 0; list-style: none; }
.numbers li { padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
.numbers strong { display: block; font-size: 1.25rem; line-height: 1.2; font-variant-numeric: tabular-nums; } .numbers .bad strong { color: var(--bad); }
form.search { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: end; } .search div { flex: 1 1 14rem; max-width: 34rem; } form.search button { margin: 0; }
form:not(:has(input[data-names=refund]:checked)) .named.refund, form:not(:has(input[data-names=charge]:checked)) .named.charge { display: none; }
th, td { padding: .4rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; } .amount { text-align: right; white-space: nowrap; }
`

export const adminPage = (view: AdminView): string => new AdminSections(view).page().text

/** The sections of the page, which share its words, its formats and what is known of its payments. */
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
    const { attention, language, month, person } = this.#view
    const { title, nothingForPerson, readOnly, forPerson, times } = this.#texts
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
            <h2 id="decisions">${forPerson}</h2>
            ${person === undefined ? html`<p class="muted">${readOnly}</p>` : undefined}
            ${
              attention.length === 0
                ? html`<p>${nothingForPerson}</p>`
                : attention.map((one, index) => this.#item(one, index))
            }
            ${person === undefined ? undefined : this.#batch()} ${this.#underWay()}
            ${month === undefined ? undefined : monthSection(language, month)}
            <p class="muted">${times}: ${this.#view.timeZone}</p>
          </main>
        </body>
      </html> `
  }

  #header(): Html {
    const { language, person } = this.#view
    const other = language === "cs" ? "en" : "cs"
    return html`<header>
      <h1>${this.#texts.title}</h1>
      <p>
        ${person === undefined ? undefined : `${person} · `}<a
          href="${this.#address({ lang: other })}"
          lang="${other}"
          hreflang="${other}"
          >${this.#texts.otherLanguage}</a
        >
      </p>
    </header>`
  }

  /** What happened just now, and why nothing is sent. */
  #messages(): Html {
    const { decided, health, problem } = this.#view
    return html`${problem === undefined ? undefined : html`<p class="card bad" role="alert">${problem}</p>`}
    ${
      decided === undefined
        ? undefined
        : html`<p class="card good" role="status">${this.#texts.decided}: ${decided}</p>`
    }
    ${
      health === undefined || health.isSending
        ? undefined
        : html`<p class="card bad" role="alert">
            <strong
              >${this.#texts.kinds.SendingStopped}${health.since === undefined ? undefined : [" (", this.#time(health.since), ")"]}.</strong
            >
            <span lang="en">${health.message}</span>
          </p>`
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
    const rows = payments.map((one) => this.#paymentRow(one))
    return html`<h2 id="found">${words.found}: ${text}</h2>
      ${payments.length + changes.length === 0 ? html`<p role="status">${words.nothing}</p>` : undefined}
      ${table(words.payments, [order, payment, amount, since, status], rows)} ${this.#changes(words.changes, changes)}`
  }

  #paymentRow({ amount, currency, key, orderNumber, paymentId, since, state, status }: PaymentEntry): Html {
    return html`<tr>
      <th scope="row"><a href="${this.#address({ history: key })}#history">${orderNumber}</a></th>
      <td>${paymentId}</td>
      <td class="amount">${this.#formats.amount(amount, currency)}</td>
      <td>${this.#time(since)}</td>
      <td>${state ?? this.#texts.paymentStatuses[status]}</td>
    </tr>`
  }

  #history(): Html | undefined {
    if (this.#view.history === undefined) return undefined
    const { key, steps } = this.#view.history
    const { history, historyColumns, noHistory } = this.#texts
    const rows = steps.map((step) => this.#stepRow(step))
    return html`<h2 id="history">${history}: ${key}</h2>
      ${steps.length === 0 ? html`<p>${noHistory}</p>` : undefined} ${table(history, historyColumns, rows)}`
  }

  #stepRow(step: HistoryEntry): Html {
    const { at, attention, message, process, state } = step
    return html`<tr>
      <td>${this.#time(at)}</td>
      <td>${[this.#statusOf(step), state].filter((part) => part !== undefined).join(" · ")}</td>
      <td>${process}</td>
      <td>
        ${attention === undefined ? undefined : html`<strong>${this.#texts.kinds[attention]}</strong> `}
        <span lang="en">${message}</span>
      </td>
    </tr>`
  }

  #statusOf({ operation, status }: HistoryEntry): string {
    const { paymentStatuses, statuses, stepStatuses } = this.#texts
    const known = operation === "createPayment" ? paymentStatuses : { ...statuses, ...stepStatuses }
    return ownMember<string>(known, status) ?? status
  }

  #item(one: AttentionItem, index: number): Html {
    const { columns, decisions, details, explanations, history, kinds, proposed, sent } = this.#texts
    const { amount, operation, order, payment, since } = columns
    const { proposal } = one
    const field = (name: string): string => `${name}-${index}`
    return html`<article class="card bad" aria-labelledby="${field("title")}">
      <h3 id="${field("title")}">${kinds[one.kind]}: ${one.key}</h3>
      <p>${explanations[one.kind]}</p>
      ${
        proposal === undefined
          ? undefined
          : html`<p><strong>${proposed}: ${proposal.by}, ${decisions[proposal.as]}.</strong> ${proposal.note}</p>`
      }
      ${this.#proof(one.key)}
      <dl>
        ${fact(order, one.orderNumber ?? this.#view.payments.get(one.paymentId)?.orderNumber)}
        ${fact(payment, one.paymentId)} ${fact(operation, this.#operation(one.operation))}
        ${fact(amount, this.#formats.amount(one.amount, this.#view.payments.get(one.paymentId)?.currency))}
        ${fact(since, this.#time(one.since))}
        ${one.sentAt === undefined ? undefined : fact(sent, this.#time(one.sentAt))}
      </dl>
      <details class="muted">
        <summary>${details}</summary>
        <p lang="en">${one.message}</p>
      </details>
      <p><a href="${this.#address({ history: one.key })}#history">${history}</a></p>
      ${this.#view.person === undefined ? undefined : this.#form(one, field)}
    </article>`
  }

  /** What a statement that was compared says of a change in doubt. */
  #proof(key: string): Html | undefined {
    const proof = this.#view.month?.found?.evidence.find(({ change }) => change.key === key)
    if (proof === undefined) return undefined
    const { amount, currency, date } = proof.movement
    const shown = `${this.#texts.month.shows}: ${date}, ${this.#formats.amount(amount)} ${currency}`
    return html`<p><strong>${shown}</strong></p>`
  }

  /** The form that decides an item. The id that a decision names is asked for when that decision is chosen. */
  #form(one: AttentionItem, field: (name: string) => string): Html {
    const { acknowledge, chargeId, decide, decision, decisions, note, noteHint, refundId } = this.#texts
    const choices = [
      ...one.decisions.map((decision) => [decision, decisions[decision]] as const),
      ...(one.kind === "StrangeRefund" ? [["acknowledge", acknowledge] as const] : [])
    ]
    const namesCharge = one.operation === "createRecurrence"
    const namesRefund = one.operation === "refundPayment" && one.paymentId !== undefined
    const named = (as: string): string => {
      if (namesCharge && as === "done") return "charge"
      return namesRefund && ["done", "byHand", "acknowledge"].includes(as) ? "refund" : "nothing"
    }
    const id = (name: "charge" | "refund", label: string, value: number | undefined): Html =>
      html`<div class="named ${name}">
        <label class="field" for="${field(name)}">${label}</label>
        <input type="text" id="${field(name)}" name="${name}" inputmode="numeric" maxlength="20" value="${value}" />
      </div>`
    return html`<form method="post">
      ${hidden("key", one.key)} ${hidden("version", one.version)} ${hidden("lang", this.#view.language)}
      <fieldset>
        <legend>${decision}</legend>
        ${choices.map(([value, label]) => choice(value, label, named(value)))}
      </fieldset>
      ${namesCharge ? id("charge", chargeId, one.proposal?.chargeId) : undefined}
      ${namesRefund ? hidden("payment", one.paymentId) : undefined}
      ${namesRefund ? id("refund", refundId, one.proposal?.refundId ?? namedRefund(one)) : undefined}
      <label class="field" for="${field("note")}">${note}</label>
      <textarea
        id="${field("note")}"
        name="note"
        rows="2"
        required
        maxlength="2000"
        aria-describedby="${field("hint")}"
      ></textarea>
      <p class="muted" id="${field("hint")}">${noteHint}</p>
      <button>${decide}</button>
    </form>`
  }

  /** A form that decides several at once: those that may be decided in one of these ways. Nothing for fewer than two. */
  #batch(): Html | undefined {
    const { decide, decision, decisions, kinds, note, several, severalItems } = this.#texts
    const fitting = this.#view.attention.filter((one) => one.decisions.some((decision) => plain.includes(decision)))
    if (fitting.length < 2) return undefined
    return html`<details class="card">
      <summary>${several}</summary>
      <form method="post">
        ${hidden("lang", this.#view.language)}
        <fieldset>
          <legend>${severalItems}</legend>
          ${fitting.map(
            ({ key, kind, version }) =>
              html`<label class="choice"
                ><input type="checkbox" name="item" value="${version} ${key}" />${key} (${kinds[kind]})</label
              >`
          )}
        </fieldset>
        <fieldset>
          <legend>${decision}</legend>
          ${plain.map((value) => choice(value, decisions[value]))}
        </fieldset>
        <label class="field" for="note-several">${note}</label>
        <textarea id="note-several" name="note" rows="2" required maxlength="2000"></textarea>
        <button>${decide}</button>
      </form>
    </details>`
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
    const rows = changes.map((one) => this.#changeRow(one))
    return table(title, Object.values(this.#texts.columns), rows)
  }

  #changeRow(one: ChangeEntry): Html {
    const { key, operation, paymentId, since, status } = one
    return html`<tr>
      <th scope="row"><a href="${this.#address({ history: key })}#history">${key}</a></th>
      <td>${this.#view.payments.get(paymentId)?.orderNumber}</td>
      <td>${paymentId}</td>
      <td>${this.#operation(operation)}</td>
      <td class="amount">${this.#formats.amount(one.amount, this.#view.payments.get(paymentId)?.currency)}</td>
      <td>${this.#time(since)}</td>
      <td>${this.#texts.statuses[status]}</td>
    </tr>`
  }

  #operation(name: string): string {
    return ownMember(this.#texts.operations, name) ?? name
  }

  #time(iso: string): Html {
    return html`<time datetime="${iso}">${this.#formats.time(iso)}</time>`
  }

  /** The address of the page, with what it has to keep. */
  #address(query: Readonly<Record<string, string>>): string {
    return `?${new URLSearchParams({ lang: this.#view.language, ...query })}`
  }
}

/** A decision that may be chosen, and what it names. */
const choice = (value: string, label: string, names = "nothing"): Html =>
  html`<label class="choice"
    ><input type="radio" name="as" value="${value}" data-names="${names}" required />${label}</label
  >`

/** The decisions that need nothing but the evidence. */
const plain: ReadonlyArray<ChangeDecision | PaymentDecision> = ["done", "notDone", "cancelled"]

/** The most that a list of the ledger has. */
const mostListed = 500

const fact = (label: string, value: Content): Html | undefined =>
  value === undefined || value === ""
    ? undefined
    : html`<dt>${label}</dt>
        <dd>${value}</dd>`
