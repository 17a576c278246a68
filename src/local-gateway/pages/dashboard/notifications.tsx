/**
 * The notifications: every delivery, newest first, with what the shop has responded.
 */
import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { read, change } from "./api.js"
import type { Undelivered } from "./controlResponses.js"
import { inShell } from "./copies.js"
import { deliveriesOf, standingOf, type Attempt, type Delivery } from "./deliveries.js"
import { ShopResponse, Took } from "./entries.js"
import { countText, untilText } from "./format.js"
import { pageSize, useLog } from "./logReading.js"
import { Button, Copy, deliverNow, FilterField, More, PaymentLink, Status, Time, Toggle } from "./parts.js"
import { filterBy, place } from "./place.js"
import { newest, now, revision, state, timeText, useReading } from "./state.js"

const standings = {
  taken: { label: "notified", chip: "FINISHED" },
  waiting: { label: "waiting", chip: "PENDING" },
  givenUp: { label: "given up", chip: "FAILED" }
} as const

/** The time of the next attempt, counted down. */
const Countdown = ({ at }: { readonly at: string }) => {
  void state.value
  return (
    <span class="countdown" title={timeText(at)}>
      next attempt {untilText(at, now())}
    </span>
  )
}

const attemptsText = (delivery: Delivery): string => {
  const count = delivery.attempts.at(-1)?.attempt ?? 0
  if (count === 0) return delivery.attempts.length === 0 ? "not tried yet" : "not sent"
  return countText(count, "attempt")
}

/** All attempts of a delivery; of one of them, the response. */
const Attempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => {
  const chosen = useSignal<number | undefined>(undefined)
  const shown = attempts.find(({ number }) => number === chosen.value) ?? attempts.at(-1)
  return (
    <>
      {attempts.length < 2 ? null : (
        <ol class="attempts">
          {attempts.map((entry) => (
            <li key={entry.number}>
              <button
                type="button"
                class="filter"
                aria-pressed={entry === shown}
                onClick={() => (chosen.value = entry.number)}
              >
                {entry.attempt}. <Status status={entry.status} /> <Time at={entry.at} />
              </button>
            </li>
          ))}
        </ol>
      )}
      {shown === undefined ? <p class="quiet">It was not sent yet.</p> : <ShopResponse entry={shown} />}
    </>
  )
}

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const isOpen = useSignal(false)
  const { attempts, due_at, payment_id, url } = delivery
  const last = attempts.at(-1)
  const { chip, label } = standings[standingOf(delivery)]
  const resend = async () => {
    await change(`/payments/${payment_id}/resend-notification`)
    return "The notification was sent once more."
  }
  return (
    <li class="delivery">
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>
          <span class="chip" data-state={chip}>
            {label}
          </span>
          {last === undefined ? null : <Status status={last.status} />}
          {last === undefined ? null : <Time at={last.at} />}
          <span>{attemptsText(delivery)}</span>
          {last === undefined ? null : <Took millis={last.duration_millis} />}
          {due_at === undefined ? null : <Countdown at={due_at} />}
          {last?.problem === undefined ? null : <span class="problem">{last.problem}</span>}
          <code class="path">{url}</code>
        </summary>
        {isOpen.value ? <Attempts attempts={attempts} /> : null}
      </details>
      <div class="group">
        <span>
          Payment <PaymentLink id={payment_id} />
        </span>
        <Button class="small" label={`Resend the notification of payment ${payment_id}`} action={resend}>
          Resend
        </Button>
        <Copy
          label={`Copy as curl: the notification of payment ${payment_id}`}
          text={() => `curl -i ${inShell(url)}`}
          done="The notification is on the clipboard."
        >
          Copy as curl
        </Copy>
      </div>
    </li>
  )
}

const shown = [
  ["", "All"],
  ["waiting", "Waiting"],
  ["givenUp", "Given up"],
  ["taken", "Notified"]
] as const

const Toolbar = ({ waiting }: { readonly waiting: number }) => (
  <div class="toolbar" role="search" aria-label="Filter the notifications">
    <FilterField
      name="query"
      type="search"
      maxLength={200}
      placeholder="Payment, address or response"
      aria-label="Search the notifications"
    />
    <div class="filters" role="group" aria-label="Show">
      {shown.map(([name, label]) => (
        <Toggle
          key={name}
          label={label}
          isChosen={(place.value.search["show"] ?? "") === name}
          choose={() => filterBy({ show: name })}
        />
      ))}
    </div>
    <Button class="primary" id="deliver-now" disabled={waiting === 0} action={deliverNow}>
      Deliver them now
    </Button>
    <span class="quiet">{waiting === 0 ? "No pending notifications." : `${waiting} pending.`}</span>
  </div>
)

/** The deliveries. */
export const NotificationsPage = () => {
  const { query = "", show = "" } = place.value.search
  const log = useLog({ type: "notification", ...(query.trim() === "" ? {} : { query: query.trim() }) })
  const waiting = state.value?.notifications_waiting ?? 0
  const at = newest.value
  const undelivered = useReading(`${revision.value} ${at} ${waiting}`, async () => ({
    at,
    ...(await read<Undelivered>("/notifications"))
  }))
  const pending = query.trim() === "" ? (undelivered?.pending ?? []) : []
  const last = useRef<{ readonly query: string; readonly all: ReadonlyArray<Delivery> } | undefined>(undefined)
  // The attempts and what is pending are of one time: what is tried again would else be shown as given up.
  const isOfOneTime = log.after >= at && undelivered?.at === at
  if (log.isRead && undelivered !== undefined && (isOfOneTime || last.current?.query !== query)) {
    last.current = { query, all: deliveriesOf(log.entries, pending) }
  }
  const all = last.current?.query === query ? last.current.all : []
  const found = show === "" ? all : all.filter((delivery) => standingOf(delivery) === show)
  return (
    <section id="notifications" aria-label="Notifications">
      <Toolbar waiting={waiting} />
      <ol class="deliveries">
        {found.slice(0, pageSize * 5).map((delivery) => (
          <DeliveryRow key={delivery.key} delivery={delivery} />
        ))}
      </ol>
      {log.isRead && undelivered !== undefined && found.length === 0 ? (
        <p class="quiet hint">
          {all.length === 0 && query === "" ? "No shop was notified yet." : "No notification matches."}
        </p>
      ) : null}
      <More shown={log.entries.length} total={log.total} more={log.more} />
    </section>
  )
}
