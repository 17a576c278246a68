/**
 * What an OpenAPI document or a JSON schema says nothing of.
 */
import * as Predicate from "effect/Predicate"

/** All objects within a document, with the way to them. */
export const objectsIn = (value: unknown, path: string): ReadonlyArray<readonly [string, Record<string, unknown>]> =>
  typeof value === "object" && value !== null
    ? [
        ...(Array.isArray(value) ? [] : [[path, Object.fromEntries(Object.entries(value))] as const]),
        ...Object.entries(value).flatMap(([name, member]) => objectsIn(member, `${path}.${name}`))
      ]
    : []

/** The members without a description. */
export const undocumented = (document: unknown): ReadonlyArray<string> =>
  objectsIn(document, "").flatMap(([path, { properties }]) =>
    Predicate.isObject(properties)
      ? Object.entries(properties).flatMap(([name, member]) =>
          /"description":/.test(JSON.stringify(member)) ? [] : [`${path}.${name}`]
        )
      : []
  )
