/**
 * The settings as a form. Each is sent as soon as it is changed.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { SettingNote } from "../DashboardCatalogue.js"
import { change, read } from "./api.js"
import type { SettingValues } from "./controlResponses.js"
import { durationText } from "./format.js"
import { Button, Choice, Copy, FilterField, ofType } from "./parts.js"
import { filterBy, place } from "./place.js"
import { settingFlags, settingMatches, settingText, settingValue, type SettingValue } from "./settingTexts.js"
import { announce, catalogue, messageOf, refresh, revision, useReading } from "./state.js"

interface RowProps {
  readonly note: SettingNote
  /** Undefined until the gateway has said it. */
  readonly value: SettingValue | undefined
  readonly isHidden: boolean
}

const SettingRow = ({ isHidden, note, value }: RowProps) => {
  const { choices, default: byDefault, meaning, name, unit } = note
  const id = `setting-${name}`
  // What is being typed, and a refused value to be corrected, stay in the field.
  const typed = useSignal<string | undefined>(undefined)
  const problem = useSignal("")
  const standard = settingText(byDefault)
  const known = value === undefined ? undefined : settingText(value)
  const isChanged = known !== undefined && known !== standard
  const shown = typed.value ?? known ?? (choices === undefined ? "" : standard)
  const send = async (next: SettingValue) => {
    try {
      await change("/settings", { [name]: next })
      problem.value = ""
      announce(`${name} is now ${settingText(next)}.`)
      if (settingText(next) === known) typed.value = undefined
      void refresh()
    } catch (failure) {
      problem.value = messageOf(failure)
    }
  }
  useEffect(() => {
    if (problem.value === "") typed.value = undefined
  }, [known])
  const sendText = (text: string) => {
    typed.value = text
    if (text !== known || problem.value !== "") void send(settingValue(byDefault, text))
  }
  const field = { id, "aria-describedby": `${id}-meaning`, "aria-invalid": problem.value !== "" }
  return (
    <div class="setting" hidden={isHidden}>
      <label for={id}>{name}</label>
      <div class="value">
        {choices === undefined ? (
          <input
            {...field}
            {...ofType(typeof byDefault === "number" ? "number" : "text")}
            min={0}
            autocomplete="off"
            value={shown}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            onChange={({ currentTarget }) => sendText(currentTarget.value)}
          />
        ) : (
          <Choice
            {...field}
            options={choices.map((choice) => [
              String(choice),
              choice === byDefault ? `${choice} (default)` : String(choice)
            ])}
            value={shown}
            onPick={sendText}
          />
        )}
        {unit === "seconds" ? <span class="quiet">s</span> : null}
        {unit === "seconds" && value !== undefined ? (
          <span class="quiet">{`= ${durationText(Number(value))}`}</span>
        ) : null}
        {isChanged ? <span class="tag">changed</span> : null}
        {isChanged ? (
          <button
            type="button"
            class="small"
            onClick={() => {
              typed.value = undefined
              document.getElementById(id)?.focus()
              void send(byDefault)
            }}
          >
            Reset to {standard === "" ? "none" : standard}
          </button>
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
  <div class={isKnown ? "filters" : "filters unread"} role="group" aria-label="Presets">
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

type Changed = { readonly [name: string]: SettingValue }

const Toolbar = ({ changed, isKnown }: { readonly changed: Changed; readonly isKnown: boolean }) => {
  const isOnly = place.value.search["changed"] === "1"
  const names = Object.keys(changed)
  const defaults = () =>
    Object.fromEntries(
      catalogue().settings.flatMap((note) => (names.includes(note.name) ? [[note.name, note.default]] : []))
    )
  return (
    <div class="toolbar" role="search">
      <FilterField
        name="query"
        type="search"
        aria-label="Search the settings"
        placeholder="Search the settings"
        title="/"
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isOnly}
          onChange={({ currentTarget }) => filterBy({ changed: currentTarget.checked ? "1" : "" })}
        />
        Changed only <span class="count">{names.length}</span>
      </label>
      {names.length === 0 ? null : (
        <>
          <Copy text={() => settingFlags(changed)} done="The changed settings are on the clipboard, as flags.">
            Copy as flags
          </Copy>
          <Button
            class="small"
            action={async () => {
              await change("/settings", defaults())
              return "Every setting is at its default."
            }}
          >
            Reset all
          </Button>
        </>
      )}
      <Presets isKnown={isKnown} />
    </div>
  )
}

/** The settings, in groups. */
export const SettingsPage = () => {
  const { settings } = catalogue()
  const values = useReading(String(revision.value), () => read<SettingValues>("/settings"))
  const { changed: only, query = "" } = place.value.search
  const isChanged = ({ default: byDefault, name }: SettingNote) =>
    values !== undefined && settingText(values[name]) !== settingText(byDefault)
  const changed = settings.filter(isChanged)
  const isFound = (note: SettingNote) => settingMatches(note, query) && (only !== "1" || changed.includes(note))
  const groups = [...new Set(settings.map(({ group }) => group))]
  return (
    <section id="settings" aria-label="Settings">
      <Toolbar
        changed={Object.fromEntries(changed.map(({ name }) => [name, values?.[name] ?? ""]))}
        isKnown={values !== undefined}
      />
      {settings.some(isFound) ? null : (
        <p class="quiet hint" role="status">
          {only === "1" && changed.length === 0 ? "No setting is changed." : "No setting matches."}
        </p>
      )}
      <div class="columns">
        {groups.map((group) => {
          const own = settings.filter((note) => note.group === group)
          return (
            <section key={group} class="panel" hidden={!own.some(isFound)}>
              <h2>{group}</h2>
              {own.map((note) => (
                <SettingRow key={note.name} note={note} value={values?.[note.name]} isHidden={!isFound(note)} />
              ))}
            </section>
          )
        })}
      </div>
    </section>
  )
}
