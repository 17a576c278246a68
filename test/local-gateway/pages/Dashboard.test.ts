import { isoTimestamp } from "../../../src/basics/Day.js"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { dashboardCatalogue, servedScript } from "../../../src/local-gateway/pages/Dashboard.js"
import { durationText } from "../../../src/basics/DurationText.js"
import { amountText, millisText, words } from "../../../src/local-gateway/pages/LogWords.js"
import {
  aheadText,
  countText,
  jsonText,
  prettyBody,
  timeWriter,
  typedAmount,
  untilText,
  settingFlags,
  settingText,
  settingValue,
  declineReasons,
  reasonText
} from "../../../src/local-gateway/pages/dashboard/format.js"
import { deliveriesOf, standingOf } from "../../../src/local-gateway/pages/dashboard/history.js"
import {
  callAsCurl,
  orderAsCurl,
  orderAsTypeScript,
  shopCode
} from "../../../src/local-gateway/pages/dashboard/copies.js"
import { addressOf, placeIn } from "../../../src/local-gateway/pages/dashboard/place.js"
import { defaultSettings } from "../../../src/local-gateway/books/DefaultSettings.js"
import { SettingsChange } from "../../../src/local-gateway/books/SettingsSchema.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { send } from "../../support/GatewayRequests.js"
import { captureLog } from "../../support/LogGuard.js"

const folder = fileURLToPath(new URL("../../../src/local-gateway/pages/dashboard", import.meta.url))

/** Text as it is written, with plain spaces. */
const spaced = (text: string): string => text.replaceAll("\u00a0", " ")

