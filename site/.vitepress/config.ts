import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { slug } from "github-slugger"
import { type DefaultTheme, defineConfig, type HeadConfig } from "vitepress"
import llmsTxt from "vitepress-plugin-llms"
import { tabsMarkdownPlugin } from "vitepress-plugin-tabs"
import { entries } from "../reference.js"
import { foldedSample, foldingPlugin, withoutFolds } from "./folding.js"
import { hoveredSample } from "./hovers.js"
import { namedSample, namesPlugin } from "./names.js"

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const repository = String(manifest.homepage).replace(/#.*$/, "")
const base = process.env["SITE_BASE"] ?? "/"
const [, owner, name] = new URL(repository).pathname.split("/")
const address = `https://${owner}.github.io/${name}/`

const content = fileURLToPath(new URL("../content", import.meta.url))

/** A page by its own title. */
const page = (path: string): DefaultTheme.SidebarItem => {
  const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(content, `${path}.md`), "utf8")) ?? []
  return { text: title.replaceAll("`", ""), link: `/${path}` }
}

/** The pages of a folder: these first, in this order, then all others. */
const pages = (folder: string, ...first: ReadonlyArray<string>): Array<DefaultTheme.SidebarItem> => {
  if (!existsSync(join(content, folder))) return []
  const names = readdirSync(join(content, folder)).flatMap((name) =>
    name.endsWith(".md") && name !== "index.md" ? [name.slice(0, -3)] : []
  )
  const ordered = [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))]
  return ordered.map((name) => page(join(folder, name)))
}

const group = (text: string, items: Array<DefaultTheme.SidebarItem>): Array<DefaultTheme.SidebarItem> =>
  items.length === 0 ? [] : [{ text, items }]

/** An entry of the package: its page, with the groups of its names below. */
const entry = (text: string, link: string): DefaultTheme.SidebarItem => {
  const file = join(content, `${link.replace(/\/$/, "/index")}.md`)
  const groups = Array.from(readFileSync(file, "utf8").matchAll(/^## (.+)$/gm), ([, group = ""]) => ({
    text: group,
    link: `${link}#${slug(group)}`
  }))
  return { text, link, collapsed: true, items: groups }
}

const reference: Array<DefaultTheme.SidebarItem> = [
  { text: "By task", link: "/reference/tasks" },
  entry("effect-gopay/promise", "/reference/promise"),
  entry("effect-gopay", "/reference/index/"),
  entry("effect-gopay/node", "/reference/node/"),
  entry("effect-gopay/ledger", "/reference/ledger"),
  entry("effect-gopay/ledger/promise", "/reference/ledger/promise"),
  entry("effect-gopay/statement", "/reference/statement"),
  entry("effect-gopay/local-gateway", "/reference/local-gateway"),
  entry("effect-gopay/local-gateway/promise", "/reference/local-gateway/promise"),
  entry("effect-gopay/local-gateway/web", "/reference/local-gateway/web"),
  entry("effect-gopay/local-gateway/vite", "/reference/local-gateway/vite"),
  entry("effect-gopay/testing", "/reference/testing"),
  entry("effect-gopay/testing/promise", "/reference/testing/promise"),
  { text: "GoPay's REST API (OpenAPI)", link: "/openapi/index.html", target: "_self" }
]

const project = ["changelog", "contributing", "security"]
const inOrder = [
  "overview",
  "configuration",
  "errors",
  "notifications",
  "reliability",
  "ledger",
  "ledger-operate",
  "ledger-databases",
  "ledger-drizzle",
  "ledger-how-it-works",
  "local-gateway",
  "local-gateway-pages",
  "local-gateway-faults",
  "local-gateway-settings",
  "local-gateway-guesses",
  "serverless"
]

const guides = [
  "first-payment",
  "orders",
  "test-your-checkout",
  "refunds",
  "recurring-payments",
  "subscriptions",
  "preauthorizations",
  "stored-cards",
  "statements",
  "statement-files",
  "chargebacks",
  "several-shops",
  "going-live",
  "before-the-first-payer",
  "workflow-engines"
]

