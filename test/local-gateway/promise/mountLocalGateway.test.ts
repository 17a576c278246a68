import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  mountLocalGateway,
  LocalGatewayError,
  type MountedLocalGateway,
  type MountLocalGatewayOptions,
  type LocalMerchant
} from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient, type CreatePaymentRequest, type GatewayClient } from "../../../src/promise/index.js"
import { rejectionOf } from "../../support/Rejection.js"

const origin = "http://localhost:5173"

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: `${origin}/return`, notification_url: `${origin}/notify` }
}

/** A client that calls the handler as a server would, without a socket. */
const clientOf = (handle: (request: Request) => Promise<Response>, merchant: LocalMerchant): GatewayClient =>
  createGatewayClient({
    ...merchant,
    environment: `${origin}/gopay`,
    fetch: (input, init) => handle(new Request(input, init))
  })

const withMounted = async (
  test: (local: MountedLocalGateway, gateway: GatewayClient) => Promise<void>,
  options?: MountLocalGatewayOptions
): Promise<void> => {
  await using local = mountLocalGateway(options)
  await using gateway = clientOf(local.fetch, await merchantOf(local))
  await test(local, gateway)
}

/** The first of its merchants. */
const merchantOf = async (local: MountedLocalGateway): Promise<LocalMerchant> => {
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("there is no merchant")
  return merchant
}

/** The addresses of this origin in a page. */
const addressesIn = (page: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g), ([, address = ""]) => address)

