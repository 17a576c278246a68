/**
 * The names of reasons.
 */

/**
 * Gives a reason its tag as its name, which `Cause.pretty` prints when a program fails with the reason itself. The name is not
 * enumerable: the reason stays the plain data that it was.
 */
export const withName = <Reason extends { readonly _tag: string }>(reason: Reason): Reason =>
  Object.defineProperty({ ...reason }, "name", { value: reason._tag })
