/**
 * The settings as a form. Each is sent as soon as it is changed.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { messageOf } from "../../../basics/AnyRealm.js"
import type { SettingNote } from "../Dashboard.js"
import { durationText } from "../../../basics/DurationText.js"
import { change, read } from "./api.js"
import { searchable } from "../LogWords.js"
import { Button, changing, Copy, Filter, Select } from "./parts.js"
import { place } from "./place.js"
import { settingFlags, settingText, settingValue, type SettingValue } from "./format.js"
import { announce, catalogue, refresh, revision, useReading } from "./state.js"

const SettingRow = ({ note, value }: { readonly note: SettingNote; readonly value: SettingValue }) => {
  const { choices, default: byDefault, label, meaning, name, unit } = note
  const id = `setting-${name}`
  const problem = useSignal("")
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const standard = settingText(byDefault)
  const known = settingText(value)
  useEffect(() => {
    // A refused value stays to be corrected. So does what is being typed, as long as the setting has not changed.
    if (field.current !== null && problem.value === "") field.current.value = known
  }, [known])
  const send = async (text: string) => {
    try {
      await change("/settings", { [name]: settingValue(byDefault, text) })
      problem.value = ""
      announce(`${label} is now ${text}.`)
      void refresh()
    } catch (failure) {
      problem.value = messageOf(failure)
    }
  }
  const attributes = {
    id,
    ref: field,
    "aria-describedby": `${id}-meaning`,
    "aria-invalid": problem.value !== "",
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      void send(currentTarget.value)
  }
  return (
    <div class="setting">
      <label for={id}>{label}</label> <code class="quiet">{name}</code>
      <div class="value">
        {choices === undefined ? (
          <input
            type="text"
            {...(typeof byDefault === "number" ? { inputMode: "numeric", size: 10 } : { size: 30 })}
            autocomplete="off"
            {...attributes}
          />
        ) : (
          <Select
            options={choices.map((choice) => [String(choice), `${choice}${choice === byDefault ? " (default)" : ""}`])}
            {...attributes}
          />
        )}
        {unit === "seconds" && <span class="quiet">s</span>}
        {unit === "seconds" && <span class="quiet">{`= ${durationText(Number(value))}`}</span>}
        {known !== standard && <span class="tag">changed</span>}
        {known !== standard && (
          <button class="small" onClick={() => void send(standard)}>
            Reset to {standard || "none"}
          </button>
        )}
      </div>
      <p id={`${id}-meaning`} class="quiet">
        {meaning}
      </p>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  )
}

export const SettingsPage = () => {
  const { presets, settings } = catalogue()
  const values = useReading(String(revision.value), () => read("/settings"))
  if (values === undefined) return null
  const changed = settings.filter(
    ({ default: byDefault, name }) => settingText(values[name]) !== settingText(byDefault)
  )
  const only = place.value.search["changed"] !== undefined
  const query = searchable(place.value.search["query"] ?? "")
  const isFound = ({ group, label, meaning, name }: SettingNote) =>
    [group, name, label, meaning].some((text) => searchable(text).includes(query))
  const shown = (only ? changed : settings).filter(isFound)
  const defaults = Object.fromEntries(changed.map(({ default: byDefault, name }) => [name, byDefault]))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <section id="settings" aria-label="Settings">
      <Filter label="Filter the settings">
        <input
          type="search"
          name="query"
          maxLength={200}
          placeholder="Name or words"
          aria-label="Find a setting"
          defaultValue={place.value.search["query"]}
        />
        <label class="check">
          <input type="checkbox" name="changed" value="1" defaultChecked={only} />
          Changed only <span class="count">{changed.length}</span>
        </label>
        <div class="pills" role="group" aria-label="Presets">
          <span class="quiet">Presets</span>
          {presets.map(({ meaning, name, settings }) => (
            <Button
              label={name}
              key={name}
              class="small"
              title={meaning}
              action={changing(`${name}: ${meaning}`, "/settings", settings)}
            />
          ))}
        </div>
        {changed.length > 0 && (
          <>
            <Copy
              label="Copy as flags"
              text={() => settingFlags(Object.fromEntries(changed.map(({ name }) => [name, values[name]])))}
              done="The changed settings are on the clipboard, as flags."
            />
            <Button
              label="Reset all"
              class="small"
              action={changing("Every setting is at its default.", "/settings", defaults)}
            />
          </>
        )}
      </Filter>
      {shown.length === 0 && (
        <p class="quiet hint">{query === "" ? "No setting is changed." : "No setting has these words."}</p>
      )}
      <div class="columns">
        {groups.map((group) => (
          <section key={group} class="panel">
            <h2>{group}</h2>
            {shown.map(
              (note) => note.group === group && <SettingRow key={note.name} note={note} value={values[note.name]} />
            )}
          </section>
        ))}
      </div>
    </section>
  )
}
