/**
 * The dashboard, a page for developers at `/`.
 *
 * The page is empty; its script in `browser/` fills it from the control API. The script is plain JavaScript with types
 * in comments. It goes to the browser as it is written, one module at a time, and from the package as one file.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Struct from "effect/Struct"
import { controlPrefix } from "../control/ControlApi.js"
import { dashboardCatalogue } from "./DashboardCatalogue.js"
import { dashboardStyle } from "./DashboardStyle.js"
import type { BasePath } from "../http/BasePath.js"
import { Html, html } from "../../html/Html.js"
import { favicon } from "../http/HtmlPage.js"
import { textIn } from "./PackageFile.js"
import type { Route } from "../http/Routes.js"

const dashboardPath = `${controlPrefix}/dashboard` as const

/** The modules of the page's script, the main one first. */
export const dashboardModules = [
  "main.js",
  "connect.js",
  "faults.js",
  "gateway.js",
  "log.js",
  "settings.js",
  "shopCode.js",
  "tables.js",
  "testPayment.js",
  "page/api.js",
  "page/copies.js",
  "page/dom.js",
  "page/entries.js",
  "page/format.js",
  "page/highlight.js",
  "page/menu.js",
  "page/ownMember.js",
  "page/showMore.js",
  "page/timeMove.js",
  "payment/causes.js",
  "payment/payerActions.js",
  "payment/payment.js",
  "payment/payments.js",
  "payment/shopActions.js"
] as const

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const headers = {
  "cache-control": "no-store",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const title = "Local gateway"

const tabNames = {
  payments: "Payments",
  notifications: "Notifications",
  log: "Log",
  faults: "Faults",
  settings: "Settings",
  gateway: "Gateway"
}

type Tab = keyof typeof tabNames

const tabs = Struct.keys(tabNames)

/** Folders of the modules, as seen from this folder and from the two bundles. */
const moduleFolders = ["./browser", "./dashboard/browser", "../dashboard/browser"]

/** Whether the modules are those of the sources, and not one file. */
const areApart = Effect.runSync(
  Effect.cached(
    Effect.match(Effect.sandbox(textIn(moduleFolders, "page/api.js")), {
      onFailure: () => false,
      onSuccess: () => true
    })
  )
)

const notFound =
  "The dashboard's script cannot be read: a bundler has moved this program away from it. Leave effect-gopay out of the bundle (external), or use effect-gopay/local-gateway/web, which has it inside."

/** A script that says in the page why the dashboard does not start. */
const noticeScript = `const lost = document.getElementById("lost")
lost.textContent = ${JSON.stringify(notFound)}
lost.hidden = false
`

/** The main module; in its place the notice, where a bundler has left the file behind. */
export const mainModuleIn = (folders: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.catchDefect(textIn(folders, "main.js"), () => Effect.as(Effect.logWarning(notFound), noticeScript))

const page = (base: string, isShared: boolean, preloaded: ReadonlyArray<string>): Html => {
  const tab = (name: Tab): Html =>
    html`<a id="${name}-tab" data-testid="tab-${name}" href="#/${name}" ${name === "faults" ? new Html("hidden") : ""}
      >${tabNames[name]} <span id="${name}-count" class="count"></span
    ></a>`
  const section = (name: Tab): Html => html`<section id="${name}" aria-label="${tabNames[name]}" hidden></section>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${favicon}" />
        <link rel="stylesheet" href="${base}${dashboardPath}/style.css" />
        <link rel="preload" as="fetch" href="${base}${dashboardPath}/catalogue.json" crossorigin />
        ${preloaded.map((name) => html`<link rel="modulepreload" href="${base}${dashboardPath}/${name}" />`)}
        <script type="module" src="${base}${dashboardPath}/main.js"></script>
      </head>
      <body>
        <a id="skip" class="skip" href="#content">Skip to the content</a>
        <noscript
          ><p class="banner" role="alert">
            The dashboard needs JavaScript. The gateway, its pay page and the control API work without it.
          </p></noscript
        >
        ${isShared ? html`<aside class="banner" aria-label="TEST"><span role="note">No real money: this is a test gateway, not GoPay.</span></aside>` : undefined}
        <header id="head">
          <h1>${title}</h1>
          <span id="status" role="status">connecting</span>
          <code id="url"></code>
          <span id="waiting"></span>
          <span id="time"><span id="clock"></span> <span id="ahead" class="tag"></span></span>
        </header>
        <p id="moving" hidden></p>
        <p id="lost" role="alert" hidden></p>
        <nav aria-label="${title}">${tabs.map(tab)}</nav>
        <main id="content" tabindex="-1">
          <div id="payments">
            <section id="payment-side" aria-label="Payments">
              <div id="payment-filters" hidden></div>
              <p id="loading" class="quiet hint" hidden>Loading…</p>
              <div id="no-payments" hidden></div>
              <ul id="payment-list"></ul>
              <div id="payment-more"></div>
            </section>
            <article id="payment-detail" aria-label="Payment"></article>
          </div>
          ${tabs.filter((name) => name !== "payments").map(section)}
        </main>
        <p id="said" role="status" aria-live="polite"></p>
      </body>
    </html> `
}

const servePage = (base: string, isShared: () => boolean): Route =>
  HttpRouter.route(
    "GET",
    "/",
    Effect.map(areApart, (apart) =>
      HttpServerResponse.text(page(base, isShared(), apart ? dashboardModules : ["main.js"]).text, {
        contentType: "text/html; charset=utf-8",
        headers
      })
    )
  )

/** A text that does not change, compressed for browsers that take it so. */
const serve = (path: `/${string}`, contentType: string, text: Effect.Effect<string>): Route => {
  const compressed = Effect.runSync(Effect.cached(Effect.flatMap(text, gzipped)))
  return HttpRouter.route(
    "GET",
    path,
    Effect.gen(function* () {
      const { headers: asked } = yield* HttpServerRequest.HttpServerRequest
      const sent = { ...headers, vary: "accept-encoding" }
      return /\bgzip\b/.test(asked["accept-encoding"] ?? "")
        ? HttpServerResponse.uint8Array(yield* compressed, {
            contentType,
            headers: { ...sent, "content-encoding": "gzip" }
          })
        : HttpServerResponse.text(yield* text, { contentType, headers: sent })
      // A module that is part of another one in the package.
    }).pipe(Effect.catchDefect(() => Effect.succeed(HttpServerResponse.empty({ status: 404 }))))
  )
}

const gzipped = (text: string): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

/**
 * The routes of the dashboard of a gateway that is mounted below the base. It says that no money is real where several
 * people share the gateway.
 */
export const dashboardRoutes = (base: BasePath, isShared: () => boolean): ReadonlyArray<Route> => [
  servePage(base, isShared),
  serve(`${dashboardPath}/style.css`, "text/css; charset=utf-8", Effect.succeed(dashboardStyle)),
  serve(
    `${dashboardPath}/catalogue.json`,
    "application/json",
    Effect.sync(() => JSON.stringify(dashboardCatalogue()))
  ),
  ...dashboardModules.map((name) =>
    serve(
      `${dashboardPath}/${name}`,
      "text/javascript; charset=utf-8",
      name === "main.js" ? mainModuleIn(moduleFolders) : textIn(moduleFolders, name)
    )
  )
]
