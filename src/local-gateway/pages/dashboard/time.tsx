/**
 * Moving time: what falls due before, how far it is meanwhile, and what has happened after.
 */
import { signal, useSignal } from "@preact/signals"
import { read, type Due, type Log, type State } from "./api.js"
import { aheadText, countText, durationIn, secondsUntil } from "./format.js"
import { Button, fieldsOf, Form, Menu, PaymentLink, Time, type Fields } from "./parts.js"
import { eventTexts, happenedText } from "./history.js"
import { changeTime, fullTime, newest, now, revision, state, useReading } from "./state.js"

/** A move of time that has ended. */
interface Moved {
  readonly from: string
  readonly to: string
  /** The number of the newest entry before it. */
  readonly after: number
}

const moved = signal<Moved | undefined>(undefined)

const steps = [
  ["PT1H", "+1 hour"],
  ["P1D", "+1 day"],
  ["P1M", "+1 month"]
] as const

const move = async (by: number | string): Promise<string> => {
  const before = await read<State>("/state")
  const outcome = await changeTime("/advance-time", { by })
  const { now: to } = await read<State>("/state")
  moved.value = { from: before.now, to, after: before.newest }
  return outcome
}

/** What falls due when time moves so far. */
const DueList = ({ by }: { readonly by: number | string }) => {
  const found = useReading(`${revision.value} ${newest.value} ${by}`, () => read<Due>("/due", { by, limit: 8 }))
  if (found === undefined) return <p class="quiet">…</p>
  const { due, total, until } = found
  return (
    <div class="due">
      <p class="quiet">
        {total === 0 ? "Nothing falls due" : `${countText(total, "event")} fall${total === 1 ? "s" : ""} due`} by{" "}
        <Time at={until} />
        {total === 0 ? "." : ":"}
      </p>
      <ol>
        {due.map(({ at, order_number, payment_id, type }, index) => (
          <li key={`${payment_id} ${type} ${index}`}>
            <Time at={at} /> <PaymentLink id={payment_id} /> {order_number}: {eventTexts[type]}
          </li>
        ))}
      </ol>
      {total > due.length ? <p class="quiet">and {total - due.length} more</p> : null}
    </div>
  )
}

/** How far time is to move: up to a date, or else for a duration. */
const wantedIn = ({ by = "", to = "" }: Fields) => (to === "" ? durationIn(by) : secondsUntil(to, now()))

/** The menu by which time moves. */
export const TimeMenu = () => {
  const isOpen = useSignal(false)
  const filledIn = useSignal<Fields>({})
  const pointed = useSignal("P1D")
  const isRefused = useSignal(false)
  const { by = "", to = "" } = filledIn.value
  const submit = async () => {
    const wanted = wantedIn(filledIn.value)
    isRefused.value = wanted === undefined
    if (wanted === undefined) return "Time did not move."
    const outcome = await move(wanted)
    filledIn.value = {}
    return outcome
  }
  const wanted = by === "" && to === "" ? pointed.value : wantedIn(filledIn.value)
  return (
    <Menu id="forward" label="Move time" onToggle={(open) => (isOpen.value = open)}>
      <div class="group">
        {steps.map(([by, label]) => (
          <Button
            key={by}
            class="small"
            action={() => move(by)}
            onPointerEnter={() => (pointed.value = by)}
            onFocus={() => (pointed.value = by)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Form
        action={submit}
        onInput={({ currentTarget }) => {
          filledIn.value = fieldsOf(currentTarget)
          isRefused.value = false
        }}
      >
        <input
          type="text"
          name="by"
          size={12}
          autocomplete="off"
          placeholder="2 days"
          aria-label="Move time by a duration"
          aria-describedby="move-problem"
          aria-invalid={isRefused.value}
          data-testid="move-time"
          value={by}
        />
        <span class="quiet">or to</span>
        <input type="datetime-local" name="to" aria-label="Move time to a date" value={to} />
        <button type="submit" class="small">
          Move
        </button>
        <span id="move-problem" class="problem" role="alert">
          {isRefused.value ? "Type a duration, such as 2 days, or choose a date to come." : ""}
        </span>
      </Form>
      {isOpen.value && wanted !== undefined ? <DueList by={wanted} /> : null}
    </Menu>
  )
}

/** How far the gateway's time is ahead. */
export const Ahead = () => {
  const seconds = state.value?.time_ahead ?? 0
  return (
    <span id="ahead" class="tag">
      {seconds < 1 ? "" : `${aheadText(seconds)} ahead`}
    </span>
  )
}

const Moving = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const reached = Date.parse(state.value?.now ?? from)
  const percent = Math.min(100, Math.round(((reached - begin) / Math.max(1, end - begin)) * 100))
  return (
    <p class="line" id="moving">
      <progress max={100} value={percent} aria-hidden="true" />
      <span>{`Moving time to ${fullTime(to)}: ${percent} %.`}</span>
      <Button class="small" data-testid="stop-time" action={() => changeTime("/advance-time/stop")}>
        Stop here
      </Button>
    </p>
  )
}

const Happened = ({ after, from, to }: Moved) => {
  const log = useReading(`${after} ${to}`, () => read<Log>("/log", { after, limit: 2000 }))
  return (
    <p class="line" role="status" data-testid="moved">
      <span>
        Time moved from {fullTime(from)} to {fullTime(to)}.
      </span>
      <span>{log === undefined ? "" : happenedText(log.entries)}</span>
      <a href="#/log">Log</a>
      <button type="button" class="small" onClick={() => (moved.value = undefined)}>
        Dismiss
      </button>
    </p>
  )
}

/** The move that is under way, or else the last one, until it is dismissed. */
export const TimeLine = () => {
  const moving = state.value?.moving
  if (moving !== undefined) return <Moving {...moving} />
  return moved.value === undefined ? null : <Happened {...moved.value} />
}
