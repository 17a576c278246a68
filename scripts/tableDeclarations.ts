/**
 * Types that the sources make of tables. In the built declarations they are written out, so that an editor shows each
 * member with its comment.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settings, type Setting } from "../src/local-gateway/books/LocalGatewaySettings.js"
import type { Parameter } from "../src/local-gateway/books/Parameter.js"
import { type AnyFaultKind, faultKinds } from "../src/local-gateway/server/Fault.js"
import { root } from "./root.js"

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

const declarations = [
  {
    module: "local-gateway/books/LocalGatewaySettings",
    made: /export type LocalGatewaySettings = \{[^}]*\};/,
    written: `export interface LocalGatewaySettings {\n${settingMembers.join("\n")}\n}`
  },
  {
    module: "local-gateway/server/Fault",
    made: /export type Fault = .*;/,
    written: `export type Fault = ${faults.join(" | ")};`
  }
]

/** Writes out the types in the built declarations. */
export const writeTableDeclarations = (): void => {
  for (const { made, module, written } of declarations) {
    const path = join(root, "dist", `${module}.d.ts`)
    const declared = readFileSync(path, "utf8")
    if (!made.test(declared)) throw new Error(`${module} declares no type that is made of a table`)
    writeFileSync(
      path,
      declared.replace(made, () => written)
    )
  }
}
