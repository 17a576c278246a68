/**
 * The dashboard, a page for developers at `/`.
 *
 * The page is empty; its script fills it from the control API and the static data here. The script is built from the
 * components in `dashboard/`, as one file.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Struct from "effect/Struct"
import { changeFacts } from "../../contract/ChangeFacts.js"
import { Currencies, PaymentInstruments, PaymentStates, PaymentSubStates } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import {
  settingGroups,
  settings,
  strictSettings,
  type Setting,
  type SettingsChange
} from "../books/LocalGatewaySettings.js"
import { changesUnderFaults } from "../server/Fault.js"
import { TestCards } from "../books/TestCards.js"
import { controlPrefix, loggedActions } from "./ControlApi.js"
import type { BasePath } from "../server/BasePath.js"
import { compressedText } from "../server/Compression.js"
import { html, type Html } from "../../html/Html.js"
import { favicon } from "../server/HtmlPage.js"
import { palette } from "../server/PageStyle.js"
import { leftBehind, servedText } from "./ServedText.js"
import type { Route } from "../server/Routes.js"

const settingNotes = Struct.keys(settings).map((name) => {
  const { default: byDefault, label, meaning, ...parameter }: Setting = settings[name]
  const [group = ""] = Object.entries(settingGroups).find(([, group]) => Object.hasOwn(group, name)) ?? []
  return {
    name,
    group,
    label,
    meaning: meaning.replaceAll("`", ""),
    default: byDefault,
    ...("unit" in parameter ? { unit: parameter.unit } : {}),
    ...("choices" in parameter ? { choices: parameter.choices } : {})
  }
})

/** A setting on the dashboard. */
export type SettingNote = (typeof settingNotes)[number]

/** Settings that are changed together. */
const presets: ReadonlyArray<{ readonly name: string; readonly meaning: string; readonly settings: SettingsChange }> = [
  { name: "Strict", meaning: "Refuses what GoPay may refuse, as --strict does.", settings: strictSettings },
  {
    name: "Operations take time",
    meaning: "Refunds, captures and voids are accepted first, and finish a minute later.",
    settings: {
      refund: "acceptedThenFinished",
      capture: "acceptedThenFinished",
      voidAuthorization: "acceptedThenFinished",
      voidRecurrence: "acceptedThenFinished"
    }
  },
  {
    name: "Unruly notifications",
    meaning: "Each notification comes twice, a minute late, the newest first.",
    settings: { notificationCopies: 2, notificationDelaySeconds: 60, notificationOrder: "reversed" }
  },
  {
    name: "The payer is back first",
    meaning: "The payer returns to the shop before it is notified.",
    settings: { notificationTiming: "returnFirst" }
  }
]

/** Static data of the dashboard, including the operations of the gateway's API and the actions that are logged. */
export const dashboardCatalogue = () => ({
  settings: settingNotes,
  presets,
  paymentStates: PaymentStates,
  paymentSubStates: PaymentSubStates,
  paymentInstruments: PaymentInstruments,
  currencies: Currencies,
  testCards: Object.entries(TestCards).map(([number, { brand }]) => ({ number, brand })),
  changesUnderFaults,
  operations: Object.values(Endpoint).map(({ name }) => name),
  changes: Struct.keys(changeFacts),
  actions: loggedActions
})

/** Static data of the dashboard. */
export type DashboardCatalogue = ReturnType<typeof dashboardCatalogue>

const dashboardPath = `${controlPrefix}/dashboard` as const

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

const notFound = `The dashboard's script cannot be read: ${leftBehind}`

/** A script that says on the page why the dashboard does not start. */
const noticeScript = `const lost = document.getElementById("lost")
lost.textContent = ${JSON.stringify(notFound)}
lost.hidden = false
`

/** A script; if a bundler has left it behind, the script of the notice instead. */
export const servedScript = (name: string): Effect.Effect<string> =>
  Effect.catchDefect(servedText(name), () => Effect.as(Effect.logWarning(notFound), noticeScript))

/** The dashboard's style; with the notice, only the palette. */
const style = Effect.map(
  Effect.catchDefect(servedText("dashboard-style"), () => Effect.succeed("")),
  (rules) => `${palette}\n${rules}`
)

const page = (base: string, isShared: boolean): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${favicon}" />
        <link rel="stylesheet" href="${base}${dashboardPath}/style.css" />
        <link rel="preload" as="fetch" href="${base}${dashboardPath}/catalogue.json" crossorigin />
        <link rel="preload" as="fetch" href="${base}${controlPrefix}/state" crossorigin />
        <link rel="preload" as="fetch" href="${base}${controlPrefix}/payments?limit=100" crossorigin />
        <link rel="modulepreload" href="${base}${dashboardPath}/main.js" />
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
        <p id="lost" class="line lost" role="alert" hidden></p>
        <div id="app">
          <header id="head">
            <h1>${title}</h1>
            <span id="status" role="status">connecting</span>
          </header>
        </div>
      </body>
    </html> `

const servePage = (base: string, isShared: () => boolean): Route =>
  HttpRouter.route(
    "GET",
    "/",
    Effect.sync(() =>
      HttpServerResponse.text(page(base, isShared()).text, { contentType: "text/html; charset=utf-8", headers })
    )
  )

const serve = (path: `/${string}`, contentType: string, text: Effect.Effect<string>): Route =>
  HttpRouter.route(
    "GET",
    path,
    Effect.flatMap(text, (text) => compressedText(text, { contentType, headers }))
  )

/**
 * The routes of the dashboard of a gateway that is mounted below the base. If several people share the gateway, the
 * dashboard says that no money is real.
 */
export const dashboardRoutes = (base: BasePath, isShared: () => boolean): ReadonlyArray<Route> => [
  servePage(base, isShared),
  serve(`${dashboardPath}/style.css`, "text/css; charset=utf-8", style),
  serve(
    `${dashboardPath}/catalogue.json`,
    "application/json",
    Effect.sync(() => JSON.stringify(dashboardCatalogue()))
  ),
  serve(`${dashboardPath}/main.js`, "text/javascript; charset=utf-8", servedScript("dashboard"))
]
