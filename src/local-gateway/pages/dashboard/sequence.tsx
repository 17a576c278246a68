/**
 * A payment's messages between payer, shop and gateway, as a picture.
 */
import { h, type VNode } from "preact"
import { sequenceDiagram } from "../../../html/SequenceDiagram.js"
import type { SvgNode } from "../../../html/SvgNode.js"
import { logSequence } from "../LogSequence.js"
import type { LogEntry } from "./api.js"
import { timeWriter } from "./format.js"

const shown = (node: SvgNode | string, key?: number): VNode | string =>
  typeof node === "string"
    ? node
    : h(
        node.tag,
        { ...node.attributes, key },
        node.children.map((child, index) => shown(child, index))
      )

const times = timeWriter()

/** The entries of a payment, oldest first. */
export const SequencePicture = ({ entries }: { readonly entries: ReadonlyArray<LogEntry> }) => {
  const sequence = logSequence(entries, {
    language: "en",
    clock: (at) => times.clock(at),
    day: (at) => times.day(at.toISOString())
  })
  return (
    <div class="sequence-frame" tabIndex={0} role="region" aria-label={sequence.title}>
      {shown(sequenceDiagram(sequence))}
    </div>
  )
}
