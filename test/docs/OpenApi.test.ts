import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { withoutNulls } from "../../src/basics/Nulls.js"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { withExtraFields } from "../../src/contract/ExtraFields.js"
import { controlDocument } from "../../scripts/openapi/ControlOpenApi.js"
import { openApiDocument as servedDocument } from "../../src/local-gateway/pages/OpenApi.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { openApiDocument } from "../../scripts/openapi/OpenApi.js"
import { at, documentSchemas } from "../support/DocumentSchemas.js"
import { basic, onDemand, openShop, requestToken, send, type Answer } from "../support/GatewayRequests.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const document = openApiDocument()

const localUrl = "http://127.0.0.1:4646"

/** The documents as a local gateway serves them, which in this process is at `localhost`. */
const served = (path: string): Promise<unknown> =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(send("GET", path), ({ body }) => JSON.parse(body.replaceAll(`"http://localhost`, `"${localUrl}`))),
      LocalGateway.layer
    )
  )
const localDocument = await served("/openapi.json")
const localControlDocument = await served("/local-gateway/openapi.json")

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
)

/** Every object in a value, with the way to it. */
const objectsIn = (
  value: unknown,
  way: ReadonlyArray<string> = []
): ReadonlyArray<{ readonly way: string; readonly object: { readonly [member: string]: unknown } }> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [{ way: way.join("/"), object: { ...value } }]),
        ...Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...way, name]))
      ]

/** What a schema at a place of the document says against a value. */
const problems = documentSchemas(document, ["x-evidence", "x-enumDescriptions"])

type OperationName = keyof typeof Endpoint

const endpoints = { ...Endpoint }

/** Fails unless the document foresees a response of an operation. */
const assertForeseen = (name: OperationName, { body, headers, status }: Answer): void => {
  const { method, path } = endpoints[name]
  const { operation } = operations.find((one) => one.method === method && one.path === path) ?? {}
  const contentType = headers["content-type"]
  const response = at(operation, "responses", String(status))
  assert.include(
    Object.keys(at(response, "content") ?? { nothing: true }),
    contentType ?? "nothing",
    `${name} ${status}`
  )
  if (contentType !== "application/json") return
  const schema = at(response, "content", contentType, "schema")
  assert.isDefined(schema, `${name} ${status}`)
  assert.strictEqual(problems(schema, JSON.parse(body)), "", `${name} ${status}: ${body}`)
}

/** The names of members of an answer, at any depth, that the operation's own schema does not have. */
const extraFieldsOf = (name: OperationName, { body }: Answer): ReadonlyArray<string> => {
  const { response } = endpoints[name]
  if (response.type !== "json") return []
  const sent = withoutNulls(JSON.parse(body))
  const read = withExtraFields(Schema.decodeUnknownSync<Schema.Decoder<unknown>>(response.schema)(sent), sent)
  return (Array.isArray(read) ? read : [read]).flatMap((item) => Object.keys(at(item, "extraFields") ?? {}))
}

type Shop = Effect.Success<typeof openShop>

/** An order with all that the gateway repeats. */
const wholeOrder = {
  ...onDemand,
  amount: 10_000,
  currency: "CZK",
  order_number: "order-1",
  callback: { return_url: "https://shop.example/return" },
  target: { type: "ACCOUNT", goid: LocalGateway.merchant.goid },
  payer: { request_card_token: true, contact: { email: "jana@example.com" } },
  additional_params: [{ name: "invoice", value: "1" }],
  lang: "CS"
}

/** Pays an order by card, and returns what is read of its payment. */
const paid = Effect.fnUntraced(function* (shop: Shop, changes: object = wholeOrder) {
  const { id } = yield* shop.create(changes)
  yield* LocalGateway.payByCard(id)
  const payment = yield* shop.get(`/payments/payment/${id}`)
  return { id, payment, card: `/payments/cards/${String(at(JSON.parse(payment.body), "payer", "card_id"))}` }
})

const held = (shop: Shop) => paid(shop, { preauthorization: true })

const instruments = `/eshops/eshop/${LocalGateway.merchant.goid}/payment-instruments`

