/**
 * Lookups by a name that may come from outside. An object also answers to what every object inherits, such as
 * `constructor`, and to whatever another library has put on `Object.prototype`.
 */

/** The member that an object has itself by this name. */
export const ownMember = <Value>(object: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The member that an object has by this name, or inherits from a class of the caller's: not what every object has. */
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

/** The same members, in an object that inherits none: what is absent stays absent. */
export const withoutPrototype = <Members extends object>(members: Members): Members =>
  Object.setPrototypeOf({ ...members }, null)
