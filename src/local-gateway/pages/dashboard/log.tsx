/**
 * The log, newest first, with its filter in the address; and the live log, errors first.
 */
import { useEffect, useRef } from "preact/hooks"
import { ownMember } from "../../../contract/OwnMember.js"
import type { LogEntry } from "./controlResponses.js"
import { Entry } from "./entries.js"
import { highlight } from "./highlight.js"
import { logQuery, useLog, type LogQuery } from "./logReading.js"
import { Field, FilterField, foundText, More, Pick, useSlide, type Options } from "./parts.js"
import { clearFilter, filterBy, place } from "./place.js"
import { catalogue } from "./state.js"

const statuses: Options = [
  ["", "Any status"],
  ["2xx", "2xx succeeded"],
  ["3xx", "3xx redirected"],
  ["4xx", "4xx refused"],
  ["5xx", "5xx failed"],
  ["0", "No response"]
]

/** What went wrong, as a choice among the kinds of entries. */
const problems = "problems"

/** The filter in the address, as the control API takes it. */
const queryIn = ({ type = "", ...fields }: LogQuery): LogQuery | undefined =>
  logQuery(type === problems ? { ...fields, only: problems } : { ...fields, type })

/** A choice that filters. */
const FilterChoice = ({
  label,
  name,
  options
}: {
  readonly label: string
  readonly name: string
  readonly options: Options
}) => (
  <Pick
    label={label}
    options={options}
    value={ownMember(place.value.search, name) ?? ""}
    onPick={(value) => filterBy({ [name]: value })}
  />
)

const FilterBar = ({ isFiltered }: { readonly isFiltered: boolean }) => {
  const { actions, log, operations } = catalogue()
  const names = [...operations, ...actions].map((name) => [name, name] as const)
  return (
    <div class="toolbar" role="search" aria-label="Filter the log">
      <Field name="Text">
        <FilterField name="query" type="search" maxLength={200} />
      </Field>
      <FilterChoice
        label="Show"
        name="type"
        options={[["", "Everything"], [problems, "What went wrong"], ...Object.entries(log.kinds)]}
      />
      <FilterChoice label="Operation" name="operation" options={[["", "Any operation"], ...names]} />
      <FilterChoice label="Status" name="status" options={statuses} />
      <Field name="Error code">
        <FilterField name="error_code" inputMode="numeric" size={5} />
      </Field>
      <Field name="Payment">
        <FilterField name="payment_id" inputMode="numeric" size={12} />
      </Field>
      {isFiltered ? (
        <button type="button" onClick={clearFilter}>
          Clear filter
        </button>
      ) : null}
    </div>
  )
}

/** The log. */
export const LogPage = () => {
  const { search } = place.value
  const query = queryIn(search)
  const { entries, isRead, more, total } = useLog(query)
  const list = useSlide<HTMLOListElement>()
  const isFiltered = query === undefined || Object.keys(query).length > 0
  const text = search["query"] ?? ""
  const mark = () => {
    if (list.current !== null) highlight(list.current, text)
  }
  const latest = useRef(mark)
  latest.current = mark
  useEffect(mark, [entries, text])
  useEffect(() => {
    // A call writes its bodies when it is opened, after this hears of it.
    const later = () => requestAnimationFrame(() => requestAnimationFrame(() => latest.current()))
    const { current } = list
    current?.addEventListener("toggle", later, true)
    return () => {
      current?.removeEventListener("toggle", later, true)
      CSS.highlights?.delete("found")
    }
  }, [])
  const none = isFiltered ? "No entry matches." : "The log is empty."
  return (
    <section id="log" aria-label="Log">
      <FilterBar isFiltered={isFiltered} />
      <p class="quiet summary" role="status">
        {!isRead ? "" : total === 0 ? none : foundText("entry", { isFiltered, total, shown: entries.length })}
      </p>
      <ol class="entries" ref={list} aria-busy={!isRead}>
        {entries.map((entry) => (
          <Entry key={entry.number} entry={entry} linked precise />
        ))}
      </ol>
      <More shown={entries.length} total={total} more={more} />
    </section>
  )
}

/** Entries of the live log: of what went wrong the first so many of those that are read. */
const fewest = { errors: 6, read: 30, all: 40 }

/** Of the attempts to deliver one notification only the newest. */
const withoutRepeated = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<LogEntry> => {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    if (entry.type !== "notification") return true
    const name = `${entry.payment_id} ${entry.url}`
    return seen.size < seen.add(name).size
  })
}

/** What goes on, and first of all what went wrong. */
export const LiveLog = () => {
  const errors = useLog({ only: problems }, fewest.read)
  const all = useLog({}, fewest.all)
  const wrong = withoutRepeated(errors.entries)
  const list = useSlide<HTMLOListElement>()
  return (
    <section class="live" aria-label="Live log">
      <div class="title">
        <h2>Live log</h2>
        <a href="#/log">All of it, with a filter</a>
      </div>
      {errors.total === 0 ? null : (
        <>
          <h3>
            What went wrong <span class="count">{errors.total}</span>
          </h3>
          <ol class="entries">
            {wrong.slice(0, fewest.errors).map((entry) => (
              <Entry key={entry.number} entry={entry} linked />
            ))}
          </ol>
          {errors.total > fewest.errors ? <a href={`#/log?type=${problems}`}>All that went wrong</a> : null}
          <h3>Everything</h3>
        </>
      )}
      <ol class="entries" ref={list}>
        {all.entries.slice(0, fewest.all).map((entry) => (
          <Entry key={entry.number} entry={entry} linked />
        ))}
      </ol>
      {all.isRead && all.total === 0 ? <p class="quiet hint">Nothing has happened yet.</p> : null}
    </section>
  )
}
