/**
 * A month on the page for accountants: its statement, compared with the books.
 */
import { decimalText } from "../../html/Money.js"
import { type Content, type Html, html } from "../../html/Html.js"
import type {
  ClearingExplanation,
  ExpectedMovement,
  StatementReconciliation
} from "../../statement/StatementReconciliation.js"
import type { StatementMovement } from "../../statement/ParsedStatement.js"
import { alert, hidden, type Row, table } from "./AdminElements.js"
import { type AdminLanguage, type AdminTexts, textsOf } from "./AdminTexts.js"

/** A month that was chosen, and what was found. */
export interface MonthView {
  /** `yyyy-mm`. */
  readonly month: string
  readonly found?: StatementReconciliation | undefined
  /** Why it could not be compared. */
  readonly problem?: string | undefined
  /** Whether months can be chosen, and files uploaded. */
  readonly hasMonths: boolean
  readonly takesFiles: boolean
}

/** The form, and what was found of the month that was chosen. The forms lead to this section. */
export const monthSection = (language: AdminLanguage, view: MonthView): Html => {
  const { found, hasMonths, month, problem, takesFiles } = view
  const texts = textsOf(language).month
  return html`<section id="month" aria-labelledby="month-title">
    <h2 id="month-title">${texts.title}</h2>
    ${hasMonths ? monthForm(texts, language, month) : undefined} ${takesFiles ? fileForm(texts, language) : undefined}
    ${problem && alert(problem)} ${found && resultOf(texts, (minor) => decimalText(minor, language), found)}
  </section>`
}

const monthForm = (texts: MonthTexts, language: AdminLanguage, month: string): Html =>
  html`<form method="get" action="#month">
    ${hidden("lang", language)}
    <label class="field" for="month-chosen">${texts.month}</label>
    <input
      type="month"
      id="month-chosen"
      name="month"
      value="${month}"
      pattern="\\d{4}-\\d{2}"
      placeholder="2026-06"
      required
    />
    <button>${texts.show}</button>
  </form>`

const fileForm = (texts: MonthTexts, language: AdminLanguage): Html =>
  html`<form method="post" enctype="multipart/form-data" action="?lang=${language}#month">
    ${hidden("lang", language)}
    <label class="field" for="statement">${texts.file}</label>
    <input type="file" id="statement" name="statement" required />
    <button>${texts.show}</button>
  </form>`

type MonthTexts = AdminTexts["month"]
type Amounts = (minor: number) => string

const resultOf = (texts: MonthTexts, amount: Amounts, found: StatementReconciliation): Html => {
  const sum = found.matched.reduce((total, { movement }) => total + movement.amount, 0)
  const rows = findings(texts, amount, found)
  return html`<p class="card ${found.agrees ? "good" : "bad"}" role="status">
      ${found.agrees ? texts.agrees : texts.differs} ${texts.matched}: ${found.matched.length} (${amount(sum)}).
      ${found.notYetDue.length === 0 ? undefined : `${texts.notYetDue}: ${found.notYetDue.length}.`}
    </p>
    ${table(texts.result, texts.columns, rows)} ${clearingsOf(texts, amount, found.clearings)}`
}

/** What an operator has to see of a month, most important first: what it is, the books, the statement. */
const findings = (texts: MonthTexts, amount: Amounts, found: StatementReconciliation): ReadonlyArray<Row> => {
  const shown = (...parts: ReadonlyArray<string | number | undefined>): string =>
    parts.filter((part) => part !== undefined).join(" · ")
  const expected = ({ amount: minor, currency, day, orderNumber, paymentId }: ExpectedMovement): string =>
    shown(orderNumber, `${amount(minor)} ${currency}`, day, paymentId)
  const booked = ({ amount: minor, currency, date, orderNumber, type }: StatementMovement): string =>
    shown(orderNumber ?? type, `${amount(minor)} ${currency}`, date)
  const row = (name: string, books: Content, statement: Content): Row => [{ name }, books, statement]
  return [
    ...found.evidence.map(({ change, movement }) =>
      row(texts.evidence, html`<strong>${change.key}</strong>`, booked(movement))
    ),
    ...found.foreign.map(({ _tag, movement }) => row(texts.foreign, texts.foreignKinds[_tag], booked(movement))),
    ...found.missing.map((one) => row(texts.missing, expected(one), undefined)),
    ...found.differentAmounts.map(({ expected: one, movement }) =>
      row(texts.differentAmounts, expected(one), booked(movement))
    ),
    ...found.ambiguous.map(({ candidates, movements }) =>
      row(texts.ambiguous, candidates.map(expected).join("; "), movements.map(booked).join("; "))
    ),
    ...found.gatewayDifferences.map(({ orderNumber, paymentId }) =>
      row(texts.gatewayDifferences, `${orderNumber} · ${paymentId}`, undefined)
    ),
    ...found.contradictions.map(({ difference, from, to }) =>
      row(texts.contradictions, undefined, `${from} – ${to} · ${amount(difference)}`)
    ),
    ...found.toCheck.map((one) => row(texts.toCheck, undefined, booked(one)))
  ]
}

const clearingsOf = (texts: MonthTexts, amount: Amounts, clearings: ReadonlyArray<ClearingExplanation>) => {
  if (clearings.length === 0) return undefined
  const rows = clearings.map(
    ({ currency, explainedBy, fees, gross, notSent, number, refundFees, refunds, transfer }): Row => [
      { name: number },
      ...[gross, refunds, fees + refundFees, transfer].map((sum) => ({ amount: `${amount(sum)} ${currency}` })),
      `${texts.explained[explainedBy]}${notSent === undefined ? "" : `; ${texts.notSent} ${amount(notSent)} ${currency}`}`
    ]
  )
  return html`<h3>${texts.clearings}</h3>
    ${table(texts.clearings, texts.clearingColumns, rows)}`
}
