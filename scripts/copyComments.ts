/**
 * A comment stands once in the sources: a message's at its interface, an operation's at the contract. Here it is copied
 * to the built declarations that say the same, so that an editor shows it there, too.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

/** A member of an interface: its lines of comment, without indentation, and where the members of its type stand. */
interface Member {
  readonly comment: ReadonlyArray<string>
  readonly type: string
}

/** Members by their interface and name, such as `Payer.contact`, and `QrRecipient.address.city` where a type has no name. */
type Members = ReadonlyMap<string, Member>

const membersIn = (declarations: string): Members => {
  const names = new Set(Array.from(declarations.matchAll(/^export interface (\w+)/gm), ([, name]) => name))
  const members = new Map<string, Member>()
  /** The types around a line, by its depth. */
  const around: Array<string> = []
  let comment: Array<string> = []
  for (const line of declarations.split("\n")) {
    const [, name = "", base] = /^export interface (\w+)(?: extends (\w+))? \{/.exec(line) ?? []
    if (name !== "") {
      around[1] = name
      const inherited = Array.from(members).filter(([path]) => path.startsWith(`${base}.`))
      for (const [path, member] of inherited) members.set(path.replace(/^\w+/, name), member)
    }
    const [, spaces = "", member, rest = ""] = /^( +)readonly (?:(\w+)\??|\[.*?\]): (.*)$/.exec(line) ?? []
    const depth = spaces.length / 4
    if (depth > 0) {
      const path = member === undefined ? (around[depth] ?? "") : `${around[depth]}.${member}`
      const type = rest.match(/\w+/g)?.find((word) => names.has(word)) ?? path
      // A record's values are what its member is made of.
      const own = member === undefined ? members.get(path)?.comment : comment
      members.set(path, { comment: own ?? [], type })
      around[depth + 1] = type
    }
    comment = /^ +(\/\*\*|\*)/.test(line) ? [...comment, line.replace(/^ +(?=\/)| +(?= \*)/, "")] : []
  }
  return members
}

/** Declarations of schemas, each field with the comment of the interface's member. */
const withComments = (schemas: string, members: Members): string => {
  const around: Array<string> = []
  return schemas
    .split("\n")
    .flatMap((line) => {
      const [, name] = /^export declare const (\w+):/.exec(line) ?? []
      if (name !== undefined) around[1] = name === "RefundHistory" ? "RefundHistoryItem" : name
      const [, spaces = "", field] = /^( +)readonly (\w+): /.exec(line) ?? []
      if (field === undefined) return [line]
      const depth = spaces.length / 4
      const member = members.get(`${around[depth]}.${field}`)
      around[depth + 1] = member?.type ?? ""
      return [...(member?.comment ?? []).map((text) => spaces + text), line]
    })
    .join("\n")
}

/** A comment that says nothing but its category: the member of the same name has the text. */
const onlyCategory = /^\/\*\* (@category .*) \*\/\n(?=export declare const (\w+):)/gm

/** Declarations of programs, each without a text of its own with that of the interfaces' member. */
const withTexts = (programs: string, members: Members): string =>
  programs.replace(onlyCategory, (_, category: string, name: string) => {
    const { comment } = members.get(name) ?? { comment: [] }
    if (comment.length < 2) throw new Error(`There is no comment to copy for ${name}`)
    return [...comment.slice(0, -1), " *", ` * ${category}`, " */", ""].join("\n")
  })

const declared = (module: string): string => readFileSync(join(root, "dist", `${module}.d.ts`), "utf8")

/** Copies comments within the built declarations. */
export const copyComments = (): void => {
  const schemas = withComments(declared("contract/GatewaySchema"), membersIn(declared("contract/Messages")))
  const members = [
    ...membersIn(declared("contract/GatewayOperations")),
    ...membersIn(declared("promise/GatewayClient"))
  ]
  const byName = new Map(members.map(([path, member]) => [path.replace(/^.*\./, ""), member]))
  const programs = withTexts(declared("client/Programs"), byName)
  writeFileSync(join(root, "dist/contract/GatewaySchema.d.ts"), schemas)
  writeFileSync(join(root, "dist/client/Programs.d.ts"), programs)
}
