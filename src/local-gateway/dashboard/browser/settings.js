/**
 * The settings as a form. Each is sent as soon as it is changed.
 *
 * @import { SettingNote } from "../DashboardCatalogue.js"
 * @import { SettingValues } from "./page/controlResponses.js"
 * @import { Page, View } from "./page/page.js"
 */
import { change, read } from "./page/api.js"
import { byId, element, select, write } from "./page/dom.js"
import { durationText } from "./page/format.js"

/**
 * The value of a setting.
 *
 * @typedef {string | number | ReadonlyArray<string>} SettingValue
 */

/**
 * A setting's value as its field shows it.
 *
 * @param {SettingValue} value
 * @returns {string}
 */
export const settingText = (value) => (typeof value === "object" ? value.join(", ") : String(value))

/**
 * The value in a setting's field. The gateway refuses a wrong one.
 *
 * @param {SettingValue} byDefault
 * @param {string} text
 * @returns {SettingValue}
 */
export const settingValue = (byDefault, text) => {
  if (typeof byDefault === "number") return text.trim() === "" ? text : Number(text)
  if (typeof byDefault === "string") return text
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/**
 * Whether a setting has all the words, in its name, its group, its meaning or its values.
 *
 * @param {Pick<SettingNote, "name" | "group" | "meaning" | "choices">} note
 * @param {string} query
 * @returns {boolean}
 */
export const settingMatches = ({ choices = [], group, meaning, name }, query) => {
  const text = [name, group, meaning, ...choices].join(" ").toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** @type {(note: SettingNote, id: string) => HTMLInputElement | HTMLSelectElement} */
const settingField = ({ choices, default: byDefault }, id) => {
  const attributes = { id, "aria-describedby": `${id}-meaning` }
  if (choices !== undefined) {
    return select(
      attributes,
      choices.map((choice) => [String(choice), choice === byDefault ? `${choice} (default)` : String(choice)])
    )
  }
  return element("input", {
    ...attributes,
    type: typeof byDefault === "number" ? "number" : "text",
    min: 0,
    autocomplete: "off"
  })
}

/** @type {(page: Page, note: SettingNote) => { readonly row: HTMLElement, readonly update: (value: SettingValue) => void }} */
const settingRow = (page, note) => {
  const { meaning, name, unit } = note
  const id = `setting-${name}`
  const field = settingField(note, id)
  const problem = element("p", { class: "problem", role: "alert" })
  const inWords = element("span", { class: "quiet" })
  const changed = element("span", { class: "tag", hidden: true }, "changed")
  const standard = settingText(note.default)
  const back = element(
    "button",
    { type: "button", class: "small", hidden: true },
    `Reset to ${standard === "" ? "none" : standard}`
  )
  // A refused value stays in the field, to be corrected.
  let isRefused = false

  /** @type {(value: SettingValue) => Promise<void>} */
  const send = async (value) => {
    try {
      await change("/settings", { [name]: value })
      isRefused = false
      write(problem, "")
      page.announce(`${name} is now ${settingText(value)}.`)
    } catch (failure) {
      isRefused = true
      write(problem, failure instanceof Error ? failure.message : String(failure))
    }
    field.toggleAttribute("aria-invalid", isRefused)
    page.refresh()
  }
  field.addEventListener("change", () => void send(settingValue(note.default, field.value)))
  back.addEventListener("click", () => {
    field.value = standard
    field.focus()
    void send(note.default)
  })

  return {
    row: element(
      "div",
      { class: "setting" },
      element("label", { for: id }, name),
      element(
        "div",
        { class: "value" },
        field,
        unit === "seconds" ? element("span", { class: "quiet" }, "s") : undefined,
        inWords,
        changed,
        back
      ),
      element("p", { id: `${id}-meaning`, class: "quiet" }, meaning),
      problem
    ),
    update: (value) => {
      const text = settingText(value)
      const isTouched = isRefused || document.activeElement === field
      if (!isTouched && field.value !== text) field.value = text
      changed.hidden = text === standard
      back.hidden = text === standard
      if (unit === "seconds") write(inWords, `= ${durationText(Number(value))}`)
    }
  }
}

/**
 * The settings, in groups.
 *
 * @param {Page} page
 * @returns {View}
 */
export const settingsView = (page) => {
  const { settings } = page.catalogue
  const rows = settings.map((note) => ({ note, ...settingRow(page, note) }))
  const panels = [...new Set(settings.map(({ group }) => group))].map((group) => {
    const own = rows.filter(({ note }) => note.group === group)
    return {
      own,
      panel: element(
        "section",
        { class: "panel" },
        element("h2", {}, group),
        own.map(({ row }) => row)
      )
    }
  })
  const none = element("p", { class: "quiet hint", role: "status", hidden: true }, "No setting matches.")
  const search = element("input", {
    type: "search",
    "aria-label": "Search the settings",
    placeholder: "Search the settings",
    autocomplete: "off",
    spellcheck: "false",
    title: "/",
    input: () => {
      for (const { own, panel } of panels) {
        for (const { note, row } of own) row.hidden = !settingMatches(note, search.value)
        panel.hidden = own.every(({ row }) => row.hidden)
      }
      none.hidden = panels.some(({ panel }) => !panel.hidden)
    }
  })
  byId("settings").append(
    element("div", { class: "toolbar", role: "search" }, search),
    none,
    element(
      "div",
      { class: "columns" },
      panels.map(({ panel }) => panel)
    )
  )
  let seen = ""
  return {
    update: async ({ revision }) => {
      const key = [page.epoch(), revision].join()
      if (key === seen) return
      /** @type {SettingValues} */
      const values = await read("/settings")
      for (const { note, update } of rows) update(values[note.name])
      seen = key
    }
  }
}