const english: Array<DefaultTheme.SidebarItem> = [
  { text: "Start", link: "/" },
  { text: "Try it in your browser", link: "/try/", target: "_self" },
  ...group("Guides", pages("guides", ...guides)),
  ...group(
    "Documents",
    pages("", ...inOrder).filter(({ link = "" }) => !project.includes(link.slice(1)))
  ),
  ...group("Recipes", [{ text: "All recipes", link: "/recipes/" }, ...pages("recipes")]),
  ...group("Coming from", [page("coming-from/index"), ...pages("coming-from")]),
  ...group("API reference", reference),
  ...group("The project", project.map(page))
]

const czech: Array<DefaultTheme.SidebarItem> = [
  { text: "Začínáme", link: "/cs/" },
  { text: "Vyzkoušejte si to v prohlížeči", link: "/try/cs/", target: "_self" },
  ...group("Návody", pages("cs")),
  ...group("API (anglicky)", reference)
]

const inCzech: DefaultTheme.Config = {
  nav: [
    { text: "Vyzkoušet", link: "/try/cs/", target: "_self" },
    { text: "Návody", link: "/cs/first-payment" },
    { text: "Recepty (anglicky)", link: "/recipes/" },
    { text: "API (anglicky)", link: "/reference/tasks" },
    { text: `v${manifest.version}`, link: "/changelog" }
  ],
  outline: { level: [2, 3], label: "Na této stránce" },
  docFooter: { prev: "Předchozí stránka", next: "Další stránka" },
  darkModeSwitchLabel: "Vzhled",
  lightModeSwitchTitle: "Přepnout na světlý vzhled",
  darkModeSwitchTitle: "Přepnout na tmavý vzhled",
  sidebarMenuLabel: "Obsah",
  returnToTopLabel: "Zpět nahoru",
  langMenuLabel: "Jazyk",
  lastUpdated: { text: "Naposledy změněno", formatOptions: { dateStyle: "medium" } },
  skipToContentLabel: "Přejít k obsahu"
}

const searchInCzech: DefaultTheme.LocalSearchOptions["translations"] = {
  button: { buttonText: "Hledat", buttonAriaLabel: "Hledat" },
  modal: {
    displayDetails: "Zobrazit podrobnosti",
    resetButtonTitle: "Smazat hledání",
    backButtonTitle: "Zavřít hledání",
    noResultsText: "Nic se nenašlo:",
    footer: {
      selectText: "vybrat",
      selectKeyAriaLabel: "enter",
      navigateText: "procházet",
      navigateUpKeyAriaLabel: "šipka nahoru",
      navigateDownKeyAriaLabel: "šipka dolů",
      closeText: "zavřít",
      closeKeyAriaLabel: "escape"
    }
  }
}

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%232f3fae'/><path d='M9 17l5 5 10-12' fill='none' stroke='white' stroke-width='4'/></svg>"

/** What readers may call the subject of a page that does not say so. */
const otherNames: { readonly [path: string]: string } = {
  "recipes/nextjs.md": "nextjs",
  "notifications.md": "webhook webhooks IPN callback",
  "cs/first-payment.md": "webhook callback"
}

