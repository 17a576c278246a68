/**
 * The pages of the site, from the Markdown that a repository's reader sees.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import { chapters } from "./try/Texts.js"

/** A page: the file that it is made of, from the root of the repository, and the file that is made, from the site's. */
interface Page {
  readonly from: string
  readonly to: string
}

/** The README is the first page; a folder of `docs` has its own. */
export const pagesOf = (root: string): ReadonlyArray<Page> => [
  { from: "README.md", to: "index.md" },
  ...["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map((from) => ({ from, to: from.toLowerCase() })),
  ...markdownIn(join(root, "docs")).map((name) => ({
    from: posix.join("docs", name),
    to: name.replace(/(^|\/)README\.md$/, "$1index.md")
  }))
]

const markdownIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted()

/** Writes every page. Links to pages lead to the site, those to other files to the repository. */
export const writePages = (root: string, folder: string, repository: string): void => {
  const pages = pagesOf(root)
  const pageOf = new Map(pages.map(({ from, to }) => [from, to]))
  for (const { from, to } of pages) {
    const linked = (link: string): string => {
      const [path = "", anchor] = link.split("#")
      if (path === "" || /^[a-z]+:/.test(path)) return link
      const target = posix.join(posix.dirname(from), path)
      const page = pageOf.get(target)
      const address =
        page === undefined
          ? /\.(webp|svg)$/.test(target)
            ? undefined
            : `${repository}/blob/main/${target}`
          : posix.relative(posix.dirname(to), page) || posix.basename(page)
      if (address === undefined) return posix.relative(posix.dirname(to), target.replace(/^docs\//, ""))
      return anchor === undefined ? address : `${address}#${anchor}`
    }
    const text = tabbed(readFileSync(join(root, from), "utf8"))
      .replaceAll(/^- \[ \] /gm, "- ☐ ")
      .replaceAll(/(\]\()([^)\s]+)(\))/g, (_, open, link, close) => `${open}${linked(link)}${close}`)
      .replaceAll(/(src=")([^"]+)(")/g, (_, open, link, close) => `${open}${linked(link)}${close}`)
    const file = join(folder, to)
    const titled = text.replace(/^# .*\n/, (title) => `${title}${tried(to)}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${frontmatter(relative(root, join(root, from)))}${escapedOutsideCode(titled)}`)
  }
}

const invitations = { en: "Try this in your browser", cs: "Vyzkoušejte si to v prohlížeči" } as const

/** The link of a guide to its chapter of `/try`. It is no page of the site's router. */
const tried = (page: string): string => {
  const language = page.startsWith("cs/") ? "cs" : "en"
  const chapter = chapters.find(({ words }) => `${words[language].guide[1]}.md` === page)
  if (chapter === undefined) return ""
  const pages = posix.relative(posix.dirname(page), language === "cs" ? "try/cs" : "try")
  return `\n<p><a href="${pages}/#${chapter.id}" target="_self">${invitations[language]}</a></p>\n`
}

const frontmatter = (source: string): string => `---\nsource: ${source}\n---\n\n`

const block = /^```(\w+) title="(Promises|Effect)"\n([^]*?)^```\n/gm

/** Two blocks of code, one for promises and one for Effect, become tabs; the reader's choice holds on every page. */
const tabbed = (text: string): string =>
  text.replaceAll(/(?:^```\w+ title="(?:Promises|Effect)"\n[^]*?^```\n\n?){2}/gm, (pair) => {
    const tabs = [...pair.matchAll(block)].map(
      ([, language, title, code]) => `== ${title}\n\n\`\`\`${language}\n${code}\`\`\`\n`
    )
    return `:::tabs key:style\n${tabs.join("\n")}\n:::\n\n`
  })

/** In pages, double braces outside of blocks of code would be read as programs. */
const escapedOutsideCode = (text: string): string =>
  text
    .split(/(^```[^]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("{{", "&#123;&#123;")))
    .join("")
