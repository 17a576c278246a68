import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { PasswordLock } from "../../../src/local-gateway/http/PasswordLock.js"
import { startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { rejectionOf } from "../../support/Rejection.js"

const password = "žádné peníze: 8"

const basic = (given: string, user = "") => ({
  authorization: `Basic ${Buffer.from(`${user}:${given}`).toString("base64")}`
})

describe("The lock of a gateway with a password", () => {
  it.effect("opens to the password with any user name, and to the cookie of this gateway alone", () =>
    Effect.gen(function* () {
      const [lock, other] = [new PasswordLock(password, "http://a.test"), new PasswordLock(password, "https://a.test")]
      assert.isTrue(yield* lock.admits(basic(password)))
      assert.isTrue(yield* lock.admits(basic(password, "anyone")))
      const cookie = (yield* lock.open(password)) ?? ""
      assert.match(cookie, /^effect-gopay-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
      assert.match((yield* other.open(password)) ?? "", /; Secure$/)
      const [sent = ""] = cookie.split(";")
      assert.isTrue(yield* lock.admits({ cookie: `a=b; ${sent}; c=d` }))
      assert.isFalse(yield* other.admits({ cookie: sent }))
      for (const headers of [
        {},
        { cookie: `${sent}x` },
        { cookie: "effect-gopay-session=" },
        { cookie: `x${sent}` },
        { authorization: "Bearer x" }
      ]) {
        assert.isFalse(yield* lock.admits(headers), JSON.stringify(headers))
      }
    })
  )

  it.effect("pauses after each wrong password, one after another, and keeps no one else waiting", () =>
    Effect.gen(function* () {
      const lock = new PasswordLock(password, "http://a.test")
      const tries = yield* Effect.forkChild(
        Effect.all(
          [
            lock.admits(basic("wrong")),
            lock.admits(basic("")),
            Effect.map(lock.open("wrong"), (cookie) => cookie !== undefined)
          ],
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("2999 millis")
      assert.isUndefined(tries.pollUnsafe())
      assert.isTrue(yield* lock.admits(basic(password)))
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(tries), [false, false, false])
    })
  )
})

describe("A server with a password", () => {
  it("asks for it on the dashboard and in the control API, however they are written, and nowhere else", async () => {
    await using local = await startLocalGateway({ password })
    await using client = createGatewayClient(local.merchant)
    const callback = { return_url: "http://localhost/return" }
    const payment = await client.createPayment({ amount: 100, currency: "CZK", order_number: "1", callback })
    const status = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(path.startsWith("http") ? path : `${local.url}${path}`, {
        redirect: "manual",
        ...init
      })
      await response.body?.cancel()
      return response.status
    }
    const paths = [
      "/",
      "/local-gateway/state",
      "/%6cocal-gateway/state",
      "/local-gateway/merchants?x=1",
      "/local-gateway/openapi.json",
      "/local-gateway/nothing",
      "/local-gateway/dashboard/main.js",
      "/local-gateway/dashboard/catalogue.json"
    ]
    for (const path of paths) {
      assert.strictEqual(await status(path), 401, path)
      assert.notStrictEqual(await status(path, { headers: basic(password) }), 401, path)
    }
    const reset = { method: "POST", body: "{}", headers: { "content-type": "application/json" } }
    assert.strictEqual(await status("/local-gateway/reset", reset), 401)
    assert.strictEqual((await local.listPayments()).length, 1)
    for (const path of [payment.gw_url, "/gp-gw/js/embed.js", "/openapi.json"]) {
      assert.strictEqual(await status(path), 200, path)
    }
    const byScript = await fetch(`${local.url}/local-gateway/state`, { headers: { "sec-fetch-site": "same-origin" } })
    assert.isNull(byScript.headers.get("www-authenticate"))
    const byProgram = await fetch(`${local.url}/local-gateway/state`)
    assert.match(byProgram.headers.get("www-authenticate") ?? "", /^Basic realm=/)
    assert.deepInclude(await byProgram.json(), { error: "Unauthorized" })
    const site = { "sec-fetch-site": "cross-site" }
    assert.strictEqual(await status("/local-gateway/state", { headers: { ...site, ...basic(password) } }), 403)
  })

  it("lets a browser in by its form, from its own page alone", async () => {
    await using local = await startLocalGateway({ password })
    const visit = (
      path: string,
      { headers, ...init }: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {}
    ) => fetch(`${local.url}${path}`, { ...init, redirect: "manual", headers: { accept: "text/html", ...headers } })
    const login = (given: string, headers: Record<string, string> = {}) =>
      visit("/local-gateway/login", { method: "POST", body: new URLSearchParams({ password: given }), headers })
    const asked = await visit("/", { headers: { "accept-language": "cs" } })
    assert.strictEqual(asked.status, 401)
    assert.include(await asked.text(), "Žádné skutečné peníze")
    assert.include(await (await login("wrong")).text(), "This is not the password.")
    assert.strictEqual((await login(password, { origin: "http://evil.test" })).status, 403)
    const entered = await login(password)
    assert.deepStrictEqual([entered.status, entered.headers.get("location")], [303, "/"])
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";")
    const page = await (await visit("/", { headers: { cookie } })).text()
    assert.include(page, "No real money")
    assert.notInclude(page + JSON.stringify(await local.listRequests()), password)
  })

  it("has no banner without a password, and refuses a short one", async () => {
    await using local = await startLocalGateway()
    assert.notInclude(await (await fetch(local.url)).text(), "No real money")
    const refused = await rejectionOf(startLocalGateway({ password: "1234567" }))
    assert.include(String(refused), "password: must have at least 8 characters")
    const program = Effect.provide(LocalGateway.listPayments, LocalGateway.layerServer({ password: "" }))
    assert.include(String(await rejectionOf(Effect.runPromise(program))), "at least 8 characters")
  })
})
