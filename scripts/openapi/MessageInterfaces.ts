/** The comments of the contract's message interfaces and of errors. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"
import { root } from "../root.js"

interface Member {
  /** The first paragraph of its comment. */
  readonly about: string
  /** Where the members of its type are: the name of an interface, or its own path. */
  readonly type: string
}

/** The comments of a file, over what stands in it. */
const commentsOf = (file: string) => {
  const text = readFileSync(join(root, file), "utf8")
  const { comments, program } = parseSync(file, text)
  /** The first paragraph of the comment over what begins at a position. */
  const aboutAt = (start: number): string => {
    const comment = comments.findLast(({ end, type }) => type === "Block" && end <= start)
    if (comment === undefined || text.slice(comment.end, start).trim() !== "") return ""
    return comment.value
      .replaceAll(/^\s*\*+ ?/gm, "")
      .trim()
      .replace(/\n\n[^]*$/, "")
      .replaceAll("\n", " ")
  }
  return { aboutAt, program }
}

/** Reads the comments of the interfaces in files. */
export const readInterfaces = (...files: ReadonlyArray<string>) => {
  const read = files.map(commentsOf)
  /** The first paragraphs of the comments over interfaces, by their names. */
  const interfaceAbout = new Map<string, string>()
  /** Keyed by interface and name, such as `Payer.contact`, or `QrRecipient.address.city` if a type has no name. */
  const messageMembers = new Map<string, Member>()
  /** The interfaces that each one is made from, including `Payer` for `Partial<Payer>`. */
  const bases = new Map<string, Array<string>>()

  for (const { aboutAt, program } of read) {
    for (const statement of program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
      if (declaration?.type !== "TSInterfaceDeclaration") continue
      const { extends: extended, id } = declaration
      interfaceAbout.set(id.name, aboutAt(statement.start))
      bases.set(
        id.name,
        extended.flatMap(({ expression }) => (expression.type === "Identifier" ? [expression.name] : []))
      )
    }
  }

  /** The members around the visited place, each with the type that was found in it. */
  const around: Array<{ readonly path: string; type?: string }> = []
  for (const { aboutAt, program } of read) {
    new Visitor({
      TSInterfaceDeclaration: ({ id }) => void around.push({ path: id.name }),
      "TSInterfaceDeclaration:exit": () => void around.pop(),
      TSPropertySignature: ({ key }) => {
        const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : ""
        around.push({ path: `${around.at(-1)?.path}.${name}` })
      },
      TSTypeReference: ({ typeName }) => {
        const member = around.at(-1)
        if (member === undefined || typeName.type !== "Identifier" || !bases.has(typeName.name)) return
        if (around.length === 1) bases.get(member.path)?.push(typeName.name)
        else member.type ??= typeName.name
      },
      "TSPropertySignature:exit": ({ start }) => {
        const member = around.pop()
        // What is in no interface has no path.
        if (member === undefined || around.length === 0) return
        messageMembers.set(member.path, { about: aboutAt(start), type: member.type ?? member.path })
      }
    }).visit(program)
  }

  /** Adds the members that an interface inherits. */
  const inherit = (name: string): void => {
    for (const base of bases.get(name) ?? []) {
      inherit(base)
      for (const [path, member] of Array.from(messageMembers)) {
        const inherited = path.startsWith(`${base}.`) ? name + path.slice(base.length) : path
        if (!messageMembers.has(inherited)) messageMembers.set(inherited, member)
      }
    }
  }
  for (const name of bases.keys()) inherit(name)
  return { interfaceAbout, messageMembers }
}

/** The file of the contract's messages. */
export const messages = "src/contract/Messages.ts"
export const { interfaceAbout, messageMembers } = readInterfaces(messages)
