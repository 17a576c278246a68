/** The items by a key, each list in their order. Those without a key are left out. */
export const groupBy = <Item>(
  items: Iterable<Item>,
  key: (item: Item) => string | undefined
): Map<string, Array<Item>> => {
  const groups = new Map<string, Array<Item>>()
  for (const item of items) {
    const name = key(item)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}
