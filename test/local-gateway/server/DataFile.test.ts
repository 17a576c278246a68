import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { LocalGateway, readSeedText, type LocalGatewayServerOptions } from "../../../src/local-gateway/index.js"
import { order } from "../../support/GatewayRequests.js"
import { captureLog } from "../../support/LogGuard.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

let folder: string
let dataFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-gateway-"))
  dataFile = join(folder, "data.json")
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** What happens with a server that keeps its state in the file. */
const serving = <A, E>(happens: Effect.Effect<A, E, LocalGateway>, options: LocalGatewayServerOptions = {}) =>
  Effect.provide(happens, LocalGateway.layerServer({ dataFile, ...options }))

const payments = Effect.map(LocalGateway.listPayments, (all) => all.map(({ id, state }) => `${id} ${state}`))

/** Payments in the file, as it is now. */
const kept = (): ReadonlyArray<string> =>
  (Result.getOrThrow(readSeedText(readFileSync(dataFile, "utf8"))).content.payments ?? []).map(
    ({ id, state }) => `${id} ${state}`
  )

/** Waits until the file holds these payments. */
const untilKept = (expected: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    await expect.poll(kept).toEqual(expected)
  })

/** A shop that calls the server by HTTP. */
const shopAt = async ({ merchant }: typeof LocalGateway.Service) => {
  const { clientId, clientSecret, environment } = merchant
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const post = async (path: string, authorization: string, body: string, type: string): Promise<unknown> => {
    const headers = { authorization, "content-type": type }
    const response = await fetch(`${environment}/api${path}`, { method: "POST", headers, body })
    return await response.json()
  }
  const token = await post("/oauth2/token", basic, "grant_type=client_credentials", "application/x-www-form-urlencoded")
  const bearer = `Bearer ${/"access_token":"([^"]+)"/.exec(JSON.stringify(token))?.[1]}`
  return {
    create: async (more = {}) =>
      Number(
        /"id":(\d+)/.exec(
          JSON.stringify(
            await post("/payments/payment", bearer, JSON.stringify({ ...order, ...more }), "application/json")
          )
        )?.[1]
      ),
    refund: (id: number, amount: number) =>
      post(`/payments/payment/${id}/refund`, bearer, `amount=${amount}`, "application/x-www-form-urlencoded"),
    deleteCard: (id: number) =>
      fetch(`${environment}/api/payments/cards/${id}`, { method: "DELETE", headers: { authorization: bearer } })
  }
}

const openShopAt = Effect.flatMap(LocalGateway, (gateway) => Effect.promise(() => shopAt(gateway)))

