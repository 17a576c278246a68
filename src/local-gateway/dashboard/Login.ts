/**
 * The way in to a gateway with a password.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { controlPrefix } from "../control/ControlApi.js"
import { html } from "../../html/Html.js"
import { pageResponse } from "../http/HtmlPage.js"
import type { PasswordLock } from "../http/PasswordLock.js"
import type { Route } from "../http/Routes.js"
import type { SameOriginGuard } from "../http/SameOriginGuard.js"
import { prefersHtml } from "../http/UnknownAddressPage.js"
import { messageLanguage } from "../wire/Refusal.js"
import { dashboardColors } from "./DashboardStyle.js"

const loginPath = `${controlPrefix}/login` as const

const texts = {
  en: {
    title: "Local gateway",
    banner: "No real money: this is a test gateway, not GoPay.",
    label: "Password",
    enter: "Sign in",
    wrong: "This is not the password."
  },
  cs: {
    title: "Lokální brána",
    banner: "Žádné skutečné peníze: toto je testovací brána, ne GoPay.",
    label: "Heslo",
    enter: "Přihlásit se",
    wrong: "Heslo nesouhlasí."
  }
}

const style = `${dashboardColors}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
.banner { margin: 0; padding: .5rem 1rem; background: #ffcf3f; color: #2e2300; text-align: center; }
main { max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
form { display: grid; gap: .5rem; }
input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--panel); color: inherit; font: inherit; }
button { margin-top: .5rem; border-color: var(--accent); background: var(--accent); color: var(--accent-ink); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.problem { margin: 0; color: var(--bad); font-weight: 600; }
`

const loginPage = (language: "cs" | "en", base: string, isWrong: boolean): HttpServerResponse.HttpServerResponse => {
  const { banner, enter, label, title, wrong } = texts[language]
  return pageResponse({
    status: 401,
    language,
    title,
    style,
    script: "",
    framedBy: "no page",
    body: html`<aside class="banner" aria-label="TEST"><span role="note">${banner}</span></aside>
      <main>
        <h1>${title}</h1>
        <form method="post" action="${base}${loginPath}">
          ${isWrong ? html`<p id="problem" class="problem" role="alert">${wrong}</p>` : undefined}
          <label for="password">${label}</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            ${isWrong ? html`aria-invalid="true" aria-describedby="problem"` : undefined}
          />
          <button>${enter}</button>
        </form>
      </main>`
  })
}

/** A page's own script is told in words; a browser would ask for the password in a window of its own. */
const unauthorized = (isScript: boolean): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    JSON.stringify({ error: "Unauthorized", message: "This gateway has a password: send it as HTTP Basic." }),
    {
      status: 401,
      contentType: "application/json",
      headers: {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...(isScript ? {} : { "www-authenticate": 'Basic realm="local gateway", charset="UTF-8"' })
      }
    }
  )

/** The route for those who know the password alone. */
const locked =
  (lock: PasswordLock, base: string) =>
  ({ handler, method, path }: Route): Route =>
    HttpRouter.route(
      method,
      path,
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        if (yield* lock.admits(headers)) return yield* handler
        return prefersHtml(headers["accept"])
          ? loginPage(messageLanguage(headers["accept-language"]), base, false)
          : unauthorized(headers["sec-fetch-site"] !== undefined)
      })
    )

const loginRoute = (lock: PasswordLock, guard: SameOriginGuard, base: string): Route =>
  HttpRouter.route(
    "POST",
    loginPath,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const objection = guard.siteObjection(request.headers)
      if (objection !== undefined) return HttpServerResponse.text(objection, { status: 403 })
      const form = new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
      const cookie = yield* lock.open(form.get("password") ?? "")
      return cookie === undefined
        ? loginPage(messageLanguage(request.headers["accept-language"]), base, true)
        : HttpServerResponse.redirect(`${base}/`, {
            status: 303,
            headers: { "cache-control": "no-store", "set-cookie": cookie }
          })
    })
  )

/** The routes behind the lock, and the way in. The gateway is mounted below the base. */
export const lockedRoutes = (
  lock: PasswordLock,
  guard: SameOriginGuard,
  base: string,
  routes: ReadonlyArray<Route>
): ReadonlyArray<Route> => [...routes.map(locked(lock, base)), loginRoute(lock, guard, base)]
