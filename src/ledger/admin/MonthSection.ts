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
import { type AdminLanguage, adminTexts, type MonthTexts } from "./AdminTexts.js"

/** A month that was chosen, and what was found. */
export interface MonthView {
  /** `yyyy-mm`. */
  readonly month: string
  readonly found?: StatementReconciliation | undefined
  /** Whether months can be chosen, and files uploaded. */
  readonly hasMonths: boolean
  readonly takesFiles: boolean
}

/** The form, and what was found of the month that was chosen. */
export const monthSection = (language: AdminLanguage, { found, hasMonths, month, takesFiles }: MonthView): Html => {
  const texts = adminTexts[language].month
  return html`<h2>${texts.title}</h2>
    ${hasMonths ? monthForm(texts, language, month) : undefined} ${takesFiles ? fileForm(texts, language) : undefined}
    ${found === undefined ? undefined : resultOf(texts, amountsIn(language), found)}`
}

const monthForm = (texts: MonthTexts, language: AdminLanguage, month: string): Html =>
  html`<form method="get">
    <input type="hidden" name="lang" value="${language}" />
    <label class="field" for="month">${texts.month}</label>
    <input
      type="month"
      id="month"
      name="month"
      value="${month}"
      pattern="\\d{4}-\\d{2}"
      placeholder="2026-06"
      required
    />
    <button>${texts.show}</button>
  </form>`

const fileForm = (texts: MonthTexts, language: AdminLanguage): Html =>
  html`<form method="post" enctype="multipart/form-data">
    <input type="hidden" name="lang" value="${language}" />
    <label class="field" for="statement">${texts.file}</label>
    <input type="file" id="statement" name="statement" required />
    <button>${texts.show}</button>
  </form>`

type Amounts = (minor: number) => string

const amountsIn =
  (language: AdminLanguage): Amounts =>
  (minor) =>
    decimalText(minor, language)

const resultOf = (texts: MonthTexts, amount: Amounts, found: StatementReconciliation): Html => {
  const expected = ({ amount: minor, currency, day, orderNumber, paymentId }: ExpectedMovement): string =>
    [orderNumber, `${amount(minor)} ${currency}`, day, paymentId].filter((part) => part !== undefined).join(" · ")
  const booked = ({ amount: minor, currency, date, orderNumber, type }: StatementMovement): string =>
    [orderNumber ?? type, `${amount(minor)} ${currency}`, date].filter((part) => part !== undefined).join(" · ")
  const sum = found.matched.reduce((total, { movement }) => total + movement.amount, 0)
  return html`<p class="card ${found.agrees ? "good" : "bad"}" role="status">
      ${found.agrees ? texts.agrees : texts.differs} ${texts.matched}: ${found.matched.length} (${amount(sum)}).
      ${found.notYetDue.length === 0 ? undefined : `${texts.notYetDue}: ${found.notYetDue.length}.`}
    </p>
    ${list(
      texts.evidence,
      found.evidence.map(({ change, movement }) => [html`<strong>${change.key}</strong>`, ": ", booked(movement)])
    )}
    ${list(
      texts.foreign,
      found.foreign.map(({ _tag, movement }) => [booked(movement), ` – ${texts.foreignKinds[_tag]}`])
    )}
    ${list(texts.missing, found.missing.map(expected))}
    ${list(
      texts.differentAmounts,
      found.differentAmounts.map(({ expected: one, movement }) => [expected(one), " → ", booked(movement)])
    )}
    ${list(
      texts.ambiguous,
      found.ambiguous.map(({ candidates, movements }) => [
        movements.map(booked).join("; "),
        " → ",
        candidates.map(expected).join("; ")
      ])
    )}
    ${list(
      texts.gatewayDifferences,
      found.gatewayDifferences.map(({ orderNumber, paymentId }) => `${orderNumber} · ${paymentId}`)
    )}
    ${list(
      texts.contradictions,
      found.contradictions.map(({ difference, from, to }) => `${from} – ${to} · ${amount(difference)}`)
    )}
    ${list(texts.toCheck, found.toCheck.map(booked))} ${clearingsOf(texts, amount, found.clearings)}`
}

const list = (title: string, items: ReadonlyArray<Content>): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<h3>${title}</h3>
        <ul>
          ${items.map((item) => html`<li>${item}</li>`)}
        </ul>`

const clearingsOf = (
  texts: MonthTexts,
  amount: Amounts,
  clearings: ReadonlyArray<ClearingExplanation>
): Html | undefined =>
  clearings.length === 0
    ? undefined
    : html`<h3>${texts.clearings}</h3>
        <div class="scroll" tabindex="0" role="region" aria-label="${texts.clearings}">
          <table>
            <thead>
              <tr>
                ${texts.clearingColumns.map((head) => html`<th scope="col">${head}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${clearings.map(
                ({ currency, explainedBy, fees, gross, notSent, number, refundFees, refunds, transfer }) =>
                  html`<tr>
                    <th scope="row">${number}</th>
                    ${[gross, refunds, fees + refundFees, transfer].map(
                      (sum) => html`<td class="amount">${amount(sum)} ${currency}</td>`
                    )}
                    <td>
                      ${texts.explained[explainedBy]}${notSent === undefined ? "" : `; ${texts.notSent} ${amount(notSent)} ${currency}`}
                    </td>
                  </tr>`
              )}
            </tbody>
          </table>
        </div>`
