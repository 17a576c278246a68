/**
 * Failures to connect prove that nothing was sent: seen at servers that take no request.
 */
import { createServer as createPlainServer } from "node:net"
import { createServer, type Server } from "node:https"
import { assert, describe, it } from "@effect/vitest"
import { brokenOff, transportFailure } from "../../../src/client/transport/TransportFailure.js"
import { styles } from "../../support/ClientStyles.js"
import { credentials } from "../../support/Credentials.js"
import { order } from "../../support/OperationCases.js"
import { gatewayErrorOf } from "../../support/Rejection.js"
import { selfSignedCertificate } from "../../support/SelfSignedCertificate.js"

/** A server that speaks TLS, and counts the bytes that it is sent once a connection is secure. */
const startServer = async (certificate: { readonly key: string; readonly cert: string }) => {
  const received = { bytes: 0 }
  const server: Server = createServer(certificate, (_, response) => response.end())
  server.on("secureConnection", (socket) => socket.on("data", (data: Buffer) => (received.bytes += data.length)))
  server.on("tlsClientError", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port.")
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `https://localhost:${address.port}`, received, [Symbol.asyncDispose]: stop }
}

/** A `fetch` that has its token already, so that the first to connect is the change. */
const withToken: typeof globalThis.fetch = async (input, init) =>
  String(input instanceof Request ? input.url : input).endsWith("/oauth2/token")
    ? Response.json({ access_token: "a-token", expires_in: 1800 })
    : globalThis.fetch(input, init)

describe.each(Object.entries(styles))("a change in the %s style", (_, make) => {
  it.each([
    ["no one vouches for", {}, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["has expired", { expiresIn: -86_400_000 }, "CERT_HAS_EXPIRED"]
  ])("to a gateway whose certificate %s was certainly not sent", async (_, certificate, code) => {
    await using server = await startServer(selfSignedCertificate(certificate))
    await using client = make({ ...credentials, environment: server.url, fetch: withToken })
    const { reason } = await gatewayErrorOf(client.createPayment(order))
    assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true, code })
    assert.strictEqual(server.received.bytes, 0)
  })

  it("to a server that breaks off in the handshake leaves the outcome unknown: fetch does not tell when", async () => {
    const server = createPlainServer((socket) => socket.on("error", () => {}).once("data", () => socket.destroy()))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await using client = make({ ...credentials, environment: `https://localhost:${port}`, fetch: withToken })
    const { reason } = await gatewayErrorOf(client.createPayment(order))
    assert.strictEqual(reason._tag, "OutcomeUnknown")
    await new Promise((resolve) => server.close(resolve))
  })
})

