/**
 * The notifications: every delivery, newest first, with the shop's responses.
 */
import { millisText, notTakenText, statusText } from "../LogWords.js"
import { read } from "./api.js"
import { deliveriesOf, standingOf, type Attempt, type Delivery } from "./history.js"
import { CopyNotification, Entries, ShopResponse, Unfolded } from "./entries.js"
import { capitalized, countText, untilText } from "./format.js"
import { Button, changing, Chip, Filter, PaymentLink, Pills, Status, Time, useLimit } from "./parts.js"
import { place } from "./place.js"
import { newest, now, state, timeText, useReading } from "./state.js"

const standings = {
  waiting: { label: "waiting", chip: "PENDING" },
  givenUp: { label: "given up", chip: "FAILED" },
  notSent: { label: "not sent", chip: "FAILED" },
  taken: { label: "notified", chip: "FINISHED" }
} as const

const shown = Object.entries(standings).map(([name, { label }]) => [name, capitalized(label)] as const)

const Countdown = ({ at }: { readonly at: string }) => {
  void state.value
  return (
    <span class="countdown" title={timeText(at)}>
      next attempt {untilText(at, now())}
    </span>
  )
}

const attemptsText = (last: Attempt | undefined): string =>
  last === undefined ? "not tried yet" : countText(last.attempt, "attempt")

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const { attempts, due_at, payment_id, url } = delivery
  const last = attempts.at(-1)
  const standing = standingOf(delivery)
  const { chip, label } = standings[standing]
  const wasSent = standing !== "notSent"
  const problem = last && (last.problem ?? notTakenText(last.status))
  return (
    <li class="delivery">
      <Unfolded
        summary={
          <>
            <Chip state={chip} text={label} />
            {last && wasSent && <Status text={statusText(last.status)} />}
            {last && <Time at={last.at} />}
            {wasSent && <span>{attemptsText(last)}</span>}
            {last?.duration_millis !== undefined && (
              <span class="quiet number">{millisText(last.duration_millis)}</span>
            )}
            {due_at && <Countdown at={due_at} />}
            {problem && <span class="problem">{problem.replace(/^not sent: /, "")}</span>}
            <code class="path">{url}</code>
          </>
        }
      >
        {last === undefined ? <p class="quiet">It was not sent yet.</p> : <ShopResponse entry={last} />}
        {attempts.length > 1 && <Entries entries={attempts.toReversed()} />}
      </Unfolded>
      <div class="group">
        <span>
          {last?.order_number ?? "Payment"} <PaymentLink id={payment_id} />
        </span>
        <Button
          label="Resend"
          class="small"
          aria-label={`Resend the notification of payment ${payment_id}`}
          action={changing("The notification was sent once more.", `/payments/${payment_id}/resend-notification`)}
        />
        <CopyNotification payment_id={payment_id} url={url} />
      </div>
    </li>
  )
}

/**
 * Reads the attempts and the pending notifications of the same moment: an attempt made between the two reads would be
 * shown as given up.
 */
const readDeliveries = async (limit: number, tries = 5) => {
  const log = await read("/log", { type: "notification", limit })
  const { pending } = await read("/notifications")
  const { newest } = await read("/state")
  if (newest !== log.next_after && tries > 1) return readDeliveries(limit, tries - 1)
  return { log, all: deliveriesOf(log.entries, pending) }
}

export const NotificationsPage = () => {
  const { show = "" } = place.value.search
  const { limit, more } = useLimit("notifications")
  const { notifications_failing: failing = 0, notifications_waiting: waiting = 0 } = state.value ?? {}
  const found = useReading(`${newest.value} ${waiting} ${limit}`, () => readDeliveries(limit))
  const deliveries = found?.all.filter((delivery) => show === "" || standingOf(delivery) === show) ?? []
  return (
    <section id="notifications" aria-label="Notifications">
      <Filter label="Filter the notifications">
        <Pills name="show" label="Show" values={[["", "All"], ...shown]} />
        <Button
          label="Deliver them now"
          class="primary"
          data-testid="deliver-now"
          disabled={waiting === 0}
          action={changing("Every notification has been accepted or given up.", "/deliver-notifications")}
        />
        <span class="quiet">
          {waiting === 0 ? "No pending notifications." : `${waiting} pending.`}
          {failing > 0 && ` ${countText(failing, "payment")} whose last notification was not taken.`}
        </span>
      </Filter>
      <ol class="deliveries">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.key} delivery={delivery} />
        ))}
      </ol>
      {found !== undefined && deliveries.length === 0 ? (
        <p class="quiet hint">{found.all.length === 0 ? "No shop was notified yet." : "No notification matches."}</p>
      ) : null}
      {found && more(found.log.entries.length, found.log.total)}
    </section>
  )
}
