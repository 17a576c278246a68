/**
 * The reference of both APIs at `/reference`, to read and to try.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { version } from "../../api/Version.js"
import { controlPrefix } from "../control/ControlApi.js"
import { controlDocument } from "../control/ControlOpenApi.js"
import type { BasePath } from "../http/BasePath.js"
import { type Html, html } from "../../html/Html.js"
import { openApiDocument } from "../openapi/OpenApi.js"
import { type ReferenceContents, referenceContents } from "../reference/ReferencePage.js"
import { referenceStyle } from "../reference/ReferenceStyle.js"
import { favicon } from "../http/HtmlPage.js"
import type { Route } from "../http/Routes.js"

/** The path of the page. */
export const referencePath = "/reference"

const stylePath = `${controlPrefix}/reference/page.css` as const

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

const texts = {
  en: {
    title: "API reference",
    dashboard: "Dashboard",
    gateway: "The gateway's API",
    control: "The control API",
    note: "Requests are sent to this gateway, as its first merchant. No money moves.",
    skip: "Skip to the contents"
  },
  cs: {
    title: "Popis API",
    dashboard: "Přehled brány",
    gateway: "API brány",
    control: "Ovládací API",
    note: "Požadavky se posílají této bráně jako její první obchodník. Žádné peníze se nehýbou.",
    skip: "Přejít na obsah"
  }
}

/** The documents, by the name in the query of the page. */
const documents = { gateway: "/openapi.json", control: `${controlPrefix}/openapi.json` } as const

const page = (language: "cs" | "en", base: BasePath, shown: Shown, contents: ReferenceContents): Html => {
  const text = texts[language]
  const link = (name: Shown): Html =>
    html`<a
      href="${base}${referencePath}${name === "control" ? "?api=control" : ""}"
      ${name === shown ? html`aria-current="page"` : undefined}
      >${text[name]}</a
    >`
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${text[shown]} – ${text.title}</title>
        <link rel="icon" href="${favicon}" />
        <link rel="stylesheet" href="${base}${stylePath}?v=${version}" />
        <script type="module" src="${base}${controlPrefix}/dashboard/reference.js"></script>
      </head>
      <body data-api="${shown}">
        <a class="skip" href="#content">${text.skip}</a>
        <header class="head">
          <a href="${base}/">${text.dashboard}</a>
          ${link("gateway")} ${link("control")}
          <a href="${base}${documents[shown]}">OpenAPI</a>
          <p>${text.note}</p>
        </header>
        <div class="columns">${contents.sideBar} ${contents.main}</div>
      </body>
    </html> `
}

type Shown = keyof typeof documents

const makeContents = (shown: Shown, url: string): ReferenceContents =>
  shown === "control"
    ? referenceContents(controlDocument(url), { base: `${url}${controlPrefix}`, hasClient: false, isLive: true })
    : referenceContents(openApiDocument(url), { base: `${url}/api`, hasClient: true, isLive: true })

/** Keeps the last contents of each document: they change with the gateway's address alone. */
const contentsCache = () => {
  const made = new Map<Shown, { readonly url: string; readonly contents: ReferenceContents }>()
  return (shown: Shown, url: string): ReferenceContents => {
    const known = made.get(shown)
    if (known?.url === url) return known.contents
    const contents = makeContents(shown, url)
    made.set(shown, { url, contents })
    return contents
  }
}

const servePage = (base: BasePath, url: () => string): Route => {
  const contents = contentsCache()
  return HttpRouter.route(
    "GET",
    referencePath,
    Effect.gen(function* () {
      const search = yield* HttpServerRequest.ParsedSearchParams
      const shown = search["api"] === "control" ? "control" : "gateway"
      return HttpServerResponse.text(page("en", base, shown, contents(shown, url())).text, {
        contentType: "text/html; charset=utf-8",
        headers: { ...headers, "cache-control": "no-store", "content-security-policy": policy }
      })
    })
  )
}

/** The style changes with the version of this package alone, which its address names. */
const serveStyle: Route = HttpRouter.route(
  "GET",
  stylePath,
  Effect.succeed(
    HttpServerResponse.text(referenceStyle, {
      contentType: "text/css; charset=utf-8",
      headers: { ...headers, "cache-control": "max-age=3600" }
    })
  )
)

/** The routes of the reference, of a gateway that is mounted below the base. */
export const referenceRoutes = (base: BasePath, url: () => string): ReadonlyArray<Route> => [
  servePage(base, url),
  serveStyle
]