describe("The dashboard's page", () => {
  it.effect("is served at / under a policy that lets nothing foreign run, load or frame it", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* send("GET", "/")
      assert.deepStrictEqual(
        [status, headers["content-type"], headers["x-content-type-options"], headers["cache-control"]],
        [200, "text/html; charset=utf-8", "nosniff", "no-store"]
      )
      const policy = (headers["content-security-policy"] ?? "").split("; ")
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'"
      ]) {
        assert.include(policy, directive)
      }
      assert.notMatch(body, /<script(?![^>]* src=)|<style| style=| on\w+=/)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("finds all that it names, in the right content types", () =>
    Effect.gen(function* () {
      const { body } = yield* send("GET", "/")
      const named = [...body.matchAll(/(?:src|href)="(\/[^"?]+)"/g)].map(([, path = ""]) => path)
      assert.includeMembers(
        named,
        ["main.js", "style.css", "catalogue.json"].map((name) => `/local-gateway/dashboard/${name}`)
      )
      for (const path of named) {
        const { headers, status } = yield* send("GET", path)
        const type = path.endsWith(".js") ? "text/javascript" : path.endsWith(".css") ? "text/css" : "application/json"
        assert.strictEqual(status, 200, path)
        assert.match(headers["content-type"] ?? "", new RegExp(`^${type}`))
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is compressed for a browser that takes it so, and for no other", () =>
    Effect.gen(function* () {
      const path = "/local-gateway/dashboard/style.css"
      const plain = yield* send("GET", path)
      assert.isUndefined(plain.headers["content-encoding"])
      assert.strictEqual(plain.headers["vary"], "accept-encoding")
      const request = HttpClientRequest.setHeader(
        HttpClientRequest.get(`http://localhost${path}`),
        "accept-encoding",
        "br, gzip;q=0.9"
      )
      const compressed = yield* HttpClient.execute(request)
      assert.strictEqual(compressed.headers["content-encoding"], "gzip")
      assert.strictEqual(gunzipSync(yield* compressed.arrayBuffer).toString(), plain.body)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("stays out of the log of requests", () =>
    Effect.gen(function* () {
      yield* send("GET", "/")
      yield* send("GET", "/local-gateway/dashboard/main.js")
      assert.deepStrictEqual(yield* LocalGateway.listRequests, [])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("serves its script as one file, and no other", () =>
    Effect.gen(function* () {
      const { body } = yield* send("GET", "/local-gateway/dashboard/main.js")
      assert.notMatch(body, /\b(?:from|import)\s*\(?"\.\.?\//)
      for (const name of ["main.tsx", "parts.js", "page/dom.js"]) {
        assert.strictEqual((yield* send("GET", `/local-gateway/dashboard/${name}`)).status, 404)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("says in the page and in the log that a bundler has left its script behind, and what to do", () =>
    Effect.gen(function* () {
      const warnings = captureLog(/^The dashboard's script cannot be read: a bundler has moved this program/)
      const script = yield* servedScript("nowhere")
      assert.include(script, "Leave effect-gopay out of the bundle (external)")
      assert.lengthOf(warnings, 1)
      assert.notInclude(yield* servedScript("dashboard"), "a bundler has moved this program")
    })
  )

  it("never reads a text as markup", () => {
    for (const name of readdirSync(folder)) {
      assert.notMatch(
        readFileSync(`${folder}/${name}`, "utf8"),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write/i
      )
    }
  })

  it("explains every setting, with its default and its choices", () => {
    const { settings } = dashboardCatalogue()
    assert.sameMembers(
      settings.map(({ name }) => name),
      Object.keys(defaultSettings)
    )
    assert.deepStrictEqual(settings.find(({ name }) => name === "scopes")?.choices, ["ignored", "enforced"])
    assert.deepStrictEqual(settings.find(({ name }) => name === "refusedTokenStatus")?.default, 403)
  })
})

describe("What the dashboard writes", () => {
  it("amounts in their currency", () => {
    assert.strictEqual(spaced(amountText(139_950, "CZK")), "1,399.50 CZK")
    assert.strictEqual(spaced(amountText(0, "EUR")), "0.00 EUR")
    assert.strictEqual(amountText(99_999_999_999), "999,999,999.99")
  })

  it("counts, durations and what is to come", () => {
    assert.deepStrictEqual(
      [1, 10_000].map((count) => spaced(countText(count, "payment"))),
      ["1 payment", "10,000 payments"]
    )
    assert.deepStrictEqual(
      [1, 2].map((count) => spaced(countText(count, "entry"))),
      ["1 entry", "2 entries"]
    )
    assert.deepStrictEqual(
      [0, 0.9, 59, 3600, 43_199, 90_061, 31 * 86_400].map((seconds) => spaced(durationText(seconds))),
      ["0 s", "0 s", "59 s", "1 h", "11 h 59 min", "1 d 1 h", "31 d"]
    )
    assert.deepStrictEqual(
      [0.4, 15.4, 1249, 61_000].map((millis) => spaced(millisText(millis))),
      ["0.4 ms", "15 ms", "1.2 s", "1 min 1 s"]
    )
    assert.strictEqual(spaced(untilText("2026-01-02T00:00:00.000Z", "2026-01-01T22:30:00.000Z")), "in 1 h 30 min")
    assert.strictEqual(untilText("2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"), "now")
  })

  it("times with their day only where it is another, and their year where it is another", () => {
    const { full, short } = timeWriter({ timeZone: "Europe/Prague" })
    const now = "2026-10-03T12:00:00.000Z"
    assert.strictEqual(full(now), "3 Oct 2026, 14:00:00")
    assert.strictEqual(short("2026-10-03T01:02:03.000Z", now), "03:02:03")
    assert.strictEqual(short("2026-10-02T21:59:59.000Z", now), "2 Oct, 23:59:59")
    assert.strictEqual(short("2025-12-24T11:00:00.000Z", now), "24 Dec 2025, 12:00:00")
    assert.strictEqual(isoTimestamp("2026-10-03T14:05:09.000+0200"), "2026-10-03T14:05:09.000+02:00")
  })

  it("bodies indented, form fields one to a line, anything else as it is", () => {
    assert.strictEqual(prettyBody(`{"a":[1]}`), `{\n  "a": [\n    1\n  ]\n}`)
    assert.strictEqual(
      prettyBody("grant_type=client_credentials&scope=a%20b"),
      "grant_type = client_credentials\nscope = a b"
    )
    assert.strictEqual(prettyBody(`{"cut":"of…`), `{"cut":"of…`)
    assert.strictEqual(prettyBody("<html>a=b</html>"), "<html>a=b</html>")
    assert.strictEqual(prettyBody(""), "")
  })

  it("no secret and no card number, in whatever form they come", () => {
    const body = JSON.stringify({
      access_token: "s3cret",
      payer: { payment_card: { card_token: "s3cret", card_number: "4444444444444448" }, allowed_card_token: "s3cret" },
      list: [{ client_secret: "s3cret" }, { verify_pin: "s3cret" }]
    })
    const texts = [
      prettyBody(body),
      jsonText(JSON.parse(body)),
      prettyBody("client_secret=s3cret&number=4444444444444448")
    ]
    for (const text of [...texts, prettyBody("number 4444444444444448, cut")]) {
      assert.notMatch(text, /s3cret|4444444444444448/)
      assert.include(text, "444444******4448")
    }
    assert.include(jsonText({ id: 3_000_000_003, card_number: "444444******4448" }), "3000000003")
  })

  it("codes as words", () => {
    assert.deepStrictEqual(["timeOut", "recurrenceEnd", "void-authorization"].map(words), [
      "time out",
      "recurrence end",
      "void authorization"
    ])
  })

  it("settings as text and back", () => {
    for (const value of ["checked", 403, [], ["shop.test", "shop.test:8080"]]) {
      assert.deepStrictEqual(settingValue(value, settingText(value)), value)
    }
    assert.deepStrictEqual([settingValue(1, ""), settingValue(1, "1 h"), settingValue(1, " 60 ")], ["", "1 h", 60])
    assert.deepStrictEqual(settingValue([], " a.test , ,b.test"), ["a.test", "b.test"])
  })
})

describe("What the dashboard copies", () => {
  const access = { goid: 8_123_456_781, client_id: "12", client_secret: "it's", url: "http://localhost:4646" }
  const order = { amount: 1, target: { goid: 8_123_456_781 }, note: "O'Hara", items: [{ name: 'a "b": c' }] }

  it("quotes for a shell whatever is in it", () => {
    const curl = orderAsCurl(order, access)
    assert.include(curl, `-u '12:it'\\''s'`)
    assert.include(curl, `"note": "O'\\''Hara"`)
    const call = { number: 1, at: "", type: "request", status: 200, duration_millis: 1, response_body: "" } as const
    assert.strictEqual(
      callAsCurl(
        {
          ...call,
          method: "POST",
          path: "/api/payments/payment/1/refund",
          query: "x=1",
          headers: { authorization: "<withheld>", host: "localhost", "content-type": "text/plain" },
          request_body: "it's"
        },
        "http://localhost:4646"
      ),
      `curl -s -X POST 'http://localhost:4646/api/payments/payment/1/refund?x=1' -H "Authorization: Bearer $TOKEN" -H 'content-type: text/plain' -d 'it'\\''s'`
    )
  })

  it("writes TypeScript without the shop, which the client adds", () => {
    const code = orderAsTypeScript(order, access)
    assert.include(code, `import { createGatewayClient } from "effect-gopay/promise"`)
    assert.include(code, `clientSecret: "it's"`)
    assert.include(code, `note: "O'Hara"`)
    assert.include(code, String.raw`name: "a \"b\": c"`)
    assert.notInclude(code, "target")
  })

  it("reads amounts as they are typed", () => {
    assert.deepStrictEqual(
      ["1 399,50", "1399.5", "1\u00a0399", "1,399.50", " 12 ", "1 000 000"].map(typedAmount),
      [139_950, 139_950, 139_900, 139_950, 1_200, 100_000_000]
    )
    for (const typed of ["0", "-1", "1 0,5", "10 50", "1 39,50", "1,399", "1,39.5", "1.399,50", "12.345", "x", ""]) {
      assert.throws(() => typedAmount(typed), "This is not an amount, such as 1399.50.")
    }
  })
})

describe("The deliveries", () => {
  const at = "2026-11-22T12:00:00.000Z"
  const [url, other] = ["http://shop.test/notify?id=1", "http://shop.test/notify?id=2"]
  const attempt = (number: number, attempt: number, status: number, changes: object = {}) => ({
    ...({ at, type: "notification", payment_id: 1, url } as const),
    number,
    attempt,
    status,
    ...changes
  })
  const pending = (attempts: number, changes: object = {}) => ({ payment_id: 1, url, attempts, due_at: at, ...changes })
  const shown = (...given: Parameters<typeof deliveriesOf>) =>
    deliveriesOf(...given).map((delivery) => [
      delivery.payment_id,
      delivery.attempts.map(({ number }) => number),
      standingOf(delivery)
    ])

  it("have all their attempts, the newest first, copies and resends apart", () => {
    const log = [
      attempt(1, 1, 500),
      attempt(2, 1, 500),
      attempt(3, 1, 200, { payment_id: 2, url: other }),
      attempt(4, 2, 500),
      attempt(5, 2, 200),
      attempt(6, 1, 200),
      attempt(7, 3, 404)
    ]
    assert.deepStrictEqual(shown(log, []), [
      [1, [1, 4, 7], "givenUp"],
      [1, [6], "taken"],
      [1, [2, 5], "taken"],
      [2, [3], "taken"]
    ])
  })

  it("wait for their next attempt, before all those for their first", () => {
    const log = [attempt(1, 1, 500), attempt(2, 2, 500)]
    const [first, second] = deliveriesOf(log, [pending(2), pending(0, { payment_id: 3 })])
    assert.deepInclude(first, { payment_id: 3, attempts: [], due_at: at })
    assert.deepInclude(second, { payment_id: 1, due_at: at })
    assert.deepStrictEqual(shown([], [pending(4)]), [[1, [], "waiting"]])
  })
})

describe("The places of the page", () => {
  it("have the filter in the address, and are read from it", () => {
    for (const hash of ["#/payments?query=Jana+N&state=PAID", "#/payments/300?kind=recurrence", "#/new", "#/log"]) {
      assert.strictEqual(addressOf(placeIn(hash)), hash)
    }
    assert.strictEqual(
      addressOf({ tab: "settings", id: undefined, search: { query: " a ", changed: "" } }),
      "#/settings?query=a"
    )
    for (const hash of ["", "#/nowhere", "#/constructor", "#/payments/1x"]) {
      assert.deepStrictEqual(placeIn(hash), { tab: "payments", id: undefined, search: {} })
    }
  })
})

describe("What the dashboard says", () => {
  it("why an attempt was declined, and which reasons there are", () => {
    const { paymentSubStates } = dashboardCatalogue()
    assert.strictEqual(reasonText("_5006", paymentSubStates), "insufficient funds (_5006)")
    assert.strictEqual(reasonText("_5009", paymentSubStates), "in 3-D Secure by the payer's bank (_5009)")
    assert.strictEqual(reasonText("_5008", paymentSubStates), "the CVV/CVC code was refused (_5008)")
    const codes = declineReasons(paymentSubStates).map(([code]) => code)
    assert.includeMembers(codes, ["_5002", "_5006", "_5042"])
    assert.notInclude(codes, "_5001")
  })

  it("how far time is ahead, whatever has passed since", () => {
    assert.deepStrictEqual(
      [2 * 86_400 + 2, 2 * 86_400 - 0.2, 3600.4, 3599.4, 61.4, 59.9, 58.8].map((seconds) => spaced(aheadText(seconds))),
      ["2 d", "2 d", "1 h", "1 h", "1 min 1 s", "1 min", "59 s"]
    )
  })

  it("settings as flags of the command, quoted where a shell would read them", () => {
    assert.strictEqual(
      settingFlags({ refund: "failed", tokenLifetimeSeconds: 60, notificationHosts: ["shop.test"] }),
      `--set refund=failed --set tokenLifetimeSeconds=60 --set 'notificationHosts=["shop.test"]'`
    )
  })

  it("presets that the gateway takes", () => {
    for (const { settings } of dashboardCatalogue().presets) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(SettingsChange)(settings), settings)
    }
  })
})

describe("The code that connects a shop", () => {
  it("has addresses and credentials of any kind, as each language writes them", () => {
    const access = { goid: 8_123_456_781, client_id: "1234567884", client_secret: `a'$"\\#{b}`, url: "http://x/gopay" }
    const credentials: { readonly [language: string]: string } = {
      PHP: String.raw`'1234567884:a\'$"\\#{b}'`,
      "Node.js": String.raw`"a'$\"\\#{b}"`,
      curl: String.raw`'1234567884:a'\''$"\#{b}'`
    }
    for (const [language, write] of Object.entries(shopCode)) {
      const code = write(access)
      assert.include(code, credentials[language] ?? "none", language)
      assert.include(code, "8123456781", language)
      assert.include(code, "http://x/gopay", language)
    }
    assert.sameMembers(Object.keys(credentials), Object.keys(shopCode))
  })
})
