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

/**
 * Runs workers of a page one after the other, each named by the first message of the one before. The test gets their
 * messages, until they are `done` or fail.
 */
const runWorkers = async (...scripts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<unknown>>> => {
  const context = await browser.newContext()
  const page: Page = await context.newPage()
  try {
    await page.route("**/*", (route) =>
      route.request().url().includes("/worker-")
        ? route.fulfill({
            contentType: "text/javascript",
            body: scripts[Number(/\d+$/.exec(route.request().url())?.[0])] ?? ""
          })
        : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Page</title>" })
    )
    await page.goto(origin)
    const said: Array<ReadonlyArray<unknown>> = []
    for (const index of scripts.keys()) {
      said.push(
        await page.evaluate(
          ({ index, name }) =>
            new Promise<ReadonlyArray<unknown>>((resolve, reject) => {
              const worker = new Worker(`/worker-${index}`, { name, type: "module" })
              const messages: Array<unknown> = []
              worker.addEventListener("error", ({ message }) => reject(new Error(message)))
              worker.addEventListener("message", ({ data }) => {
                if (data !== "done" && !(data instanceof Error)) return messages.push(data)
                worker.terminate()
                return data === "done" ? resolve(messages) : reject(data)
              })
            }),
          { index, name: JSON.stringify(said.at(-1)?.[0] ?? "") }
        )
      )
    }
    return said
  } finally {
    await context.close()
  }
}

const reporting = (program: string): string =>
  `Promise.resolve().then(async () => { ${program} }).then(() => postMessage("done"), (error) => postMessage(new Error(error.stack)))`

it("keeps the contract in Chromium", async () => {
  const script = await bundled(`
    import { mountLocalGateway } from "./dist/local-gateway/web.js"
    import { contractOf } from "${contractModule}"
    ${reporting("await contractOf(mountLocalGateway)")}`)
  expect(await runWorkers(script)).toEqual([[]])
})

it("responds soon after its worker begins, which is said", async () => {
  const script = await bundled(`
    import { mountLocalGateway } from "./dist/local-gateway/web.js"
    const local = mountLocalGateway({ url: "${origin}/gopay" })
    ${reporting(`
      const response = await local.fetch(new Request("${origin}/gopay/openapi.json"))
      await response.text()
      postMessage(response.status)
      postMessage(performance.now())`)}`)
  const [[status, milliseconds] = []] = await runWorkers(script)
  console.log(`The first response: ${Math.round(Number(milliseconds))} ms after the worker's start`)
  expect(status).toBe(200)
})

it("keeps its state in IndexedDB, as the page about it shows", async () => {
  const order = {
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: `${origin}/return`, notification_url: `${origin}/notify` }
  }
  const withGateway = (program: string): Promise<string> =>
    bundled(`import { gateway } from "./examples/gateway-in-a-page.ts"\n${reporting(program)}`)
  const create = await withGateway(`postMessage((await gateway.createPayment(${JSON.stringify(order)})).id)`)
  const list = await withGateway(`postMessage(await gateway.getPayment(Number(self.name)))`)
  const [[id] = [], [found] = []] = await runWorkers(create, list)
  expect(found).toMatchObject({ id, state: "CREATED", order_number: "2026-0042" })
})
