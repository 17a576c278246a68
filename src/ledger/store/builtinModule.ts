/**
 * The modules that come with Node.js, and with what is compatible to it.
 */

/** A module by its name; `undefined` where the runtime has none. It is not imported, so that bundlers do not look for it. */
export const builtinModule = (name: string): unknown => {
  const { process }: { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } } = globalThis
  return process?.getBuiltinModule?.(name)
}
