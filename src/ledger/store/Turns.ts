/**
 * Work that is done one after another.
 */

/** Makes what runs work in the order of the calls, each when the one before has ended, however that ended. */
export const turns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
