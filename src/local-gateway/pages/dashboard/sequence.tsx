/**
 * A payment's messages between payer, shop and gateway, as a picture.
 */
import { h, type VNode } from "preact"
import { framedSequence } from "../../../html/SequenceDiagram.js"
import type { PictureNode } from "../../../html/PictureNode.js"
import { logSequence } from "../LogSequence.js"
import type { LogEntry, PaymentDetail } from "./api.js"
import { reasonText, timeWriter } from "./format.js"
import { catalogue } from "./state.js"

const shown = (node: PictureNode | string, key?: number): VNode | string =>
  typeof node === "string"
    ? node
    : h(
        node.tag,
        { ...node.attributes, key },
        node.children.map((child, index) => shown(child, index))
      )

const times = timeWriter()

interface SequenceProps {
  /** The entries of a payment, oldest first. */
  readonly entries: ReadonlyArray<LogEntry>
  readonly underWay: PaymentDetail["under_way"]
}

export const SequencePicture = ({ entries, underWay }: SequenceProps) => {
  const sequence = logSequence(entries, {
    language: "en",
    underWay,
    reason: (subState) => reasonText(subState, catalogue().paymentSubStates),
    clock: (at) => times.clock(at),
    day: (at) => times.day(at.toISOString())
  })
  return shown(framedSequence(sequence))
}
