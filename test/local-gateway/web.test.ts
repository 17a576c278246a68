import { describe, expect, it } from "vitest"
import {
  LocalGatewayError,
  mountLocalGateway,
  type MountedLocalGateway,
  type MountLocalGatewayOptions
} from "../../src/local-gateway/web.js"
import { createGatewayClient, type CreatePaymentRequest, type GatewayClient } from "../../src/promise/index.js"
import { captureLog } from "../support/LogGuard.js"
import { rejectionOf } from "../support/Rejection.js"

const url = "https://shop.example/try/gopay"

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

/** A client whose requests go to the handler, without a server. */
const withMounted = async <A>(
  options: MountLocalGatewayOptions,
  use: (local: MountedLocalGateway, gateway: GatewayClient) => Promise<A>
): Promise<A> => {
  await using local = mountLocalGateway({ url, notificationReceiver: async () => 200, ...options })
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("there is no merchant")
  await using gateway = createGatewayClient({
    ...merchant,
    fetch: (input, init) => local.fetch(new Request(input, init))
  })
  return await use(local, gateway)
}

describe("a local gateway without a server", () => {
  it("responds with its pages, and with the dashboard's script", () =>
    withMounted({}, async (local, gateway) => {
      const { gw_url } = await gateway.createPayment(order)
      expect(gw_url).toMatch(/^https:\/\/shop\.example\/try\/gopay\/gw\/v3\//)
      const get = async (address: string) => {
        const response = await local.fetch(new Request(address))
        return `${response.status} ${await response.text()}`
      }
      expect(await get(gw_url)).toMatch(/^200 [^]*1[^]399\.50/)
      expect(await get(`${url}/`)).toMatch(/^200 [^]*<h1>/)
      expect(await get(`${url}/local-gateway/dashboard/main.js`)).toMatch(/^200 /)
      expect(await get(`${url}/local-gateway/dashboard/none.js`)).toMatch(/^404 /)
    }))

  it("takes a body that is no stream, such as in Firefox", () =>
    withMounted({}, async (local) => {
      const [{ clientId, clientSecret } = { clientId: "", clientSecret: "" }] = await local.listMerchants()
      const request = new Request(`${url}/api/oauth2/token`, {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
          "content-type": "application/x-www-form-urlencoded"
        },
        body: "grant_type=client_credentials&scope=payment-all"
      })
      Object.defineProperty(request, "body", { value: undefined })
      expect((await local.fetch(request)).status).toBe(200)
    }))

  it("tells the caller's function what is new", async () => {
    const asked: Array<string> = []
    const notificationReceiver = async (address: string) => asked.push(address) && 200
    const settings = { notificationHosts: ["shop.example"] }
    await withMounted({ notificationReceiver, settings }, async (local, gateway) => {
      const { id } = await gateway.createPayment(order)
      await local.payByCard(id)
      await local.deliverNotifications()
      expect(asked).toContain(`https://shop.example/notify?id=${id}`)
    })
  })

  it("has no file", () => {
    const options: object = { dataFile: "state.json" }
    expect(() => mountLocalGateway(options)).toThrow(/dataFile/)
    const noFunction = JSON.parse(`{ "save": 1 }`)
    expect(() => mountLocalGateway(noFunction)).toThrow(/save: must be a function/)
  })
})

describe("the state of a local gateway without a server", () => {
  it("is saved before a change is acknowledged, and loaded by the next one", async () => {
    const saved: Array<string> = []
    const save = async (state: string) => void saved.push(state)
    const id = await withMounted({ save }, async (_, gateway) => {
      const { id } = await gateway.createPayment(order)
      expect(saved.at(-1)).toContain(String(id))
      const before = saved.length
      await gateway.getPayment(id)
      expect(saved.length).toBe(before)
      return id
    })
    await withMounted({ load: async () => saved.at(-1), save }, async (local, gateway) => {
      expect(await gateway.getPayment(id)).toMatchObject({ state: "CREATED", order_number: "2026-0042" })
      await local.payByCard(id)
    })
    await withMounted({ load: async () => saved.at(-1) }, async (_, gateway) => {
      expect((await gateway.getPayment(id)).state).toBe("PAID")
    })
  })

  it("begins empty where there is none yet", () =>
    withMounted({ load: async () => undefined }, async (local) => {
      expect(await local.listPayments()).toEqual([])
    }))

  it("is not used where it is none, or cannot be loaded", async () => {
    const none = mountLocalGateway({ url, load: async () => "{ nothing" })
    const reason = await rejectionOf(none.listPayments())
    expect(reason).toBeInstanceOf(LocalGatewayError)
    expect(reason).toMatchObject({ reason: { _tag: "InvalidSeed" } })
    await none.close()
    const problem = new Error("the store is locked")
    const locked = mountLocalGateway({ url, load: () => Promise.reject(problem) })
    expect(await rejectionOf(locked.fetch(new Request(`${url}/`)))).toBe(problem)
    await locked.close()
  })

  it("is saved with the next request where saving failed, which is logged", async () => {
    const logged = captureLog(/^The state of the local gateway is not kept\. It could not be saved/)
    const saved: Array<string> = []
    let isFull = false
    const save = async (state: string) => {
      if (isFull) throw new Error("the store is full")
      saved.push(state)
    }
    await withMounted({ save }, async (_, gateway) => {
      isFull = true
      const first = await gateway.createPayment(order)
      expect(logged[0]).toMatch(/: Error: the store is full$/)
      expect(saved.at(-1)).not.toContain(String(first.id))
      isFull = false
      await gateway.getPayment(first.id)
      expect(saved.at(-1)).toContain(String(first.id))
    })
  })
})
