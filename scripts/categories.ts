/**
 * The categories by which the site groups the names that the entries export. The build writes them as `@category` into the
 * declarations, which the site is made of; one that differs from its module's stands in the source.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

/** By module or folder of `src`; the nearest counts. */
const categories: ReadonlyMap<string, string> = new Map([
  ["contract/Amount", "amounts"],
  ["contract/CodeLists", "code lists"],
  ["basics/DurationInput", "calls"],
  ["contract/EmbedScript", "payments"],
  ["contract/GatewayOperations", "operations"],
  ["contract/GatewaySchema", "messages"],
  ["contract/Messages", "messages"],
  ["client", "operations"],
  ["client/call", "calls"],
  ["client/call/AccessToken", "tokens"],
  ["client/call/Gateway", "operations"],
  ["client/call/Operation", "operations"],
  ["client/call/TokenCache", "tokens"],
  ["client/call/TokenStore", "tokens"],
  ["client/config", "configuration"],
  ["client/error", "errors"],
  ["client/error/ChangeRecord", "outcomes"],
  ["client/error/ChangeRecordSchema", "outcomes"],
  ["client/notification", "notifications"],
  ["client/payment", "payments"],
  ["client/payment/Reconciliation", "outcomes"],
  ["client/payment/ReconciliationSchema", "outcomes"],
  ["client/transport", "transports"],
  ["ledger", "ledger"],
  ["local-gateway", "local gateway"],
  ["node", "layers"],
  ["promise", "promises"],
  ["promise/toNodeHandler", "notifications"],
  ["promise/withEffect", "outcomes"],
  ["statement", "statements"],
  ["testing", "testing"]
])

const categoryOf = (path: string): string | undefined =>
  categories.get(path) ?? (path.includes("/") ? categoryOf(path.replace(/\/[^/]*$/, "")) : undefined)

/** The comment over an exported declaration. */
const exportedComment = /^\/\*\*((?:(?!\*\/)[^])*?)\s*\*\/\n(?=export (?:declare|interface|type) )/gm

/** Declarations, each commented one with its category, unless it has one. */
const withCategory = (declarations: string, category: string): string =>
  declarations.replace(exportedComment, (comment, text: string) => {
    if (text.includes("@category ")) return comment
    const lines = text.includes("\n") ? text : `\n *${text}`
    const gap = /^ \* @/m.test(lines) ? "" : " *\n"
    return `/**${lines}\n${gap} * @category ${category}\n */\n`
  })

/** Writes the categories into the built declarations. */
export const writeCategories = (): void => {
  for (const path of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
    const category = path.endsWith(".d.ts") ? categoryOf(path.replace(/\.d\.ts$/, "")) : undefined
    if (category === undefined) continue
    const file = join(root, "dist", path)
    writeFileSync(file, withCategory(readFileSync(file, "utf8"), category))
  }
}
