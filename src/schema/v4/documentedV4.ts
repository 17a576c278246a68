/**
 * The schemas of API v4 with their descriptions.
 */
import * as CodeListsV4 from "../../contract/CodeListsV4.js"
import { texts } from "../documented.js"
import { documentedBy } from "../documentedBy.js"
import { descriptionsV4 } from "./DescriptionsV4.js"

/** A struct with the descriptions of the interface of this name. What both APIs have is described as in v3. */
export const documentedV4: ReturnType<typeof documentedBy> = /* @__PURE__ */ documentedBy({
  codeLists: { ...texts.codeLists, ...CodeListsV4 },
  codeTypes: texts.codeTypes,
  descriptions: { ...texts.descriptions, ...descriptionsV4 }
})
