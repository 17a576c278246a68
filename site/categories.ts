/**
 * The categories by which the site groups the names that the entries export, for typedoc. One that differs from its module's stands in the
 * source, as `@category`.
 */
import { relative } from "node:path"
import {
  type Application,
  type Context,
  CommentTag,
  Converter,
  type DeclarationReflection,
  ReflectionKind
} from "typedoc"
import { fileURLToPath } from "node:url"

const dist = fileURLToPath(new URL("../dist", import.meta.url))

const modules = ReflectionKind.Module | ReflectionKind.Namespace

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
  ["client/call/CachedToken", "tokens"],
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
  ["client/transport/WaitUntil", "tokens"],
  ["ledger", "ledger"],
  ["local-gateway", "local gateway"],
  ["node", "layers"],
  ["promise", "promises"],
  ["promise/toNodeHandler", "notifications"],
  ["promise/withEffect", "outcomes"],
  ["schema", "messages"],
  ["statement", "statements"],
  ["testing", "testing"]
])

const categoryOf = (path: string): string | undefined =>
  categories.get(path) ?? (path.includes("/") ? categoryOf(path.replace(/\/[^/]*$/, "")) : undefined)

/** Gives each name that an entry exports its category. */
export const load = ({ converter }: Application): void => {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (context: Context, reflection: DeclarationReflection) => {
    const { comment, parent } = reflection
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName
    if (
      comment === undefined ||
      file === undefined ||
      (parent?.isProject() !== true && parent?.kindOf(modules) !== true)
    )
      return
    if (comment.getTag("@category") !== undefined) return
    const category = categoryOf(relative(dist, file).replace(/\.d\.c?ts$/, ""))
    if (category !== undefined) comment.blockTags.push(new CommentTag("@category", [{ kind: "text", text: category }]))
  })
}
