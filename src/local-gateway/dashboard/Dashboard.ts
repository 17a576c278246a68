/// <reference types="node" />
/**
 * The dashboard, a page for developers at `/`.
 *
 * The page is empty; its script in `browser/` fills it from the control API. The script is plain JavaScript with types in
 * comments, and goes to the browser exactly as it is written, one module at a time: there is nothing to build.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { readFile } from "node:fs/promises"
import { controlPrefix } from "../control/ControlApi.js"
import { dashboardCatalogue } from "./DashboardCatalogue.js"
import { dashboardStyle } from "./DashboardStyle.js"
import { Html, html } from "../http/Html.js"
import type { Route } from "../http/Routes.js"

const dashboardPath = `${controlPrefix}/dashboard` as const

/** The modules of the page's script, the main one first. */
export const dashboardModules = [
  "main.js",
  "faults.js",
  "gateway.js",
  "log.js",
  "settings.js",
  "tables.js",
  "page/api.js",
  "page/copies.js",
  "page/dom.js",
  "page/entries.js",
  "page/format.js",
  "page/texts.js",
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

const tab = (name: string, title: string): Html =>
  html`<a id="${name}-tab" data-testid="tab-${name}" href="#/${name}" ${name === "faults" ? new Html("hidden") : ""}
    >${title} <span id="${name}-count" class="count"></span
  ></a>`

/** Said where several people share a gateway. */
const banner = html`<p class="banner" role="note">No real money: this is a test gateway, not GoPay.</p>`

const page = (isShared: boolean): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Local gateway</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${dashboardPath}/style.css" />
        ${dashboardModules.map((name) => html`<link rel="modulepreload" href="${dashboardPath}/${name}" />`)}
        <script type="module" src="${dashboardPath}/main.js"></script>
      </head>
      <body>
        ${isShared ? banner : undefined}
        <header id="head">
          <h1>Local gateway</h1>
          <span id="status" role="status">connecting</span>
          <code id="url"></code>
          <span id="waiting"></span>
          <span class="time"><span id="clock"></span> <span id="ahead" class="tag"></span></span>
          <span id="forward" class="group" role="group" aria-label="Move time forward"></span>
        </header>
        <p id="lost" role="alert" hidden></p>
        <nav aria-label="Dashboard">
          ${tab("payments", "Payments")} ${tab("recurrences", "Recurrences")} ${tab("cards", "Cards")}
          ${tab("log", "Log")} ${tab("faults", "Faults")} ${tab("settings", "Settings")} ${tab("gateway", "Gateway")}
        </nav>
        <main>
          <div id="payments">
            <section id="payment-side" aria-label="Payments">
              <div id="payment-filters" hidden></div>
              <div id="no-payments" hidden></div>
              <ul id="payment-list"></ul>
              <div id="payment-more"></div>
            </section>
            <article id="payment-detail" aria-label="Payment"></article>
          </div>
          <section id="recurrences" aria-label="Recurrences" hidden></section>
          <section id="cards" aria-label="Cards" hidden></section>
          <section id="log" aria-label="Log" hidden></section>
          <section id="faults" aria-label="Faults" hidden></section>
          <section id="settings" aria-label="Settings" hidden></section>
          <section id="gateway" aria-label="Gateway" hidden></section>
        </main>
        <p id="said" role="status" aria-live="polite"></p>
        <noscript>The dashboard needs JavaScript.</noscript>
      </body>
    </html> `

const serve = (path: `/${string}`, contentType: string, text: Effect.Effect<string>): Route =>
  HttpRouter.route(
    "GET",
    path,
    Effect.map(text, (content) => HttpServerResponse.text(content, { contentType, headers }))
  )

const textAt = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8")

/** Folders of the modules, as seen from this module and from the two bundles. */
const moduleFolders = ["./browser", "./dashboard/browser", "../dashboard/browser"]

const moduleText = (name: string): Effect.Effect<string> =>
  Effect.promise(() => Promise.any(moduleFolders.map((folder) => textAt(`${folder}/${name}`))))

/** The routes of the dashboard. It says that no money is real where several people share the gateway. */
export const dashboardRoutes = (isShared: boolean): ReadonlyArray<Route> => [
  serve("/", "text/html; charset=utf-8", Effect.succeed(page(isShared).text)),
  serve(`${dashboardPath}/style.css`, "text/css; charset=utf-8", Effect.succeed(dashboardStyle)),
  serve(
    `${dashboardPath}/catalogue.json`,
    "application/json",
    Effect.sync(() => JSON.stringify(dashboardCatalogue))
  ),
  ...dashboardModules.map((name) =>
    serve(`${dashboardPath}/${name}`, "text/javascript; charset=utf-8", moduleText(name))
  )
]
