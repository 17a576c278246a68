/**
 * The descriptions in the schemas of `effect-gopay/schema` and `effect-gopay/v4/schema`, as modules made from the comments
 * of the interfaces. A shop's own document says what a member is, but not how well that is known.
 */
import { codeLists } from "../../src/contract/notes/CodeListNotes.js"
import { messages, readInterfaces } from "./MessageInterfaces.js"

const filesOfV3 = [messages, "src/client/error/GatewayError.ts", "src/client/error/ChangeRecord.ts"]

const filesOfV4 = ["src/contract/MessagesV4.ts", "src/client/v4/GatewayErrorV4.ts", "src/client/v4/ChangeRecordV4.ts"]

const namesOfV4 = readInterfaces(...filesOfV4).interfaceAbout

type Descriptions = { readonly [path: string]: string | readonly [about: string, type: string] }

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

/** By the path of an interface or its member: its description, and the interface that has the members of its type. */
const descriptionsIn = (...files: ReadonlyArray<string>): Descriptions => {
  const { interfaceAbout, messageMembers } = readInterfaces(...files)
  return Object.fromEntries([
    ...Array.from(interfaceAbout, ([name, about]) => [name, plain(about)] as const).filter(([, about]) => about !== ""),
    ...Array.from(messageMembers)
      .filter(([path]) => !isOfClient(path))
      .map(([path, { about, type }]) => [path, type === path ? plain(about) : ([plain(about), type] as const)] as const)
      .filter(([, said]) => said !== "")
  ])
}

export const descriptions = descriptionsIn(...filesOfV3)

/** The interfaces that both APIs extend. */
const shared = "src/client/error/AnyReason.ts"

/** Those of API v4 alone. Its interfaces extend some of v3. */
export const descriptionsV4: Descriptions = Object.fromEntries(
  Object.entries(descriptionsIn(...filesOfV3, shared, ...filesOfV4)).filter(([path]) =>
    namesOfV4.has(path.replace(/\..*/, ""))
  )
)

/** For each list of codes, the name of its type. */
export const codeTypes = Object.fromEntries(
  Object.entries(codeLists).map(([name, { about, codes }]) => [codes, { name, about: plain(about) }])
)

const declared = (name: string, value: Descriptions): string => `
/** By the path of an interface or its member: what it is, and the interface that has the members of its type. */
export const ${name}: { readonly [path: string]: string | readonly [about: string, type: string] } = ${JSON.stringify(value)}
`

/** The sources of the modules, by their paths. */
export const descriptionsModules = (): { readonly [path: string]: string } => ({
  "src/schema/Descriptions.ts": `/**
 * What the schemas say of themselves: made of the comments of \`Messages\`, \`GatewayError\`, \`ChangeRecord\` and of the code lists' notes by
 * \`npm run descriptions\`.
 */
${declared("descriptions", descriptions)}
/** The lists of codes, by their names: the name of their type. */
export const codeTypes: { readonly [list: string]: { readonly name: string; readonly about: string } } = ${JSON.stringify(codeTypes)}
`,
  "src/schema/v4/DescriptionsV4.ts": `/**
 * What the schemas of API v4 say of themselves: made of the comments of \`MessagesV4\`, \`GatewayErrorV4\` and \`ChangeRecordV4\` by
 * \`npm run descriptions\`.
 */
${declared("descriptionsV4", descriptionsV4)}`
})
