/**
 * The package as it is built: what the entries contain, and what they import.
 */
import { build, type BuildOptions } from "esbuild"
import { decode } from "bysquare/pay"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { Bundles } from "../../scripts/Bundle.js"
import { version } from "../../src/package/Version.js"
import { servedTexts } from "../../src/local-gateway/pages/ServedText.js"
import type * as Web from "../../src/local-gateway/web.js"
import { contractOf } from "../support/ContractOnTheWeb.js"
import { readPng } from "../support/QrReader.js"
import { declaredBy } from "./declaredBy.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const text = (path: string): string => readFileSync(join(root, path), "utf8")

if (!existsSync(join(root, "dist/bundles.json"))) {
  throw new Error("dist is missing or incomplete: run `npm run build` first (`npm test` does).")
}

const bundles: Bundles = JSON.parse(text("dist/bundles.json"))

/** A bundle with the bundles that it shares code with: what they contain, and what they import. */
const bundle = (path: string) => {
  const files = new Set([path])
  for (const file of files) {
    for (const imported of bundles[file]?.imports ?? []) if (!imported.isExternal) files.add(imported.path)
  }
  const built = Array.from(files, (file) => bundles[file] ?? { imports: [], modules: [] })
  return {
    files: [...files],
    imports: built.flatMap(({ imports }) => imports.flatMap(({ isExternal, path }) => (isExternal ? [path] : []))),
    modules: built.flatMap(({ modules }) => modules),
    code: Array.from(files, text).join("\n")
  }
}

/** A bundle imports the modules beside it by name or bare, and sheds them either way. */
const logOverride = { "ignored-bare-import": "silent" } as const

/** Every module of dist that an entry loads, and what these import from outside. Types are gone by then. */
const loadedBy = async (
  entry: string,
  options: Pick<BuildOptions, "platform" | "conditions"> = { platform: "node" }
) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    logOverride,
    packages: "external",
    treeShaking: false,
    write: false,
    ...options,
    metafile: true
  })
  const imports = Object.entries(metafile.inputs).flatMap(([module, { imports }]) =>
    imports.flatMap(({ external, path }) => (external === true ? [{ module, path }] : []))
  )
  return { modules: Object.keys(metafile.inputs), imports }
}

/**
 * The packages that a bundle imports, directly or through the modules next to it. A CommonJS bundle has no modules next
 * to it.
 */
const packagesOf = async (entry: string, imports: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const isBeside = (path: string): boolean => path.startsWith(".") && !entry.endsWith(".cjs")
  const beside = await Promise.all(imports.filter(isBeside).map((path) => loadedBy(join(dirname(entry), path))))
  return new Set([
    ...imports.filter((path) => !isBeside(path)),
    ...beside.flatMap((module) => module.imports.map(({ path }) => path))
  ])
}

