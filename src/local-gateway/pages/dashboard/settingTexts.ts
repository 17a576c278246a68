/**
 * Settings as text: in their fields, in a search, as flags of the command.
 */
import type { SettingNote } from "../DashboardCatalogue.js"
import { inShell } from "./copies.js"

/** The value of a setting. */
export type SettingValue = string | number | ReadonlyArray<string>

/** A setting's value as its field shows it. */
export const settingText = (value: SettingValue): string =>
  typeof value === "object" ? value.join(", ") : String(value)

/** The value in a setting's field. The gateway refuses a wrong one. */
export const settingValue = (byDefault: SettingValue, text: string): SettingValue => {
  if (typeof byDefault === "number") return /^[\d.]+$/.test(text.trim()) ? Number(text) : text
  if (typeof byDefault === "string") return text
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Whether a setting has all the words, in its name, its group, its meaning or its values. */
export const settingMatches = (
  { choices = [], group, meaning, name }: Pick<SettingNote, "name" | "group" | "meaning" | "choices">,
  query: string
): boolean => {
  const text = [name, group, meaning, ...choices].join(" ").toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Settings as flags of `effect-gopay local-gateway`. */
export const settingFlags = (settings: { readonly [name: string]: SettingValue }): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value)
      return `--set ${/^[\w.-]*$/.test(text) ? `${name}=${text}` : inShell(`${name}=${text}`)}`
    })
    .join(" ")
