/**
 * The descriptions in the schemas of `effect-gopay/schema` and `effect-gopay/v4/schema`, held against the comments that they are made of.
 */
import { expect, it } from "vitest"
import * as Made from "../../scripts/openapi/descriptions.js"
import * as Descriptions from "../../src/schema/Descriptions.js"
import { descriptionsV4 } from "../../src/schema/v4/DescriptionsV4.js"

it.each([
  ["src/schema/Descriptions.ts", Descriptions.descriptions, Made.descriptions],
  ["src/schema/Descriptions.ts, codes", Descriptions.codeTypes, Made.codeTypes],
  ["src/schema/v4/DescriptionsV4.ts", descriptionsV4, Made.descriptionsV4]
])("%s is made of the comments of the interfaces", (file, written, made) => {
  expect(written, `${file} is stale: run \`npm run descriptions\``).toEqual(made)
})