describe.each([
  { entry: "dist/bundle/client.js", declarations: "dist/promise/index.d.ts" },
  { entry: "dist/promise/index.cjs", declarations: "dist/promise/index.d.cts" }
])("effect-gopay/promise: $entry", ({ declarations, entry }) => {
  const { imports, modules } = bundle(entry)

  it("imports nothing but what sends requests on its platform, and modules without effect", async () => {
    expect(modules.length).toBeGreaterThan(0)
    expect(await packagesOf(entry, imports)).toEqual(new Set(["#transport"]))
  })

  it("contains only effect and our api, client and promise", () => {
    const strangers = modules.filter(
      (input) => !/^(node_modules\/effect\/dist|src\/(basics|contract|package|client|promise))\//.test(input)
    )
    expect(strangers).toEqual([])
  })

  it("prints little of its code before an uncaught error", () => {
    const program = `
      const { createGatewayClient } = await import(${JSON.stringify(join(root, entry))})
      const merchant = { goid: 8123456781, clientId: "1", clientSecret: "a-secret", environment: "http://127.0.0.1:9" }
      await createGatewayClient(merchant).getPayment("not-an-id")`
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
    expect(stderr).toContain("GatewayError: getPayment: Nothing was sent.")
    // The address of the file, the line, and a line that points into it.
    expect(stderr.indexOf("GatewayError")).toBeLessThan(600)
  })

  it("has declarations that need no package", () => {
    const { files, packages } = declaredBy(declarations)
    expect(files).toContain("client/error/GatewayError.d.cts")
    expect(packages).toEqual([])
  })

  it("shows the names of the sources in a stack trace", () => {
    const program = `
      const { createGatewayClient } = await import(${JSON.stringify(join(root, entry))})
      const merchant = { goid: 8123456781, clientId: "1", clientSecret: "a-secret", environment: "http://127.0.0.1:9" }
      const shop = () => createGatewayClient(merchant).getPayment("not-an-id")
      console.log(await shop().catch((error) => error.stack))
      try { createGatewayClient({}) } catch (error) { console.log(error.stack) }`
    const trace = execFileSync(process.execPath, ["--input-type=module", "--eval", program]).toString()
    const lineOf = (file: string, line: string): string =>
      readFileSync(file, "utf8")
        .split("\n")
        .at(Number(line) - 1) ?? ""
    const frames = Array.from(
      trace.matchAll(/at (?:async )?(?:Object\.)?(\w+) \((?:file:\/\/)?(\/.*\/dist\/.*):(\d+):(\d+)\)/g),
      ([, name, file = "", line = "", column]) => ({ name, code: lineOf(file, line).slice(Number(column) - 1) })
    )
    expect(trace).toMatch(/^GatewayError: getPayment: /)
    expect(frames.length).toBeGreaterThan(2)
    expect(frames).toContainEqual({
      name: "createGatewayClient",
      code: expect.stringMatching(/^openClient\(options, /)
    })
    expect(frames).toContainEqual({ name: "checkedOptions", code: expect.stringMatching(/^(throw )?new TypeError\(/) })
  })
})

describe.each([
  { entry: "dist/bundle/ledger.js", declarations: "dist/ledger/promise/index.d.ts" },
  { entry: "dist/ledger/promise/index.cjs", declarations: "dist/ledger/promise/index.d.cts" }
])("effect-gopay/ledger/promise: $entry", ({ declarations, entry }) => {
  const { files, imports, modules } = bundle(entry)

  it("contains only effect and our api, client, ledger and HTML, and imports only modules without effect", async () => {
    expect(modules).toContain("src/ledger/promise/createLedger.ts")
    expect(await packagesOf(entry, imports)).toEqual(new Set())
    expect(
      modules.filter(
        (input) => !/^(node_modules\/effect\/dist|src\/(basics|contract|package|client|html|ledger))\//.test(input)
      )
    ).toEqual([])
  })

  it("shares one runtime with the client", () => {
    const client = bundle(entry.endsWith(".cjs") ? "dist/promise/index.cjs" : "dist/bundle/client.js").files
    const shared = files.filter((file) => client.includes(file) && file.startsWith("dist/bundle/runtime"))
    expect(shared.reduce((sum, file) => sum + text(file).length, 0)).toBeGreaterThan(90_000)
  })

  it("has declarations that need no package", () => {
    const { files, packages } = declaredBy(declarations)
    expect(files).toContain("ledger/promise/Ledger.d.cts")
    expect(packages).toEqual([])
  })
})

describe("dist/bundle/ledger.js", () => {
  it("carries nothing of the accountants' page", () => {
    const { modules } = bundle("dist/bundle/ledger.js")
    expect(modules).toContain("src/ledger/operate/OperatorCalls.ts")
    expect(modules.filter((module) => /^src\/(html|ledger\/admin)\//.test(module))).toEqual([])
  })
})

describe.each([
  { entry: "dist/statement/index.js", declarations: "dist/statement/index.d.ts" },
  { entry: "dist/statement/index.cjs", declarations: "dist/statement/index.d.cts" }
])("effect-gopay/statement: $declarations", ({ declarations, entry }) => {
  const { imports, modules } = bundle(entry)

  it("is one file that imports nothing, of what reads XML and ZIP and our statement, without Effect and the client", () => {
    expect(modules).toContain("src/statement/reconcileStatement.ts")
    const expected =
      /^(node_modules\/(fflate|saxes|xmlchars)\/|src\/(basics\/|contract\/|package\/|statement\/|client\/payment\/PaymentState\.ts$))/
    expect(modules.filter((input) => !expected.test(input))).toEqual([])
    expect(imports).toEqual([])
  })

  it("has declarations that need no package", () => {
    const { files, packages } = declaredBy(declarations)
    expect(files).toContain("statement/ParsedStatement.d.cts")
    expect(packages).toEqual([])
  })
})

describe("effect-gopay/ledger", () => {
  it("loads no built-in module of Node and nothing but our api, client, ledger and HTML", async () => {
    const { imports, modules } = await loadedBy("dist/ledger/index.js")
    expect(
      modules.filter((module) => !/^dist\/(basics\/|contract\/|package\/|client\/|html\/|ledger\/)/.test(module))
    ).toEqual([])
    expect(imports.filter(({ path }) => !path.startsWith("effect/"))).toEqual([])
  })
})

/** The code that a program gets which imports this, with what its platform sends requests by, as `esbuild` minifies it. */
const codeWith = async (code: string, platform: "browser" | "node" = "node"): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    external: ["../served/*"],
    format: "esm",
    logOverride,
    minify: true,
    platform,
    stdin: { contents: code, resolveDir: root },
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

describe("a program that imports from effect-gopay/promise", () => {
  it.each([
    ["isPaid", 1_000],
    ["isPayerDone", 1_000],
    ["amountFromDecimal", 1_000],
    ["amountToDecimal", 1_000],
    ["GatewayError", 2_000],
    ["parseNotification", 4_000],
    ["toNodeHandler", 1_700]
  ])("only %s gets less than %i bytes", async (name, limit) => {
    const { length } = await codeWith(`import { ${name} } from "effect-gopay/promise"\nconsole.log(${name})`)
    expect(length).toBeLessThan(limit)
  })

  it.each(["effect-gopay", "effect-gopay/promise"])(
    "no client of %s gets the texts that schemas document",
    async (entry) => {
      expect(await codeWith(`export * from "${entry}"`)).not.toContain("The list is open.")
    }
  )

  it("the client does not get the texts for payers", async () => {
    expect(await codeWith(`export { createGatewayClient } from "effect-gopay/promise"`)).not.toContain("Platba")
  })
})

it.each([
  ["promises", `export { createLedger } from "effect-gopay/ledger/promise"`],
  ["programs", `export { makeLedger } from "effect-gopay/ledger"`]
])("a bundle with a ledger of %s and no page for accountants has nothing of that page", async (_, bundled) => {
  const code = await codeWith(bundled)
  expect(code).toContain("listAttention")
  expect(code).not.toContain("color-scheme")
})

const clientOnly = `export { createGatewayClient } from "effect-gopay/promise"`
const withLedger = `${clientOnly}
export { createLedger, fileStore, pgStore } from "effect-gopay/ledger/promise"`
const all = `export * from "effect-gopay/promise"
export * from "effect-gopay/ledger/promise"`

describe("what a user bundles and minifies, in kB with gzip", () => {
  it.each([
    { what: "createGatewayClient, for Node.js", code: clientOnly, measured: 75.3 },
    { what: "createGatewayClient, for a browser", code: clientOnly, platform: "browser", measured: 72.6 },
    { what: "createGatewayClient, required", code: `require("effect-gopay/promise")`, measured: 96.4 },
    {
      what: "createGatewayClient of API v4, for Node.js",
      code: `export { createGatewayClient } from "effect-gopay/v4/promise"`,
      measured: 76
    },
    { what: "createGatewayClient, createLedger, fileStore and pgStore", code: withLedger, measured: 160 },
    { what: "all of the client and the ledger", code: all, measured: 189.4 },
    { what: "effect-gopay/statement", code: `export * from "effect-gopay/statement"`, measured: 40.1 },
    {
      what: "effect-gopay/local-gateway/web",
      code: `export * from "effect-gopay/local-gateway/web"`,
      platform: "browser",
      measured: 178.3
    },
    {
      what: "the dashboard of effect-gopay/local-gateway/web",
      code: `export { default } from "./dist/served/dashboard.js"`,
      platform: "browser",
      measured: 34.3
    }
  ] as const)("$what: $measured, at most a tenth more", async ({ code, measured, what, ...options }) => {
    const size = gzipSync(await codeWith(code, "platform" in options ? options.platform : "node"), { level: 9 }).length
    const kilobytes = Math.round(size / 100) / 10
    console.log(
      `${what}: ${kilobytes} kB with gzip. If what came is worth it, write that here and in docs/benchmarks.md.`
    )
    expect(kilobytes).toBeLessThan(measured * 1.1)
  })
})

describe("errors of different copies", () => {
  it("recognise each other: of the entry with layers, of ESM and of CommonJS", () => {
    const program = `
      import { createRequire } from "node:module"
      import * as layers from "effect-gopay"
      import * as esm from "effect-gopay/promise"
      import * as localEsm from "effect-gopay/local-gateway/promise"
      import * as statementEsm from "effect-gopay/statement"
      const require = createRequire(${JSON.stringify(join(root, "test/package/"))})
      const commonJs = require("effect-gopay/promise")
      const localCommonJs = require("effect-gopay/local-gateway/promise")
      const statementCommonJs = require("effect-gopay/statement")
      const recognised = ([name, copies]) => {
        const errors = copies.map((copy) => new copy[name]({ operation: "getPayment", reason: { message: "" } }))
        const different = new Set(copies.map((copy) => copy[name])).size
        const all = errors.every((error) => copies.every((copy) => error instanceof copy[name]))
        const none = copies.some((copy) => new Error("another") instanceof copy[name])
        return { name, different, all, none }
      }
      console.log(JSON.stringify([
        ["GatewayError", [layers, esm, commonJs]],
        ["NotificationError", [layers, esm, commonJs]],
        ["LocalGatewayError", [localEsm, localCommonJs]],
        ["StatementError", [statementEsm, statementCommonJs]]
      ].map(recognised)))`
    const result = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root })
    expect(JSON.parse(result.toString())).toEqual([
      { name: "GatewayError", different: 3, all: true, none: false },
      { name: "NotificationError", different: 3, all: true, none: false },
      { name: "LocalGatewayError", different: 2, all: true, none: false },
      { name: "StatementError", different: 2, all: true, none: false }
    ])
  })
})

describe("a ledger over a client of another copy", () => {
  it.each([
    ["of CommonJS, over one of ESM", "esm", "commonJs"],
    ["of ESM, over one of CommonJS", "commonJs", "esm"]
  ])("%s: refunds once, and learns why nothing was done", (_, client, ledger) => {
    const program = `
      import { createRequire } from "node:module"
      import * as esmClient from "effect-gopay/promise"
      import * as esmLedger from "effect-gopay/ledger/promise"
      import { startLocalGateway } from "effect-gopay/local-gateway/promise"
      import Database from "libsql"
      const require = createRequire(${JSON.stringify(join(root, "test/package/"))})
      const clients = { esm: esmClient, commonJs: require("effect-gopay/promise") }
      const ledgers = { esm: esmLedger, commonJs: require("effect-gopay/ledger/promise") }
      const local = await startLocalGateway()
      const { createGatewayClient } = clients.${client}
      const { createLedger, fileStore } = ledgers.${ledger}
      const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
      const store = fileStore(":memory:", { driver: Database })
      const ledger = createLedger({ gateway, store, onAttention: () => {} })
      await ledger.migrate()
      const callback = { return_url: "https://shop.example/return" }
      const { id } = await gateway.createPayment({ amount: 100, currency: "CZK", order_number: "1", callback })
      await local.payByCard(id)
      const done = await ledger.refund("a", id, { amount: 100 })
      await ledger.close()
      const stranger = createGatewayClient({ ...local.merchant, environment: local.url, clientSecret: "wr0ngSec" })
      const other = createLedger({ gateway: stranger, store: fileStore(":memory:", { driver: Database }) })
      await other.migrate()
      const error = await other.checkout("2", { amount: 100, currency: "CZK", callback }).catch((error) => error)
      const requests = await local.listRequests()
      console.log(JSON.stringify({
        done: done._tag,
        refunds: requests.filter(({ operation }) => operation === "refundPayment").length,
        reason: error.reason?._tag,
        isOfLedger: error instanceof clients.${ledger}.GatewayError
      }))
      await other.close()
      await stranger.close()
      await gateway.close()
      await local.close()`
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root })
    expect(JSON.parse(said.toString())).toEqual({
      done: "Done",
      refunds: 1,
      reason: "AuthenticationFailed",
      isOfLedger: true
    })
  })
})

