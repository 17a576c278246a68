/**
 * A page at a name that its owner has pointed at this machine (DNS rebinding) gets nothing from the local gateway: the
 * browser takes the gateway for the page's own site, and only `Host` shows the difference.
 */
import { createServer, request, type IncomingHttpHeaders } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import {
  startLocalGateway,
  type RunningLocalGateway,
  type StartLocalGatewayOptions
} from "../../../src/local-gateway/promise/index.js"
import { faultHeader } from "../../../src/local-gateway/server/Faults.js"

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Asked {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** Sends a request to the gateway under a name, as a browser does that resolved the name to this machine. */
const ask = (url: string, host: string, path: string, { body = "", headers = {}, method = "GET" }: Asked = {}) => {
  const { hostname, port } = new URL(url)
  return new Promise<Reply>((resolve, reject) => {
    const asked = request(
      { hostname: hostname.replace(/^\[|\]$/g, ""), port, path, method, headers: { ...headers, host } },
      (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject
        )
      }
    )
    asked.on("error", reject)
    asked.end(body)
  })
}

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json" }
const basic = { authorization: `Basic ${Buffer.from("1234567884:L0calGtw").toString("base64")}` }
const grant = {
  method: "POST",
  headers: { ...form, ...basic },
  body: "grant_type=client_credentials&scope=payment-all"
}

const textOf = (body: string, member: string): string => {
  const value: unknown = JSON.parse(body)
  const found =
    typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === member) : undefined
  return String(found?.[1])
}

const withGateway = async (
  options: StartLocalGatewayOptions,
  use: (local: RunningLocalGateway) => Promise<void>
): Promise<void> => {
  const local = await startLocalGateway({ ...options, settings: { notificationTiming: "notificationFirst" } })
  try {
    await use(local)
  } finally {
    await local.close()
  }
}

const order = (notification_url: string) => ({
  amount: 100,
  currency: "CZK",
  order_number: "1",
  target: { type: "ACCOUNT", goid: 8123456781 },
  callback: { return_url: "http://localhost/", notification_url }
})

/** A port that is free now. */
const freePort = async (): Promise<number> => {
  const probe = await startLocalGateway()
  await probe.close()
  return Number(new URL(probe.url).port)
}

/** What a page does that wants money to move, and another port of this machine to be called. */
const attack = async (local: RunningLocalGateway, host: string, victim: string) => {
  const token = await ask(local.url, host, "/api/oauth2/token", grant)
  const bearer = { authorization: `Bearer ${textOf(token.body, "access_token")}` }
  const created = await ask(local.url, host, "/api/payments/payment", {
    method: "POST",
    headers: { ...json, ...bearer },
    body: JSON.stringify(order(victim))
  })
  const page = created.status === 200 ? new URL(textOf(created.body, "gw_url")).pathname : "/gw/v3/unknown"
  const paid = await ask(local.url, host, page, {
    method: "POST",
    headers: form,
    body: "payer_action=approve&method=PAYMENT_CARD&number=4444444444444448&expiry=12/39&cvc=123"
  })
  await local.deliverNotifications()
  return [token.status, created.status, paid.status]
}

