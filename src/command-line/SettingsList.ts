/**
 * The settings of a local gateway, as the command prints them.
 */
import { type Setting, settingGroups } from "../local-gateway/books/LocalGatewaySettings.js"
import { durationText } from "./LogLine.js"
import { wrapped } from "./Command.js"

const defaultOf = (setting: Setting): string => {
  if ("unit" in setting) {
    return `${setting.default} (${setting.default === 0 ? "at once" : durationText(setting.default * 1_000)})`
  }
  return typeof setting.default === "string" ? setting.default : JSON.stringify(setting.default)
}

/** The settings by their groups: name, meaning, default and possible values. */
export const settingsList: ReadonlyArray<string> = Object.entries(settingGroups).flatMap(([group, settings]) => [
  `${group}:`,
  ...Object.entries<Setting>(settings).flatMap(([name, setting]) => [
    `  ${name}`,
    ...wrapped(setting.meaning.replaceAll("`", ""), 6),
    ...wrapped(
      `default: ${defaultOf(setting)}${"choices" in setting ? `; one of ${setting.choices.join(", ")}` : ""}`,
      6
    )
  ]),
  ""
])
