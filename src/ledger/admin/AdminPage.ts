/**
 * The page for accountants: what needs a decision, and what is under way. It needs no script.
 */
import { escaped } from "../../html/Html.js"
import { formatsOf } from "./AdminFormats.js"
import { type AdminLanguage, adminTexts } from "./AdminTexts.js"
import type { AttentionItem } from "../model/Attention.js"
import type { LedgerHealth } from "../model/LedgerHealth.js"
import type { ChangeEntry } from "../model/Change.js"
import { batchSection } from "./BatchSection.js"
import { historySection, type HistoryView } from "./HistorySection.js"
import { monthSection, type MonthView } from "./MonthSection.js"
import { ownMember } from "../../contract/OwnMember.js"

/** The content of the page. */
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
  readonly payments: ReadonlyMap<number, PaymentOnPage>
  readonly open: ReadonlyArray<ChangeEntry>
  /** The key of a change that was decided just now. */
  readonly decided?: string | undefined
  readonly problem?: string | undefined
  /** The history that was asked for. */
  readonly history?: HistoryView | undefined
  /** The month that is chosen; `undefined` where the shop compares none. */
  readonly month: MonthView | undefined
}

/** What a payment is for. */
export interface PaymentOnPage {
  readonly orderNumber: string
  readonly currency: string
}

/** Text in elements and quoted attributes. */
const text = (value: string | number): string => escaped(String(value))

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
input[type=text], input[type=month], textarea { width: 100%; max-width: 34rem; padding: .5rem; border: 1px solid var(--muted); border-radius: .4rem; background: var(--card); color: var(--ink); font: inherit; }
button { margin-top: .75rem; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .4rem; background: var(--accent); color: var(--card); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; background: var(--card); }
th, td { padding: .4rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; } .amount { text-align: right; white-space: nowrap; }
`

/** The page as HTML. */
export const adminPage = ({
  attention,
  decided,
  health,
  history,
  language,
  month,
  open,
  payments,
  person,
  problem,
  timeZone
}: AdminView): string => {
  const texts = adminTexts[language]
  const other = language === "cs" ? "en" : "cs"
  const [key, payment, operation, amount, since, status] = texts.columns
  const formats = formatsOf(language, timeZone)
  const { amount: amountOf, time } = formats
  const currencyOf = (paymentId: number | undefined): string | undefined =>
    paymentId === undefined ? undefined : payments.get(paymentId)?.currency
  const orderOf = ({ orderNumber, paymentId }: { readonly orderNumber?: string; readonly paymentId?: number }) =>
    orderNumber ?? (paymentId === undefined ? undefined : payments.get(paymentId)?.orderNumber)
  const timeOf = (iso: string): string => `<time datetime="${text(iso)}">${text(time(iso))}</time>`
  /** The address of the page, with what it has to keep. */
  const addressOf = (query: Readonly<Record<string, string>>): string =>
    text(`?${new URLSearchParams({ lang: language, ...query })}`)
  const operationOf = (name: string): string => ownMember(texts.operations, name) ?? name
  const fact = (label: string, value: string | number | undefined): string =>
    value === undefined || value === "" ? "" : `<dt>${text(label)}</dt><dd>${text(value)}</dd>`
  const moment = (label: string, iso: string | undefined): string =>
    iso === undefined ? "" : `<dt>${text(label)}</dt><dd>${timeOf(iso)}</dd>`

  /** What a statement that was compared says of a change in doubt. */
  const proofOf = (key: string): string => {
    const proof = month?.found?.evidence.find(({ change }) => change.key === key)
    if (proof === undefined) return ""
    const { amount: sum, currency, date } = proof.movement
    return `<p><strong>${text(texts.month.shows)}: ${text(date)}, ${text(amountOf(sum))} ${text(currency)}</strong></p>\n`
  }

  /** What the ledger says, which is English. */
  const detailsOf = (message: string): string =>
    language === "en"
      ? `<p class="muted">${text(message)}</p>`
      : `<details class="muted"><summary>${text(texts.details)}</summary><p lang="en">${text(message)}</p></details>`

  const item = (one: AttentionItem, index: number): string => {
    const [label, explanation] = texts.kinds[one.kind]
    const field = (name: string): string => `${name}-${index}`
    return `<article class="card bad" aria-labelledby="${field("title")}">
