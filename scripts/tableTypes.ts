/**
 * The types that the sources make from tables, written out: the build puts them into the declarations, so that an
 * editor shows each member with its comment.
 */
import { settings, type Setting } from "../src/local-gateway/books/LocalGatewaySettings.js"
import type { Parameter } from "../src/local-gateway/books/Parameter.js"
import { type AnyFaultKind, faultKinds } from "../src/local-gateway/server/Fault.js"

const typeOf = (parameter: Parameter): string => {
  if ("choices" in parameter) return parameter.choices.map((value) => JSON.stringify(value)).join(" | ")
  if ("minimum" in parameter) return "number"
  return "format" in parameter ? "string" : "ReadonlyArray<string>"
}

const member = (name: string, parameter: Parameter, ...texts: ReadonlyArray<string>): string => {
  const comment = [...texts, `Default: \`${JSON.stringify(parameter.default)}\`.`].filter((text) => text !== "")
  return `    /** ${comment.join(" ")} */\n    readonly ${name}: ${typeOf(parameter)};`
}

const settingMembers = Object.entries<Setting>(settings).map(([name, setting]) =>
  member(name, setting, setting.meaning, setting.more)
)

const faults = faultKinds.map(({ description, more, name, parameters }: AnyFaultKind) =>
  [
    "{",
    `    /** ${`${description} ${more}`.trim()} */`,
    `    readonly type: "${name}";`,
    ...Object.entries(parameters).map(([name, parameter]) => member(`${name}?`, parameter, parameter.description)),
    "}"
  ].join("\n")
)

/** The declaration that replaces an alias, by its module and name. */
export const tableTypes: ReadonlyMap<string, string> = new Map([
  [
    "local-gateway/books/LocalGatewaySettings#LocalGatewaySettings",
    `export interface LocalGatewaySettings {\n${settingMembers.join("\n")}\n}`
  ],
  ["local-gateway/server/Fault#Fault", `export type Fault = ${faults.join(" | ")};`]
])
