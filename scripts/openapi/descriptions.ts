/**
 * The descriptions in the schemas of `effect-gopay/schema`, as a module made from the comments of the interfaces. A
 * shop's own document says what a member is, but not how well that is known.
 */
import { codeLists } from "../../src/contract/notes/CodeListNotes.js"
import { messages, readInterfaces } from "./MessageInterfaces.js"

export const descriptionsFile = "src/schema/Descriptions.ts"

const { interfaceAbout, messageMembers } = readInterfaces(
  messages,
  "src/contract/MessagesV4.ts",
  "src/client/error/GatewayError.ts",
  "src/client/error/ChangeRecord.ts",
  "src/client/error/AnyReason.ts",
  "src/client/v4/GatewayErrorV4.ts",
  "src/client/v4/ChangeRecordV4.ts"
)

/** A text without its sentences about evidence, unless there are no others. */
const plain = (text: string): string => {
  const [before = ""] = text
    .replaceAll(/ \((?:_|SDK)[^)]*\)/g, "")
    .split(/(?<=^|[.:;]? )(?:Unknown|Inferred|Weakly known|Recorded|Invented): /)
  return (before.trim() === "" ? text.replace(/^\w[\w ]*: /, "") : before.trim()).replaceAll(
    /\{@link ([^}]+)\}/g,
    "`$1`"
  )
}

/** Members of requests that are not in any schema. */
const isOfClient = (path: string): boolean => path.endsWith(".extraFields")

const entries = (): ReadonlyArray<readonly [string, string | readonly [string, string]]> => [
  ...Array.from(interfaceAbout, ([name, about]) => [name, plain(about)] as const),
  ...Array.from(messageMembers)
    .filter(([path]) => !isOfClient(path))
    .map(([path, { about, type }]) => [path, type === path ? plain(about) : ([plain(about), type] as const)] as const)
]

/** By the path of an interface or its member: its description, and the interface that has the members of its type. */
export const descriptions = Object.fromEntries(entries().filter(([, about]) => about.length > 0))

/** For each list of codes, the name of its type. */
export const codeTypes = Object.fromEntries(
  Object.entries(codeLists).map(([name, { about, codes }]) => [codes, { name, about: plain(about) }])
)

/** The source of the module. */
export const descriptionsModule = (): string => `/**
 * What the schemas say of themselves: made of the comments of \`Messages\`, \`GatewayError\`, \`ChangeRecord\` and of the code lists' notes by
 * \`npm run descriptions\`.
 */

/** By the path of an interface or its member: what it is, and the interface that has the members of its type. */
export const descriptions: { readonly [path: string]: string | readonly [about: string, type: string] } = ${JSON.stringify(descriptions)}

/** The lists of codes, by their names: the name of their type. */
export const codeTypes: { readonly [list: string]: { readonly name: string; readonly about: string } } = ${JSON.stringify(codeTypes)}
`