describe("a failure of the system", () => {
  const failed = (code: unknown, syscall?: string) => Object.assign(new Error("failed"), { code, syscall })
  const known = { _tag: "TransportFailure", isTimeout: false, name: "TypeError" } as const

  it.each([
    "CERT_CHAIN_TOO_LONG",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REJECTED",
    "CERT_REVOKED",
    "CERT_SIGNATURE_FAILURE",
    "CERT_UNTRUSTED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ENOTFOUND",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "HOSTNAME_MISMATCH",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UND_ERR_CONNECT_TIMEOUT"
  ])("%s proves that nothing was sent, unless the response had begun", (code) => {
    const failure = new TypeError("fetch failed", { cause: failed(code) })
    assert.deepStrictEqual(transportFailure(failure), { ...known, wasSent: "certainly not", code })
    assert.deepStrictEqual(brokenOff(failure), { ...known, wasSent: "perhaps", code })
  })

  it.each(["EADDRNOTAVAIL", "EHOSTDOWN", "EHOSTUNREACH", "ENETDOWN", "ENETUNREACH", "ETIMEDOUT"])(
    "%s proves that nothing was sent when it was in connecting",
    (code) => {
      const connecting = new TypeError("fetch failed", { cause: failed(code, "connect") })
      assert.strictEqual(transportFailure(connecting).wasSent, "certainly not")
      // A connection that was made may end so as well.
      for (const syscall of ["read", "write"]) {
        const cause = failed(code, syscall)
        assert.strictEqual(transportFailure(new TypeError("fetch failed", { cause })).wasSent, "perhaps")
      }
      const several = new AggregateError([failed(code, "connect"), failed("ECONNRESET", "read")])
      assert.strictEqual(transportFailure(several).wasSent, "perhaps")
    }
  )

  it("with another code proves nothing, even in connecting", () => {
    assert.strictEqual(transportFailure(failed("ECONNRESET", "connect")).wasSent, "perhaps")
  })

  it("with the code ERR_NOT_SENT is one of a transport that says so, and keeps its own code", () => {
    const notSent = Object.assign(new Error("Nothing was sent."), {
      code: "ERR_NOT_SENT",
      cause: failed("ECONNRESET", "read")
    })
    for (const failure of [notSent, new TypeError("fetch failed", { cause: notSent })]) {
      assert.deepInclude(transportFailure(failure), { wasSent: "certainly not", code: "ECONNRESET" })
    }
    assert.deepInclude(transportFailure({ code: "ERR_NOT_SENT" }), { wasSent: "certainly not", code: "ERR_NOT_SENT" })
    const several = new AggregateError([notSent, failed("ECONNRESET", "read")])
    assert.strictEqual(transportFailure(several).wasSent, "perhaps")
    const within = Object.assign(failed("ECONNRESET", "read"), { cause: notSent })
    assert.strictEqual(transportFailure(within).wasSent, "perhaps")
  })

  it("of several addresses proves that nothing was sent if that of each does, and has the code of the first", () => {
    const refused = failed("ECONNREFUSED")
    const unknown = failed("ENOTFOUND")
    for (const errors of [[refused], [refused, unknown]]) {
      const failure = new AggregateError(errors)
      assert.deepInclude(transportFailure(failure), { wasSent: "certainly not", code: "ECONNREFUSED" })
    }
    for (const other of [failed("ECONNRESET"), new Error("no code"), "text", undefined, null, refused]) {
      const failure = new AggregateError([refused, other])
      assert.deepInclude(transportFailure(failure), { wasSent: "perhaps", code: "ECONNREFUSED" }, String(other))
    }
    const none = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })
    assert.deepInclude(transportFailure(none), { wasSent: "certainly not", code: "ECONNREFUSED" })
    const many = new AggregateError(Array.from({ length: 200_000 }, () => refused))
    assert.deepInclude(transportFailure(many), { wasSent: "perhaps", code: "ECONNREFUSED" })
  })

  it("is checked to a depth of a hundred causes", () => {
    const within = (depth: number): unknown =>
      depth === 0 ? failed("ECONNREFUSED") : new Error("failed", { cause: within(depth - 1) })
    assert.deepInclude(transportFailure(within(99)), { wasSent: "certainly not", code: "ECONNREFUSED" })
    assert.deepInclude(transportFailure(within(100)), { wasSent: "perhaps", code: undefined })
  })

  it("proves nothing when it is no error, its own cause, or cannot be checked", () => {
    const circular = new Error("circular")
    circular.cause = circular
    const hostile = new Proxy(new Error("hostile"), {
      get: () => {
        throw new Error("checked")
      }
    })
    for (const failure of ["ECONNREFUSED", undefined, null, 5, {}, new Error("failed"), circular, hostile]) {
      assert.deepInclude(transportFailure(failure), { wasSent: "perhaps", code: undefined })
    }
  })

  it("tells a code and a name that are none of a secret", () => {
    for (const code of [["ECONNREFUSED"], "econnrefused", "xECONNREFUSED", "ECONNREFUSED: s3cr3t", "E", 5]) {
      assert.strictEqual(brokenOff(failed(code)).code, undefined)
    }
    const named = (name: string) => Object.assign(new Error("failed"), { name })
    assert.strictEqual(brokenOff(named("A".repeat(40))).name, "A".repeat(40))
    for (const failure of [named("1Error"), named("Error s3cr3t"), named("A".repeat(41)), named(""), { name: "Odd" }]) {
      assert.strictEqual(brokenOff(failure).name, undefined)
    }
  })
})
