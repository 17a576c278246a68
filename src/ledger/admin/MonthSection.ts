/**
 * A month on the page for accountants: its statement, compared with the books.
 */
import { csvText } from "../../basics/Csv.js"
import { sumsByCurrency } from "../../basics/Lists.js"
import { amountToDecimal } from "../../contract/Amount.js"
import { type Html, html } from "../../html/Html.js"
import { decimalText } from "../../html/Money.js"
import type {
  ClearingExplanation,
  ExpectedMovement,
  StatementReconciliation
} from "../../statement/StatementReconciliation.js"
import type { StatementMovement } from "../../statement/ParsedStatement.js"
import { alert, hidden, type Row, table } from "./AdminElements.js"
import { type AdminLanguage, type AdminTexts, textsOf } from "./AdminTexts.js"

/** The chosen month and the findings. */
export interface MonthView {
  /** The chosen month, `yyyy-mm`; empty if none is chosen. */
  readonly month: string
  /** The last month that has ended, `yyyy-mm`, which most people compare. */
  readonly last: string
  readonly found?: StatementReconciliation | undefined
  /** Why it could not be compared. */
  readonly problem?: string | undefined
  /** Whether months can be chosen, and files uploaded. */
  readonly hasMonths: boolean
  readonly takesFiles: boolean
}

/** The forms, and the findings of the chosen month. The forms lead back to this section. */
export const monthSection = (language: AdminLanguage, view: MonthView): Html => {
  const { found, hasMonths, last, month, problem, takesFiles } = view
  const texts = textsOf(language).month
  return html`<section id="month" aria-labelledby="month-title">
    <h2 id="month-title">${texts.title}</h2>
    ${hasMonths ? monthForm(texts, language, month || last) : undefined}
    ${takesFiles ? fileForm(texts, language) : undefined} ${problem && alert(problem)}
    ${found && resultOf(texts, language, month, found)}
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

/** The days through which all that is due agrees: one for all currencies, or one each. */
const throughText = (texts: MonthTexts, { days }: StatementReconciliation): string => {
  const [end, ...others] = new Set(days.map(({ through }) => through))
  if (end === undefined) return ""
  return others.length === 0
    ? ` ${texts.through} ${end}`
    : `: ${days.map(({ currency, through }) => `${currency} ${texts.through} ${through}`).join(", ")}`
}

const resultOf = (texts: MonthTexts, language: AdminLanguage, month: string, found: StatementReconciliation): Html => {
  const amount: Amounts = (minor) => decimalText(minor, language)
  const sums = sumsByCurrency(found.matched.map(({ movement }) => movement))
  const matchedSums = sums.map((sum) => `${amount(sum.amount)} ${sum.currency}`).join(", ")
  const rows = findingsOf(texts, found).map(
    ({ amount: minor, currency, day, finding, note, orderNumber, paymentId, where }): Row => [
      { name: finding },
      where,
      orderNumber,
      paymentId,
      { amount: minor === undefined ? "" : amount(minor) },
      currency,
      day,
      note
    ]
  )
  return html`<p class="card ${found.agrees ? "good" : "bad"}" role="status">
      ${found.agrees ? `${texts.agrees}${throughText(texts, found)}.` : texts.differs} ${texts.matched}:
      ${found.matched.length}${matchedSums && ` (${matchedSums})`}.
      ${found.notYetDue.length === 0 ? undefined : `${texts.notYetDue}: ${found.notYetDue.length}.`}
    </p>
    ${table(texts.result, texts.columns, rows)}
    ${
      month === ""
        ? undefined
        : html`<p>
            <a href="?${new URLSearchParams({ lang: language, month, csv: "" }).toString()}" download
              >${texts.download}</a
            >
          </p>`
    }
    ${clearingsOf(texts, amount, found.clearings)}`
}

/** The whole month as CSV, with the findings that need an operator first. Amounts are decimal numbers. */
export const monthCsv = (language: AdminLanguage, found: StatementReconciliation): string => {
  const texts = textsOf(language).month
  const all = [
    ...findingsOf(texts, found),
    ...found.matched.map(({ movement }) => booked(texts, texts.matched, movement)),
    ...found.notYetDue.map((one) => expected(texts, texts.notYetDue, one))
  ]
  const rows = all.map(({ amount, currency, day, finding, note, orderNumber, paymentId, where }) => [
    finding,
    where,
    orderNumber,
    paymentId,
    amount && amountToDecimal(amount),
    currency,
    day,
    note
  ])
  return csvText(texts.columns, rows)
}

/** A finding about one payment, refund or period. */
interface Finding {
  readonly finding: string
  /** Whether it is in the books or on the statement; absent if that does not apply. */
  readonly where?: string
  readonly orderNumber?: string | undefined
  readonly paymentId?: number | undefined
  /** In minor units. */
  readonly amount?: number
  readonly currency?: string
  /** `yyyy-mm-dd`, or two of them. */
  readonly day?: string | undefined
  readonly note?: string | undefined
}

const expected = (
  texts: MonthTexts,
  finding: string,
  { amount, currency, day, orderNumber, paymentId }: ExpectedMovement
): Finding => ({ finding, where: texts.inBooks, orderNumber, paymentId, amount, currency, day })

const booked = (texts: MonthTexts, finding: string, movement: StatementMovement, note?: string): Finding => {
  const { amount, currency, date, orderNumber, paymentId, type } = movement
  return {
    finding,
    where: texts.onStatement,
    orderNumber,
    paymentId,
    amount,
    currency,
    day: date,
    note: note ?? (orderNumber === undefined ? type : undefined)
  }
}

/**
 * The findings of a month that an operator has to see, most important first: those in the books, then those on the
 * statement.
 */
const findingsOf = (texts: MonthTexts, found: StatementReconciliation): ReadonlyArray<Finding> => {
  return [
    ...found.evidence.map(({ change, isAmbiguous, movement }) =>
      booked(texts, isAmbiguous ? texts.ambiguousEvidence : texts.evidence, movement, change.key)
    ),
    ...found.foreign.map(({ _tag, movement }) => booked(texts, texts.foreign, movement, texts.foreignKinds[_tag])),
    ...found.missing.map((one) => expected(texts, texts.missing, one)),
    ...found.differentAmounts.flatMap(({ expected: one, movement }) => [
      expected(texts, texts.differentAmounts, one),
      booked(texts, texts.differentAmounts, movement)
    ]),
    ...found.ambiguous.flatMap(({ candidates, movements }) => [
      ...candidates.map((one) => expected(texts, texts.ambiguous, one)),
      ...movements.map((one) => booked(texts, texts.ambiguous, one))
    ]),
    ...found.gatewayDifferences.map(({ orderNumber, paymentId }) => ({
      finding: texts.gatewayDifferences,
      orderNumber,
      paymentId
    })),
    ...found.contradictions.map(({ currency, difference, from, to }) => ({
      finding: texts.contradictions,
      where: texts.onStatement,
      amount: difference,
      currency,
      day: `${from} – ${to}`
    })),
    ...found.toCheck.map((one) => booked(texts, texts.toCheck, one))
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
