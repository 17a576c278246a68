import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "effect-gopay/local-gateway"
import { runNode } from "../support/Program.js"
import { freePort } from "../system/FreePort.js"

const run = (file: string, args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.map(
    Effect.promise(() => runNode(["--import", "tsx", file, ...args], env)),
    ({ code, errors, output }) => ({ code, output: output + errors })
  )

const merchantEnvironment = Effect.map(LocalGateway.use(Effect.succeed), ({ merchant }) => ({
  GOPAY_GOID: String(merchant.goid),
  GOPAY_CLIENT_ID: merchant.clientId,
  GOPAY_CLIENT_SECRET: merchant.clientSecret,
  GOPAY_ENVIRONMENT: merchant.environment
}))

describe("the examples", () => {
  it.live.each(["effect", "promise"])(
    "examples/%s.ts creates a payment at the gateway that the environment names",
    (name) =>
      Effect.gen(function* () {
        const { code, output } = yield* run(`examples/${name}.ts`, [], yield* merchantEnvironment)
        const [payment, ...others] = yield* LocalGateway.listPayments
        assert.deepStrictEqual(
          { code, output, others },
          { code: 0, output: `send the payer to ${payment?.gw_url}\n`, others: [] }
        )
      }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("examples/quick-start.ts starts a gateway, and ends when its payment is paid", () =>
    Effect.promise(async () => {
      const program = spawn(process.execPath, ["--import", "tsx", "examples/quick-start.ts"], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      let output = ""
      for await (const chunk of program.stdout) {
        output += String(chunk)
        const [, gateway] = /^open (http:\/\/127\.0\.0\.1:\d+)\/\S+ and pay\n$/.exec(output) ?? []
        if (gateway === undefined) continue
        const { payments } = await (await fetch(`${gateway}/local-gateway/payments`)).json()
        const { id } = payments[0]
        const paid = await fetch(`${gateway}/local-gateway/payments/${id}/pay-by-card`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}"
        })
        assert.isTrue(paid.ok, await paid.text())
      }
      assert.match(output, /\npayment \d+ is PAID\n$/)
    })
  )

  it.live("examples/guides/first-shop.ts sells a book, and is told that it is paid", () =>
    Effect.promise(async () => {
      const port = String(await freePort())
      const program = spawn(process.execPath, ["--import", "tsx", "examples/guides/first-shop.ts"], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, PORT: port }
      })
      const shop = `http://localhost:${port}`
      for await (const chunk of program.stdout) {
        if (/is PAID$/m.test(String(chunk))) break
        assert.include(await (await fetch(shop)).text(), "Buy a book")
        const payUrl = (await fetch(`${shop}/pay`, { redirect: "manual" })).headers.get("location") ?? ""
        const local = `${new URL(payUrl).origin}/local-gateway/payments`
        const { payments } = await (await fetch(local)).json()
        const { id } = payments[0]
        assert.include(await (await fetch(`${shop}/return?id=${id}`)).text(), "<h1>Not paid yet</h1>")
        const headers = { "content-type": "application/json" }
        await fetch(`${local}/${id}/pay-by-card`, { method: "POST", headers, body: "{}" })
        assert.include(await (await fetch(`${shop}/return?id=${id}`)).text(), "<h1>Paid</h1>")
        assert.include(await (await fetch(`${shop}/return?id=1`)).text(), "could not find the payment")
      }
      program.kill()
    })
  )

  it.live("examples/observer.ts tells of its calls", () =>
    Effect.gen(function* () {
      const { code, output } = yield* run("examples/observer.ts", [], yield* merchantEnvironment)
      assert.strictEqual(code, 0, output)
      assert.match(output, /^getAccessToken : success, 1 tries, \d+ ms\ngetPaymentInstrumentsAll : success, 1 tries/)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live(
    "examples/checkout.ts touches no gateway but the sandbox when told --sandbox, and none that the environment names otherwise",
    () =>
      Effect.gen(function* () {
        const environment = yield* merchantEnvironment
        const refused = yield* run("examples/checkout.ts", ["--sandbox"], environment)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.output, "GOPAY_ENVIRONMENT=sandbox")
        const told = yield* run("examples/checkout.ts", [], environment)
        assert.strictEqual(told.code, 0, told.output)
        assert.include(told.output, "Done.")
        assert.strictEqual((yield* LocalGateway.listRequests).length, 0)
      }).pipe(Effect.provide(LocalGateway.layerServer()))
  )
})
