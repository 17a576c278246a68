/**
 * The list of payments, newest first, with its filters in the address.
 */
import { useEffect } from "preact/hooks"
import { ownMember } from "../../../basics/OwnMember.js"
import { amountText } from "../LogWords.js"
import { read, type PaymentView } from "./api.js"
import { joined } from "./format.js"
import { Connect, Environment } from "./keys.js"
import { LiveLog } from "./log.js"
import { createPayment, testOrder } from "./order.js"
import { Button, Chip, Dot, Filter, foundText, orderName, Pills, Select, Time, useLimit, useSlide } from "./parts.js"
import { PaymentPage } from "./payment.js"
import { addressOf, filledIn, place } from "./place.js"
import { catalogue, revision, state, useReading } from "./state.js"

const kinds = [
  ["", "Any kind of payment"],
  ["recurrence", "starts a recurrence"],
  ["stored-card", "stored card"]
] as const

const noteOf = ({ api, payment, refunded }: PaymentView): string =>
  joined([
    api && `API ${api}`,
    refunded > 0 && `−${amountText(refunded, payment.currency)}`,
    payment.parent_id !== undefined && "charge",
    payment.recurrence !== undefined && "recurrence"
  ])

const PaymentRow = ({ view }: { readonly view: PaymentView }) => {
  const { created_at, id, payment } = view
  const { id: open, search } = place.value
  return (
    <li>
      <a
        href={addressOf({ tab: "payments", id: String(id), search })}
        class="payment"
        data-testid={`payment-${id}`}
        aria-current={String(id) === open ? "true" : undefined}
      >
        <span class="order">{orderName(view)}</span>
        <span class="amount">{amountText(payment.amount, payment.currency)}</span>
        <span class="under quiet">
          <Dot view={view} />
          <Chip state={payment.state} />
          <span>{noteOf(view)}</span>
          <Time at={created_at} />
        </span>
      </a>
    </li>
  )
}

interface Counts {
  readonly by_state: { readonly [state: string]: number }
}

/** The filter, with the numbers of the payments that match but for their state. */
const PaymentFilter = ({ by_state }: Counts) => {
  const { search } = place.value
  const total = Object.values(by_state).reduce((sum, count) => sum + count, 0)
  const states = Object.keys(catalogue().paymentStates).flatMap((name) => {
    const count = ownMember(by_state, name) ?? 0
    return count === 0 && name !== search["state"] ? [] : [[name, name.replaceAll("_", " "), count] as const]
  })
  return (
    <Filter label="Filter the payments">
      <input
        type="search"
        name="query"
        maxLength={200}
        placeholder="Order number, id, name or e-mail"
        aria-label="Filter payments"
        defaultValue={search["query"]}
      />
      <Pills name="state" label="State" values={[["", "All", total], ...states]} />
      <Select name="kind" aria-label="Kind" options={kinds} chosen={search["kind"]} />
    </Filter>
  )
}

const PaymentList = () => {
  const { kind = "", query = "", state = "" } = place.value.search
  const filter = filledIn({ query, state, kind })
  const key = JSON.stringify(filter)
  const { limit, more } = useLimit(key)
  const found = useReading(`${revision.value} ${limit} ${key}`, async () => {
    const readPayments = () => read("/payments", { ...filter, limit })
    const first = await readPayments()
    // What the page has preloaded may be older than the state.
    return first.revision < revision.value ? readPayments() : first
  })
  const { payments = [], total = 0 } = found ?? {}
  return (
    <div class="list">
      <div class="filter">
        <PaymentFilter by_state={found?.by_state ?? {}} />
        <p class="quiet summary">
          {found === undefined ? "Loading…" : foundText("payment", key !== "{}", payments.length, total)}
        </p>
      </div>
      <ul id="payment-list" ref={useSlide<HTMLUListElement>()}>
        {payments.map((view) => (
          <PaymentRow key={view.id} view={view} />
        ))}
      </ul>
      {more(payments.length, total)}
    </div>
  )
}

const createTestPayment = async () => `${await createPayment(testOrder())} Open its pay page, or act as its payer here.`

const FirstSteps = () => (
  <div id="no-payments">
    <h2>No payments yet</h2>
    <p>This is a local GoPay gateway: no money moves. Send an order to it, and it will appear here.</p>
    <div class="group">
      <Button
        label="Create a test payment"
        class="primary"
        data-testid="create-test-payment"
        action={createTestPayment}
      />
      <a href="#/keys">Keys and test cards</a>
    </div>
    <Environment />
    <Connect />
  </div>
)

export const PaymentsPage = () => {
  const { id } = place.value
  const isEmpty = state.value?.payments.total === 0
  useEffect(() => {
    if (id === undefined) return undefined
    return () => {
      // On the way back, the row gets the focus again.
      requestAnimationFrame(() => {
        if (place.peek().id !== undefined || place.peek().tab !== "payments") return
        document.querySelector<HTMLElement>(`#payment-list [data-testid="payment-${id}"]`)?.focus()
      })
    }
  }, [id])
  return (
    <div id="payments" class={`${isEmpty ? "empty" : ""} ${id === undefined ? "" : "opened"}`}>
      <section id="payment-side" aria-label="Payments">
        {isEmpty ? <FirstSteps /> : <PaymentList />}
      </section>
      <article id="payment-detail" aria-label="Payment">
        {id !== undefined ? <PaymentPage key={id} id={id} /> : isEmpty ? null : <LiveLog />}
      </article>
    </div>
  )
}
