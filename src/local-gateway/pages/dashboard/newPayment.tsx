/**
 * The form of a new payment, created as a shop would.
 */
import { typedAmount } from "./format.js"
import { createPayment, testOrder } from "./order.js"
import { ChoiceField, Form, TextField, type Fields, type Options } from "./parts.js"
import { catalogue, now, remember, remembered, state } from "./state.js"

const holds: Options = [
  ["", "no, paid at once"],
  ["held", "held until it is captured"]
]

const recurrences: Options = [
  ["", "none"],
  ["ON_DEMAND", "on demand"],
  ["DAY", "each day"],
  ["WEEK", "each week"],
  ["MONTH", "each month"]
]

/** A year from now, as a day. */
const inAYear = (): string => new Date(Date.parse(now()) + 365 * 24 * 3600 * 1000).toISOString().slice(0, 10)

const create = async (fields: Fields): Promise<string> => {
  const { amount = "", goid, hold, notification_url = "", recurrence, return_url = "", until, ...order } = fields
  const period = recurrence === "ON_DEMAND" ? {} : { recurrence_period: 1 }
  const said = await createPayment(
    {
      ...order,
      amount: typedAmount(amount),
      lang: "EN",
      ...(hold ? { preauthorization: true } : {}),
      ...(recurrence ? { recurrence: { ...period, recurrence_cycle: recurrence, recurrence_date_to: until } } : {}),
      callback: { return_url, ...(notification_url === "" ? {} : { notification_url }) }
    },
    goid === undefined ? undefined : Number(goid)
  )
  remember("return-url", return_url)
  remember("notification-url", notification_url)
  return said
}

export const NewPaymentPage = () => {
  const { callback, currency, order_number } = testOrder()
  const currencies = Object.entries(catalogue().currencies).map(([code, name]) => [code, `${code} ${name}`] as const)
  const merchants = (state.value?.merchants ?? []).map(({ goid, name }) => [String(goid), name] as const)
  return (
    <section id="new" aria-label="New payment">
      <Form class="panel form stack" action={create}>
        <h2>New payment</h2>
        <p class="quiet">Created as your shop would: with a token, by createPayment.</p>
        <div class="grid">
          <TextField label="Amount" name="amount" defaultValue="1399.50" required />
          <ChoiceField label="Currency" name="currency" options={currencies} chosen={currency} />
          <TextField label="Order number" name="order_number" defaultValue={order_number} required />
          <ChoiceField label="Hold" name="hold" options={holds} />
          <ChoiceField label="Recurrence" name="recurrence" options={recurrences} />
          <TextField label="Recurs until" name="until" type="date" defaultValue={inAYear()} />
          {merchants.length < 2 ? null : <ChoiceField label="Shop" name="goid" options={merchants} />}
        </div>
        <TextField
          label="Return address"
          name="return_url"
          type="url"
          defaultValue={remembered("return-url") ?? callback.return_url}
          required
        />
        <TextField
          label="Notification address (empty: no one is notified)"
          name="notification_url"
          type="url"
          placeholder="http://localhost:3000/notify"
          defaultValue={remembered("notification-url")}
        />
        <div class="group">
          <button class="primary" data-testid="create-payment">
            Create the payment
          </button>
          <a href="#/payments">Cancel</a>
        </div>
      </Form>
    </section>
  )
}
