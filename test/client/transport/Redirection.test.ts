/**
 * What counts as redirected traffic: then requests go over `fetch`.
 */
import https from "node:https"
import { afterEach, describe, expect, it, vi } from "vitest"
import { redirectionWatch } from "../../../src/client/transport/Redirection.js"

const options = Symbol("options")
const another = Symbol("another")

/** What a class of this name would make. */
const madeBy = (name: string, members: object = {}): object => ({
  ...members,
  constructor: Object.defineProperty(() => {}, "name", { value: name })
})

const agent = (given: unknown): object => madeBy("Agent", { [another]: { connect: {} }, [options]: given })

const gateway = "https://gate.gopay.cz/api/oauth2/token"

const isRedirected = (url = gateway): boolean => redirectionWatch()(url)

describe.each(["undici.globalDispatcher.1", "undici.globalDispatcher.2"])("where the dispatcher is at %s", (name) => {
  const place = Symbol.for(name)
  const before: unknown = Reflect.get(globalThis, place)

  afterEach(() => {
    Reflect.set(globalThis, place, before)
    vi.unstubAllGlobals()
    Reflect.deleteProperty(https.globalAgent.options, "proxyEnv")
  })

  it.each([
    ["nothing", undefined],
    ["an agent without options", agent({ connect: undefined, interceptors: null, maxOrigins: Infinity })],
    ["one that hands on to the other", madeBy("Dispatcher1Wrapper")]
  ])("%s is usual", (_, dispatcher) => {
    Reflect.set(globalThis, place, dispatcher)
    expect(isRedirected()).toBe(false)
  })

  it.each([
    ["a text", "an agent"],
    ["null", null],
    ["a function", () => {}],
    ["an object that nothing made", Object.create(null)],
    ["one that something else made", { constructor: { name: "Agent" }, [options]: {} }],
    ["a mock", madeBy("MockAgent", { [options]: {} })],
    ["an agent with an option", agent({ maxOrigins: Infinity, connect: { ca: "" } })],
    ["an agent whose options are none", agent("")],
    ["an agent whose options are not there", agent(null)],
    ["an agent that keeps them elsewhere", madeBy("Agent", { [another]: {} })]
  ])("%s redirects", (_, dispatcher) => {
    Reflect.set(globalThis, place, dispatcher)
    expect(isRedirected()).toBe(true)
  })

  it("the proxies of the environment are usual where Node.js uses them by itself, and redirect elsewhere", () => {
    Reflect.set(globalThis, place, madeBy("EnvHttpProxyAgent"))
    expect(isRedirected()).toBe(true)
    Object.assign(https.globalAgent.options, { proxyEnv: {} })
    expect(isRedirected()).toBe(false)
  })

  it.each(["http://127.0.0.1:4646/api/oauth2/token", "http://localhost:4646/api", "http://[::1]:4646/api"])(
    "the proxies of the environment do not redirect what is for this machine, another proxy does: %s",
    (url) => {
      Reflect.set(globalThis, place, madeBy("EnvHttpProxyAgent"))
      const redirected = redirectionWatch()
      expect([redirected(gateway), redirected(url), redirected(gateway)]).toEqual([true, false, true])
      Reflect.set(globalThis, place, madeBy("ProxyAgent"))
      expect(redirected(url)).toBe(true)
    }
  )

  it("what was checked once is not checked again", () => {
    let looks = 0
    const dispatcher = Object.defineProperty({}, "constructor", {
      get: () => {
        looks++
        return Object
      }
    })
    const redirected = redirectionWatch()
    expect(redirected(gateway)).toBe(false)
    Reflect.set(globalThis, place, dispatcher)
    for (let call = 0; call < 3; call++) expect(redirected(gateway)).toBe(true)
    expect(looks).toBe(1)
    Reflect.set(globalThis, place, before)
    expect(redirected(gateway)).toBe(false)
  })
})

describe("a global fetch", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it("that is Node's own, or not there, redirects nothing; any other does", () => {
    expect(isRedirected()).toBe(false)
    const redirected = redirectionWatch()
    for (const other of [() => Promise.resolve(new Response()), "fetch", null]) {
      vi.stubGlobal("fetch", other)
      expect(redirected(gateway)).toBe(true)
    }
    vi.stubGlobal("fetch", undefined)
    expect(redirected(gateway)).toBe(false)
  })
})

describe("in happy-dom", () => {
  const answers = { interceptor: null, virtualServers: null }

  /** As a window has it, and as Vitest puts it among the globals. */
  const ofWindow = { fetch: () => Promise.resolve(new Response()) }
  const bound = ofWindow.fetch.bind(ofWindow)
  const boundTwice = bound.bind(ofWindow)

  const inHappyDom = (fetch: unknown, settings: object = { fetch: answers }): void => {
    vi.stubGlobal("happyDOM", { settings })
    vi.stubGlobal("fetch", fetch)
  }

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it.each([
    ["its own fetch", bound],
    ["its own, bound again", boundTwice],
    ["Node's", globalThis.fetch],
    ["none", undefined]
  ])("%s redirects nothing", (_, fetch) => {
    inHappyDom(fetch)
    expect(isRedirected()).toBe(false)
  })

  it.each([
    ["a mock", vi.fn<typeof fetch>()],
    ["a mock that is called fetch", ofWindow.fetch],
    ["a bound handler", Object.defineProperty(vi.fn<typeof fetch>(), "name", { value: "bound fetchHandler" })],
    ["a text", "bound fetch"]
  ])("%s redirects", (_, fetch) => {
    inHappyDom(fetch)
    expect(isRedirected()).toBe(true)
  })

  it.each([{ interceptor: {} }, { virtualServers: [] }])("what is told to answer redirects: %j", (told) => {
    inHappyDom(bound)
    const redirected = redirectionWatch()
    expect(redirected(gateway)).toBe(false)
    inHappyDom(bound, { fetch: { ...answers, ...told } })
    expect(redirected(gateway)).toBe(true)
  })

  it("a bound fetch redirects where there is no happy-dom", () => {
    vi.stubGlobal("fetch", bound)
    expect(isRedirected()).toBe(true)
  })
})
