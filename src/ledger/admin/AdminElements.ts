/**
 * The elements that all sections of the page for accountants share, and its style sheet.
 */
import { type Content, type Html, html } from "../../html/Html.js"

/** The style sheet. The page's content security policy allows it by its hash. */
export const adminStyle = `
:root { color-scheme: light dark; --ground: #f4f5fa; --card: #fff; --ink: #191d33; --muted: #555c77; --line: #c9cee2; --accent: #3730a3; --bad: #a3211a; --good: #14603a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f111a; --card: #1a1d2c; --ink: #eef0fb; --muted: #a9b0cb; --line: #454c6b; --accent: #b3b9ff; --bad: #ffb4ab; --good: #84dba6; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: baseline; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; } h4 { font-size: 1rem; margin: .75rem 0 .25rem; }
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

/** A cell of a table: the name of its row, an amount, or other content. */
type Cell = Content | { readonly name: Content } | { readonly amount: string }

export type Row = ReadonlyArray<Cell>

/** A table that scrolls if it is too wide. Nothing if it has no rows. */
export const table = (title: string, heads: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
        <table>
          <thead>
            <tr>
              ${heads.map((head) => html`<th scope="col">${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells) =>
                html`<tr>
                  ${cells.map(cellOf)}
                </tr>`
            )}
          </tbody>
        </table>
      </div>`

const cellOf = (cell: Cell): Html => {
  if (typeof cell !== "object") return html`<td>${cell}</td>`
  if ("name" in cell) return html`<th scope="row">${cell.name}</th>`
  return "amount" in cell ? html`<td class="amount">${cell.amount}</td>` : html`<td>${cell}</td>`
}

/** A problem, which screen readers announce at once. */
export const alert = (message: Content): Html => html`<p class="card bad" role="alert">${message}</p>`

export const hidden = (name: string, value: Content): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`
