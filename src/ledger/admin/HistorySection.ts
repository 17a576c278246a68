/**
 * The history of a change, or of the payment of an order, on the page for accountants.
 */
import { ownMember } from "../../contract/OwnMember.js"
import { type Html, html } from "../../html/Html.js"
import type { HistoryEntry } from "../model/History.js"
import type { Formats } from "./AdminFormats.js"
import { table } from "./AdminTable.js"
import type { AdminTexts } from "./AdminTexts.js"

/** The history that was asked for. */
export interface HistoryView {
  readonly key: string
  readonly steps: ReadonlyArray<HistoryEntry>
}

/** The steps, oldest first. */
export const historySection = (texts: AdminTexts, { time }: Formats, { key, steps }: HistoryView): Html =>
  html`<h2 id="history">${texts.history}: ${key}</h2>
    ${
      steps.length === 0
        ? html`<p>${texts.noHistory}</p>`
        : table(
            texts.history,
            texts.historyColumns,
            steps.map(
              (step) =>
                html`<tr>
                  <td><time datetime="${step.at}">${time(step.at)}</time></td>
                  <td>${[statusIn(texts, step), step.state].filter((part) => part !== undefined).join(" · ")}</td>
                  <td>${step.process}</td>
                  <td>
                    ${step.attention === undefined ? undefined : html`<strong>${texts.kinds[step.attention][0]}</strong> `}
                    <span lang="en">${step.message}</span>
                  </td>
                </tr>`
            )
          )
    }`

const statusIn = ({ paymentStatuses, statuses, stepStatuses }: AdminTexts, { operation, status }: HistoryEntry) =>
  ownMember<string>(operation === "createPayment" ? paymentStatuses : { ...statuses, ...stepStatuses }, status) ??
  status
