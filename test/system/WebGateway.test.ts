/**
 * The local gateway without Node, as it is built, in a worker of a page: the contract, how soon it responds, and its
 * state in IndexedDB.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bundled, contractModule } from "../support/contractScript.js"
import { launchBrowser } from "./Browser.js"

const origin = "http://localhost:4646"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** Runs a worker of a page, whose messages the test gets: until one is `done`, or an error. */
const runWorker = async (script: string): Promise<ReadonlyArray<unknown>> => {
  const context = await browser.newContext()
  const page: Page = await context.newPage()
  try {
    await page.route("**/*", (route) =>
      route.request().url().endsWith("/worker.js")
        ? route.fulfill({ contentType: "text/javascript", body: script })
        : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Page</title>" })
    )
    await page.goto(origin)
    return await page.evaluate(
      () =>
        new Promise<ReadonlyArray<unknown>>((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" })
          const said: Array<unknown> = []
          worker.addEventListener("error", ({ message }) => reject(new Error(message)))
          worker.addEventListener("message", ({ data }) => {
            if (data === "done") return resolve(said)
            if (data instanceof Error) return reject(data)
            said.push(data)
          })
        })
    )
  } finally {
    await context.close()
  }
}

const reporting = (program: string): string =>
  `Promise.resolve().then(async () => { ${program} }).then(() => postMessage("done"), (error) => postMessage(new Error(error.stack)))`

it("keeps the contract in Chromium", async () => {
  const script = await bundled(`
    import { mountLocalGateway } from "./dist/local-gateway/web/index.js"
    import { contractOf } from "${contractModule}"
    ${reporting("await contractOf(mountLocalGateway)")}`)
  expect(await runWorker(script)).toEqual([])
})

it("responds soon after its worker begins, which is said, and again with what it has saved", async () => {
  const script = await bundled(`
    import { mountLocalGateway } from "./dist/local-gateway/web/index.js"
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open("gopay", 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore("states")
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const asked = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const store = (mode) => database.transaction("states", mode).objectStore("states")
    const mount = () => mountLocalGateway({
      url: "${origin}/gopay",
      load: () => asked(store("readonly").get("gateway")),
      save: (state) => asked(store("readwrite").put(state, "gateway"))
    })
    ${reporting(`
      const local = mount()
      const response = await local.fetch(new Request("${origin}/gopay/openapi.json"))
      await response.text()
      postMessage(response.status)
      postMessage(performance.now())
      await local.changeSettings({ notificationTiming: "notificationFirst" })
      await local.close()
      postMessage((await mount().getSettings()).notificationTiming)`)}`)
  const [status, milliseconds, kept] = await runWorker(script)
  console.log(`The first response: ${Math.round(Number(milliseconds))} ms after the worker's start`)
  expect([status, kept]).toEqual([200, "notificationFirst"])
})