describe("A local gateway in a server of the caller's", () => {
  it("takes a payment below its path, from the order to the return", async () => {
    const notified: Array<string> = []
    const notificationReceiver = async (url: string) => notified.push(url) + 199
    await withMounted(
      async (local, gateway) => {
        const { gw_url: page, id } = await gateway.createPayment(order)
        expect(page).toMatch(/^http:\/\/localhost:5173\/gopay\/gw\/v3\/\w+$/)
        expect(local.url).toBe(`${origin}/gopay`)
        expect((await local.listMerchants())[0]?.environment).toBe(`${origin}/gopay`)

        const shown = await (await local.fetch(new Request(page))).text()
        expect(addressesIn(shown).length).toBeGreaterThan(1)
        expect(addressesIn(shown).filter((address) => !address.startsWith("/gopay/gw/v3/"))).toEqual([])

        const form = new URLSearchParams({ payer_action: "approve", method: "PAYMENT_CARD", card: "4448" })
        const paid = await local.fetch(new Request(page, { method: "POST", body: form }))
        expect([paid.status, paid.headers.get("location")]).toEqual([303, `${origin}/return?id=${id}`])
        expect(notified).toEqual([`${origin}/notify?id=${id}`])
        expect((await gateway.getPayment(id)).state).toBe("PAID")
      },
      { notificationReceiver, settings: { notificationTiming: "notificationFirst" } }
    )
  })

  it("has all of its pages, scripts and documents below its path", () =>
    withMounted(async (local) => {
      const asked = async (path: string, headers: Record<string, string> = {}) => {
        const response = await local.fetch(new Request(`${origin}${path}`, { headers }))
        return { status: response.status, text: await response.text() }
      }
      const dashboard = await asked("/gopay")
      expect(dashboard.status).toBe(200)
      expect(await asked("/gopay/")).toEqual(dashboard)
      const addresses = addressesIn(dashboard.text)
      expect(addresses).toContain("/gopay/local-gateway/dashboard/main.js")
      for (const address of addresses) {
        expect(address).toMatch(/^\/gopay\//)
        expect([address, (await asked(address)).status]).toEqual([address, 200])
      }
      const script = await asked("/gopay/gp-gw/js/embed.js")
      expect([script.status, script.text.includes("_gopay")]).toEqual([200, true])
      expect(JSON.parse((await asked("/gopay/openapi.json")).text)).toMatchObject({
        servers: [{ url: `${origin}/gopay/api` }, {}, {}, {}]
      })
      expect(JSON.parse((await asked("/gopay/local-gateway/openapi.json")).text)).toMatchObject({
        servers: [{ url: `${origin}/gopay/local-gateway` }]
      })
      const nothing = await asked("/gopay/nothing", { accept: "text/html" })
      expect(nothing.status).toBe(404)
      expect(addressesIn(nothing.text)).toEqual(["/gopay/", "/gopay/#/new"])
    }))

  it("is found without its path, where a router has taken that off", () =>
    withMounted(
      async (local) => {
        const response = await local.fetch(new Request("http://127.0.0.1:8080/local-gateway/state"))
        expect(await response.json()).toMatchObject({ url: "http://127.0.0.1:8080/test/gopay" })
      },
      { url: "/test/gopay/" }
    ))

  it("keeps the address that it was given, whatever requests say", () =>
    withMounted(
      async (local, gateway) => {
        expect(local.url).toBe("https://shop.test:8443/gopay")
        const { gw_url } = await gateway.createPayment(order)
        expect(gw_url).toMatch(/^https:\/\/shop\.test:8443\/gopay\/gw\/v3\//)
        expect(local.url).toBe("https://shop.test:8443/gopay")
      },
      { url: "https://shop.test:8443/gopay" }
    ))

  it("refuses names that could have been pointed at this machine, and does not take them on", () =>
    withMounted(async (local) => {
      const request = (host: string) =>
        local.fetch(new Request(`http://${host}/gopay/local-gateway/state`, { headers: { host } }))
      expect((await request("evil.test")).status).toBe(403)
      expect(local.url).toBe("http://localhost:3000/gopay")
      expect((await request("localhost:8080")).status).toBe(200)
      expect(local.url).toBe("http://localhost:8080/gopay")
    }))

  it("plays the payer, moves time and arms faults like any other", () =>
    withMounted(async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await local.payByCard(id)
      await local.armFault({ type: "connectionReset" }, { operation: "refundPayment" })
      const lost = await rejectionOf(gateway.refundPayment(id, { amount: 139_950 }))
      expect(lost).toMatchObject({ reason: { _tag: "OutcomeUnknown" } })
      expect((await gateway.getPayment(id)).state).toBe("REFUNDED")
    }))

  it("says that no money is real where others reach it, and not on this machine alone", async () => {
    const pageAt = async (url: string, asked = url) => {
      await using local = mountLocalGateway({ url })
      return (await local.fetch(new Request(`${asked}/`))).text()
    }
    expect(await pageAt("https://gopay.staging.test/gopay")).toContain("No real money")
    expect(await pageAt("http://localhost:3000/gopay")).not.toContain("No real money")
    expect(await pageAt("/gopay", "http://127.0.0.1:8080/gopay")).not.toContain("No real money")
  })

  it("does not start with a password", () => {
    const options: object = { password: "eight letters" }
    expect(() => mountLocalGateway(options)).toThrow(/password: the local gateway asks for no password/)
  })

  it("goes on with its data file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-gateway-handler-"))
    const dataFile = join(folder, "data.json")
    try {
      let id = 0
      await withMounted(async (_, gateway) => void ({ id } = await gateway.createPayment(order)), { dataFile })
      await withMounted(async (_, gateway) => expect((await gateway.getPayment(id)).state).toBe("CREATED"), {
        dataFile
      })
      const local = mountLocalGateway({ dataFile: folder })
      const error = await rejectionOf(local.fetch(new Request(`${origin}/gopay`)))
      expect(error).toMatchObject({ reason: { _tag: "DataFileError", path: folder } })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("names every wrong option at once, and ends when it is closed", async () => {
    // @ts-expect-error: `port` is an option of a server.
    const wrong = () => mountLocalGateway({ url: "ftp://x", port: 1 })
    expect(wrong).toThrow(LocalGatewayError)
    expect(wrong).toThrow(/port: is not known here.*url: must be/)
    const local = mountLocalGateway()
    await local.close()
    expect(await rejectionOf(local.listPayments())).toMatchObject({ reason: { _tag: "LocalGatewayClosed" } })
    expect(await rejectionOf(local.fetch(new Request(origin)))).toMatchObject({
      reason: { _tag: "LocalGatewayClosed" }
    })
  })
})

describe("A local gateway in a server of Node's", () => {
  const listening = async (
    listener: (request: IncomingMessage, response: ServerResponse) => void,
    test: (address: string) => Promise<void>
  ): Promise<void> => {
    const server: Server = createServer(listener).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    try {
      await test(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }

  it("leaves what is not below its path to the others, and resets connections", async () => {
    await using local = mountLocalGateway()
    await listening(
      (request, response) => local.node(request, response, () => response.end("the shop")),
      async (address) => {
        expect(await (await fetch(`${address}/`)).text()).toBe("the shop")
        expect(await (await fetch(`${address}/gopayment`)).text()).toBe("the shop")
        await using gateway = createGatewayClient({ ...(await merchantOf(local)), environment: `${address}/gopay` })
        const { gw_url, id } = await gateway.createPayment(order)
        expect(gw_url.startsWith(`${address}/gopay/gw/v3/`)).toBe(true)
        expect((await fetch(gw_url)).status).toBe(200)
        await local.armFault({ type: "connectionReset", effect: "none" })
        const lost = await rejectionOf(fetch(`${address}/gopay/api/payments/payment/${id}`))
        expect(lost).toMatchObject({ cause: { code: "ECONNRESET" } })
      }
    )
  })

  it("works where a framework has taken its path off, and says when the body is gone", async () => {
    await using local = mountLocalGateway()
    const mounted = (request: IncomingMessage, response: ServerResponse): void => {
      const { url: originalUrl = "" } = request
      Object.assign(request, { originalUrl, url: originalUrl.slice("/gopay".length) })
      if (originalUrl.endsWith("state")) return local.node(request, response, () => response.end("not here"))
      request.resume().on("end", () =>
        local.node(request, response, (error) => {
          response.writeHead(500)
          response.end(String(error))
        })
      )
    }
    await listening(mounted, async (address) => {
      expect(await (await fetch(`${address}/gopay/local-gateway/state`)).json()).toMatchObject({
        url: `${address}/gopay`
      })
      const late = await fetch(`${address}/gopay/api/oauth2/token`, { method: "POST", body: "grant_type=x" })
      expect([late.status, await late.text()]).toEqual([500, expect.stringContaining("before the body parsers")])
    })
  })

  it("takes only requests of Node's", () => {
    expect(() => mountLocalGateway().node({}, {})).toThrow(TypeError)
  })
})
