/**
 * The form of a new payment, created as a shop would.
 */
import { useSignal } from "@preact/signals"
import { minorUnits } from "./format.js"
import { createPayment, testOrder } from "./order.js"
import { Button, Field, Pick, Text, type Options } from "./parts.js"
import { addressOf } from "./place.js"
import { catalogue, now, state } from "./state.js"

const recurrences: Options = [
  ["", "none"],
  ["ON_DEMAND", "on demand"],
  ["DAY", "each day"],
  ["WEEK", "each week"],
  ["MONTH", "each month"]
]

const remembered = "effect-gopay-new-payment"

interface Fields {
  readonly amount: string
  readonly currency: string
  readonly order_number: string
  readonly hold: string
  readonly recurrence: string
  readonly until: string
  readonly return_url: string
  readonly notification_url: string
  readonly goid: string
}

/** A year from now, as a day. */
const inAYear = (): string => new Date(Date.parse(now()) + 365 * 24 * 3600 * 1000).toISOString().slice(0, 10)

/** The addresses that were used last; a browser may keep nothing. */
const addressesBefore = (): Partial<Fields> => {
  try {
    const kept: { readonly return_url?: unknown; readonly notification_url?: unknown } = JSON.parse(
      localStorage.getItem(remembered) ?? "{}"
    )
    return {
      ...(typeof kept.return_url === "string" ? { return_url: kept.return_url } : {}),
      ...(typeof kept.notification_url === "string" ? { notification_url: kept.notification_url } : {})
    }
  } catch {
    return {}
  }
}

const remember = ({ notification_url, return_url }: Fields): void => {
  try {
    localStorage.setItem(remembered, JSON.stringify({ return_url, notification_url }))
  } catch {
    // Then they are typed again.
  }
}

const orderOf = (fields: Fields) => {
  const { currency, hold, notification_url, order_number, recurrence, return_url, until } = fields
  const amount = minorUnits(fields.amount)
  if (amount === undefined) throw new Error("This is not an amount, such as 1399.50.")
  return {
    amount,
    currency,
    order_number,
    lang: "EN",
    ...(hold === "" ? {} : { preauthorization: true }),
    ...(recurrence === ""
      ? {}
      : {
          recurrence: {
            recurrence_cycle: recurrence,
            ...(recurrence === "ON_DEMAND" ? {} : { recurrence_period: 1 }),
            recurrence_date_to: until
          }
        }),
    callback: { return_url, ...(notification_url.trim() === "" ? {} : { notification_url: notification_url.trim() }) }
  }
}

/** The form. */
export const NewPaymentPage = () => {
  const { callback, currency } = testOrder()
  const merchants = state.value?.merchants ?? []
  const given = useSignal<Fields>({
    amount: "1399.50",
    currency,
    order_number: "TEST-2",
    hold: "",
    recurrence: "",
    until: inAYear(),
    ...callback,
    goid: "",
    ...addressesBefore()
  })
  const fields = given.value
  const set = (name: keyof Fields) => (value: string) => (given.value = { ...given.value, [name]: value })
  const text = (name: keyof Fields, label: string, attributes: object = {}) => (
    <Field name={label}>
      <Text more={attributes} value={fields[name]} onType={set(name)} />
    </Field>
  )
  const choice = (name: keyof Fields, label: string, options: Options) => (
    <Pick label={label} options={options} value={fields[name]} onPick={set(name)} />
  )
  const create = async () => {
    const id = await createPayment(orderOf(fields), fields.goid === "" ? undefined : Number(fields.goid))
    remember(fields)
    location.hash = addressOf({ tab: "payments", id: String(id), search: {} })
    return `The payment ${id} was created.`
  }
  return (
    <section id="new" aria-label="New payment">
      <div class="panel form">
        <h2>New payment</h2>
        <p class="quiet">Created as your shop would: with a token, by createPayment.</p>
        <div class="grid">
          {text("amount", "Amount", { inputMode: "decimal" })}
          {choice(
            "currency",
            "Currency",
            Object.entries(catalogue().currencies).map(([code, name]) => [code, `${code} ${name}`])
          )}
          {text("order_number", "Order number")}
          {choice("hold", "Hold", [
            ["", "no, paid at once"],
            ["held", "held until it is captured"]
          ])}
          {choice("recurrence", "Recurrence", recurrences)}
          {fields.recurrence === "" ? null : text("until", "Recurs until", { type: "date" })}
          {merchants.length < 2
            ? null
            : choice("goid", "Shop", [
                ["", merchants[0]?.name ?? ""],
                ...merchants.slice(1).map(({ goid, name }) => [String(goid), name] as const)
              ])}
        </div>
        {text("return_url", "Return address", { type: "url" })}
        {text("notification_url", "Notification address (empty: no one is notified)", { type: "url" })}
        <div class="group">
          <Button class="primary" id="create-payment" action={create}>
            Create the payment
          </Button>
          <a href="#/payments">Cancel</a>
        </div>
      </div>
    </section>
  )
}
