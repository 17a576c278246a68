/**
 * The local gateway's scheduled tasks.
 */

interface Entry {
  readonly at: number
  /** Tasks due at the same time run in the order in which they were added. */
  readonly order: number
  readonly task: () => void
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Tasks ordered by time: a binary heap, since thousands of payments may be waiting for their time-out. */
export class Agenda {
  private readonly heap: Array<Entry> = []
  private entered = 0
  private readonly onEarlier: () => void

  /** `onEarlier` is called when a task was added that is due before all others. */
  constructor(onEarlier: () => void = () => {}) {
    this.onEarlier = onEarlier
  }

  /** The time of the next task, in milliseconds since 1970. */
  get next(): number | undefined {
    return this.heap[0]?.at
  }

  /** Adds a task; `at` is in milliseconds since 1970. */
  enter(at: number, task: () => void): void {
    const entry = { at, order: this.entered++, task }
    let index = this.heap.push(entry) - 1
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = this.heap[parentIndex]
      if (parent === undefined || !isBefore(entry, parent)) break
      this.heap[index] = parent
      index = parentIndex
    }
    this.heap[index] = entry
    if (index === 0) this.onEarlier()
  }

  /** Removes all tasks. */
  clear(): void {
    this.heap.length = 0
  }

  /** Removes and returns the next task that is due by then. */
  take(now: number): { readonly at: number; readonly task: () => void } | undefined {
    const [first] = this.heap
    if (first === undefined || first.at > now) return undefined
    const last = this.heap.pop()
    if (last !== undefined && last !== first) this.sink(last)
    return first
  }

  private sink(entry: Entry): void {
    let index = 0
    for (;;) {
      const left = this.heap[2 * index + 1]
      const right = this.heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      this.heap[index] = child
      index = 2 * index + (child === left ? 1 : 2)
    }
    this.heap[index] = entry
  }
}
