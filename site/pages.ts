/**
 * The pages of the site, from the Markdown that a repository's reader sees.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { completed, readExamples } from "./samples.js"
import { chapters } from "./try/Texts.js"

/** A page: the file that it is made of, from the root of the repository, and the file that is made, from the site's. */
interface Page {
  readonly from: string
  readonly to: string
}

/** The first page is how the README begins; a folder of `docs` has its own. */
export const pagesOf = (root: string): ReadonlyArray<Page> => [
  { from: "README.md", to: "overview.md" },
  ...["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map((from) => ({ from, to: from.toLowerCase() })),
  ...markdownIn(join(root, "docs")).map((name) => ({
    from: posix.join("docs", name),
    to: name.replace(/(^|\/)README\.md$/, "$1index.md")
  })),
  { from: `${recipes}/README.md`, to: "recipes/index.md" },
  ...[recipes, engines].flatMap((folder) =>
    programsIn(root, folder).map((name) => ({ from: `${folder}/${name}/README.md`, to: `recipes/${name}.md` }))
  )
]

/** The pictures as they look on a dark page, by the names of those of `docs/images`. */
export const darkPictures = fileURLToPath(new URL("images", import.meta.url))

const recipes = "examples/recipes"
const engines = "examples/engines"

/** The names of the recipes in a folder. */
const programsIn = (root: string, folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() && existsSync(join(root, folder, entry.name, "README.md")) ? [entry.name] : []
    )
    .toSorted()

/** The files of a recipe, and what a page of code calls their languages. */
const filesOf = (folder: string): ReadonlyArray<{ readonly name: string; readonly language: string }> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .flatMap((name) => {
      const [, extension = ""] = /\.(ts|tsx|mjs|js|json|svelte|html|toml|jsonc)$/.exec(name) ?? []
      const isOwn = extension !== "" && !/^\.|\/\.|node_modules|^dist\/|^package-lock/.test(name)
      return isOwn ? [{ name, language: extension === "mjs" ? "js" : extension }] : []
    })
    .toSorted((a, b) => place(a.name) - place(b.name) || (a.name < b.name ? -1 : 1))

/** The shop comes first, then what it is made of, then how it is built, and its tests last. */
const place = (name: string): number => {
  if (/\.test\.|^test\//.test(name)) return 3
  if (/\.(json|jsonc|toml)$|\.config\./.test(name)) return 2
  return /(^|\/)(shop|app\.module|main|index|page|worker)\.\w+$/.test(name) ? 0 : 1
}

/** Every file of a recipe, to copy. */
const withFiles = (text: string, folder: string, address: string): string => {
  const shown = filesOf(folder).map(
    ({ language, name }) =>
      `### \`${name}\`\n\n\`\`\`${language}\n${readFileSync(join(folder, name), "utf8").trimEnd()}\n\`\`\`\n`
  )
  const opened = elsewhere.has(posix.basename(address)) ? "" : `[Open in StackBlitz](${address})\n\n`
  return `${text.trimEnd()}\n\n## Files\n\n${opened}${shown.join("\n")}`
}

/** The recipes that need more than Node.js in a browser. */
const elsewhere: ReadonlySet<string> = new Set(["lambda", "medusa", "payload", "vendure", "worker"])

/** The address at which StackBlitz opens a folder of a repository at GitHub. */
const stackBlitz = (repository: string, folder: string): string =>
  `${repository.replace("https://github.com/", "https://stackblitz.com/fork/github/")}/tree/main/${folder}`

const markdownIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted()

/** Writes every page. Links to pages lead to the site, those to other files to the repository. */
export const writePages = (root: string, folder: string, repository: string): void => {
  const pages = pagesOf(root)
  const examples = readExamples(root)
  const dates = datesIn(root)
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
            : `${repository}/${statSync(join(root, target)).isDirectory() ? "tree" : "blob"}/main/${target.replace(/\/$/, "")}`
          : posix.relative(posix.dirname(to), page) || posix.basename(page)
      if (address === undefined) return posix.relative(posix.dirname(to), target.replace(/^docs\//, ""))
      return anchor === undefined ? address : `${address}#${anchor}`
    }
    const source = readFileSync(join(root, from), "utf8")
    const isRecipe = to.startsWith("recipes/") && to !== "recipes/index.md"
    const linkedText = source
      // Below each sample stands what it is a part of.
      .replace(
        /^(?:Samples are parts of|The samples are parts of|Ukázky jsou části souborů?) .*; (?:the site|na webu) .*\n\n/m,
        ""
      )
      .replaceAll(/^- \[ \] /gm, "- ☐ ")
      .replaceAll(/(\]\()([^)\s]+)(\))/g, (_, open, link, close) => `${open}${linked(link)}${close}`)
      .replaceAll(/(src=")([^"]+)(")/g, (_, open, link, close) => `${open}${linked(link)}${close}`)
    const whole = completed(examples, tabbed(linkedText))
    const text = isRecipe
      ? withFiles(whole, join(root, posix.dirname(from)), stackBlitz(repository, posix.dirname(from)))
      : to === "overview.md"
        ? whole.replace(/^# .*/, "# Overview")
        : whole
    const file = join(folder, to)
    mkdirSync(dirname(file), { recursive: true })
    const titled = text.replace(/^# .*\n/, (title) => `${title}${tried(to)}`)
    const head = frontmatter(from, dates.get(from), descriptionOf(source))
    const written = (page: string): string => `${head}${escapedOutsideCode(withDarkPictures(page))}`
    writeFileSync(file, written(titled))
    if (from === "README.md") writeFileSync(join(folder, "index.md"), written(firstPage(whole)))
  }
}

/** Each picture that has a dark version is there twice: the page shows the one for its colours. */
const withDarkPictures = (text: string): string =>
  text.replaceAll(
    /!\[([^\]]*)\]\(((?:[^()\s]*\/)?images\/)([\w-]+\.webp)\)/g,
    (light, alt: string, images: string, name: string) =>
      existsSync(join(darkPictures, name)) ? `${light}{.of-light} ![${alt}](${images}dark/${name}){.of-dark}` : light
  )

const invitations = { en: "Try this in your browser", cs: "Vyzkoušejte si to v prohlížeči" } as const

/** The link of a guide to its chapter of `/try`. It is no page of the site's router. */
const tried = (page: string): string => {
  const language = page.startsWith("cs/") ? "cs" : "en"
  const chapter = chapters.find(({ words }) => `${words[language].guide[1]}.md` === page)
  if (chapter === undefined) return ""
  const pages = posix.relative(posix.dirname(page), language === "cs" ? "try/cs" : "try")
  return `\n<p><a href="${pages}/#${chapter.id}" target="_self">${invitations[language]}</a></p>\n`
}

/** How the README begins, with three ways on, a picture, the promises and the steps of `/try`. */
const firstPage = (readme: string): string => {
  const [, title = "", standing = "", install = "", sample = ""] =
    /^(# .*\n\n[^]*?\n\n)([^]*?\n\n)(```sh\n[^]*?```\n\n)(```ts[^]*?```\n)/.exec(readme) ?? []
  return `${title}<div class="doors">

- **[Plain promises](./guides/first-payment.md)** \`async\`/\`await\`, nothing else to learn: your first payment, step by step.
- **[Programs of Effect](./overview.md#with-effect)** Typed errors, decoded responses, layers for configuration and HTTP.
- <strong><a href="./try/" target="_self">No account, no installation</a></strong> Shop and gateway in this browser, in ${chapters.length} steps.

</div>

![The pay page on a phone, in six steps: the order, the controls for the outcome, a declined attempt, 3-D Secure, paid, a bank transfer with its QR code](./images/pay-page-steps.webp)

${standing}${install}${sample}
Run it, open the address and pay with a test card: it prints \`PAID\`. [All of it in one page](./overview.md), or a
[shop in your framework](./recipes/index.md).

## What it promises

- **[Money is never moved twice by us.](./guides/refunds.md)** A refund, a capture or a charge is sent again only when GoPay certainly did
  not take it.
- **[You are told when no one knows.](./errors.md#outcomeunknown)** A lost response is \`OutcomeUnknown\` and a way to find out, not a guess.
- **[Kill it at any moment.](./ledger.md)** With the ledger in your database, it neither pays twice nor forgets.

## Step by step, in your browser

${chapters.map(({ id, words: { en } }) => `1. <a href="./try/#${id}" target="_self">${en.title}</a>`).join("\n")}
`
}

/** The first sentences of a page, for those who see a link to it. */
const descriptionOf = (text: string): string => {
  // A package's page begins with how to install it.
  const [, paragraph = ""] = /^# .*\n\n(?:```sh\n[^]*?```\n\n)?([^]*?)(?:\n\n|\n*$)/m.exec(text) ?? []
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*_]/g, "")
    .replaceAll(/\s+/g, " ")
  if (/^(?:- |\d+\. )/.test(plain)) return ""
  const [first = "", ...more] = plain.match(/.+?[.?!](?= |$)/g) ?? []
  if (first.length > 200) return `${first.slice(0, first.lastIndexOf(" ", 200))} …`
  const [second = ""] = more
  return first.length + second.length > 200 ? first : `${first}${second}`
}

/** When each page was changed last. */
const datesIn = (root: string): ReadonlyMap<string, string> => {
  const log = execFileSync("git", ["log", "--reverse", "--format=%x00%cI", "--name-only", "--", "*.md"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26
  })
  return new Map(
    log.split("\0").flatMap((commit) => {
      const [date = "", ...files] = commit.trim().split(/\n+/)
      return files.map((file) => [file, date] as const)
    })
  )
}

const frontmatter = (source: string, date: string | undefined, description: string): string =>
  [
    "---",
    `source: ${source}`,
    ...(date === undefined ? [] : [`updated: ${date}`]),
    ...(description === "" ? [] : [`description: ${JSON.stringify(description)}`]),
    "---\n\n"
  ].join("\n")

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