/** What the local gateway answers when an operation succeeds: the compiler names an operation that is missing here. */
const answers = {
  getAccessToken: () => requestToken(),
  createPayment: (shop) => shop.postJson("/payments/payment", wholeOrder),
  getPayment: (shop) => Effect.map(paid(shop), ({ payment }) => payment),
  refundPayment: (shop) => Effect.flatMap(paid(shop), ({ id }) => shop.refund(id, 100)),
  getPaymentRefunds: (shop) =>
    Effect.flatMap(paid(shop), ({ id }) => Effect.andThen(shop.refund(id, 100), shop.refunds(id))),
  createRecurrence: (shop) => Effect.flatMap(paid(shop), ({ id }) => shop.charge(id)),
  voidRecurrence: (shop) => Effect.flatMap(paid(shop), ({ id }) => shop.voidRecurrence(id)),
  captureAuthorization: (shop) => Effect.flatMap(held(shop), ({ id }) => shop.capture(id)),
  captureAuthorizationPartial: (shop) => Effect.flatMap(held(shop), ({ id }) => shop.capture(id, 100)),
  voidAuthorization: (shop) => Effect.flatMap(held(shop), ({ id }) => shop.voidAuthorization(id)),
  getCardDetails: (shop) => Effect.flatMap(paid(shop), ({ card }) => shop.get(card)),
  deleteCard: (shop) => Effect.flatMap(paid(shop), ({ card }) => shop.remove(card)),
  getPaymentInstruments: (shop) => shop.get(`${instruments}/CZK`),
  getPaymentInstrumentsAll: (shop) => shop.get(instruments),
  getAccountStatement: (shop) =>
    shop.postJson("/accounts/account-statement", {
      date_from: "2026-01-01",
      date_to: "2026-01-31",
      goid: LocalGateway.merchant.goid,
      currency: "CZK",
      format: "CSV_A"
    }),
  getPaymentQr: (shop) =>
    Effect.flatMap(shop.create(wholeOrder), ({ id }) => shop.get(`/payments/payment/${id}/qr-payment`))
} satisfies Record<OperationName, (shop: Shop) => Effect.Effect<Answer, unknown, unknown>>