describe("without effect", () => {
  it.each([
    ["effect-gopay", "effect-gopay-promise"],
    ["effect-gopay/node", "effect-gopay-promise"],
    ["effect-gopay/schema", "effect-gopay-promise"],
    ["effect-gopay/v4/schema", "effect-gopay-v4-promise"],
    ["effect-gopay/ledger", "effect-gopay-ledger-promise"],
    ["effect-gopay/local-gateway", "effect-gopay-local-gateway-promise"]
  ])("%s says which entry needs none", (entry, other) => {
    const project = mkdtempSync(join(tmpdir(), "without-effect-"))
    try {
      const installed = join(project, "node_modules/effect-gopay")
      cpSync(join(root, "dist"), join(installed, "dist"), { recursive: true })
      cpSync(join(root, "package.json"), join(installed, "package.json"))
      const program = `import(${JSON.stringify(entry)}).catch((error) => console.log(error.message))`
      const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: project })
      expect(said.toString()).toContain(`needs-effect-4.1-else-import-${other}.js`)
    } finally {
      rmSync(project, { recursive: true })
    }
  })
})

describe("effect-gopay", () => {
  it("loads nothing of the local gateway, and no built-in module of Node outside of it", async () => {
    const { imports, modules } = await loadedBy("dist/index.js", { platform: "browser" })
    expect(modules).toContain("dist/client/call/Gateway.js")
    expect(
      modules.filter((module) => !/^dist\/(index\.js$|(basics|contract|package|client|promise)\/)/.test(module))
    ).toEqual([])
    expect(imports.filter(({ path }) => !path.startsWith("effect/"))).toEqual([])
  })
})

