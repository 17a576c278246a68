/**
 * What the schemas of requests and of responses are both made of.
 */
import * as Schema from "effect/Schema"
import type * as CodeLists from "./CodeLists.js"

/** A code of one of our lists, or any other text. No code is rejected, so the list is named, and left out of bundles. */
export const codeOf = <List extends keyof typeof CodeLists>(
  codeList: List
): Schema.Codec<Extract<keyof (typeof CodeLists)[List], string> | (string & {})> =>
  Schema.String.annotate({ codeList, expected: "a code (text)" })

/** An object of which nothing is known. */
export const passedThrough = Schema.Record(Schema.String, Schema.Unknown)
