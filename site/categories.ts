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
  ["contract/CodeListsV4", "code lists"],
  ["contract/EmbedScript", "payments"],
  ["contract/GatewayOperations", "operations"],
  ["contract/GatewayOperationsV4", "operations"],
  ["contract/GatewaySchema", "messages"],
  ["contract/IdV4", "messages"],
  ["contract/Messages", "messages"],
  ["contract/MessagesV4", "messages"],
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
  ["client/v4", "operations"],
  ["client/v4/AccessTokenV4", "tokens"],
  ["client/v4/ApiV4", "calls"],
  ["client/v4/AwaitPaymentV4", "payments"],
  ["client/v4/ChangeRecordV4", "outcomes"],
  ["client/v4/GatewayConfigV4", "configuration"],
  ["client/v4/GatewayErrorV4", "errors"],
  ["client/v4/NotifiedPaymentV4", "notifications"],
  ["client/v4/PayerMessageV4", "payments"],
  ["client/v4/ReconcileV4", "outcomes"],
  ["client/v4/YieldableGatewayErrorV4", "errors"],
  ["ledger", "ledger"],
  ["local-gateway", "local gateway"],
  ["node", "layers"],
  ["promise", "promises"],
  ["promise/toNodeHandler", "notifications"],
  ["promise/v4/withEffectV4", "outcomes"],
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