describe("effect-gopay/node", () => {
  it("loads what it sends with and nothing of the local gateway", async () => {
    const { imports, modules } = await loadedBy("dist/node/index.js")
    expect(modules).toContain("dist/client/transport/SocketSender.js")
    expect(
      modules.filter(
        (module) =>
          !/^dist\/(node|client\/transport|basics\/(OwnMember|AnyRealm|InvalidFields|Loopback)\.)/.test(module)
      )
    ).toEqual([])
    expect(imports.filter(({ path }) => !/^(effect\/|node:)/.test(path))).toEqual([])
  })
})

describe("what sends requests", () => {
  const platforms: ReadonlyArray<[string, Pick<BuildOptions, "platform" | "conditions">, "node" | "fetch"]> = [
    ["Node.js", { platform: "node" }, "node"],
    ["browsers", { platform: "browser" }, "fetch"],
    ["nothing in particular", { platform: "neutral" }, "fetch"],
    ["Cloudflare Workers", { conditions: ["workerd", "worker", "browser"] }, "fetch"],
    ["Cloudflare Workers that are compatible with Node.js", { conditions: ["workerd", "node"] }, "fetch"],
    ["Vercel's edge", { conditions: ["edge-light", "node"] }, "fetch"],
    ["Deno", { platform: "node", conditions: ["deno"] }, "fetch"],
    ["Bun", { platform: "node", conditions: ["bun"] }, "fetch"]
  ]

  it.each(platforms)("in a bundle for %s is right", async (_, options, right) => {
    for (const [entry, extension] of [
      ["dist/promise/index.js", "js"],
      ["dist/promise/index.cjs", "cjs"]
    ] as const) {
      const { modules } = await loadedBy(entry, options)
      const platform = modules.filter((module) => module.includes("/transport/"))
      expect(platform).toEqual([`dist/client/transport/${right}.${extension}`])
    }
  })

  it.each(["fetch.js", "fetch.cjs", "node.js", "node.cjs"])("%s contains nothing of effect", (file) => {
    const { imports, modules } = bundle(`dist/client/transport/${file}`)
    expect(
      modules.filter((input) => !/^src\/(client\/transport\/|basics\/(OwnMember|AnyRealm|Loopback)\.)/.test(input))
    ).toEqual([])
    const foreign = file.startsWith("node") ? imports.filter((path) => !path.startsWith("node:")) : imports
    expect(foreign).toEqual([])
  })
})