/** What is searched of a page: what is to be seen of its samples, and of the reference its tasks and names alone. */
const searched = (text: string, path: string): string =>
  path.startsWith("reference/")
    ? [...text.matchAll(path === "reference/tasks.md" ? /^#{1,3} .*$/gm : /^# .*$/gm)].join("\n\n")
    : withoutFolds(text).replace(/^# .*\n/m, (title) => `${title}\n${otherNames[path] ?? ""}\n`)

/** The pages of the reference that are about a single name. */
const namePages = readdirSync(join(content, "reference"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && name !== "tasks.md" && !entries.some(({ file }) => file === name))
  .map((name) => `reference/${name}`)

export default defineConfig({
  title: "effect-gopay",
  description: manifest.description,
  // A project's site on GitHub Pages is in a folder of its host.
  base,
  srcDir: "content",
  outDir: "dist",
  cleanUrls: true,
  // Recipes name the address that the shop has on the reader's own machine.
  ignoreDeadLinks: "localhostLinks",
  // Pages are made from files of other names: `transformPageData` gives the dates of those.
  lastUpdated: false,
  sitemap: { hostname: address },
  transformPageData: (page) => {
    const { source, updated } = page.frontmatter
    if (page.relativePath === "index.md") {
      page.title = "effect-gopay: GoPay, the Czech payment gateway, from TypeScript"
      page.titleTemplate = ":title"
      page.description = manifest.description
    }
    // The reference is made from the declarations.
    if (source === undefined) page.frontmatter["editLink"] = false
    else page.frontmatter["editAddress"] = `${repository}/edit/main/${source}`
    if (updated !== undefined) page.lastUpdated = new Date(updated).getTime()
  },
  transformHead: ({ pageData, title, description }) => {
    const path = pageData.relativePath.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")
    const tag = (property: string, content: string): HeadConfig => ["meta", { property, content }]
    return [
      tag("og:type", "website"),
      tag("og:site_name", "effect-gopay"),
      tag("og:title", title),
      tag("og:description", pageData.description || description),
      tag("og:url", `${address}${path}`),
      tag("og:image", `${address}images/dashboard.webp`),
      ["link", { rel: "canonical", href: `${address}${path}` }]
    ]
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  markdown: {
    // Of a picture that has a dark version, only the one that is shown is loaded.
    image: { lazyLoading: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: (text) => slug(text) },
    codeTransformers: [foldedSample, hoveredSample, namedSample(base)],
    config: (markdown) => {
      markdown.use(tabsMarkdownPlugin)
      markdown.use(namesPlugin)
      markdown.use(foldingPlugin, `${repository}/blob/main/`)
    }
  },
  locales: {
    root: { label: "English", lang: "en" },
    cs: {
      label: "Čeština",
      lang: "cs",
      description: "Klient pro GoPay, českou platební bránu (gopay.com), v TypeScriptu",
      themeConfig: inCzech
    }
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        locales: { cs: { translations: searchInCzech } },
        _render: (text, env, markdown) => {
          const html = markdown.render(searched(text, env.relativePath), env)
          return env.frontmatter?.search === false ? "" : html
        },
        miniSearch: {
          searchOptions: {
            combineWith: "AND",
            // Next.js is not NestJS.
            fuzzy: (term) => (term.endsWith("js") ? false : 0.1),
            boost: { title: 6, titles: 3, text: 1 },
            processTerm: (term) =>
              /^(how|to|the|an?|is|do|i|my|and|for|of|in|with|what|can|jak|se|na|je)$/i.test(term)
                ? null
                : term.toLowerCase(),
            // A guide before a document, a document before the reference, the files of recipes and the history.
            boostDocument: (id, term) => {
              if (/\/reference\/tasks/.test(id)) return 12
              if (id.endsWith(`/promise/${term}#${term}`)) return 3
              // The section of a code, or of a reason. A word that a reason's name begins with means more than that reason.
              if (id.endsWith(`/errors#${term}`)) return /^\d/.test(term) ? 12 : 5
              if (/\/guides\//.test(id)) return 12
              if (/\/recipes\/[\w-]+#(a|the)-/.test(id)) return 6
              if (
                /\/(recipes|reference|changelog|contributing|architecture|benchmarks|parity|faults-and-sabotages)/.test(
                  id
                )
              )
                return 0.1
              if (/\/(notifications|ledger)#/.test(id)) return 6
              return 1
            }
          }
        }
      }
    },
    nav: [
      { text: "Try", link: "/try/", target: "_self" },
      { text: "Guides", link: "/guides/" },
      { text: "Recipes", link: "/recipes/" },
      { text: "API", link: "/reference/tasks" },
      { text: `v${manifest.version}`, link: "/changelog" }
    ],
    socialLinks: [{ icon: "github", link: repository }],
    editLink: {
      // The source of this function is all that the page has of it.
      pattern: ({ frontmatter }) => frontmatter["editAddress"],
      text: "Edit this page"
    },
    lastUpdated: { text: "Last updated", formatOptions: { dateStyle: "medium" } },
    // Few pages are there in both languages.
    i18nRouting: false,
    outline: [2, 3],
    sidebar: { "/": english, "/cs/": czech }
  },
  vite: {
    plugins: [
      llmsTxt({
        domain: address.replace(/\/$/, ""),
        description: manifest.description,
        // The page of an entry leads to those of its names.
        ignoreFilesPerOutput: { llmsTxt: namePages, llmsFullTxt: namePages }
      })
    ],
    build: { chunkSizeWarningLimit: 5_000 }
  }
})
