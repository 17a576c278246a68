/**
 * Blocks of code that are whole programs. A page shows only the sample: the rest is folded away, but copied too.
 */
import type { MarkdownOptions, MarkdownRenderer } from "vitepress"

type ShikiTransformer = NonNullable<MarkdownOptions["codeTransformers"]>[number]

const marked = /sample="(\d+)-(\d+)" file="([^"]+)"/

/** Puts what stands before the sample, and what stands after it, into a part of its own. */
export const foldedSample: ShikiTransformer = {
  name: "folded-sample",
  code(node) {
    const [, first, end] = marked.exec(this.options.meta?.__raw ?? "") ?? []
    if (first === undefined || end === undefined) return
    // VitePress takes the numbers of the marks for those of lines to highlight.
    for (const line of node.children) if (line.type === "element") line.properties["class"] = "line"
    // Between two lines there is the text that breaks them.
    const [from, to] = [Number(first) * 2, Number(end) * 2 - 1]
    const folded = (part: typeof node.children): typeof node.children =>
      part.length === 0 ? [] : [{ type: "element", tagName: "span", properties: { class: "folded" }, children: part }]
    node.children = [
      ...folded(node.children.slice(0, from)),
      ...node.children.slice(from, to),
      ...folded(node.children.slice(to))
    ]
  }
}

const words = {
  en: { fragment: "A part of", show: "Show the whole file" },
  cs: { fragment: "Část souboru", show: "Ukázat celý soubor" }
}

/** Says below a sample what it is a part of, and has a button that shows the rest. */
export const foldingPlugin = (markdown: MarkdownRenderer, repository: string): void => {
  const { fence } = markdown.renderer.rules
  if (fence === undefined) return
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const [, , , file] = marked.exec(tokens[index]?.info ?? "") ?? []
    const html = fence(tokens, index, options, env, self)
    if (file === undefined) return html
    const { fragment, show } = String(env.relativePath).startsWith("cs/") ? words.cs : words.en
    const bar = `<div class="sample-bar"><span>${fragment} <a href="${repository}${file}">${file}</a></span><button type="button" class="unfold" aria-expanded="false">${show}</button></div>`
    return `<div class="sample">${html}${bar}</div>`
  }
}

/** A page's text with its samples alone. */
export const withoutFolds = (text: string): string =>
  text.replaceAll(/^```ts sample="(\d+)-(\d+)"[^\n]*\n([^]*?)^```$/gm, (_, first, end, code) => {
    const lines = String(code).split("\n").slice(Number(first), Number(end))
    return `\`\`\`ts\n${lines.join("\n")}\n\`\`\``
  })