describe("A data file", () => {
  const onePayment = Result.getOrThrow(readSeedText('{"payments":[{"amount":1,"currency":"CZK","state":"CREATED"}]}'))

  it.live("keeps payments, time and settings between runs", () =>
    Effect.gen(function* () {
      const first = yield* serving(
        Effect.gen(function* () {
          const shop = yield* openShopAt
          yield* Effect.promise(() => shop.create())
          yield* LocalGateway.payByCard(3_000_000_003)
          yield* LocalGateway.changeSettings({ refund: "failed" })
          yield* LocalGateway.advanceTime(Duration.days(40))
          return yield* LocalGateway.exportSeed
        })
      )
      assert.approximately(first.time_ahead ?? 0, 40 * 24 * 3600, 600)
      assert.deepStrictEqual(JSON.parse(readFileSync(dataFile, "utf8")), JSON.parse(JSON.stringify(first)))
      const second = yield* serving(LocalGateway.exportSeed)
      assert.deepStrictEqual(second, first)
      assert.deepStrictEqual(readdirSync(folder), ["data.json"])
    })
  )

  it.live.skipIf(process.platform === "win32")("is for its owner only (not on Windows: files have no mode there)", () =>
    Effect.gen(function* () {
      yield* serving(LocalGateway.cancelPayment(3_000_000_003), { seed: onePayment })
      assert.strictEqual(statSync(dataFile).mode & 0o777, 0o600)
    })
  )

  it.live("takes the place of the seed, and a reset goes back to the seed", () =>
    Effect.gen(function* () {
      const seed = onePayment
      yield* serving(LocalGateway.cancelPayment(3_000_000_003), { seed })
      assert.deepStrictEqual(kept(), ["3000000003 CANCELED"])
      yield* serving(
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* payments, ["3000000003 CANCELED"])
          yield* LocalGateway.reset
          yield* untilKept(["3000000003 CREATED"])
        }),
        { seed }
      )
      assert.deepStrictEqual(kept(), ["3000000003 CREATED"])
    })
  )

  it.live("is written once when nothing changes", () =>
    Effect.gen(function* () {
      const started = yield* serving(Effect.sync(() => statSync(dataFile).ino))
      assert.strictEqual(statSync(dataFile).ino, started)
    })
  )

  it.live("is written after someone else has changed it, or left half a file beside it", () =>
    serving(
      Effect.gen(function* () {
        const shop = yield* openShopAt
        yield* Effect.promise(() => shop.create())
        writeFileSync(dataFile, "{ not by the gateway")
        writeFileSync(`${dataFile}.new`, '{ "payments": [')
        yield* Effect.promise(() => shop.create())
        assert.deepStrictEqual(kept(), ["3000000003 CREATED", "3000000016 CREATED"])
        assert.deepStrictEqual(readdirSync(folder), ["data.json", "data.json.lock"])
      })
    )
  )

  it.live("holds a change before it is answered, and many changes at once", () =>
    serving(
      Effect.gen(function* () {
        const shop = yield* openShopAt
        yield* Effect.promise(() => shop.create())
        assert.deepStrictEqual(kept(), ["3000000003 CREATED"])
        yield* Effect.promise(() => Promise.all(Array.from({ length: 50 }, () => shop.create())))
        assert.deepStrictEqual(
          kept(),
          Array.from({ length: 51 }, (_, index) => `${3_000_000_003 + 13 * index} CREATED`)
        )
      })
    )
  )

  it.live("is written when a change is whole: a refund that fails is never left half done", () =>
    Effect.gen(function* () {
      const seed = Result.getOrThrow(
        readSeedText(
          JSON.stringify({
            settings: { ...partsAtOnce, refund: "failed" },
            payments: [{ amount: 9, currency: "CZK", state: "PAID" }]
          })
        )
      )
      const ended = yield* serving(
        Effect.gen(function* () {
          const shop = yield* openShopAt
          yield* Effect.promise(() => shop.refund(3_000_000_003, 5))
          return yield* LocalGateway.exportSeed
        }),
        { seed }
      )
      assert.strictEqual(ended.payments?.[0]?.refunds?.[0]?.state, "FAILED")
      assert.deepStrictEqual(JSON.parse(readFileSync(dataFile, "utf8")), JSON.parse(JSON.stringify(ended)))
    })
  )

  it.live("reads after every change as the state is", () =>
    Effect.gen(function* () {
      const seed = Result.getOrThrow(
        readSeedText(
          JSON.stringify({
            cards: [{ card_id: 11, card_token: "token" }],
            payments: [{ amount: 100, currency: "CZK", state: "PAID" }],
            settings: partsAtOnce
          })
        )
      )
      const asState = Effect.gen(function* () {
        const state = yield* LocalGateway.use((gateway) => gateway.exportSeed)
        const file = Result.getOrThrow(readSeedText(readFileSync(dataFile, "utf8")))
        assert.deepStrictEqual(file.content, state)
      })
      yield* serving(
        Effect.gen(function* () {
          const shop = yield* openShopAt
          const paid = yield* Effect.promise(() => shop.create({ payer: { request_card_token: true } }))
          yield* asState
          yield* LocalGateway.payByCard(paid)
          yield* Effect.promise(() => shop.refund(paid, 1))
          yield* asState
          const canceled = yield* Effect.promise(() => shop.create())
          yield* LocalGateway.cancelPayment(canceled)
          yield* Effect.promise(() => shop.deleteCard(3_003_000_011))
          yield* asState
          yield* LocalGateway.use((gateway) => gateway.changeSettings({ refund: "acceptedThenFailed" }))
          yield* Effect.promise(() => shop.refund(paid, 2))
          yield* asState
          yield* LocalGateway.advanceTime(Duration.minutes(30))
          yield* Effect.promise(() => shop.refund(3_000_000_003, 1))
          yield* asState
        }),
        { seed, notificationReceiver: () => Effect.succeed(500) }
      )
    })
  )

  it.live.each<[string, string, string]>([
    ["not JSON", "{ nothing", "not well-formed JSON at line 1, column 3"],
    ["no seed", '{"payments":[{"amount":"s3cret"}]}', "payments[0].currency: is required"]
  ])("that is %s stops the start, and is left as it is", ([, content, problem]) =>
    Effect.gen(function* () {
      writeFileSync(dataFile, content)
      const exit = yield* Effect.exit(serving(LocalGateway.listPayments))
      const message = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      assert.include(message, problem)
      assert.include(message, dataFile)
      assert.notInclude(message, "s3cret")
      assert.strictEqual(readFileSync(dataFile, "utf8"), content)
    })
  )

  it.live("that cannot be made stops the start", () =>
    Effect.gen(function* () {
      const missing = join(folder, "nowhere", "data.json")
      const exit = yield* Effect.exit(serving(LocalGateway.listPayments, { dataFile: missing }))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "It cannot be written: ENOENT")
    })
  )

  it.live("that cannot be written later breaks no response, and is written when it can be", () =>
    serving(
      Effect.gen(function* () {
        const shop = yield* openShopAt
        const lines = captureLog(/^The state of the local gateway is not kept/)
        rmSync(folder, { recursive: true })
        assert.strictEqual(yield* Effect.promise(() => shop.create()), 3_000_000_003)
        assert.match(lines.join(), /It cannot be written: ENOENT/)
        mkdirSync(folder)
        yield* Effect.promise(() => shop.create())
        assert.deepStrictEqual(kept(), ["3000000003 CREATED", "3000000016 CREATED"])
      })
    )
  )
})
