/**
 * Functions for any list.
 */

/** Groups items by a key, and keeps their order. Items without a key are left out. */
export const groupBy = <Item, Key>(
  items: Iterable<Item>,
  key: (item: Item) => Key | undefined
): Map<Key, Array<Item>> => {
  const groups = new Map<Key, Array<Item>>()
  for (const item of items) {
    const name = key(item)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}

/** The sum of the amounts, in minor units. */
export const sumOf = (items: ReadonlyArray<{ readonly amount?: number | undefined }>): number =>
  items.reduce((sum, { amount = 0 }) => sum + amount, 0)

/** The sum of the amounts of each currency, in minor units: sums of different currencies are never added. */
export const sumsByCurrency = (
  items: Iterable<{ readonly amount: number; readonly currency: string }>
): ReadonlyArray<{ readonly amount: number; readonly currency: string }> =>
  [...groupBy(items, ({ currency }) => currency)].map(([currency, own]) => ({ amount: sumOf(own), currency }))

/** Compares two items by a text, such as a day. */
export const inOrderOf =
  <Item>(text: (item: Item) => string) =>
  (one: Item, other: Item): number => {
    const [first, second] = [text(one), text(other)]
    return first < second ? -1 : first > second ? 1 : 0
  }

/**
 * The first index below `length` from which on a condition holds; it must hold for every index after one for which it
 * does.
 */
export const firstWhere = (length: number, holds: (place: number) => boolean): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
