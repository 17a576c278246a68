/**
 * A comment stands once in the sources: a message's at its interface, an operation's at the contract. Here it is copied
 * to the built declarations that say the same, so that an editor shows it there, too.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

/** Lines of a comment, without indentation. */
export type Comment = ReadonlyArray<string>

/** A member of an interface: its comment, and where the members of its type stand. */
interface Member {
  readonly comment: Comment
  readonly type: string
}

/** What interfaces say. */
interface Interfaces {
  readonly comments: ReadonlyMap<string, Comment>
  /** By their interface and name, such as `Payer.contact`, and `QrRecipient.address.city` where a type has no name. */
  readonly members: ReadonlyMap<string, Member>
  /** The interfaces by their `_tag`, which one has itself or by what it extends. */
  readonly tagged: ReadonlyMap<string, string>
}

/** What the interfaces of a module say; its declaration is indented by four, its source by two. */
export const interfacesIn = (declarations: string, indentation = 4): Interfaces => {
  const names = new Set(Array.from(declarations.matchAll(/^(?:export )?interface (\w+)/gm), ([, name]) => name))
  const comments = new Map<string, Comment>()
  const members = new Map<string, Member>()
  const tagged = new Map<string, string>()
  /** The types around a line, by its depth. */
  const around: Array<string> = []
  let comment: Array<string> = []
  for (const line of declarations.replaceAll(/\n +extends /g, " extends ").split("\n")) {
    const [, name = "", bases] = /^(?:export )?interface (\w+)(?:<[^>]*>)?(?: extends (.+))? \{\}?$/.exec(line) ?? []
    const [, declaredName] = /^export (?:interface|type|declare const) (\w+)/.exec(line) ?? []
    if (declaredName !== undefined) comments.set(declaredName, comment)
    if (name !== "") {
      around[1] = name
      const [, tag] = /<"(\w+)">/.exec(bases ?? "") ?? []
      if (tag !== undefined) tagged.set(tag, name)
      for (const base of bases?.match(/\w+/g) ?? []) {
        const inherited = Array.from(members).filter(([path]) => path.startsWith(`${base}.`))
        for (const [path, member] of inherited) members.set(path.replace(/^\w+/, name), member)
      }
    }
    const [, spaces = "", member, rest = ""] = /^( +)readonly (?:"?(\w+)"?\??|\[.*?\]): (.*)$/.exec(line) ?? []
    const depth = spaces.length / indentation
    if (depth > 0) {
      const path = member === undefined ? (around[depth] ?? "") : `${around[depth]}.${member}`
      const type = rest.match(/\w+/g)?.find((word) => names.has(word)) ?? path
      // A record's values are what its member is made of.
      const own = member === undefined ? members.get(path)?.comment : comment
      members.set(path, { comment: own ?? [], type })
      around[depth + 1] = type
      const [, tag] = (member === "_tag" && /^"(\w+)";$/.exec(rest)) || []
      if (tag !== undefined) tagged.set(tag, around[1] ?? "")
    }
    comment = /^ *(\/\*\*|\*)/.test(line) ? [...comment, line.replace(/^ +(?=\/)| +(?= \*)/, "")] : []
  }
  return { comments, members, tagged }
}

/** Schemas and interfaces whose like has another name. */
const namedOtherwise: ReadonlyMap<string, string> = new Map([
  ["RefundHistory", "RefundHistoryItem"],
  ["Payment", "PaymentResponse"],
  ["CreatedPayment", "CreatePaymentResponse"],
  ["PaymentOperation", "PaymentOperationResponse"],
  ["Refund", "RefundHistoryItem"],
  ["CardDetails", "CardDetailsResponse"],
  ["PaymentInstruments", "PaymentInstrumentsResponse"],
  ["PaymentQr", "PaymentQrResponse"],
  ["schema", "ChangeRecord"],
  ["AwaitPaymentOptions", "AwaitPaymentCallOptions"],
  ["GatewayOptions", "GatewayClientOptions"],
  ["GatewayService", "GatewayClient"],
  ["NotificationOptions", "NotificationHandlerOptions"]
])

/**
 * Declarations of schemas and interfaces, each field that has no comment with that of the interface's member, and each type with its
 * interface's.
 */
