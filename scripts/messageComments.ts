/**
 * The comments of a message stand once, at its interface in `src/contract/Messages.ts`: here they are copied to the
 * fields of the built schemas, at any depth, so that an editor shows them there, too.
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
      const path = member === undefined ? around[depth] : `${around[depth]}.${member}`
      const type = rest.match(/\w+/g)?.find((word) => names.has(word)) ?? path ?? ""
      // A record's values are what its member is made of.
      const own = member === undefined ? members.get(`${path}`)?.comment : comment
      members.set(`${path}`, { comment: own ?? [], type })
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

/** Copies the comments of the messages to the built schemas. */
export const writeMessageComments = (): void => {
  const schemas = join(root, "dist/contract/GatewaySchema.d.ts")
  const members = membersIn(readFileSync(join(root, "dist/contract/Messages.d.ts"), "utf8"))
  writeFileSync(schemas, withComments(readFileSync(schemas, "utf8"), members))
}
