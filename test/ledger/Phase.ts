/**
 * What a process of a shop can be killed in the middle of. It writes a line when such a phase begins, and one when it ends:
 * what has begun and has not ended was in flight when the process was killed.
 */

/**
 * `order`: its payment is being created. `refund`: it was handed over. `answer`: the answer to one of these is on the wire.
 * `handler`: the shop's own is in the transaction that records a payment.
 */
export const phases = ["order", "refund", "answer", "handler"] as const

export type Phase = (typeof phases)[number]

/** `Lost` ends a request that no answer came to. */
type Moment = "Begin" | "End" | "Lost"

/** The line that a process writes; the number is the phase's own in that process. */
export const phaseLine = (moment: Moment, phase: Phase, number: number): string => `${moment} ${phase} ${number}`

/** The phases of one process, as its lines tell them. */
export const makePhaseReader = () => {
  const open = new Map<string, Phase>()
  let lost = 0
  return {
    read: (line: string): void => {
      const [, moment, name, number] = /^(Begin|End|Lost) (\w+) (\d+)$/.exec(line) ?? []
      const phase = phases.find((one) => one === name)
      if (phase === undefined) return
      const id = `${phase} ${number}`
      if (moment === "Begin") open.set(id, phase)
      else open.delete(id)
      if (moment === "Lost") lost++
    },
    /** How many of a phase are in flight. */
    inFlight: (phase: Phase): number => [...open.values()].filter((one) => one === phase).length,
    /** How many changes no answer came to, though the process lived on. */
    lost: () => lost
  }
}
