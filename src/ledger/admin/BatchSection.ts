/**
 * A form that decides several changes at once.
 */
import { type Html, html } from "../../html/Html.js"
import type { AttentionItem, ChangeDecision, PaymentDecision } from "../model/Attention.js"
import type { AdminLanguage, AdminTexts } from "./AdminTexts.js"

/** The decisions that need nothing but the evidence. */
const plain: ReadonlyArray<ChangeDecision | PaymentDecision> = ["done", "notDone", "cancelled"]

/** What is decided together: those that may be decided in one of these ways. Nothing for fewer than two. */
export const batchSection = (
  texts: AdminTexts,
  language: AdminLanguage,
  items: ReadonlyArray<AttentionItem>
): Html | undefined => {
  const fitting = items.filter(({ decisions }) => decisions.some((decision) => plain.includes(decision)))
  if (fitting.length < 2) return undefined
  return html`<details class="card">
    <summary>${texts.several}</summary>
    <form method="post">
      <input type="hidden" name="lang" value="${language}" />
      <fieldset>
        <legend>${texts.severalItems}</legend>
        ${fitting.map(
          ({ key, kind, version }) =>
            html`<label class="choice"
              ><input type="checkbox" name="item" value="${version} ${key}" />${key} (${texts.kinds[kind][0]})</label
            >`
        )}
      </fieldset>
      <fieldset>
        <legend>${texts.decision}</legend>
        ${plain.map(
          (decision) =>
            html`<label class="choice"
              ><input type="radio" name="as" value="${decision}" required />${texts.decisions[decision]}</label
            >`
        )}
      </fieldset>
      <label class="field" for="note-several">${texts.note}</label>
      <textarea id="note-several" name="note" rows="2" required maxlength="2000"></textarea>
      <button>${texts.decide}</button>
    </form>
  </details>`
}
