import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { slug } from "github-slugger"
import { type DefaultTheme, defineConfig } from "vitepress"
import llmsTxt from "vitepress-plugin-llms"
import { tabsMarkdownPlugin } from "vitepress-plugin-tabs"

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

const reference: Array<DefaultTheme.SidebarItem> = [
  { text: "effect-gopay/promise", link: "/reference/promise" },
  { text: "effect-gopay", link: "/reference/index/" },
  { text: "effect-gopay/node", link: "/reference/node/" },
  { text: "effect-gopay/ledger", link: "/reference/ledger" },
  { text: "effect-gopay/ledger/promise", link: "/reference/ledger/promise" },
  { text: "effect-gopay/statement", link: "/reference/statement" },
  { text: "effect-gopay/local-gateway", link: "/reference/local-gateway" },
  { text: "effect-gopay/local-gateway/promise", link: "/reference/local-gateway/promise" },
  { text: "effect-gopay/local-gateway/web", link: "/reference/local-gateway/web" },
  { text: "effect-gopay/testing", link: "/reference/testing" },
  { text: "GoPay's REST API (OpenAPI)", link: "/openapi/index.html", target: "_self" }
]

const project = ["changelog", "contributing", "security"]
const inOrder = ["configuration", "errors", "notifications", "reliability", "ledger", "local-gateway", "serverless"]

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
  "chargebacks",
  "several-shops",
  "going-live"
]

const english: Array<DefaultTheme.SidebarItem> = [
  { text: "Start", link: "/" },
  { text: "Try it in your browser", link: "/try/", target: "_self" },
  ...group("Guides", pages("guides", ...guides)),
  ...group(
    "Documents",
    pages("", ...inOrder).filter(({ link = "" }) => !project.includes(link.slice(1)))
  ),
  ...group("Coming from", pages("coming-from")),
  ...group("API reference", reference),
  ...group("The project", project.map(page))
]

const czech: Array<DefaultTheme.SidebarItem> = [
  { text: "Začínáme", link: "/cs/" },
  { text: "Vyzkoušejte si to v prohlížeči", link: "/try/cs/", target: "_self" },
  ...group("Návody", pages("cs", ...guides)),
  ...group("API (anglicky)", reference)
]

const inCzech: DefaultTheme.Config = {
  outline: { level: [2, 3], label: "Na této stránce" },
  docFooter: { prev: "Předchozí stránka", next: "Další stránka" },
  darkModeSwitchLabel: "Vzhled",
  lightModeSwitchTitle: "Přepnout na světlý vzhled",
  darkModeSwitchTitle: "Přepnout na tmavý vzhled",
  sidebarMenuLabel: "Obsah",
  returnToTopLabel: "Zpět nahoru",
  langMenuLabel: "Jazyk",
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

export default defineConfig({
  title: "effect-gopay",
  description: "GoPay payments from TypeScript, and a local gateway to build and test against",
  // A project's site on GitHub Pages is in a folder of its host.
  base: process.env["SITE_BASE"] ?? "/",
  srcDir: "content",
  outDir: "dist",
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: (text) => slug(text) },
    config: (markdown) => {
      markdown.use(tabsMarkdownPlugin)
    }
  },
  locales: {
    root: { label: "English", lang: "en" },
    cs: { label: "Čeština", lang: "cs", description: "Platby přes GoPay z TypeScriptu", themeConfig: inCzech }
  },
  themeConfig: {
    search: { provider: "local", options: { locales: { cs: { translations: searchInCzech } } } },
    // Few pages are there in both languages.
    i18nRouting: false,
    outline: [2, 3],
    sidebar: { "/": english, "/cs/": czech }
  },
  vite: { plugins: [llmsTxt()], build: { chunkSizeWarningLimit: 5_000 } }
})
