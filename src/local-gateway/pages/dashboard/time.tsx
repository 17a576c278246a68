/**
 * Moving time: what falls due before then, the progress, and from when to when it has moved.
 */
import { signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { ownMember } from "../../../basics/OwnMember.js"
import { change, read, type State } from "./api.js"
import { countText } from "./format.js"
import { Button, fieldsOf, Form, Menu, PaymentLink, Select, Time, type Options } from "./parts.js"
import { dueText, happenedText } from "./history.js"
import { fullTime, newest, now, revision, state, useReading } from "./state.js"

const menuId = "forward"

interface Moved {
  readonly from: string
  readonly to: string
  readonly happened: string
  /** The duration that was chosen; absent after a skip to a moment. */
  readonly by?: string
}

/** The last move of time, and what happened in it, until it is dismissed. */
const moved = signal<Moved | undefined>(undefined)

/** Moves time by a duration or by seconds, and announces the new time. */
export const moveTime = async (by: string | number): Promise<string> => {
  // Nothing is to cover how far it is, and the way to stop it.
  document.getElementById(menuId)?.hidePopover()
  const from = now()
  const { newest } = await read("/state")
  const { now: to } = await change<State>("/advance-time", { by })
  const happened = await happenedAfter(newest)
  moved.value = { from, to, happened, ...(typeof by === "string" ? { by } : {}) }
  return `It is now ${fullTime(to)}.`
}

/** Moves time to a moment. */
export const skipTo = (at: string): Promise<string> =>
  moveTime(Math.max(0, Math.ceil((Date.parse(at) - Date.parse(now())) / 1000)))

/** What happened since an entry of the log, in numbers. */
const happenedAfter = async (after: number): Promise<string> => {
  const since = { after, limit: 5000 }
  const [states, notifications] = await Promise.all([
    read("/log", { ...since, type: "state" }),
    read("/log", { ...since, type: "notification" })
  ])
  return happenedText([...states.entries, ...notifications.entries])
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
        {due.map((event, index) => (
          <li key={`${event.payment_id} ${event.type} ${index}`}>
            <Time at={event.at} /> <PaymentLink id={event.payment_id} /> {event.order_number}: {dueText(event)}
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

const nouns: { readonly [unit: string]: string } = { H: "hour", D: "day", W: "week", M: "month" }

/** A duration of the menu in words: `3 days` for `P3D`. */
const durationWords = (by: string): string => {
  const [, count = "", unit = ""] = /^PT?(\d+)([A-Z])$/.exec(by) ?? []
  return countText(Number(count), ownMember(nouns, unit) ?? "")
}

/** Whether time was last moved by the line's own button, which then gets the focus again. */
let isRepeated = false

/** Moves time by the same duration once more, without the menu: the line stays below the head of every page. */
const Repeat = ({ by }: { readonly by: string }) => {
  const button = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isRepeated) button.current?.querySelector("button")?.focus()
    isRepeated = false
  }, [])
  const repeat = () => {
    isRepeated = true
    return moveTime(by)
  }
  return (
    <span ref={button}>
      <Button label={`Move on by ${durationWords(by)}`} class="small" data-testid="move-on" action={repeat} />
    </span>
  )
}

/** Moves time to the next event, however far away. */
const NextEvent = () => {
  const found = useReading(`${revision.value} ${newest.value}`, () => read("/due", { by: "P1Y", limit: 1 }))
  const [first] = found?.due ?? []
  if (first === undefined) return null
  return <Button label="To the next event" class="small" action={() => skipTo(first.at)} />
}

export const TimeMenu = () => {
  const isOpen = useSignal(false)
  const by = useSignal("P1D")
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }) => {
    const { count = "", unit = "" } = fieldsOf(currentTarget)
    if (currentTarget.checkValidity()) by.value = unit.replace("_", count)
  }
  return (
    <Menu id={menuId} label="Move time" onToggle={({ newState }) => (isOpen.value = newState === "open")}>
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
          <Button
            key={step}
            label={label}
            class="small"
            // The list below shows what it would do.
            onFocus={() => (by.value = step)}
            onMouseEnter={() => (by.value = step)}
            action={() => moveTime(step)}
          />
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
    const [awaited] = moving.awaiting
    const others = moving.awaiting.length - 1
    const percent = Math.min(100, Math.round(((reached - begin) / (end - begin)) * 100))
    return (
      <p class="line" id="moving">
        <progress max={100} value={percent} aria-hidden="true" />
        <span>
          {`Moving time to ${fullTime(moving.to)}: ${percent} %.`}
          {awaited !== undefined && (
            <>
              {" The shop has yet to respond to the notification of payment "}
              <PaymentLink id={awaited} />
              {others > 0 && ` and ${countText(others, "more payment")}`}.
            </>
          )}
        </span>
        <Button label="Stop here" class="small" data-testid="stop-time" action={stopTime} />
      </p>
    )
  }
  if (moved.value === undefined) return null
  const { by, from, happened, to } = moved.value
  return (
    <p class="line" role="status" data-testid="moved">
      <span>{`Time moved from ${fullTime(from)} to ${fullTime(to)}. ${happened}`}</span>
      {by !== undefined && <Repeat by={by} />}
      <a href="#/log">Log</a>
      <button class="small" onClick={() => (moved.value = undefined)}>
        Dismiss
      </button>
    </p>
  )
}
