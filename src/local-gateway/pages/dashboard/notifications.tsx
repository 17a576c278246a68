/**
 * The notifications: every delivery, newest first, with what the shop has responded.
 */
import { millisText, statusText } from "../LogWords.js"
import { change, read, type Log, type State, type Undelivered } from "./api.js"
import { deliveriesOf, standingOf, type Attempt, type Delivery } from "./history.js"
import { CopyNotification, Entry, ShopResponse, Unfolded } from "./entries.js"
import { countText, untilText } from "./format.js"
import { Button, Filter, More, PaymentLink, Pill, Search, Status, Time, useLimit } from "./parts.js"
import { filledIn, place } from "./place.js"
import { newest, now, state, timeText, useReading } from "./state.js"

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

/** The response to the last attempt, and all attempts where there were several. */
const Attempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => {
  const last = attempts.at(-1)
  if (last === undefined) return <p class="quiet">It was not sent yet.</p>
  return (
    <>
      <ShopResponse entry={last} />
      {attempts.length === 1 ? null : (
        <ol class="entries">
          {attempts.toReversed().map((entry) => (
            <Entry key={entry.number} entry={entry} />
          ))}
        </ol>
      )}
    </>
  )
}

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const { attempts, due_at, payment_id, url } = delivery
  const last = attempts.at(-1)
  const { chip, label } = standings[standingOf(delivery)]
  const resend = async () => {
    await change(`/payments/${payment_id}/resend-notification`)
    return "The notification was sent once more."
  }
  return (
    <li class="delivery">
      <Unfolded
        summary={
          <>
            <span class="chip" data-state={chip}>
              {label}
            </span>
            {last === undefined ? null : (
              <>
                <Status text={statusText(last.status)} />
                <Time at={last.at} />
              </>
            )}
            <span>{attemptsText(delivery)}</span>
            {last?.duration_millis === undefined ? null : (
              <span class="quiet number">{millisText(last.duration_millis)}</span>
            )}
            {due_at === undefined ? null : <Countdown at={due_at} />}
            {last?.problem === undefined ? null : <span class="problem">{last.problem}</span>}
            <code class="path">{url}</code>
          </>
        }
      >
        {() => <Attempts attempts={attempts} />}
      </Unfolded>
      <div class="group">
        <span>
          Payment <PaymentLink id={payment_id} />
        </span>
        <Button class="small" aria-label={`Resend the notification of payment ${payment_id}`} action={resend}>
          Resend
        </Button>
        <CopyNotification payment_id={payment_id} url={url} />
      </div>
    </li>
  )
}

/** The attempts and what is pending, of one time: what is tried in between would else be shown as given up. */
const readDeliveries = async (query: string, limit: number, tries = 5) => {
  const log = await read<Log>("/log", { ...filledIn({ type: "notification", query }), limit })
  const { pending } = await read<Undelivered>("/notifications")
  const { newest } = await read<State>("/state")
  if (newest !== log.next_after && tries > 1) return readDeliveries(query, limit, tries - 1)
  return { log, all: deliveriesOf(log.entries, query.trim() === "" ? pending : []) }
}

const deliverNow = async (): Promise<string> => {
  await change("/deliver-notifications")
  return "Every notification has been accepted or given up."
}

/** The deliveries. */
export const NotificationsPage = () => {
  const { query = "", show = "" } = place.value.search
  const { limit, more } = useLimit(query)
  const waiting = state.value?.notifications_waiting ?? 0
  const found = useReading(`${newest.value} ${waiting} ${limit} ${query}`, () => readDeliveries(query, limit))
  const deliveries = found?.all.filter((delivery) => show === "" || standingOf(delivery) === show) ?? []
  return (
    <section id="notifications" aria-label="Notifications">
      <Filter label="Filter the notifications">
        <Search label="Search the notifications" placeholder="Payment, address or response" />
        <div class="pills" role="radiogroup" aria-label="Show">
          <Pill name="show" value="" label="All" />
          <Pill name="show" value="waiting" label="Waiting" />
          <Pill name="show" value="givenUp" label="Given up" />
          <Pill name="show" value="taken" label="Notified" />
        </div>
        <Button class="primary" data-testid="deliver-now" disabled={waiting === 0} action={deliverNow}>
          Deliver them now
        </Button>
        <span class="quiet">{waiting === 0 ? "No pending notifications." : `${waiting} pending.`}</span>
      </Filter>
      <ol class="deliveries">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.key} delivery={delivery} />
        ))}
      </ol>
      {found !== undefined && deliveries.length === 0 ? (
        <p class="quiet hint">
          {found.all.length === 0 && query === "" ? "No shop was notified yet." : "No notification matches."}
        </p>
      ) : null}
      <More shown={found?.log.entries.length ?? 0} total={found?.log.total ?? 0} more={more} />
    </section>
  )
}
