/**
 * The names of objects in the documents of an `HttpApi`.
 */
import { withProblem } from "../basics/InvalidFields.js"

/**
 * Annotates an object with its name. The error about a value that is not an object says so, instead of naming this
 * type.
 */
export const namedObject = (identifier: string) => ({ identifier, ...withProblem("Object", "must be an object") })
