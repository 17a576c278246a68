/**
 * Schemas of the codes of API v4.
 */
import * as Schema from "effect/Schema"
import type * as CodeListsV4 from "./CodeListsV4.js"
import { wellFormed } from "./RequestParts.js"

/** A code of one of the lists of API v4, or any other text: see `codeOf`. */
export const codeOfV4 = <List extends keyof typeof CodeListsV4>(
  codeList: List
): Schema.Codec<Extract<keyof (typeof CodeListsV4)[List], string> | (string & {})> =>
  Schema.String.annotate({ codeList, expected: "a code (text)" })

export const sentCodeOfV4 = <List extends keyof typeof CodeListsV4>(codeList: List) =>
  codeOfV4(codeList).check(wellFormed)
