/**
 * The settings of a local gateway, as the command prints them.
 */
import { durationText } from "./LogLine.js"

/** A setting, as the dashboard's catalogue describes it. */
interface SettingNote {
  readonly name: string
  readonly group: string
  readonly meaning: string
  readonly unit?: string
  readonly default: unknown
  readonly choices?: ReadonlyArray<string | number>
}

const isNote = (value: unknown): value is SettingNote =>
  typeof value === "object" && value !== null && "name" in value && "group" in value && "meaning" in value

const defaultOf = ({ default: value, unit }: SettingNote): string =>
  unit === "seconds" && typeof value === "number"
    ? `${value} (${value === 0 ? "at once" : durationText(value * 1_000)})`
    : typeof value === "string"
      ? value
      : JSON.stringify(value)

/** The settings by their groups: name, meaning, default and possible values. */
export const settingsList = (notes: unknown): ReadonlyArray<string> => {
  const settings = Array.isArray(notes) ? notes.filter(isNote) : []
  const groups = new Set(settings.map(({ group }) => group))
  return [...groups].flatMap((group) => [
    `${group}:`,
    ...settings
      .filter((setting) => setting.group === group)
      .flatMap((setting) => [
        `  ${setting.name}`,
        `      ${setting.meaning}`,
        `      default: ${defaultOf(setting)}${setting.choices === undefined ? "" : `; one of ${setting.choices.join(", ")}`}`
      ]),
    ""
  ])
}