describe("The OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { errors, valid } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.deepStrictEqual(errors ?? [], [])
    assert.isTrue(valid)
    assert.match(document.openapi, /^3\.1\./)
  })

  it("refers only to what it has", () => {
    const references = objectsIn(document).flatMap(({ object }) =>
      typeof object["$ref"] === "string" ? [object["$ref"]] : []
    )
    assert.isAbove(references.length, 100)
    const dangling = references.filter((reference) => at(document, ...reference.slice(2).split("/")) === undefined)
    assert.deepStrictEqual(dangling, [])
  })

  it.each(Object.keys(document.components.schemas))("has a well-formed schema of %s that is used", (name) => {
    assert.doesNotThrow(() => problems({ $ref: `#/components/schemas/${name}` }, null))
    assert.include(JSON.stringify(document), `"#/components/schemas/${name}"`)
  })

  it("is the same each time, and the same in the package", async () => {
    const json = `${JSON.stringify(openApiDocument())}\n`
    assert.strictEqual(json, `${JSON.stringify(document)}\n`)
    assert.strictEqual(json, text("dist/openapi.json"))
  })

  it("has the version of the package, and the package exports it", () => {
    const manifest: unknown = JSON.parse(text("package.json"))
    assert.strictEqual(document.info["version"], at(manifest, "version"))
    assert.strictEqual(at(manifest, "exports", "./openapi.json"), "./dist/openapi.json")
  })

  it("is served as it is, but with the gateway that serves it first", () => {
    const local = { url: `${localUrl}/api`, description: "This local gateway." }
    const schemes = JSON.stringify(document.components["securitySchemes"])
    assert.include(schemes, `"tokenUrl":"https://gw.sandbox.gopay.com/api/oauth2/token"`)
    assert.deepStrictEqual(
      localDocument,
      JSON.parse(
        JSON.stringify({ ...document, servers: [local, ...document.servers] }).replace(
          "https://gw.sandbox.gopay.com/api/oauth2/token",
          `${localUrl}/api/oauth2/token`
        )
      )
    )
  })

  it("cannot be read where a bundler has left it behind, which says what to do", async () => {
    const response = HttpServerResponse.toWeb(await Effect.runPromise(servedDocument("nowhere.json", localUrl)))
    assert.strictEqual(response.status, 404)
    assert.include(await response.text(), "Leave effect-gopay out of the bundle (external)")
  })

  it("tells of every operation, parameter, answer and member what it is and how well that is known", () => {
    const places =
      /^(paths\/[^]*\/(get|post|delete)|[^]*\/parameters\/[^/]+|paths\/[^]*\/responses\/\d+|components\/schemas\/\w+(\/properties\/\w+)?)$/
    const described = objectsIn(document).filter(
      ({ object, way }) => places.test(way) && Object.keys(object).join() !== "$ref"
    )
    assert.isAbove(described.length, 250)
    const silent = described.filter(
      ({ object }) =>
        typeof object["description"] !== "string" ||
        object["description"].trim().length < 3 ||
        !/^(recorded|documented|weak|inferred|unknown)$/.test(String(object["x-evidence"]))
    )
    assert.deepStrictEqual(
      silent.map(({ way }) => way),
      []
    )
  })

  it("says in words what it says in x-evidence", () => {
    const words = { recorded: "Recorded: ", weak: "Weakly known: ", inferred: "Inferred: ", unknown: "Unknown: " }
    const marked = objectsIn(document).filter(({ object }) => String(object["x-evidence"]) in words)
    assert.isAbove(marked.length, 80)
    for (const [evidence, word] of Object.entries(words)) {
      for (const { object, way } of marked.filter(({ object }) => object["x-evidence"] === evidence)) {
        assert.include(object["description"], word, way)
      }
    }
  })

  it("keeps the lists of codes open, and tells what each code means", () => {
    const state = document.components.schemas["PaymentState"]
    assert.strictEqual(problems(state, "PAID"), "")
    assert.strictEqual(problems(state, "A_NEW_STATE"), "")
    assert.notStrictEqual(problems(state, 1), "")
    assert.include(String(state?.["description"]), "- `TIMEOUTED`: The payer did not choose")
    assert.include(
      String(document.components.schemas["ErrorCode"]?.["description"]),
      "- `304`: PAYMENT_NOT_FOUND. No such payment"
    )
  })

  it("takes further members and nulls in answers, and no half cents in requests", () => {
    const { CreatePaymentRequest, PaymentResponse } = document.components.schemas
    const payment = { id: 3_000_000_013, state: "PAID", amount: 100, currency: "CZK", payer: null, parent_id: null }
    assert.strictEqual(problems(PaymentResponse, { ...payment, a_new_member: 1 }), "")
    assert.notStrictEqual(problems(PaymentResponse, { ...payment, state: null }), "")
    const order = { currency: "CZK", order_number: "1", callback: { return_url: "https://shop.example/" } }
    assert.strictEqual(problems(CreatePaymentRequest, { ...order, amount: 100 }), "")
    assert.include(problems(CreatePaymentRequest, { ...order, amount: 100.5 }), "must be integer")
    assert.include(problems(CreatePaymentRequest, { ...order, amount: -1 }), "must be >= 0")
    assert.include(problems(CreatePaymentRequest, { ...order, amount: 1, order_number: "" }), "fewer than 1 characters")
  })

  it("has examples that its own schemas take", () => {
    const media = objectsIn(document.paths).filter(({ object }) => "example" in object && "schema" in object)
    assert.isAbove(media.length, 4)
    for (const { object, way } of media) assert.strictEqual(problems(object["schema"], object["example"]), "", way)
  })
})

describe("The OpenAPI document and the contract", () => {
  it("have the same operations, the two captures being one", () => {
    const routes = new Set(Object.values(Endpoint).map(({ method, path }) => `${method} ${path}`))
    assert.deepStrictEqual(new Set(operations.map(({ method, path }) => `${method} ${path}`)), routes)
    const named = new Set([...operations.map(({ operation }) => operation.operationId), "captureAuthorizationPartial"])
    assert.deepStrictEqual(named, new Set<string>(Object.keys(Endpoint)))
  })

  it("take the same bodies", () => {
    const bodies = (operationId: string) => {
      const { operation } = operations.find(({ operation }) => operation.operationId === operationId) ?? {}
      return Object.keys(at(operation, "requestBody", "content") ?? {})
    }
    assert.deepStrictEqual(bodies("refundPayment"), ["application/x-www-form-urlencoded", "application/json"])
    assert.deepStrictEqual(bodies("captureAuthorization"), ["application/x-www-form-urlencoded", "application/json"])
    assert.deepStrictEqual(bodies("createPayment"), ["application/json"])
    assert.deepStrictEqual(bodies("getPayment"), [])
  })
})

