/**
 * The list of payments, newest first, with its filters in the address.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { ownMember } from "../../../contract/OwnMember.js"
import { read } from "./api.js"
import { Connect } from "./connect.js"
import type { Payments, PaymentView } from "./controlResponses.js"
import { amountText, countText } from "./format.js"
import { LiveLog } from "./log.js"
import { pageSize } from "./logReading.js"
import { createPayment, testOrder } from "./order.js"
import { Button, Chip, Dot, FilterField, More, orderName, Time, Toggle, useSlide } from "./parts.js"
import { PaymentPage } from "./payment.js"
import { addressOf, filterBy, place } from "./place.js"
import { catalogue, revision, state, useReading } from "./state.js"

const kinds: ReadonlyArray<readonly [kind: string, label: string]> = [
  ["recurrence", "starts a recurrence"],
  ["stored-card", "stored card"]
]

const noteOf = ({ payment, refunded }: PaymentView): string =>
  [
    refunded > 0 ? `−${amountText(refunded, payment.currency)}` : undefined,
    payment.parent_id === undefined ? undefined : "charge",
    payment.recurrence === undefined ? undefined : "recurrence",
    payment.preauthorization === undefined || payment.state !== "AUTHORIZED" ? undefined : "held"
  ]
    .filter((text) => text !== undefined)
    .join(", ")

const PaymentRow = ({ view }: { readonly view: PaymentView }) => {
  const { contradictions, created_at, id, payment } = view
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
          <Dot notified={view.notified} />
          <Chip state={payment.state} />
          {contradictions.length === 0 ? null : (
            <span class="tag" title="Does not fit">
              !
            </span>
          )}
          <span>{noteOf(view)}</span>
          <Time at={created_at} />
        </span>
      </a>
    </li>
  )
}

/** Arrows go through the list, up to the search above it and back. */
const moveFocus = (event: KeyboardEvent): void => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0) return
  const stops = [...document.querySelectorAll<HTMLElement>("#payment-filters input, #payment-list a")]
  const current = stops.findIndex((stop) => stop === document.activeElement)
  const next = stops[current + step]
  if (current === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}

const Filters = () => {
  const { search } = place.value
  const { by_state = {}, total = 0 } = state.value?.payments ?? {}
  const chosen = search["state"]
  return (
    <>
      <FilterField
        name="query"
        type="search"
        maxLength={200}
        placeholder="Order number, id, name or e-mail"
        aria-label="Filter payments"
        title="/"
      />
      <div class="filters" role="group" aria-label="State">
        <Toggle id="all" label="All" count={total} isChosen={!chosen} choose={() => filterBy({ state: "" })} />
        {Object.keys(catalogue().paymentStates).map((name) => {
          const count = ownMember(by_state, name) ?? 0
          return count === 0 && name !== chosen ? null : (
            <Toggle
              key={name}
              id={name}
              state={name}
              label={name.replaceAll("_", " ")}
              count={count}
              isChosen={name === chosen}
              choose={() => filterBy({ state: name })}
            />
          )
        })}
      </div>
      <div class="filters" role="group" aria-label="Kind">
        {kinds.map(([kind, label]) => (
          <Toggle
            key={kind}
            label={label}
            isChosen={search["kind"] === kind}
            choose={() => filterBy({ kind: search["kind"] === kind ? "" : kind })}
          />
        ))}
      </div>
    </>
  )
}

const summaryOf = (shown: number, total: number, isFiltered: boolean): string =>
  shown < total
    ? `The newest ${shown} of ${countText(total, "payment")}`
    : isFiltered
      ? `${countText(total, "payment")} found`
      : countText(total, "payment")

/** Only what filters payments, of what stands in the address. */
const filterOf = ({ kind, query, state }: { readonly [name: string]: string }) => ({
  ...(query ? { query } : {}),
  ...(state ? { state } : {}),
  ...(kind ? { kind } : {})
})

/** The newest payments, which are asked for with the page. */
let early: Promise<Payments | undefined> | undefined

/** Asks for the newest payments, before it is known whether they are shown. */
export const readEarly = (): void => {
  early = read<Payments>("/payments", { limit: pageSize }).catch(() => undefined)
}

/** The newest payments of the start, unless something has changed since then. */
const takeEarly = async (): Promise<Payments | undefined> => {
  const found = await early
  early = undefined
  return found?.revision === revision.value ? found : undefined
}

const PaymentList = () => {
  const filter = filterOf(place.value.search)
  const key = JSON.stringify(filter)
  const pages = useSignal({ key, count: 1 })
  const count = pages.value.key === key ? pages.value.count : 1
  const limit = count * pageSize
  const found = useReading(`${revision.value} ${limit} ${key}`, async () => {
    const isFirst = key === "{}" && limit === pageSize
    return (isFirst ? await takeEarly() : undefined) ?? read<Payments>("/payments", { ...filter, limit })
  })
  const list = useSlide<HTMLUListElement>()
  const { payments = [], total = 0 } = found ?? {}
  return (
    <div class="list" onKeyDown={moveFocus}>
      <div id="payment-filters">
        <Filters />
        <p class="quiet summary">
          {found === undefined ? "Loading…" : summaryOf(payments.length, total, key !== "{}")}
        </p>
      </div>
      <ul id="payment-list" ref={list}>
        {payments.map((view) => (
          <PaymentRow key={view.id} view={view} />
        ))}
      </ul>
      <div id="payment-more">
        <More shown={payments.length} total={total} more={() => (pages.value = { key, count: count + 1 })} />
      </div>
    </div>
  )
}

const FirstSteps = () => {
  const create = async () => {
    const id = await createPayment(testOrder())
    location.hash = addressOf({ tab: "payments", id: String(id), search: {} })
    return `The payment ${id} was created. Open its pay page, or act as its payer here.`
  }
  return (
    <div id="no-payments">
      <h2>No payments yet</h2>
      <p>Send an order to this gateway, and it will appear here.</p>
      <div class="group">
        <Button class="primary" id="create-test-payment" action={create}>
          Create a test payment
        </Button>
        <a href="#/keys">Keys and test cards</a>
      </div>
      <Connect />
    </div>
  )
}

/** The payments: the list, and beside it the one that is open, or the live log. */
export const PaymentsPage = () => {
  const { id } = place.value
  const isEmpty = state.value?.payments.total === 0
  useEffect(() => {
    if (id !== undefined)
      return () => {
        // On the way back the focus is on the row again.
        requestAnimationFrame(() => {
          if (place.peek().id !== undefined || place.peek().tab !== "payments") return
          document.querySelector<HTMLElement>(`#payment-list [data-testid="payment-${id}"]`)?.focus()
        })
      }
    return undefined
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
