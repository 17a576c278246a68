/**
 * The reference of both APIs at `/reference`, to read and to try: a page with Swagger UI, served from the package.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { version } from "../../api/Version.js"
import { controlPrefix } from "../control/ControlApi.js"
import type { BasePath } from "../http/BasePath.js"
import { type Html, html } from "../../html/Html.js"
import { favicon } from "../http/HtmlPage.js"
import type { Route } from "../http/Routes.js"
import { compressedTextIn } from "./PackageFile.js"
import { pageLanguage } from "./PageLanguage.js"

/** The path of the page. */
export const referencePath = "/reference"

const filesPath = `${controlPrefix}/reference` as const

/** Beside the bundles of the package; in the repository, where the compiler's output and the sources are. */
const folders = ["./reference", "../reference", "../../../node_modules/swagger-ui-dist"]

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const headers = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const style = `
:root { color-scheme: light; }
:root.dark-mode { color-scheme: dark; }
body { margin: 0; }
.reference-head { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding: .75rem 1.25rem; background: #1a1f36; color: #fff; font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
.reference-head h1 { margin: 0; font-size: 1rem; }
.reference-head a { padding: .25rem 0; color: #fff; }
.reference-head a[aria-current] { font-weight: 600; text-decoration: none; }
.reference-head a:focus-visible { outline: 3px solid #ffcf3f; outline-offset: 2px; }
.reference-head p { margin: 0 0 0 auto; }
#reference { overflow-wrap: anywhere; }
/* Swagger UI's colours, where they are too faint to read. */
:root:not(.dark-mode) #reference { --link: #1f5fa8; --good: #1b7a4d; --bad: #b3261e; }
.dark-mode #reference { --bad: #ff9a94; }
:root:not(.dark-mode) #reference :is(.info .title small, .download-contents) { background: #59606f; }
:root:not(.dark-mode) #reference .info .title small.version-stamp { background: #4a6b00; }
:root:not(.dark-mode) #reference :is(.info a, a.link) { color: var(--link); }
:root:not(.dark-mode) #reference .btn.authorize { border-color: var(--good); color: var(--good); }
:root:not(.dark-mode) #reference .btn.authorize svg { fill: var(--good); }
:root:not(.dark-mode) #reference .btn.execute { border-color: var(--link); background: var(--link); }
:root:not(.dark-mode) #reference .opblock-get .opblock-summary-method { background: var(--link); }
:root:not(.dark-mode) #reference .opblock-post .opblock-summary-method { background: var(--good); }
:root:not(.dark-mode) #reference .opblock-delete .opblock-summary-method { background: var(--bad); }
:root:not(.dark-mode) #reference .parameter__in { color: #555; }
:root:not(.dark-mode) #reference .renderedMarkdown code { color: #6b0bc0; }
:root:not(.dark-mode) #reference [class*="-expand-deep-button"] { color: #555; }
#reference .btn.cancel { border-color: var(--bad); color: var(--bad); }
.dark-mode #reference .header-col { color: inherit; }
#reference .microlight span[style*="211, 99, 99"] { color: #ffa3a3 !important; }
@media (prefers-reduced-motion: reduce) { #reference * { transition: none !important; } }
@media (max-width: 40rem) {
  #reference :is(.opblock-section-header, .opblock-section-header > label, .try-out) { flex-wrap: wrap; height: auto; }
  #reference .opblock-body :is(table, thead, tbody, tr, th, td) { display: block; width: auto; min-width: 0; max-width: none; }
  #reference .opblock-body :is(input, select, textarea) { min-width: 0; width: 100%; max-width: 100%; }
  #reference .opblock-body thead { display: none; }
}
#problem { padding: 0 1.25rem; font: 1rem/1.5 system-ui, sans-serif; }
`

const texts = {
  en: {
    title: "API reference",
    dashboard: "Dashboard",
    gateway: "The gateway's API",
    control: "The control API",
    note: "“Try it out” works at this gateway, as its first merchant. No money moves.",
    noScript: "The reference needs JavaScript. The OpenAPI document itself is at"
  },
  cs: {
    title: "Popis API",
    dashboard: "Přehled brány",
    gateway: "API brány",
    control: "Ovládací API",
    note: "„Try it out“ volá tuto bránu jako její první obchodník. Žádné peníze se nehýbou.",
    noScript: "Popis potřebuje JavaScript. Samotný dokument OpenAPI je na adrese"
  }
}

/** The documents, by the name in the query of the page. */
const documents = { gateway: "/openapi.json", control: `${controlPrefix}/openapi.json` } as const

const page = (language: "cs" | "en", base: BasePath, shown: keyof typeof documents): Html => {
  const text = texts[language]
  const document = `${base}${documents[shown]}`
  const link = (name: keyof typeof documents): Html =>
    html`<a
      href="${base}${referencePath}${name === "control" ? "?api=control" : ""}"
      ${name === shown ? html`aria-current="page"` : undefined}
      >${text[name]}</a
    >`
  const file = (name: string): string => `${base}${filesPath}/${name}?v=${version}`
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${text[shown]} – ${text.title}</title>
        <link rel="icon" href="${favicon}" />
        <link rel="stylesheet" href="${file("swagger-ui.css")}" />
        <link rel="stylesheet" href="${file("page.css")}" />
        <script src="${file("swagger-ui-bundle.js")}" defer></script>
        <script type="module" src="${base}${controlPrefix}/dashboard/reference.js"></script>
      </head>
      <body>
        <header class="reference-head">
          <h1>${text.title}</h1>
          <a href="${base}/">${text.dashboard}</a>
          ${link("gateway")} ${link("control")}
          <p>${text.note}</p>
        </header>
        <noscript
          ><p id="problem">${text.noScript} <a href="${document}">${document}</a></p></noscript
        >
        <div id="reference" lang="en" data-document="${document}"></div>
      </body>
    </html> `
}

const servePage = (base: BasePath): Route =>
  HttpRouter.route(
    "GET",
    referencePath,
    Effect.gen(function* () {
      const search = yield* HttpServerRequest.ParsedSearchParams
      const { language } = yield* pageLanguage
      const shown = search["api"] === "control" ? "control" : "gateway"
      return HttpServerResponse.text(page(language, base, shown).text, {
        contentType: "text/html; charset=utf-8",
        headers: { ...headers, "cache-control": "no-store", "content-security-policy": policy }
      })
    })
  )

/** A file that changes with the version of this package alone, which its address names. */
const serveFile = (name: string, contentType: string, text: Effect.Effect<string>): Route =>
  HttpRouter.route(
    "GET",
    `${filesPath}/${name}`,
    Effect.map(text, (content) =>
      HttpServerResponse.text(content, {
        contentType: `${contentType}; charset=utf-8`,
        headers: { ...headers, "cache-control": "max-age=3600" }
      })
    )
  )

/** The routes of the reference, of a gateway that is mounted below the base. */
export const referenceRoutes = (base: BasePath): ReadonlyArray<Route> => [
  servePage(base),
  serveFile("page.css", "text/css", Effect.succeed(style)),
  serveFile("swagger-ui.css", "text/css", compressedTextIn(folders, "swagger-ui.css")),
  serveFile("swagger-ui-bundle.js", "text/javascript", compressedTextIn(folders, "swagger-ui-bundle.js"))
]
