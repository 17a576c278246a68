/**
 * Moving time: what falls due before then, the progress, and from when to when it has moved.
 */
import { signal, useSignal } from "@preact/signals"
import { change, read, type State } from "./api.js"
import { countText } from "./format.js"
import { Button, fieldsOf, Form, Menu, PaymentLink, Select, Time, type Options } from "./parts.js"
import { eventTexts } from "./history.js"
import { fullTime, newest, now, revision, state, useReading } from "./state.js"

/** The last move of time, until it is dismissed. */
const moved = signal<{ readonly from: string; readonly to: string } | undefined>(undefined)

/** Moves time by a duration or by seconds, and announces the new time. */
export const moveTime = async (by: string | number): Promise<string> => {
  const from = now()
  const { now: to } = await change<State>("/advance-time", { by })
  moved.value = { from, to }
  return `It is now ${fullTime(to)}.`
}

const stopTime = async (): Promise<string> => {
  const { now: reached } = await change<State>("/advance-time/stop")
  return `It is now ${fullTime(reached)}.`
}

const DueList = ({ by }: { readonly by: string }) => {
  const found = useReading(`${revision.value} ${newest.value} ${by}`, () => read("/due", { by, limit: 8 }))
  if (found === undefined) return <p class="quiet">…</p>
  const { due, total, until } = found
  return (
    <div class="due">
      <p class="quiet">
        {total === 0 ? "Nothing falls due" : `${countText(total, "event")} fall${total === 1 ? "s" : ""} due`} by{" "}
        <Time at={until} />
      </p>
      <ol>
        {due.map(({ at, order_number, payment_id, type }, index) => (
          <li key={`${payment_id} ${type} ${index}`}>
            <Time at={at} /> <PaymentLink id={payment_id} /> {order_number}: {eventTexts[type]}
          </li>
        ))}
      </ol>
      {total > due.length && <p class="quiet">and {total - due.length} more</p>}
    </div>
  )
}

/** Durations with a placeholder for the number. */
const units: Options = [
  ["PT_H", "hours"],
  ["P_D", "days"],
  ["P_W", "weeks"],
  ["P_M", "months"]
]

/** Common steps to move time by. */
const steps = [
  ["+1 hour", "PT1H"],
  ["+1 day", "P1D"],
  ["+1 month", "P1M"]
] as const

/** Moves time to the next event, however far away. */
const NextEvent = () => {
  const found = useReading(`${revision.value} ${newest.value}`, () => read("/due", { by: "P1Y", limit: 1 }))
  const [first] = found?.due ?? []
  if (first === undefined) return null
  const millis = () => Math.max(0, Date.parse(first.at) - Date.parse(now()))
  return <Button label="To the next event" class="small" action={() => moveTime(Math.ceil(millis() / 1000))} />
}

export const TimeMenu = () => {
  const isOpen = useSignal(false)
  const by = useSignal("P1D")
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }) => {
    const { count = "", unit = "" } = fieldsOf(currentTarget)
    if (currentTarget.checkValidity()) by.value = unit.replace("_", count)
  }
  return (
    <Menu id="forward" label="Move time" onToggle={({ newState }) => (isOpen.value = newState === "open")}>
      <Form action={() => moveTime(by.value)} onInput={choose}>
        <input
          type="number"
          name="count"
          min={1}
          max={999}
          required
          defaultValue={1}
          aria-label="Move time by"
          data-testid="move-time"
        />
        <Select name="unit" aria-label="Unit of time" options={units} chosen="P_D" />
        <button class="primary">Move</button>
      </Form>
      <div class="group" role="group" aria-label="Move time at once">
        {steps.map(([label, step]) => (
          <Button key={step} label={label} class="small" action={() => moveTime(step)} />
        ))}
        {isOpen.value && <NextEvent />}
      </div>
      {isOpen.value && <DueList by={by.value} />}
    </Menu>
  )
}

/** The current move of time, or else the last one. */
export const TimeLine = () => {
  const { moving, now: reachedAt = "" } = state.value ?? {}
  if (moving !== undefined) {
    const [begin = 0, end = 0, reached = 0] = [moving.from, moving.to, reachedAt].map(Date.parse)
    const percent = Math.min(100, Math.round(((reached - begin) / (end - begin)) * 100))
    return (
      <p class="line" id="moving">
        <progress max={100} value={percent} aria-hidden="true" />
        <span>{`Moving time to ${fullTime(moving.to)}: ${percent} %.`}</span>
        <Button label="Stop here" class="small" data-testid="stop-time" action={stopTime} />
      </p>
    )
  }
  if (moved.value === undefined) return null
  const { from, to } = moved.value
  return (
    <p class="line" role="status" data-testid="moved">
      <span>{`Time moved from ${fullTime(from)} to ${fullTime(to)}.`}</span>
      <a href="#/log">Log</a>
      <button class="small" onClick={() => (moved.value = undefined)}>
        Dismiss
      </button>
    </p>
  )
}
