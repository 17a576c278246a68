/**
 * A table on the page for accountants.
 */
import { type Html, html } from "../../html/Html.js"

/** A table that scrolls by itself where it is too wide. */
export const table = (title: string, heads: ReadonlyArray<string>, rows: ReadonlyArray<Html>): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
