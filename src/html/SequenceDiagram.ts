/**
 * A sequence diagram: who sent what to whom, with time running downwards. A screen reader reads it as a list.
 */
import { type PictureNode, pictureNode } from "./PictureNode.js"

/** A step in words, for those who cannot see the picture. */
interface Said {
  readonly said: string
  /** The time as text. It is left out if the step before has the same one. */
  readonly at: string
}

/** A message from one lane to another. A lost message ends on its way. */
interface Message extends Said {
  readonly kind: "message"
  readonly from: string
  readonly to: string
  readonly text: string
  readonly look: "call" | "reply" | "refused" | "lost"
}

/** An event in one lane. */
interface Note extends Said {
  readonly kind: "note"
  readonly lane: string
  readonly text: string
  readonly isBad?: boolean
}

/** Time jumps, or another day begins. */
interface Break extends Said {
  readonly kind: "break"
  readonly text: string
}

export type Step = Message | Note | Break

export interface Sequence {
  readonly title: string
  /** The names of the participants, from left to right. */
  readonly lanes: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

const width = 460
/** The middle of the first lane, and the space beside the last one. */
const margins = { left: 92, right: 56 }
const heights = { message: 36, note: 28, break: 26 } as const satisfies Record<Step["kind"], number>
const headHeight = 30

/** The approximate width of a text in small type. */
const widthOf = (text: string): number => text.length * 6 + text.replaceAll(/[^A-Z]/g, "").length * 1.7

const line = (x1: number, x2: number, y: number, look: string): PictureNode =>
  pictureNode("line", { x1, x2, y1: y, y2: y, class: look })

const label = (x: number, y: number, anchor: "start" | "middle" | "end", look: string, text: string): PictureNode =>
  pictureNode("text", { x, y, "text-anchor": anchor, class: look }, text)

/** The head of an arrow whose point is at `x`. */
const arrowHead = (x: number, y: number, isRightwards: boolean, look: string): PictureNode => {
  const back = isRightwards ? x - 7 : x + 7
  return pictureNode("path", { d: `M${x} ${y}L${back} ${y - 4}V${y + 4}Z`, class: look })
}

const messageNodes = (step: Message, y: number, xOf: (lane: string) => number): ReadonlyArray<PictureNode> => {
  const [from, to] = [xOf(step.from), xOf(step.to)]
  const middle = (from + to) / 2
  const below = y + heights.message - 10
  const text = label(middle, below - 6, "middle", step.look, step.text)
  if (step.look !== "lost") return [line(from, to, below, step.look), arrowHead(to, below, to > from, step.look), text]
  return [line(from, middle, below, "lost"), label(middle, below + 4, "middle", "lost cross", "✕"), text]
}

const noteNodes = (step: Note, y: number, lanes: ReadonlyArray<string>, x: number): ReadonlyArray<PictureNode> => {
  const size = widthOf(step.text) + 14
  const isLast = step.lane === lanes.at(-1)
  const left = isLast ? Math.min(x - size / 2, width - 2 - size) : Math.max(2, x - size / 2)
  const look = step.isBad === true ? "note bad" : "note"
  return [
    pictureNode("rect", { x: left, y: y + 3, width: size, height: heights.note - 8, rx: 5, class: look }),
    label(left + size / 2, y + 16.5, "middle", look, step.text)
  ]
}

const breakNodes = (step: Break, y: number): ReadonlyArray<PictureNode> => [
  line(0, width, y + 13, "break"),
  label(width / 2, y + 17, "middle", "break", step.text)
]

/** Draws a sequence on its own, for a file. Its colours come from the page: see `sequenceStyle`. */
export const sequenceDiagram = ({ lanes, steps, title }: Sequence): PictureNode => {
  const distance = (width - margins.left - margins.right) / Math.max(1, lanes.length - 1)
  const xOf = (lane: string): number => margins.left + Math.max(0, lanes.indexOf(lane)) * distance
  let height = headHeight + 4
  const tops = steps.map(({ kind }) => {
    const top = height
    height += heights[kind]
    return top
  })
  const lifelines = lanes.flatMap((lane) => [
    label(xOf(lane), 18, "middle", "lane", lane),
    pictureNode("line", { x1: xOf(lane), x2: xOf(lane), y1: headHeight - 4, y2: height + 6, class: "life" })
  ])
  const items = steps.map((step, index) => {
    const y = tops[index] ?? 0
    const isTimeNew = step.kind !== "break" && step.at !== steps[index - 1]?.at
    const nodes =
      step.kind === "message"
        ? messageNodes(step, y, xOf)
        : step.kind === "note"
          ? noteNodes(step, y, lanes, xOf(step.lane))
          : breakNodes(step, y)
    const time = isTimeNew ? [label(0, y + heights[step.kind] / 2 + 4, "start", "time", step.at)] : []
    return pictureNode("g", { role: "listitem", "aria-label": step.said.trim() }, ...time, ...nodes)
  })
  return pictureNode(
    "svg",
    { viewBox: `0 0 ${width} ${height + 6}`, class: "sequence", role: "list", "aria-label": title },
    pictureNode("g", { "aria-hidden": "true" }, ...lifelines),
    ...items
  )
}

/** Draws a sequence in a frame that scrolls if the page is too narrow. */
export const framedSequence = (sequence: Sequence): PictureNode =>
  pictureNode(
    "div",
    { class: "sequence-frame", tabindex: 0, role: "region", "aria-label": sequence.title },
    sequenceDiagram(sequence)
  )

/**
 * The style of the picture. The page defines the colours `--ink`, `--muted`, `--line`, `--card`, `--accent` and
 * `--bad`.
 */
export const sequenceStyle = `
.sequence-frame { overflow-x: auto; }
.sequence { display: block; width: 100%; min-width: 28.75rem; max-width: 36rem; height: auto; font: 11px system-ui, sans-serif; }
.sequence text { fill: var(--ink); paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; }
.sequence .lane { font-size: 12px; font-weight: 600; }
.sequence .time, .sequence text.break { fill: var(--muted); }
.sequence line, .sequence rect { stroke: var(--muted); }
.sequence .life, .sequence line.break { stroke: var(--line); }
.sequence line.break, .sequence line.reply { stroke-dasharray: 4 3; }
.sequence line.call { stroke: var(--accent); }
.sequence path { fill: var(--muted); } .sequence path.call { fill: var(--accent); }
.sequence line.refused, .sequence line.lost { stroke: var(--bad); stroke-dasharray: 4 3; }
.sequence path.refused, .sequence text.refused, .sequence text.lost, .sequence text.bad { fill: var(--bad); }
.sequence rect { fill: var(--card); } .sequence rect.bad { stroke: var(--bad); }
.sequence text.note { stroke: none; } .sequence .cross { font-size: 13px; }
`