describe("effect-gopay/local-gateway", () => {
  const { imports, modules } = bundle("dist/local-gateway/index.js")

  it("contains only our api, HTML and local gateway, and what its QR codes and statements need", () => {
    expect(modules).toContain("src/contract/Endpoint.ts")
    const expected =
      /^(src\/(basics|contract|package|html|local-gateway)|node_modules\/(lean-qr|bysquare|lzma1|windows-1250))\//
    expect(modules.filter((input) => !expected.test(input))).toEqual([])
  })

  it("draws a PAY by square without the package that is left out of it", () => {
    const program = `
      import * as Effect from "effect/Effect"
      import { createPayment, Gateway, getPaymentQr } from "effect-gopay"
      import { LocalGateway } from "effect-gopay/local-gateway"
      const picture = Effect.gen(function* () {
        const callback = { return_url: "https://shop.example/return" }
        const { id } = yield* createPayment({ amount: 139950, currency: "EUR", order_number: "1", callback })
        return (yield* getPaymentQr(id)).qr_code.paybysquare
      }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
      console.log(await Effect.runPromise(picture))`
    const picture = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root })
    const { payments } = decode(readPng(Buffer.from(picture.toString(), "base64")))
    expect(payments).toMatchObject([{ amount: 1399.5, bankAccounts: [{ iban: "SK9100000000001000000005" }] }])
  })

  it("needs nothing but effect and Node", () => {
    expect(imports.filter((path) => !/^(effect\/|node:)/.test(path))).toEqual([])
  })

  it("has declarations that need nothing but effect", () => {
    const { files, packages } = declaredBy("dist/local-gateway/index.d.ts")
    expect(files).toContain("local-gateway/LocalGateway.d.ts")
    expect(packages.filter((name) => !name.startsWith("effect/"))).toEqual([])
  })
})

describe("effect-gopay/testing/promise", () => {
  it.each([
    [
      "an import",
      `import { createTestShop } from "effect-gopay/testing/promise"
      import { GatewayError } from "effect-gopay/promise"
      import Database from "libsql"`
    ],
    [
      "require",
      `import { createRequire } from "node:module"
      const require = createRequire(${JSON.stringify(join(root, "test/package/"))})
      const { createTestShop } = require("effect-gopay/testing/promise")
      const { GatewayError } = require("effect-gopay/promise")
      const Database = require("libsql")`
    ]
  ])("works by %s, with the errors of the client", (_, imports) => {
    const program = `${imports}
      const shop = await createTestShop({ driver: Database })
      const order = await shop.ledger.checkout("1", { amount: 100, currency: "CZK", callback: shop.callback })
      await shop.pay(order.paymentId)
      await shop.advance("1 hour")
      const error = await shop.gateway.getPayment(1).catch((error) => error)
      const { status } = await shop.ledger.getOrder("1")
      await shop.close()
      console.log(status, error.constructor === GatewayError)`
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root })
    expect(said.toString().trim()).toBe("paid true")
  })
})

