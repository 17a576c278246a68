/**
 * The newest payments, as a list of links into the dashboard at the end of a page.
 */
import { paymentStateWords } from "../../contract/StateWords.js"
import { type Content, html } from "../../html/Html.js"
import { moneyText } from "../../html/Money.js"
import type { Payment } from "../books/Payment.js"
import { basePath } from "./BasePath.js"
import type { Engine } from "./Engine.js"
import { sameOriginGuard } from "./SameOriginGuard.js"

const titles = { en: "Newest payments", cs: "Nejnovější platby", sk: "Najnovšie platby" }

const mostPayments = 5

interface NewestPaymentsOptions {
  readonly language: keyof typeof titles
  readonly headers: { readonly [name: string]: string | undefined }
  /** The payment that the page is about: only others of its shop are listed. */
  readonly besides?: Payment
}

/** The list; `undefined` if there are no payments, or the page has reached this gateway by a name of its own. */
export const newestPayments = (engine: Engine, { besides, headers, language }: NewestPaymentsOptions): Content => {
  if (sameOriginGuard({ url: engine.url }).hostObjection(headers) !== undefined) return undefined
  const payments = engine.books
    .allPayments()
    .filter(
      ({ id, order }) => besides === undefined || (id !== besides.id && order.target.goid === besides.order.target.goid)
    )
  if (payments.length === 0) return undefined
  return html`<nav class="card stack" aria-labelledby="payments">
    <h2 id="payments">${titles[language]}</h2>
    <ul class="facts">
      ${payments
        .slice(-mostPayments)
        .toReversed()
        .map(
          ({ id, order, state }) =>
            html`<li>
              <a href="${basePath(engine.url)}/#/payments/${id}"><bdi>${order.order_number}</bdi></a>
              <span
                >${moneyText(order.amount, order.currency, language)}<br /><small
                  >${language === "sk" ? state : paymentStateWords(state, language)}</small
                ></span
              >
            </li>`
        )}
    </ul>
  </nav>`
}
