/**
 * Failures to connect prove that nothing was sent: seen at servers that take no request.
 */
import { createServer as createPlainServer } from "node:net"
import { createServer, type Server } from "node:https"
import { assert, describe, it } from "@effect/vitest"
import { transportFailure } from "../../../src/client/transport/Transport.plain.js"
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
    ["nobody vouches for", {}, "DEPTH_ZERO_SELF_SIGNED_CERT"],
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
  const failed = (code: string, syscall: string) => Object.assign(new Error("failed"), { code, syscall })

  it.each(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"])(
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

  it("with the code ERR_NOT_SENT is one of a transport that says so, and keeps its own code", () => {
    const notSent = Object.assign(new Error("Nothing was sent."), {
      code: "ERR_NOT_SENT",
      cause: failed("ECONNRESET", "read")
    })
    for (const failure of [notSent, new TypeError("fetch failed", { cause: notSent })]) {
      assert.deepInclude(transportFailure(failure), { wasSent: "certainly not", code: "ECONNRESET" })
    }
    const several = new AggregateError([notSent, failed("ECONNRESET", "read")])
    assert.strictEqual(transportFailure(several).wasSent, "perhaps")
    const within = Object.assign(failed("ECONNRESET", "read"), { cause: notSent })
    assert.strictEqual(transportFailure(within).wasSent, "perhaps")
  })
})
