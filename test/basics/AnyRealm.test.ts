/**
 * Values of another realm, as code gets them that runs in a realm of its own, such as a test's of Jest.
 */
import { readdirSync, readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import Database from "libsql"
import { isAbortSignal, isBytes, isDate, isError, isResponse, isUrl } from "../../src/basics/AnyRealm.js"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { failure } from "../../src/local-gateway/promise/GatewayPromises.js"
import { ServerStartError } from "../../src/local-gateway/index.js"
import { createGatewayClient, parseNotification, toNodeHandler } from "../../src/promise/index.js"
import { parseStatement } from "../../src/statement/index.js"
import { root } from "../../scripts/root.js"

const ForeignError: ErrorConstructor = runInNewContext("Error")
const ForeignTypeError: TypeErrorConstructor = runInNewContext("TypeError")
const ForeignDate: DateConstructor = runInNewContext("Date")
const ForeignBytes: Uint8ArrayConstructor = runInNewContext("Uint8Array")

/** A signal of another library's, such as jsdom's. */
const foreignSignal = ({ signal }: AbortController) => ({
  get aborted() {
    return signal.aborted
  },
  get reason(): unknown {
    return signal.reason
  },
  addEventListener: signal.addEventListener.bind(signal),
  removeEventListener: signal.removeEventListener.bind(signal)
})

/** SQLite whose errors are of another realm, as `node:sqlite`'s are in Jest. */
const foreignErrors: ProxyHandler<Database.Database> = {
  get: (database, name) => {
    const member: unknown = Reflect.get(database, name)
    if (typeof member !== "function") return member
    return (...args: ReadonlyArray<unknown>): unknown => {
      try {
        return Reflect.apply(member, database, args)
      } catch (error) {
        throw Object.assign(new ForeignError(isError(error) ? error.message : ""), { code: "ERR_SQLITE_ERROR" })
      }
    }
  }
}

const ForeignDatabase = new Proxy(Database, {
  construct: (target, args) => new Proxy(Reflect.construct(target, args), foreignErrors)
})

const merchant = { goid: 8123456781, clientId: "1", clientSecret: "secret", environment: "https://gateway.example" }

describe("what is of another realm", () => {
  it("is known for what it is", () => {
    const error: unknown = new ForeignError("no")
    assert.isFalse(error instanceof Error)
    for (const one of [error, new Error("no"), new DOMException("no"), new ForeignTypeError("no")])
      assert.isTrue(isError(one))
    for (const other of [{ name: "Error", message: "no" }, "Error", null, undefined]) assert.isFalse(isError(other))
    assert.isTrue(isBytes(new ForeignBytes(1)) && isBytes(Buffer.from("a")) && isBytes(new Uint8Array(1)))
    for (const other of [new Uint16Array(1), new ArrayBuffer(1), [1], "a", null]) assert.isFalse(isBytes(other))
    assert.isFalse(new ForeignDate() instanceof Date)
    assert.isTrue(isDate(new ForeignDate()) && isDate(new Date()))
    for (const other of ["2027-01-01", 0, {}, null]) assert.isFalse(isDate(other))
    assert.isTrue(isUrl(new URL("https://shop.example")) && isResponse(new Response()))
    for (const other of [{}, "https://shop.example", null]) assert.isFalse(isUrl(other) || isResponse(other))
    for (const other of [{ aborted: false }, {}, null, "signal"]) assert.isFalse(isAbortSignal(other))
  })

  it("decides nothing by its class, in any module", () => {
    const own =
      /instanceof (Html|StatementError|Missing|LedgerError|GatewayError|GatewayErrorV4|CommandFailure|WrongUsage|LocalGatewayError|PayerActionRefused|InvalidFault|InvalidSeed|ServerStartError|DataFileError|StoreFailure|TransactionLost|Entry|InvariantBroken|Seed)\b/
    // Node's module is one, whatever the realm. The dashboard's scripts have a page of their own.
    const allowed = /instanceof tls\.TLSSocket|value instanceof Error \|\|/
    const found = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.startsWith("local-gateway/pages/dashboard/"))
      .flatMap((file) =>
        readFileSync(`${root}src/${file}`, "utf8")
          .split("\n")
          .filter((line) => / instanceof /.test(line) && !/^\s*\*/.test(line) && !own.test(line) && !allowed.test(line))
          .map((line) => `${file}: ${line.trim()}`)
      )
    assert.deepStrictEqual(found, [])
  })

  it("as an error of the store, says that the tables are missing", async () => {
    const gateway = createGatewayClient(merchant)
    const ledger = createLedger({ store: fileStore(":memory:", { driver: ForeignDatabase }), gateway })
    const error: unknown = await ledger.getOutcome("a").catch((error: unknown) => error)
    assert.match(String(error), /migrate/)
    await ledger.migrate()
    assert.isUndefined(await ledger.getOutcome("a"))
    await ledger.close()
    await gateway.close()
  })

  it("as an error of the transport, is named to the observer", async () => {
    const types: Array<string | undefined> = []
    const observer = ({ errorType }: { readonly errorType?: string }) => void types.push(errorType)
    const fetch = () => Promise.reject(new ForeignTypeError("no"))
    const gateway = createGatewayClient({ ...merchant, fetch, observer, retry: false })
    await gateway.getPayment(1).catch(() => {})
    await gateway.close()
    assert.include(types, "TypeError")
  })

  it("as an error of a server, is named by its code", () => {
    const cause = Object.assign(new ForeignError("listen"), { code: "EADDRINUSE" })
    const error = failure("startLocalGateway", Cause.fail(new ServerStartError({ host: "localhost", port: 1, cause })))
    assert.match(String(error), /port 1 of localhost is taken/)
  })

  it("as an error of a receiver of notifications, is logged in its words", async () => {
    await using local = await startLocalGateway({
      notificationReceiver: () => Promise.reject(new ForeignError("the shop is closed"))
    })
    const gateway = createGatewayClient(local.merchant)
    const callback = { return_url: "http://localhost/return", notification_url: "http://localhost/notify" }
    const { id } = await gateway.createPayment({ amount: 100, currency: "CZK", order_number: "1", callback })
    await local.payByCard(id)
    await local.deliverNotifications()
    const text = JSON.stringify(await local.listEvents())
    assert.include(text, "the shop is closed")
    assert.notInclude(text, "Error: the shop is closed")
    await gateway.close()
  })

  it("as a signal, ends a call", async () => {
    const controller = new AbortController()
    const gateway = createGatewayClient({ ...merchant, fetch: () => new Promise(() => {}) })
    const called = (...args: ReadonlyArray<unknown>): Promise<unknown> =>
      Reflect.apply(gateway.getPayment, undefined, args).catch((error: unknown) => error)
    const read = called(1, { signal: foreignSignal(controller) })
    controller.abort("enough")
    assert.strictEqual(await read, "enough")
    const error = await called(1, foreignSignal(new AbortController()))
    assert.match(String(error), /options/)
    await gateway.close()
  })

  it("as an address, is read", () => {
    const address = Object.create(new URL("https://shop.example/notify?id=3000000003"), {
      [Symbol.toStringTag]: { value: "URL" },
      toString: { value: () => "https://shop.example/notify?id=3000000003" }
    })
    Object.setPrototypeOf(Object.getPrototypeOf(address), null)
    assert.deepStrictEqual(parseNotification(address), { id: 3_000_000_003 })
  })

  it("as bytes, is a statement and the body of a request", async () => {
    const text = "Datum;Částka\r\n"
    const bytes = ForeignBytes.from(new TextEncoder().encode(text))
    const outcome = (file: Uint8Array) => {
      try {
        return JSON.stringify(parseStatement(file))
      } catch (error) {
        return String(error)
      }
    }
    assert.strictEqual(outcome(bytes), outcome(new TextEncoder().encode(text)))
    let body = ""
    const handle = toNodeHandler(async (request) => {
      body = await request.text()
      return new Response(null, { status: 200 })
    })
    const request = {
      method: "POST",
      url: "/notify",
      headers: {},
      async *[Symbol.asyncIterator]() {
        yield bytes
      }
    }
    await new Promise<void>((resolve) => {
      const response = { headersSent: false, writeHead: () => {}, end: () => resolve() }
      Reflect.apply(handle, undefined, [request, response])
    })
    assert.strictEqual(body, text)
  })
})
