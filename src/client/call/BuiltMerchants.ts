/**
 * The merchants that one graph of layers has built, to notice two that are one.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import { merchantAttribute } from "./merchantAttribute.js"

/** A merchant whose gateway is built. */
interface BuiltMerchant {
  /** The name in spans and metrics. */
  readonly id: string
  /** The key of the service, which also says whose API it is. */
  readonly key: string
  /** The class of the service: two classes may have one key. */
  readonly service: object
  readonly settings: Pick<GatewaySettings, "goid" | "baseUrl" | "clientId" | "scope">
}

/**
 * Why two merchants cannot be told apart, if they cannot: two ids have one account, or two classes with one id have two
 * accounts. One class may be built for many accounts, as in a `LayerMap`, and one account may have two ids whose
 * ClientIDs, scopes or APIs differ: v3 and v4 have addresses of their own.
 */
const mistakenFor = (one: BuiltMerchant, other: BuiltMerchant): string | undefined => {
  const isSameAccount = one.settings.goid === other.settings.goid && one.settings.baseUrl === other.settings.baseUrl
  if (one.key === other.key) {
    if (isSameAccount || one.service === other.service) return undefined
    const goids = [one.settings.goid, other.settings.goid].map(String).sort().join(", ")
    return `Two merchants have the id ${one.id}, so one is paid for both: give each an id of its own (GoIDs ${goids})`
  }
  const hasSameAccess = one.settings.clientId === other.settings.clientId && one.settings.scope === other.settings.scope
  if (!isSameAccount || !hasSameAccess) return undefined
  const ids = [one.id, other.id].sort().join(" and ")
  return `The merchants ${ids} have the same GoID and ClientID, so one is paid for both: give each its own variables or options`
}

/** The merchants whose gateways are open now. */
class BuiltMerchants extends Context.Service<
  BuiltMerchants,
  { readonly open: Set<BuiltMerchant>; readonly warnings: Set<string> }
>()("effect-gopay/BuiltMerchants") {
  /** Effect memoizes it, so there is one in each graph of layers, which nested graphs find. */
  static readonly layer = Layer.sync(BuiltMerchants, () => ({
    open: new Set<BuiltMerchant>(),
    warnings: new Set<string>()
  }))
}

/**
 * Adds a merchant to those of its graph for as long as the scope is open, and warns, once, if it is mistaken for another
 * one there. Merchants of different graphs, such as those of tests that run at the same time, are not compared.
 */
export const announce = (built: BuiltMerchant): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const graph = Context.getOrUndefined(yield* Effect.context<never>(), Layer.CurrentMemoMap)
    if (graph === undefined) return
    const scope = yield* Effect.scope
    const merchants = yield* Layer.buildWithMemoMap(BuiltMerchants.layer, graph, scope)
    const { open, warnings } = Context.get(merchants, BuiltMerchants)
    const found = Array.from(open, (other) => mistakenFor(other, built)).filter((text) => text !== undefined)
    yield* Effect.acquireRelease(
      Effect.sync(() => open.add(built)),
      () => Effect.sync(() => open.delete(built))
    )
    for (const text of new Set(found)) {
      if (warnings.has(text)) continue
      warnings.add(text)
      yield* Effect.annotateLogs(Effect.logWarning(text), merchantAttribute(built.settings.goid, built.id))
    }
  })