<h3 id="${field("title")}">${text(label)}: ${text(one.key)}</h3>
<p>${text(explanation)}</p>
${detailsOf(one.message)}
${one.proposal === undefined ? "" : `<p><strong>${text(texts.proposed)}: ${text(one.proposal.by)}, ${text(texts.decisions[one.proposal.as])}.</strong> ${text(one.proposal.note)}</p>\n`}${proofOf(one.key)}<dl>${fact(texts.order, orderOf(one))}${fact(payment, one.paymentId)}${fact(operation, operationOf(one.operation))}${fact(amount, amountOf(one.amount, currencyOf(one.paymentId)))}${moment(since, one.since)}${moment(texts.sent, one.sentAt)}</dl>
<p><a href="${addressOf({ history: one.key })}#history">${text(texts.history)}</a></p>
${person === undefined ? "" : formOf(one, field)}</article>`
  }

  /** The form that decides an item. */
  const formOf = (one: AttentionItem, field: (name: string) => string): string => {
    const choices = [
      ...one.decisions.map((decision) => [decision, texts.decisions[decision]] as const),
      ...(one.kind === "StrangeRefund" ? [["acknowledge", texts.acknowledge] as const] : [])
    ]
    const takesCharge = one.operation === "createRecurrence"
    const takesRefund = one.operation === "refundPayment" && one.paymentId !== undefined
    return `<form method="post">
<input type="hidden" name="key" value="${text(one.key)}"><input type="hidden" name="version" value="${one.version}"><input type="hidden" name="lang" value="${language}">
<fieldset><legend>${text(texts.decision)}</legend>
${choices.map(([value, label]) => `<label class="choice"><input type="radio" name="as" value="${value}" required>${text(label)}</label>`).join("\n")}</fieldset>
${takesCharge ? `<label class="field" for="${field("charge")}">${text(texts.chargeId)}</label><input type="text" id="${field("charge")}" name="charge" inputmode="numeric" maxlength="20">` : ""}${takesRefund ? `<input type="hidden" name="payment" value="${one.paymentId}"><label class="field" for="${field("refund")}">${text(texts.refundId)}</label><input type="text" id="${field("refund")}" name="refund" inputmode="numeric" maxlength="20">` : ""}
<label class="field" for="${field("note")}">${text(texts.note)}</label>
<textarea id="${field("note")}" name="note" rows="2" required maxlength="2000" aria-describedby="${field("hint")}"></textarea>
<p class="muted" id="${field("hint")}">${text(texts.noteHint)}</p>
<button>${text(texts.decide)}</button>
</form>`
  }

  const row = (one: ChangeEntry): string =>
    `<tr><th scope="row"><a href="${addressOf({ history: one.key })}#history">${text(one.key)}</a></th><td>${text(orderOf(one) ?? "")}</td><td>${one.paymentId}</td><td>${text(operationOf(one.operation))}</td><td class="amount">${text(amountOf(one.amount, currencyOf(one.paymentId)))}</td><td>${timeOf(one.since)}</td><td>${text(texts.statuses[one.status])}</td></tr>`

  const others = open.filter(({ status }) => status !== "needsOperator")
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(texts.title)}</title><style>${adminStyle}</style></head>
<body>
<header><h1>${text(texts.title)}</h1><p>${person === undefined ? "" : `${text(person)} · `}<a href="${addressOf({ lang: other })}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a></p></header>
<main>
${problem === undefined ? "" : `<p class="card bad" role="alert">${text(problem)}</p>`}
${decided === undefined ? "" : `<p class="card good" role="status">${text(texts.decided)}: ${text(decided)}</p>`}
${health === undefined || health.isSending ? "" : `<p class="card bad" role="alert"><strong>${text(texts.kinds.SendingStopped[0])}${health.since === undefined ? "" : ` (${timeOf(health.since)})`}.</strong> <span lang="en">${text(health.message)}</span></p>`}
${history === undefined ? "" : historySection(texts, formats, history).text}
<h2>${text(texts.forPerson)}</h2>
${person === undefined ? `<p class="muted">${text(texts.readOnly)}</p>` : ""}
${attention.length === 0 ? `<p>${text(texts.nothingForPerson)}</p>` : attention.map(item).join("\n")}
${person === undefined ? "" : (batchSection(texts, language, attention)?.text ?? "")}
<h2>${text(texts.open)}</h2>
${
  others.length === 0
    ? `<p>${text(texts.nothingOpen)}</p>`
    : `<p class="muted">${text(texts.openHint)}</p>${others.some(({ status }) => status === "unknown") ? `<p><strong>${text(texts.doubtHint)}</strong></p>` : ""}<div class="scroll" tabindex="0" role="region" aria-label="${text(texts.open)}"><table><thead><tr>${[key, texts.order, payment, operation, amount, since, status].map((head) => `<th scope="col">${text(head)}</th>`).join("")}</tr></thead><tbody>${others.map(row).join("")}</tbody></table></div>`
}
${month === undefined ? "" : monthSection(language, month).text}
<p class="muted">${text(texts.times)}: ${text(timeZone)}</p>
</main>
</body>
</html>
`
}
