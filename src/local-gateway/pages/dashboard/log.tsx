/**
 * The log, newest first, with its filter in the address; and the live log, errors first.
 */
import { logKinds } from "../LogWords.js"
import { read, type LogEntry, type Query } from "./api.js"
import { Entries } from "./entries.js"
import { withoutRepeated } from "./history.js"
import { ChoiceField, Filter, foundText, TextField, useLimit, type Options } from "./parts.js"
import { filledIn, place } from "./place.js"
import { catalogue, newest, useReading } from "./state.js"

/** The newest entries that match a filter, newest first. */
const useLog = (query: Query, limit: number) => {
  const of = JSON.stringify(query)
  const log = useReading(`${newest.value} ${limit} ${of}`, async () => {
    const { entries, total } = await read("/log", { ...query, limit })
    return { of, total, entries: entries.toReversed() }
  })
  return { entries: [], total: 0, ...log, isRead: log?.of === of }
}

const statuses: Options = [
  ["", "Any status"],
  ["2xx", "2xx succeeded"],
  ["3xx", "3xx redirected"],
  ["4xx", "4xx refused"],
  ["5xx", "5xx failed"],
  ["0", "No response"]
]

/** The filter that shows what went wrong, listed among the kinds of entries. */
const problems = "problems"

const LogFilter = ({ isFiltered }: { readonly isFiltered: boolean }) => {
  const { search } = place.value
  const { actions, operations } = catalogue()
  const kinds: Options = [["", "Everything"], [problems, "What went wrong"], ...Object.entries(logKinds)]
  const names = [...operations, ...actions].map((name) => [name, name] as const)
  return (
    <Filter label="Filter the log">
      <TextField label="Text" type="search" name="query" maxLength={200} defaultValue={search["query"]} />
      <ChoiceField label="Show" name="type" options={kinds} chosen={search["type"]} />
      <ChoiceField
        label="Operation"
        name="operation"
        options={[["", "Any operation"], ...names]}
        chosen={search["operation"]}
      />
      <ChoiceField label="Status" name="status" options={statuses} chosen={search["status"]} />
      {isFiltered && (
        <a href="#/log" class="button">
          Clear filter
        </a>
      )}
    </Filter>
  )
}

export const LogPage = () => {
  const { query: text = "", type = "", ...others } = place.value.search
  const query = filledIn({ query: text, ...others, ...(type === problems ? { only: problems } : { type }) })
  const { limit, more } = useLimit(JSON.stringify(query))
  const { entries, isRead, total } = useLog(query, limit)
  const isFiltered = Object.keys(query).length > 0
  const none = isFiltered ? "No entry matches." : "The log is empty."
  return (
    <section id="log" aria-label="Log">
      <LogFilter isFiltered={isFiltered} />
      <p class="quiet summary" role="status">
        {!isRead ? "" : total === 0 ? none : foundText("entry", isFiltered, entries.length, total)}
      </p>
      <Entries entries={entries} linked precise />
      {more(entries.length, total)}
    </section>
  )
}

/** How many entries the live log reads and shows, of problems and of all. */
const fewest = { errors: 6, read: 30, all: 40 }

/** Keeps only the newest attempt to deliver each notification. */
const newestAttempts = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<LogEntry> => {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    if (entry.type !== "notification") return true
    const name = `${entry.payment_id} ${entry.url}`
    return seen.size < seen.add(name).size
  })
}

/** The live log, with problems first. */
export const LiveLog = () => {
  const errors = useLog({ only: problems }, fewest.read)
  const all = useLog({}, fewest.all)
  return (
    <section class="live" aria-label="Live log">
      <div class="title">
        <h2>Live log</h2>
        <a href="#/log">Open the whole log</a>
      </div>
      {errors.total > 0 && (
        <>
          <h3>
            What went wrong <span class="count">{errors.total}</span>
          </h3>
          <Entries entries={newestAttempts(errors.entries).slice(0, fewest.errors)} linked />
          {errors.total > fewest.errors && <a href={`#/log?type=${problems}`}>All that went wrong</a>}
          <h3>Everything</h3>
        </>
      )}
      <Entries entries={withoutRepeated(all.entries)} linked />
      {all.isRead && all.total === 0 && <p class="quiet hint">Nothing has happened yet.</p>}
    </section>
  )
}
