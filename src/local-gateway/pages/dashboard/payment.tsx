/**
 * One payment: its title and next event, its actions, its history, its facts.
 */
import { useEffect, useRef } from "preact/hooks"
import { isoTimestamp } from "../../../basics/Day.js"
import { ownMember } from "../../../basics/OwnMember.js"
import { amountText } from "../LogWords.js"
import { Actions } from "./actions.js"
import { ControlFailure, read, type PaymentDetail, type PaymentView } from "./api.js"
import { deliveriesOf, eventTexts, standingOf, withoutRepeated } from "./history.js"
import { Entries } from "./entries.js"
import { capitalized, countText, joined, jsonText, untilText } from "./format.js"
import { Block, Button, changing, Chip, Dot, Facts, orderName, PaymentLink, Table, Time } from "./parts.js"
import { addressOf, place, visits } from "./place.js"
import { catalogue, newest, now, revision, state, timeText, useReading } from "./state.js"
import { SequencePicture } from "./sequence.js"
import { skipTo } from "./time.js"

const recurrenceText = ({ recurrence }: PaymentView["payment"]): string | undefined => {
  if (recurrence === undefined) return undefined
  const { recurrence_cycle, recurrence_date_to, recurrence_period, recurrence_state } = recurrence
  const period = recurrence_period === undefined ? "" : ` × ${recurrence_period}`
  return `${recurrence_cycle}${period} until ${String(recurrence_date_to)}, ${recurrence_state ?? ""}`
}

const payerText = ({ payer }: PaymentView["payment"]): string => {
  const { email, first_name, last_name, phone_number } = payer?.contact ?? {}
  return joined([joined([first_name, last_name], " "), email, phone_number])
}

const PaymentFacts = ({ detail }: { readonly detail: PaymentDetail }) => {
  const { charges, order, payment: view } = detail
  const { payment, received, refundable, refunded } = view
  const { currency, parent_id, payer, payment_instrument, preauthorization, sub_state } = payment
  const { paymentInstruments, paymentSubStates } = catalogue()
  const card = payer?.payment_card
  const money = (amount: number) => (amount === 0 ? undefined : amountText(amount, currency))
  return (
    <Facts
      pairs={[
        ["Id", <span class="id">{view.id}</span>],
        ["API", view.api],
        ["Created", <Time at={view.created_at} />],
        // After a refund, the sub-state still says how the payment was made.
        [
          payment.state.endsWith("REFUNDED") ? "Paid by" : "Reason",
          sub_state && joined([sub_state, ownMember(paymentSubStates, sub_state)], " ")
        ],
        ["Received", amountText(received, currency)],
        ["Refunded", money(refunded)],
        ["Refundable", money(refundable)],
        ["Method", payment_instrument && (ownMember(paymentInstruments, payment_instrument) ?? payment_instrument)],
        ["Card", card && joined([card.card_brand, card.card_number, card.card_issuer_bank])],
        ["Stored card", payer?.card_id && <span class="id">{payer.card_id}</span>],
        ["Description", order.order_description],
        ["Payer", payerText(payment)],
        ["Return address", <span class="path">{order.callback.return_url}</span>],
        ["Notification address", <span class="path">{order.callback.notification_url ?? "none"}</span>],
        ["Hold", preauthorization?.state],
        ["Recurrence", recurrenceText(payment)],
        ["Charge of", parent_id && <PaymentLink id={parent_id} />],
        [
          "Charges",
          charges.length > 0 && (
            <span class="ids">
              {charges.map((id) => (
                <PaymentLink key={id} id={id} />
              ))}
            </span>
          )
        ]
      ]}
    />
  )
}

const Contradictions = ({ view: { contradictions } }: { readonly view: PaymentView }) =>
  contradictions.length > 0 && (
    <div class="contradictions" role="note">
      <strong>Something is wrong with this order</strong>
      <ul>
        {contradictions.map(({ message, type }) => (
          <li key={type}>
            {message} {type === "notNotified" && <a href="#/settings?query=notificationHosts">Allow its host</a>}
          </li>
        ))}
      </ul>
    </div>
  )

const Next = ({ next }: { readonly next: PaymentView["next"] }) => {
  void state.value
  if (next === undefined) return null
  return (
    <p class="next">
      <span>{`${capitalized(eventTexts[next.type])} ${untilText(next.at, now())}, at ${timeText(next.at)}. `}</span>
      <Button label="Skip to then" class="small" action={() => skipTo(next.at)} />
    </p>
  )
}

