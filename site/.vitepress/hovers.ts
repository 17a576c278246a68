/**
 * Samples for which the page can show what each name is.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { MarkdownOptions } from "vitepress"

type ShikiTransformer = NonNullable<MarkdownOptions["codeTransformers"]>[number]

/** The hovers of the names in a sample. */
export interface Hovers {
  /** Where each name begins in the sample, how long it is, and which of the texts it has. */
  readonly names: ReadonlyArray<readonly [at: number, length: number, text: number]>
  readonly texts: ReadonlyArray<readonly [type: string, doc: string]>
}

/** The name of the file that has the hovers of a sample. */
export const hoversId = (sample: string): string =>
  createHash("sha256").update(sample.trimEnd()).digest("hex").slice(0, 12)

const folder = fileURLToPath(new URL("../content/public/hovers/", import.meta.url))

/** Marks a block with the file of its names. */
export const hoveredSample: ShikiTransformer = {
  name: "hovered-sample",
  pre(node) {
    const id = hoversId(this.source)
    if (existsSync(`${folder}${id}.json`)) node.properties["data-hovers"] = id
  }
}