describe("A page at a rebound name", () => {
  const calls: Array<string> = []
  const victim = createServer((incoming, outgoing) => {
    calls.push(incoming.url ?? "")
    outgoing.end()
  })
  let address = ""

  beforeAll(async () => {
    await new Promise<void>((resolve) => victim.listen(0, "127.0.0.1", resolve))
    const bound = victim.address()
    address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/private`
  })

  afterAll(() => {
    victim.close()
  })

  it("gets no token, makes no payment, and has no other port called", () =>
    withGateway({}, async (local) => {
      calls.length = 0
      expect(await attack(local, "rebound.example", address)).toEqual([403, 403, 403])
      expect(await local.listPayments()).toEqual([])
      expect(calls).toEqual([])
    }))

  it("does so only because of its name", () =>
    withGateway({}, async (local) => {
      calls.length = 0
      expect(await attack(local, "localhost", address)).toEqual([200, 200, 303])
      expect(calls).toHaveLength(1)
    }))
})

const routes: ReadonlyArray<readonly [path: string, asked: Asked]> = [
  ["/", {}],
  ["/api/oauth2/token", grant],
  ["/api/payments/payment/3000000003", {}],
  ["/api/no-such-service", {}],
  ["/gw/v3/unknown", {}],
  ["/gw/v3/unknown", { method: "POST", headers: form, body: "payer_action=cancel" }],
  ["/gp-gw/js/embed.js", {}],
  ["/openapi.json", {}],
  ["/local-gateway/state", {}],
  ["/local-gateway/reset", { method: "POST", headers: json, body: "{}" }],
  ["/local-gateway/openapi.json", {}],
  ["/local-gateway/dashboard/main.js", {}],
  ["/local-gateway/dashboard/style.css", {}],
  ["/local-gateway/dashboard/catalogue.json", {}],
  ["/no-such-page", {}]
]

describe("Every route", () => {
  it.each(routes)("refuses a foreign name and says what to do: %s", (path, asked) =>
    withGateway({}, async (local) => {
      const { body, headers, status } = await ask(local.url, "gopay:4646", path, asked)
      expect(status).toBe(403)
      expect(body).toContain("--allow-host gopay")
      expect(headers["access-control-allow-origin"]).toBeUndefined()
      expect(headers["set-cookie"]).toBeUndefined()
    })
  )

  it.each(routes)("serves its own names: %s", (path, asked) =>
    withGateway({ allowHosts: ["gopay", "Shop.Test"] }, async (local) => {
      const { port } = new URL(local.url)
      const own = [
        "localhost",
        `localhost:${port}`,
        "127.0.0.1:1",
        "127.8.9.1",
        "[::1]:4646",
        "shop.localhost",
        "LOCALHOST"
      ]
      for (const host of [...own, "gopay", "gopay:80", "shop.test:8080"]) {
        const { body } = await ask(local.url, host, path, asked)
        assert.notInclude(body, "--allow-host", host)
      }
    })
  )
})

describe("A name is foreign", () => {
  it.each([
    "rebound.example",
    "localhost.rebound.example",
    "127.0.0.1.rebound.example",
    "localhost@rebound.example",
    "rebound.example#localhost",
    "notlocalhost",
    "10.0.0.1",
    "[fd00::1]",
    "2130706433.example",
    "gopay.evil",
    "evil-gopay"
  ])("%s", (host) =>
    withGateway({ allowHosts: ["gopay"] }, async (local) => {
      expect((await ask(local.url, host, "/openapi.json")).status).toBe(403)
    })
  )

  it("when it is in the request line, whatever Host says", () =>
    withGateway({}, async (local) => {
      const { hostname, port } = new URL(local.url)
      const socket = connect(Number(port), hostname)
      socket.write("GET http://rebound.example/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /)
    }))
})

describe("A refused request", () => {
  it("is in the log, uses up no fault, and cannot ask for one", () =>
    withGateway({}, async (local) => {
      await local.armFault({ type: "serverError" })
      const { status } = await ask(local.url, "rebound.example", "/api/oauth2/token", {
        ...grant,
        headers: { ...grant.headers, [faultHeader]: "noResponse" }
      })
      expect(status).toBe(403)
      expect(await local.listFaults()).toHaveLength(1)
      const [logged] = await local.listRequests()
      assert.strictEqual(logged?.status, 403)
      assert.isUndefined(logged?.fault)
    }))
})

describe("A gateway for other machines", () => {
  it("is reached by any number when it listens on every address, but by no foreign name", () =>
    withGateway({ host: "0.0.0.0" }, async (local) => {
      const { url } = local
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await ask(url, "192.0.2.7:4646", "/openapi.json")).status).toBe(200)
      expect((await ask(url, "[2001:db8::7]", "/openapi.json")).status).toBe(200)
      expect((await ask(url, "rebound.example", "/openapi.json")).status).toBe(403)
    }))
})

describe("A gateway with a public address", () => {
  const publicUrl = "https://gateway.example:8443"

  it("has pay pages, merchants and documents there, and answers to its name", () =>
    withGateway({ host: "0.0.0.0", publicUrl: `${publicUrl}/` }, async (local) => {
      expect(local.url).toBe(publicUrl)
      expect(local.merchant.environment).toBe(publicUrl)
    }))

  it("serves a browser at both addresses, and still no other site", async () => {
    const port = await freePort()
    const local = await startLocalGateway({ port, publicUrl })
    try {
      const url = `http://127.0.0.1:${port}`
      const statusWith = async (host: string, origin: string) =>
        (await ask(url, host, "/local-gateway/state", { headers: { origin } })).status
      expect(await statusWith("gateway.example:8443", publicUrl)).toBe(200)
      expect(await statusWith(`127.0.0.1:${port}`, url)).toBe(200)
      // A proxy may pass on its own name for the gateway.
      expect(await statusWith("localhost", publicUrl)).toBe(200)
      expect(await statusWith("gateway.example", "https://other.example")).toBe(403)
      expect(await statusWith("rebound.example", publicUrl)).toBe(403)
      const token = textOf((await ask(url, "localhost", "/api/oauth2/token", grant)).body, "access_token")
      const created = await ask(url, "localhost", "/api/payments/payment", {
        method: "POST",
        headers: { ...json, authorization: `Bearer ${token}` },
        body: JSON.stringify(order("http://localhost/notify"))
      })
      expect(textOf(created.body, "gw_url")).toMatch(/^https:\/\/gateway\.example:8443\/gw\/v3\//)
      expect((await ask(url, "localhost", "/openapi.json")).body).toContain(publicUrl)
    } finally {
      await local.close()
    }
  })

  it.each(["gopay", "ftp://gopay", "http://gopay/path", "http://gopay?x", "http://a@gopay", ""])(
    "cannot be at %j",
    async (publicUrl) => {
      await expect(startLocalGateway({ publicUrl })).rejects.toMatchObject({
        reason: { _tag: "InvalidInput", message: expect.stringContaining("publicUrl") }
      })
    }
  )
})

describe("Allowed names", () => {
  it.each(["", "http://gopay", "gopay:80", "gopay/x", "*.test", "a b"])("cannot be %j", async (name) => {
    await expect(startLocalGateway({ allowHosts: [name] })).rejects.toMatchObject({
      reason: { _tag: "InvalidInput", message: expect.stringContaining("allowHosts") }
    })
  })
})
