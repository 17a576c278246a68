/**
 * The contexts that calls of a service run in.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"

/**
 * Services provided to the layer apply unless the call provides its own. Callers mostly pass the same context again, so
 * each merged context is cached.
 */
const callContexts = (provided: Context.Context<never>) => {
  const contexts = new WeakMap<Context.Context<never>, Context.Context<never>>()
  return (context: Context.Context<never>): Context.Context<never> => {
    const known = contexts.get(context)
    if (known !== undefined) return known
    const made = HttpClientTransport.transportContext(Context.merge(provided, context))
    contexts.set(context, made)
    return made
  }
}

/** The contexts of a layer's calls. The span in which the layer is built is not the parent of the calls. */
export const layerContexts: Effect.Effect<(context: Context.Context<never>) => Context.Context<never>> = Effect.map(
  Effect.context<never>(),
  (provided) => callContexts(Context.omit(Tracer.ParentSpan)(provided))
)