describe("The OpenAPI document and the local gateway", () => {
  it.effect("have the same operations", () =>
    Effect.gen(function* () {
      const unknown = yield* send("GET", "/api/payments/nothing")
      assert.include(unknown.body, "There is no service")
      for (const { method, path } of operations) {
        const { body } = yield* send(method, `/api${path.replaceAll(/\{\w+\}/g, "1")}`)
        assert.notInclude(body, "There is no service", `${method} ${path}`)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect.each(Struct.keys(answers))("agree about what a success has, and that it has nothing else: %s", (name) =>
    Effect.gen(function* () {
      const answer = yield* answers[name](yield* openShop)
      assert.match(String(answer.status), /^2\d\d$/, answer.body)
      assertForeseen(name, answer)
      // GoPay sends a second token, which no client needs.
      assert.deepStrictEqual(extraFieldsOf(name, answer), name === "getAccessToken" ? ["refresh_token"] : [])
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("agree about a payment whose money is held, and about a refund that was made", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { payment } = yield* held(shop)
      assert.include(payment.body, "AUTHORIZED")
      assertForeseen("getPayment", payment)
      assert.include((yield* answers.getPaymentRefunds(shop)).body, "SUCCESS")
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("agree that a way to pay in an array has its code", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const eshop = `/eshops/eshop/${LocalGateway.merchant.goid}/payment-instruments`
      const inCzk = yield* shop.get(`${eshop}/CZK`)
      const { PaymentInstrumentsResponse } = document.components.schemas
      const nameless = inCzk.body.replaceAll(`"paymentInstrument":`, `"code":`)
      assert.notStrictEqual(problems(PaymentInstrumentsResponse, JSON.parse(nameless)), "")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("agree about tokens and refusals", () =>
    Effect.gen(function* () {
      assertForeseen("getAccessToken", yield* requestToken())
      assertForeseen("getAccessToken", yield* requestToken("Basic wrong"))
      assertForeseen("getAccessToken", yield* requestToken(basic, "grant_type=password"))
      assertForeseen("createPayment", yield* send("POST", "/api/payments/payment"))
      const shop = yield* openShop
      assertForeseen("getPayment", yield* shop.get("/payments/payment/13"))
      assertForeseen("refundPayment", yield* shop.refund(13, 100))
      assertForeseen("createPayment", yield* shop.postJson("/payments/payment", {}))
      assertForeseen("getAccountStatement", yield* shop.postJson("/accounts/account-statement", {}))
      assertForeseen("getCardDetails", yield* shop.get("/payments/cards/11"))
      assertForeseen("deleteCard", yield* shop.remove("/payments/cards/11"))
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("Both OpenAPI documents", () => {
  it.each([
    ["of the gateway", localDocument],
    ["of the package", document],
    ["of the control API", localControlDocument],
    ["of the control API in the package", controlDocument()]
  ])("pass Redocly's lint: that %s", async (_, linted) => {
    const config = await createConfig({ extends: ["recommended"] })
    const found = await lintFromString({ source: JSON.stringify(linted), config })
    const lines = found.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    assert.deepStrictEqual(lines, [])
  })

  it("have a tag and an example of every body, and the token's own address", () => {
    for (const { paths, tags } of [document, controlDocument()]) {
      const names = (Array.isArray(tags) ? tags : []).map(({ name }) => name)
      assert.isNotEmpty(names)
      for (const [path, operations] of Object.entries(paths)) {
        for (const operation of Object.values(operations)) {
          assert.include(names, at(operation, "tags", "0"), path)
          const content = at(operation, "requestBody", "content") ?? {}
          for (const media of Object.values(content)) {
            if (at(media, "schema", "maxProperties") !== 0) assert.property(media, "example", path)
          }
        }
      }
    }
    assert.strictEqual(
      at(localDocument, "components", "securitySchemes", "oauth2", "flows", "clientCredentials", "tokenUrl"),
      `${localUrl}/api/oauth2/token`
    )
  })
})