const withComments = (declared: string, { comments, members, tagged }: Interfaces): string => {
  const around: Array<string> = []
  return declared
    .split("\n")
    .flatMap((line, index, lines) => {
      const [, name] = /^(?:export )?(?:declare const|interface) (\w+)\b/.exec(line) ?? []
      if (name !== undefined) around[1] = namedOtherwise.get(name) ?? name
      const [, tag = ""] = /TaggedStruct<"(\w+)", \{$/.exec(line) ?? []
      if (tag !== "") around[1] = tagged.get(tag) ?? tag
      const [, spaces = "", field] = /^( +)readonly "?(\w+)"?\??: /.exec(line) ?? []
      if (field === undefined) return [line]
      const depth = spaces.length / 4
      const member = members.get(`${around[depth]}.${field}`)
      around[depth + 1] = member?.type ?? ""
      const isDocumented = lines[index - 1]?.endsWith("*/") ?? false
      const comment = isDocumented ? [] : (member?.comment ?? [])
      return [...comment.map((text) => spaces + text), line]
    })
    .join("\n")
    .replace(uncommented(/(?:type|declare const) (\w+)(?: = Plain\.|: Schema\.)/), (declaration, name: string) =>
      [...(comments.get(name) ?? []), declaration].join("\n")
    )
}

/** The beginning of an exported declaration without a comment. */
const uncommented = ({ source }: RegExp): RegExp => new RegExp(`(?<!\\*/\\n)^export ${source}`, "gm")

/** Declarations of programs, each without a text of its own with that of the interfaces' member, or of its like. */
const withTexts = (programs: string, { comments, members }: Interfaces): string => {
  const byName = new Map(Array.from(members, ([path, { comment }]) => [path.replace(/^.*\./, ""), comment]))
  return programs.replace(
    /^(?:\/\*\* (@category .*) \*\/\n|(?<!\*\/\n))(?=export declare const (\w+):)/gm,
    (_, category: string | undefined, name: string) => {
      const comment = byName.get(name) ?? comments.get(name) ?? []
      const tag = category === undefined ? [] : [" *", ` * ${category}`]
      return [...comment.slice(0, -1), ...tag, ...comment.slice(-1), ""].join("\n")
    }
  )
}

/** Declarations of code lists, each open type with what holds for all of them. */
const withOpenTypes = (lists: string): string =>
  lists.replace(
    uncommented(/type \w+ = keyof typeof (\w+) \|/),
    (declaration, list: string) =>
      `/** One of {@link ${list}}, or any other, as the list is open (same source). */\n${declaration}`
  )

/** The modules that are given comments, each with those that have them. */
const copies: ReadonlyArray<{
  readonly to: string
  readonly from: ReadonlyArray<string>
  readonly copied?: (declarations: string, interfaces: Interfaces) => string
}> = [
  { to: "contract/CodeLists", from: [], copied: withOpenTypes },
  { to: "contract/GatewaySchema", from: ["contract/Messages"] },
  { to: "client/error/GatewayErrorSchema", from: ["contract/Messages", "client/error/GatewayError"] },
  { to: "client/error/ChangeRecordSchema", from: ["contract/Messages", "client/error/ChangeRecord"] },
  { to: "client/payment/ReconciliationSchema", from: ["client/payment/Reconciliation"] },
  { to: "client/call/Gateway", from: ["promise/GatewayClient"] },
  { to: "client/config/GatewayOptions", from: ["promise/GatewayClient"] },
  { to: "client/payment/AwaitPayment", from: ["promise/GatewayClient"] },
  { to: "client/notification/NotificationError", from: ["client/notification/Notification"], copied: withTexts },
  { to: "client/notification/NotificationHandler", from: ["promise/GatewayClient"] },
  { to: "ledger/model/LedgerService", from: ["ledger/promise/Ledger"] },
  { to: "client/Programs", from: ["contract/GatewayOperations", "promise/GatewayClient"], copied: withTexts }
]

const declared = (module: string): string => join(root, "dist", `${module}.d.ts`)

/** Copies comments within the built declarations. */
export const copyComments = (): void => {
  for (const { copied = withComments, from, to } of copies) {
    const sources = from.map((module) => readFileSync(declared(module), "utf8"))
    writeFileSync(declared(to), copied(readFileSync(declared(to), "utf8"), interfacesIn(sources.join("\n"))))
  }
}
