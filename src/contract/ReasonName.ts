/**
 * The names of reasons.
 */

/**
 * Sets a reason's tag as its name, which `Cause.pretty` prints if a program fails with the reason itself. The name is
 * not enumerable, so the reason stays plain data.
 */
export const withName = <Reason extends { readonly _tag: string }>(reason: Reason): Reason =>
  Object.defineProperty({ ...reason }, "name", { value: reason._tag })