describe.each(["index.js", "index.cjs"])("effect-gopay/local-gateway/promise: %s", (file) => {
  const entry = `dist/local-gateway/promise/${file}`
  const { imports, modules } = bundle(entry)

  it("contains only effect, our api, HTML and local gateway, and what its QR codes and statements need", () => {
    const expected =
      /^(src\/(basics|contract|package|html|local-gateway)|node_modules\/(effect\/dist|lean-qr|bysquare|lzma1|windows-1250)|scripts\/importMetaUrl\.js$)/
    expect(modules).toContain("src/local-gateway/promise/startLocalGateway.ts")
    expect(modules.filter((input) => !expected.test(input))).toEqual([])
  })

  it("needs nothing but Node", () => {
    expect(imports.filter((path) => !isBuiltin(path))).toEqual([])
    expect(text(entry)).not.toMatch(/\brequire\("/)
  })
})

describe("effect-gopay/local-gateway/promise", () => {
  it("has the same names for an import and for a require, and knows the errors of both", () => {
    const program = `
      import { createRequire } from "node:module"
      import * as imported from "effect-gopay/local-gateway/promise"
      const required = createRequire(${JSON.stringify(join(root, "test/package/"))})("effect-gopay/local-gateway/promise")
      const names = [Object.keys(imported), Object.keys(required).sort()]
      const error = await required.startLocalGateway({ port: -1 }).catch((error) => error)
      console.log(JSON.stringify({ names, isKnown: error instanceof imported.LocalGatewayError }))`
    const result = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root })
    const names = expect.arrayContaining(["LocalGatewayError", "startLocalGateway"])
    expect(JSON.parse(result.toString())).toEqual({ names: [names, names], isKnown: true })
  })

  it("warns on stderr with NODE_ENV=production, whatever it allows", () => {
    const program = `
      import { startLocalGateway } from "effect-gopay/local-gateway/promise"
      await (await startLocalGateway({ allowHosts: ["gopay"] })).close()`
    const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production" },
      encoding: "utf8"
    })
    expect(stdout).toBe("")
    expect(stderr).toMatch(/^[^\n]*NODE_ENV=production[^\n]*\n$/)
  })

  it("starts in a program that was bundled as ESM", async () => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      bundle: true,
      format: "esm",
      logLevel: "silent",
      platform: "node",
      stdin: {
        contents: `
          import { startLocalGateway } from "effect-gopay/local-gateway/promise"
          const gateway = await startLocalGateway()
          console.log((await fetch(gateway.url + "/local-gateway/state")).status)
          console.log(await (await fetch(gateway.url + "/openapi.json")).text())
          await gateway.close()`,
        resolveDir: root
      },
      write: false
    })
    const input = outputFiles[0]?.text ?? ""
    const options = { input, env: { ...process.env, NODE_ENV: "test" } }
    expect(execFileSync(process.execPath, ["--input-type=module"], options).toString()).toMatch(
      /^200\nThe document cannot be read: a bundler has moved this program away from it\. Leave effect-gopay out/
    )
  })

  it.each(["dist/local-gateway/promise/index.d.ts", "dist/local-gateway/promise/index.d.cts"])(
    "has declarations that need no package: %s",
    (declarations) => {
      const { files, packages } = declaredBy(declarations)
      expect(files).toContain("local-gateway/promise/RunningLocalGateway.d.cts")
      expect(packages).toEqual([])
    }
  )
})

