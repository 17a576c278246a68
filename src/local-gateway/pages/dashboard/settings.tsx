/**
 * The settings as a form. Each is sent as soon as it is changed.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { SettingNote } from "../DashboardCatalogue.js"
import { durationText } from "../LogWords.js"
import { change, read, type SettingValues } from "./api.js"
import { Button, Copy, Filter, Select } from "./parts.js"
import { place } from "./place.js"
import { settingFlags, settingText, settingValue, type SettingValue } from "./format.js"
import { announce, catalogue, messageOf, refresh, revision, useReading } from "./state.js"

interface RowProps {
  readonly note: SettingNote
  /** Undefined until the gateway has said it. */
  readonly value: SettingValue | undefined
}

const SettingRow = ({ note, value }: RowProps) => {
  const { choices, default: byDefault, meaning, name, unit } = note
  const id = `setting-${name}`
  const problem = useSignal("")
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const standard = settingText(byDefault)
  const known = value === undefined ? undefined : settingText(value)
  const isChanged = known !== undefined && known !== standard
  useEffect(() => {
    // A refused value stays to be corrected, as does what is being typed while the setting is as it was.
    if (field.current !== null && known !== undefined && problem.value === "") field.current.value = known
  }, [known])
  const send = async (text: string) => {
    try {
      await change("/settings", { [name]: settingValue(byDefault, text) })
      problem.value = ""
      announce(`${name} is now ${text}.`)
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
      <label for={id}>{name}</label>
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
            options={choices.map((choice) => [
              String(choice),
              choice === byDefault ? `${choice} (default)` : String(choice)
            ])}
            chosen={standard}
            {...attributes}
          />
        )}
        {unit === "seconds" ? <span class="quiet">s</span> : null}
        {unit === "seconds" && value !== undefined ? (
          <span class="quiet">{`= ${durationText(Number(value))}`}</span>
        ) : null}
        {isChanged ? (
          <>
            <span class="tag">changed</span>
            <button
              type="button"
              class="small"
              onClick={() => {
                field.current?.focus()
                void send(standard)
              }}
            >
              Reset to {standard === "" ? "none" : standard}
            </button>
          </>
        ) : null}
      </div>
      <p id={`${id}-meaning`} class="quiet">
        {meaning}
      </p>
      {problem.value === "" ? null : (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  )
}

const Presets = ({ isKnown }: { readonly isKnown: boolean }) => (
  <div class={isKnown ? "pills" : "pills unread"} role="group" aria-label="Presets">
    <span class="quiet">Presets</span>
    {catalogue().presets.map(({ meaning, name, settings }) => (
      <Button
        key={name}
        class="small"
        title={meaning}
        action={async () => {
          await change("/settings", settings)
          return `${name}: ${meaning}`
        }}
      >
        {name}
      </Button>
    ))}
  </div>
)

/** What is changed, and how it is copied and taken back. */
const Changed = ({ notes, values }: { readonly notes: ReadonlyArray<SettingNote>; readonly values: SettingValues }) => {
  const reset = async () => {
    await change("/settings", Object.fromEntries(notes.map(({ default: byDefault, name }) => [name, byDefault])))
    return "Every setting is at its default."
  }
  return (
    <>
      <Copy
        text={() => settingFlags(Object.fromEntries(notes.map(({ name }) => [name, values[name]])))}
        done="The changed settings are on the clipboard, as flags."
      >
        Copy as flags
      </Copy>
      <Button class="small" action={reset}>
        Reset all
      </Button>
    </>
  )
}

/** The settings, in groups. */
export const SettingsPage = () => {
  const { settings } = catalogue()
  const values = useReading(String(revision.value), () => read<SettingValues>("/settings"))
  const changed = settings.filter(
    ({ default: byDefault, name }) => values !== undefined && settingText(values[name]) !== settingText(byDefault)
  )
  const only = place.value.search["changed"] !== undefined
  const shown = only ? changed : settings
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <section id="settings" aria-label="Settings">
      <Filter label="Filter the settings">
        <label class="check">
          <input type="checkbox" name="changed" value="1" defaultChecked={only} />
          Changed only <span class="count">{changed.length}</span>
        </label>
        <Presets isKnown={values !== undefined} />
        {values === undefined || changed.length === 0 ? null : <Changed notes={changed} values={values} />}
      </Filter>
      {groups.length === 0 ? (
        <p class="quiet hint" role="status">
          No setting is changed.
        </p>
      ) : null}
      <div class="columns">
        {groups.map((group) => (
          <section key={group} class="panel">
            <h2>{group}</h2>
            {shown.map((note) =>
              note.group === group ? <SettingRow key={note.name} note={note} value={values?.[note.name]} /> : null
            )}
          </section>
        ))}
      </div>
    </section>
  )
}
