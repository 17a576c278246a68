import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { documents } from "../../../src/package/Documents.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop, send } from "../../support/GatewayRequests.js"

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

const errorIn = (body: string): string => String(JSON.parse(body).errors[0].description)

describe("At an address that the gateway does not serve", () => {
  it.effect("a browser gets a page with a way on, in its language", () =>
    Effect.gen(function* () {
      for (const path of ["/nothing", "/api/nothing", "/gw/v3", "/api"]) {
        const { body, headers, status } = yield* send("GET", path, { headers: browser })
        assert.strictEqual(status, 404, path)
        assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
        assert.include(body, `There is no service GET ${path}.`)
        assert.include(body, '<html lang="en">')
        assert.match(body, /<a[^>]* href="\/">Dashboard<\/a>/)
        assert.match(body, /<a[^>]* href="\/#\/new">New payment<\/a>/)
      }
      const czech = yield* send("GET", "/nothing", { headers: { ...browser, "accept-language": "cs,en;q=0.8" } })
      assert.include(czech.body, "Na této adrese nic není")
      assert.include(czech.body, '<html lang="cs">')
      assert.include(czech.body, "Služba GET /nothing neexistuje. Tato brána má API v3 pod /api ")
      const wrongMethod = yield* send("GET", "/api/oauth2/token", {
        headers: { ...browser, "accept-language": "cs" }
      })
      assert.include(wrongMethod.body, "Služba GET /api/oauth2/token neexistuje. Tato adresa přijímá POST.")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a browser gets the newest payments, by links into the dashboard", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      assert.notInclude((yield* send("GET", "/nothing", { headers: browser })).body, "Newest payments")
      const ids: Array<number> = []
      for (const number of [1, 2, 3, 4, 5, 6])
        ids.push((yield* shop.create({ order_number: `<b>${number}</b>` })).id ?? 0)
      const { body } = yield* send("GET", "/nothing", { headers: browser })
      const links = [...body.matchAll(/href="\/#\/payments\/(\d+)"><bdi>([^<]*)<\/bdi>/g)].map(([, id]) => Number(id))
      assert.deepStrictEqual(links, ids.slice(1).toReversed())
      assert.include(body, "<bdi>&lt;b&gt;6&lt;/b&gt;</bdi>")
      const rebound = yield* send("GET", "/nothing", { headers: { ...browser, host: "evil.example" } })
      assert.notInclude(rebound.body, "payments/")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the page takes nothing of the address for markup", () =>
    Effect.gen(function* () {
      const { body } = yield* send("GET", "/<script>alert(1)</script>", { headers: browser })
      assert.notInclude(body, "<script>alert")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a program gets the gateway's error, whatever else it accepts", () =>
    Effect.gen(function* () {
      for (const accept of ["application/json", "*/*", "application/json, text/html", ""]) {
        const { body, headers, status } = yield* send("GET", "/nothing", { headers: { accept } })
        assert.strictEqual(status, 404)
        assert.strictEqual(headers["content-type"], "application/json")
        assert.strictEqual(
          errorIn(body),
          "There is no service GET /nothing. This gateway serves API v3 below /api (/openapi.json lists it), " +
            "API v4 below /gp-gw/api/4.0, and its dashboard at /."
        )
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect.each(["/api/4.0/payments", "/api/merchant/payments/4.0/8123456781/payments", "/4.0"])(
    "a request of API v4, %s, is told that this is v3, and where v4 is",
    (path) =>
      Effect.gen(function* () {
        const { body, status } = yield* send("POST", path, { body: "{}" })
        assert.strictEqual(status, 404)
        assert.strictEqual(
          errorIn(body),
          `There is no service POST ${path}. The request is one of GoPay's API v4, which is below /gp-gw/api/4.0, and this is v3: ` +
            `${documents}/guides/v3-or-v4.md`
        )
        assert.include((yield* send("GET", path, { headers: browser })).body, "and this is v3")
      }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect.each<[string, string, string]>([
    ["GET", "/api/payments/payment", "POST"],
    ["GET", "/api/oauth2/token", "POST"],
    ["GET", "/api/payments/payment/3000000003/refund", "POST"],
    ["PUT", "/api/payments/payment/3000000003", "GET"],
    ["POST", "/api/payments/cards/1", "GET or DELETE"]
  ])("%s %s says which method it takes", ([method, path, taken]) =>
    Effect.gen(function* () {
      const expected = `There is no service ${method} ${path}. This address takes ${taken}.`
      assert.strictEqual(errorIn((yield* send(method, path)).body), expected)
      assert.include((yield* send(method, path, { headers: browser })).body, expected)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
