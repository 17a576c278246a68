/**
 * Lookups by a name that may come from outside. An object also answers to what every object inherits, such as
 * `constructor`, and to whatever another library has put on `Object.prototype`.
 */

/** The member that an object has itself by this name. */
export const ownMember = <Value>(object: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
