/**
 * The schemas of API v3 with their descriptions.
 */
import * as codeLists from "../contract/CodeLists.js"
import { codeTypes, descriptions } from "./Descriptions.js"
import { documentedBy, type Texts } from "./documentedBy.js"

/** What they say. */
export const texts: Texts = { codeLists, codeTypes, descriptions }

/** A struct with the descriptions of the interface of this name. */
export const documented: ReturnType<typeof documentedBy> = /* @__PURE__ */ documentedBy(texts)
