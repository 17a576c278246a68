/**
 * The names of objects in the documents of an `HttpApi`.
 */
import { withProblem } from "../basics/InvalidFields.js"

/** Annotates an object with its name. What is no object is told so, not that it is none of this name. */
export const namedObject = (identifier: string) => ({ identifier, ...withProblem("Object", "must be an object") })
