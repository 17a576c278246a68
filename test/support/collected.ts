/** The elements of an iterable, when it has ended. */
export const collected = async <A>(elements: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const element of elements) all.push(element)
  return all
}
