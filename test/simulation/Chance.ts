/**
 * Chance that only a seed decides: each event of a simulation draws from numbers of its own, so that leaving one event
 * out changes nothing for the others.
 */

/** Mixes well by multiplications with odd constants, as in the finisher of MurmurHash. */
const mix = (number: number): number => {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const hash = (seed: number, name: string): number => {
  let state = mix(seed ^ 0x9e3779b9)
  for (let index = 0; index < name.length; index++) state = Math.imul(state ^ name.charCodeAt(index), 0x01000193)
  return mix(state)
}

/** The numbers of one event. */
export class Chance {
  private state: number

  constructor(seed: number, event: string) {
    this.state = hash(seed, event)
  }

  /** From 0 to below 2^32. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0
    return mix(this.state)
  }

  /** An integer from 0 to below `n`. */
  below(n: number): number {
    return this.next() % n
  }

  /** An integer from `low` to `high`. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** True in this percentage of cases. */
  percent(share: number): boolean {
    return this.next() % 10_000 < share * 100
  }

  pick<A>(first: A, ...others: ReadonlyArray<A>): A {
    return [first, ...others][this.below(others.length + 1)] ?? first
  }
}
