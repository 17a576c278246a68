/**
 * Lookups by names that may come from outside. An object also has the members that every object inherits, such as
 * `constructor`, and anything that another library has put on `Object.prototype`.
 */

/** The object's own member with this name. */
export const ownMember = <Value>(object: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/**
 * The object's member with this name, its own or inherited from a class of the caller's, but not from
 * `Object.prototype`.
 */
export const givenMember = (object: object, name: string): unknown => {
  for (
    let owner: unknown = object;
    isObject(owner) && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    if (Object.hasOwn(owner, name)) return Reflect.get(object, name)
  }
  return undefined
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The same members in an object without a prototype, so that an absent member stays absent. */
export const withoutPrototype = <Members extends object>(members: Members): Members =>
  Object.setPrototypeOf({ ...members }, null)