describe("the declarations of all entries", () => {
  it("declare each name that they refer to, also where a user's compiler does not look", () => {
    const files = [
      ...new Set(JSON.stringify(JSON.parse(text("package.json")).exports).match(/\.\/dist\/[^"]+\.d\.c?ts/g))
    ]
    expect(files.length).toBeGreaterThan(20)
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    const options = "--ignoreConfig --noEmit --skipLibCheck false --strict --module nodenext --target es2022"
    const lib = "es2022,esnext.disposable,dom,dom.iterable"
    const args = [compiler, ...options.split(" "), "--lib", lib, ...files]
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
    expect(stdout).toBe("")
  })
})

describe("the command line", () => {
  it("needs no package", async () => {
    const { imports, modules } = await loadedBy("dist/command-line/index.js")
    expect(modules).toContain("dist/local-gateway/books/LocalGatewaySettings.js")
    expect(imports.filter(({ path }) => !isBuiltin(path))).toEqual([])
  })
})

describe("effect-gopay/local-gateway/vite", () => {
  it("has the gateway of the entry for promises, and needs no package", async () => {
    const { imports, modules } = await loadedBy("dist/local-gateway/vite.js")
    expect(modules.toSorted()).toEqual(["dist/local-gateway/promise/index.js", "dist/local-gateway/vite.js"])
    expect(imports.filter(({ path }) => !isBuiltin(path))).toEqual([])
    expect(declaredBy("dist/local-gateway/vite.d.ts").packages).toEqual([])
  })
})

describe("effect-gopay/local-gateway/web", () => {
  const entry = "dist/local-gateway/web.js"
  const { code, modules } = bundle(entry)
  const built = (): Promise<typeof Web> => import(pathToFileURL(join(root, entry)).href)

  it("contains only effect, our api, HTML and local gateway, and what its QR codes and statements need", () => {
    const expected =
      /^(src\/(basics|contract|package|html|local-gateway)|node_modules\/(effect\/dist|lean-qr|bysquare|lzma1|windows-1250))\//
    expect(modules).toContain("src/local-gateway/web.ts")
    expect(modules.filter((input) => !expected.test(input))).toEqual([])
  })

  it("needs nothing, not even Node, and loads what it serves when it is asked for", () => {
    expect(bundles[entry]?.imports).toEqual(
      servedTexts.map((name) => ({ path: `../served/${name}.js`, isDynamic: true, isExternal: true }))
    )
    expect(code).not.toMatch(/\b(from|import) ?\(?"node:|\brequire\(/)
  })

  it("keeps the contract as it is built", async () => {
    const { mountLocalGateway } = await built()
    await expect(contractOf(mountLocalGateway)).resolves.toBeUndefined()
  })

  it("serves the dashboard's script without a file", async () => {
    const { mountLocalGateway } = await built()
    await using local = mountLocalGateway()
    const response = await local.fetch(new Request("http://localhost/gopay/local-gateway/dashboard/main.js"))
    const { default: script }: { readonly default: unknown } = await import(
      pathToFileURL(join(root, "dist/served/dashboard.js")).href
    )
    expect(script).toMatch(/^\/\*! effect-gopay .*preact/)
    expect(await response.text()).toBe(script)
    const page = await (await local.fetch(new Request("http://localhost/gopay/"))).text()
    expect(page.match(/modulepreload/g)).toHaveLength(1)
  })

  it("has declarations that need no package", () => {
    const { files, packages } = declaredBy("dist/local-gateway/web.d.ts")
    expect(files).toContain("local-gateway/promise/RunningLocalGateway.d.cts")
    expect(packages).toEqual([])
  })
})

describe("licences", () => {
  const notices = text("THIRD-PARTY-NOTICES.md")

  /** Where the licence of each bundled package is. That of bysquare, Apache-2.0, is not packed with it. */
  const licenceFiles: Readonly<Record<string, string>> = {
    effect: "LICENSE",
    fflate: "LICENSE",
    "lean-qr": "LICENSE",
    lzma1: "LICENSE",
    preact: "LICENSE",
    "@preact/signals": "LICENSE",
    "@preact/signals-core": "LICENSE",
    "windows-1250": "LICENSE-MIT.txt",
    xmlchars: "LICENSE"
  }

  const licenceOf = (name: string): string => {
    if (name === "bysquare") return "Apache-2.0, Copyright Filip Seman <filip.seman@pm.me>"
    // Its licence is packed with it as a name only.
    if (name === "saxes") return "ISC, Copyright Louis-Dominique Dubeau <ldd@lddubeau.com>"
    const [copyright] = /^Copyright .*$/m.exec(text(`node_modules/${name}/${licenceFiles[name]}`)) ?? []
    return `MIT, ${copyright}`
  }

  /** The part of the notices about a package. */
  const noticeOf = (name: string): string => {
    const { version }: { readonly version: string } = JSON.parse(text(`node_modules/${name}/package.json`))
    const [, after = ""] = notices.split(`\n## ${name}\n`)
    const [notice = ""] = after.split("\n## ")
    expect(notice).toContain(`Version ${version},`)
    return notice
  }

  it.each(Object.entries(licenceFiles))("the notices hold the licence and version of %s", (name, file) => {
    expect(noticeOf(name)).toContain(text(`node_modules/${name}/${file}`).trim())
  })

  it("the notices hold the licence and version of bysquare", () => {
    const notice = noticeOf("bysquare")
    expect(JSON.parse(text("node_modules/bysquare/package.json"))).toMatchObject({ license: "Apache-2.0" })
    expect(text("node_modules/bysquare/lib/pay/index.js")).toContain("Copyright Filip Seman")
    for (const clause of ["Apache License", "Version 2.0, January 2004", "4. Redistribution.", "END OF TERMS"]) {
      expect(notice).toContain(clause)
    }
    expect(notice).toContain("Copyright 2021 Filip Seman")
  })

  it("the notices hold the licence and version of saxes", () => {
    expect(JSON.parse(text("node_modules/saxes/package.json"))).toMatchObject({ license: "ISC" })
    const notice = noticeOf("saxes")
    for (const part of ["The ISC License", "Louis-Dominique Dubeau", "Isaac Z. Schlueter"])
      expect(notice).toContain(part)
  })

  const withOthers = Object.keys(bundles).filter((path) =>
    bundles[path]?.modules.some((module) => module.startsWith("node_modules/"))
  )

  it("are those of the bundles", () => {
    expect(withOthers.length).toBeGreaterThan(4)
  })

  it("the notices list each bundle with the code of others, and whose code it is", () => {
    const [rows = ""] = notices.split("\n## ")
    const listed = new Set(Array.from(rows.matchAll(/^- `(\S+)`: /gm), ([, file = ""]) => file))
    const nameOf = (path: string): string => path.replace(/-[0-9a-f]{8}\./, "-….")
    expect(listed).toEqual(new Set(withOthers.map(nameOf)))
    for (const path of withOthers) {
      const row = rows.split("\n").find((line) => line.startsWith(`- \`${nameOf(path)}\`: `))
      const names = (bundles[path]?.modules ?? []).flatMap(
        (module) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.slice(1) ?? []
      )
      expect(names.filter((name) => row?.includes(name) !== true)).toEqual([])
    }
  })

  it.each(withOthers)("%s says whose code it contains and where the licence is", (path) => {
    const { code, modules } = bundle(path)
    const [banner = ""] = code.replace(/^#!.*\n/, "").split("\n")
    const names = new Set(
      modules.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.slice(1) ?? [])
    )
    expect(names.size).toBeGreaterThan(0)
    for (const name of names) expect(banner).toContain(`${name} (${licenceOf(name)})`)
    expect(banner).toContain("see THIRD-PARTY-NOTICES.md")
  })

  /** The modules of effect that say they were taken or adapted from others, and from whom. */
  const takenFrom: Readonly<Record<string, string>> = {
    "node_modules/effect/dist/http/Cookies.js": "@fastify/cookie",
    "node_modules/effect/dist/http/FindMyWay/internal/router.js": "find-my-way",
    "node_modules/effect/dist/http/FindMyWay/internal/queryString.js": "fast-querystring",
    "node_modules/effect/dist/http/MultipartParser/internal/contentType.js": "fast-content-type-parse",
    "node_modules/effect/dist/Random.js": "isaac.js"
  }

  it.each(Object.keys(bundles))("%s and the notices name whom its modules were taken from", (path) => {
    const own = /@mathias \| MIT license|@license\n \* Copyright Filip Seman\n|@copyright Louis-Dominique Dubeau\n/
    const { files, modules } = bundle(path)
    // Code that bundles share is in files of its own, each of which names its authors.
    const banner = files.map((file) => text(file).split("\n")[0]).join("\n")
    const taken = modules.filter((input) =>
      /\bcopyright\b|\bMIT License\b|\blicensed under\b/i.test(text(input).replace(own, ""))
    )
    for (const input of taken) {
      const name = takenFrom[input] ?? `whom ${input} was taken from`
      expect(banner).toContain(name)
      expect(notices).toMatch(new RegExp(`\n## ${name}\n[^#]*copyright \\(c\\) 20`, "i"))
    }
  })
})

describe("the version", () => {
  it("is the same in package.json, the User-Agent, the changelog and the pages that say how to install it", () => {
    const manifest: { readonly version: string } = JSON.parse(text("package.json"))
    expect(version).toBe(manifest.version)
    expect(text("CHANGELOG.md")).toContain(`## [${manifest.version}]`)
    for (const page of ["README.md", "docs/guides/first-payment.md", "docs/cs/index.md", "docs/cs/first-payment.md"]) {
      expect(text(page)).toContain(`/effect-gopay-${manifest.version}.tgz`)
    }
  })

  it("is what the recipes ask for", () => {
    const recipes = ["examples/recipes", "examples/engines"].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [`${folder}/${entry.name}`] : []
      )
    )
    const asked = recipes.map((recipe) => {
      const { dependencies, peerDependencies } = JSON.parse(text(`${recipe}/package.json`))
      return (recipe.startsWith("examples/engines/") ? peerDependencies : dependencies)["effect-gopay"]
    })
    expect(new Set(asked)).toEqual(new Set([`^${version}`]))
  })
})
