/**
 * Names of the package, in samples of the reference and in sentences of every page: they lead to the page of the name.
 */
import { readFileSync } from "node:fs"
import type { MarkdownOptions, MarkdownRenderer } from "vitepress"
import { clientTasks } from "../../src/promise/clientTasks.js"
import { entries } from "../reference.js"

type ShikiTransformer = NonNullable<MarkdownOptions["codeTransformers"]>[number]
type Names = { readonly [name: string]: string }

const named: { readonly [file: string]: Names } = JSON.parse(
  readFileSync(new URL("../content/reference/names.json", import.meta.url), "utf8")
)

/**
 * Every exported name with its page. If several entries export a name, the first wins; entries for which `isFirst` is
 * true come before the rest.
 */
const inOrder = (isFirst: (file: string) => boolean): ReadonlyMap<string, string> => {
  const files = entries.map(({ file }) => file).filter((file) => !file.includes("namespaces/"))
  const all = [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))]
  return new Map(all.toReversed().flatMap((file) => Object.entries(named[file] ?? {})))
}

const withPromises = inOrder((file) => /promise|statement|\/(web|vite)/.test(file))
const withEffect = inOrder((file) => !file.includes("promise"))

/** The page of a name that an entry's declarations mention. */
const pageFrom = (file: string, name: string): string | undefined =>
  new Map(Object.entries(named[file] ?? {})).get(name) ??
  (/promise|\/(web|vite)/.test(file) ? withPromises : withEffect).get(name)

/** What the sentences of a page name: a task of a client, or a name that is no word of the language. */
const pageOf = (name: string): string | undefined => {
  if (Object.hasOwn(clientTasks, name)) return `/reference/tasks#${name.toLowerCase()}`
  return /^[A-Z][a-z]\w*|^[a-z]+[A-Z]\w*$/.test(name) ? withPromises.get(name) : undefined
}

/** Has the types in a declaration of the reference lead to their pages. */
export const namedSample = (base: string): ShikiTransformer => ({
  name: "named-sample",
  span(node) {
    const [, file, self] = /of=(\S+) self=(\S+)/.exec(this.options.meta?.__raw ?? "") ?? []
    const [text] = node.children
    if (file === undefined || text?.type !== "text") return
    node.children = text.value.split(/\b([A-Z]\w+)\b/).map((value, index) => {
      const page = index % 2 === 0 ? undefined : pageFrom(file, value)
      return page === undefined || page === `/reference/${self}`
        ? { type: "text", value }
        : {
            type: "element",
            tagName: "a",
            properties: { href: base + page.slice(1) },
            children: [{ type: "text", value }]
          }
    })
  }
})

/** Has the names in sentences lead to their pages. */
export const namesPlugin = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("names", ({ Token, env, tokens }) => {
    for (const [index, { children, type }] of tokens.entries()) {
      if (type !== "inline" || children === null || tokens[index - 1]?.type === "heading_open") continue
      let links = 0
      const linked = children.flatMap((token) => {
        if (token.type === "link_open") links++
        if (token.type === "link_close") links--
        const page = token.type === "code_inline" && links === 0 ? pageOf(token.content) : undefined
        if (page === undefined || page === `/${String(env.relativePath).replace(/\.md$/, "")}`) return [token]
        const open = new Token("link_open", "a", 1)
        open.attrSet("href", page)
        return [open, token, new Token("link_close", "a", -1)]
      })
      children.splice(0, children.length, ...linked)
    }
  })
}