/** Why the shop has not been notified of the payment, and when the next attempt is. */
const FailingNotification = ({ detail }: { readonly detail: PaymentDetail }) => {
  const { id } = detail.payment
  const found = useReading(`${id} ${newest.value}`, () => read("/notifications"))
  void state.value
  if (found === undefined) return null
  const pending = found.pending.filter(({ payment_id }) => payment_id === id)
  const delivery = deliveriesOf(detail.timeline, pending).find(({ attempts }) => attempts.length > 0)
  const last = delivery?.attempts.at(-1)
  if (delivery === undefined || last === undefined || last.attempt === 0 || standingOf(delivery) === "taken")
    return null
  const why = last.status === 0 ? (last.problem ?? "no response") : `it responded with status ${last.status}, not 200`
  const { due_at } = delivery
  return (
    <div class="line bad failing" role="note" data-testid="failing-notification">
      <span>
        The shop has not taken the notification of {timeText(last.at)}: {why}.{" "}
        {due_at === undefined
          ? `It was given up after ${countText(last.attempt, "attempt")}.`
          : `The next attempt is ${untilText(due_at, now())}.`}
      </span>
      <Button
        label="Notify it now"
        class="small"
        action={changing("The notification was sent once more.", `/payments/${id}/resend-notification`)}
      />
      <a href="#/notifications">Responses of the shop</a>
    </div>
  )
}

const Title = ({ view }: { readonly view: PaymentView }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const { amount, currency, gw_url, state } = view.payment
  useEffect(() => {
    if (visits.peek() > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <header class="title">
        <div>
          <h2 id="payment-heading" tabIndex={-1} ref={heading}>
            {orderName(view)}
          </h2>
          <span>
            <Chip state={state} />
          </span>
          <Dot view={view} />
        </div>
        <p class="big">{amountText(amount, currency)}</p>
      </header>
      <p class="links">
        {gw_url && (
          <a href={gw_url} target="_blank" rel="noreferrer">
            Open the pay page ↗
          </a>
        )}
        <a href={`#/log?query=${view.id}`}>Log of this payment</a>
      </p>
    </>
  )
}

const Detail = ({ detail }: { readonly detail: PaymentDetail }) => {
  const { order, payment: view, refunds, timeline, under_way } = detail
  return (
    <>
      <Title view={view} />
      <Next next={view.next} />
      <Contradictions view={view} />
      {view.notified === "failing" && <FailingNotification detail={detail} />}
      <Actions detail={detail} />
      {timeline.length > 0 && (
        <section class="panel picture">
          <h3>Who said what to whom</h3>
          <SequencePicture entries={timeline} underWay={under_way} />
        </section>
      )}
      <h3>Timeline</h3>
      <Entries entries={withoutRepeated(timeline).toReversed()} currency={view.payment.currency} />
      <h3>Facts</h3>
      <PaymentFacts detail={detail} />
      <Table
        title="Items"
        rows={(order.items ?? []).map(({ amount, count, name }) => [
          name,
          <span class="number">{count && `${count} ×`}</span>,
          <span class="number">{amountText(amount, order.currency)}</span>
        ])}
      />
      <Table
        title="Refunds"
        rows={refunds.map(({ amount, currency, date_requested, id, state }) => [
          <span class="id">{id}</span>,
          <Chip state={state} />,
          <span class="number">{amountText(amount, currency)}</span>,
          date_requested === undefined ? "" : <Time at={isoTimestamp(date_requested)} />
        ])}
      />
      <details class="raw">
        <summary>Raw</summary>
        <Block title="Response of getPayment" text={jsonText(view.payment)} />
      </details>
    </>
  )
}

export const PaymentPage = ({ id }: { readonly id: string }) => {
  const detail = useReading(`${revision.value} ${newest.value}`, () =>
    read(`/payments/${encodeURIComponent(id)}`).catch((failure: unknown) => {
      if (failure instanceof ControlFailure && failure.status === 404) return null
      throw failure
    })
  )
  return (
    <>
      <a href={addressOf({ ...place.value, id: undefined })} class="back">
        ← All payments
      </a>
      {detail === null && <p class="quiet hint">There is no payment {id}.</p>}
      {detail && <Detail detail={detail} />}
    </>
  )
}
