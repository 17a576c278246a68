/**
 * Lookups by a name that comes from elsewhere: an object also answers to what every object inherits.
 */

/**
 * The member that an object has itself by this name.
 *
 * @template Value
 * @param {{ readonly [name: string]: Value }} object
 * @param {string} name
 * @returns {Value | undefined}
 */
export const ownMember = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)
