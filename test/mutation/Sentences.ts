/**
 * A plugin of Stryker that leaves out what only people read: sentences, and descriptions of schemas.
 */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly raw: string } }>
  readonly callee?: { readonly property?: { readonly name?: string } }
}

interface Path {
  readonly node: Node
  readonly parentPath: { readonly node: Node } | null
  readonly listKey?: string
}

const isSentence = ({ quasis, type, value }: Node): boolean =>
  type === "StringLiteral"
    ? typeof value === "string" && /\S \S/.test(value)
    : type === "TemplateLiteral" && (quasis ?? []).some(({ value }) => /\S \S/.test(value.raw))

const isDescription = ({ listKey, parentPath }: Path): boolean =>
  listKey === "arguments" && /^annotate(Key)?$/.test(parentPath?.node.callee?.property?.name ?? "")

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "sentences",
    value: {
      shouldIgnore: (path: Path): string | undefined =>
        isSentence(path.node) ? "a sentence" : isDescription(path) ? "a description" : undefined
    }
  }
]
