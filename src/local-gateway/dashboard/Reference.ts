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
import { textIn } from "./PackageFile.js"
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
#reference { overflow-wrap: break-word; }
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
        <section id="reference" aria-label="${text[shown]}" lang="en" data-document="${document}"></section>
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
  serveFile("swagger-ui.css", "text/css", textIn(folders, "swagger-ui.css")),
  serveFile("swagger-ui-bundle.js", "text/javascript", textIn(folders, "swagger-ui-bundle.js"))
]
