import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { afterEach, beforeEach, vi } from "vitest"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { mountLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/startLocalGateway.js"
import { captureLog } from "../support/LogGuard.js"

/** Each way to have a gateway, which then gets two requests. */
const inProcess = HttpClient.get("http://localhost/api/nothing").pipe(
  Effect.repeat({ times: 1 }),
  Effect.provide(LocalGateway.layer)
)

const started = async (options: Parameters<typeof startLocalGateway>[0]) => {
  await using gateway = await startLocalGateway(options)
  await fetch(`${gateway.url}/api/nothing`)
  await fetch(`${gateway.url}/api/nothing`)
}

const mounted = async () => {
  await using local = mountLocalGateway()
  await local.fetch(new Request("http://localhost/gopay/api/nothing"))
  await local.fetch(new Request("http://localhost/gopay/api/nothing"))
}

const warning = /^A local GoPay gateway starts with NODE_ENV=production\. Its payments are not real/

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe("With NODE_ENV=production the local gateway warns once", () => {
  beforeEach(() => {
    vi.stubEnv("NODE_ENV", "production")
  })

  it.effect("in process", () =>
    Effect.gen(function* () {
      const warnings = captureLog(warning)
      yield* inProcess
      assert.lengthOf(warnings, 1)
    })
  )

  it.each([{}, { allowHosts: ["gopay"] }])("as a server with %o", async (options) => {
    const warnings = captureLog(warning)
    await started(options)
    assert.lengthOf(warnings, 1)
  })

  it("when it is mounted", async () => {
    const warnings = captureLog(warning)
    await mounted()
    assert.lengthOf(warnings, 1)
  })
})

describe.each(["development", "test", ""])("With NODE_ENV=%s the local gateway", (value) => {
  // A warning would fail the test.
  it.effect("does not warn", () =>
    Effect.gen(function* () {
      vi.stubEnv("NODE_ENV", value)
      yield* inProcess
      yield* Effect.promise(() => started({}))
      yield* Effect.promise(mounted)
    })
  )
})

describe("A local gateway that may not read NODE_ENV", () => {
  it.effect.each([
    [
      "as Deno refuses it",
      Object.create(process, {
        env: {
          get: () => {
            throw new Error("NotCapable")
          }
        }
      })
    ],
    ["as in a browser", undefined]
  ])("starts, %s", ([, replaced]) =>
    Effect.gen(function* () {
      vi.stubGlobal("process", replaced)
      yield* inProcess
    })
  )
})
