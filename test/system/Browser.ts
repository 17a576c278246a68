/**
 * The browser of the system tests: Debian's Chromium, which asks for nothing but the pages of the tests. With
 * `NETWORK_DELAY_SEED=7` each of its requests and each response is late, by a chance of its own, so that a test that does not
 * wait for what it looks at fails.
 */
import { chromium, type Browser } from "playwright-core"
import { startDelayingProxy } from "./DelayingProxy.js"
import { chromium as executablePath } from "./Requirements.js"

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/**
 * How long a page may take to show what a test waits for, in milliseconds: killed servers use the same cores meanwhile.
 */
export const patience = 120_000

export const launchBrowser = async (...more: ReadonlyArray<string>): Promise<Browser> => {
  const seed = process.env["NETWORK_DELAY_SEED"]
  const proxy = seed === undefined ? undefined : await startDelayingProxy(seed)
  const browser = await chromium.launch({
    executablePath,
    args: [...args, ...more],
    ...(proxy === undefined ? undefined : { proxy: { server: proxy.url } })
  })
  browser.on("disconnected", () => proxy?.close())
  return browser.on("context", (context) => context.setDefaultTimeout(patience))
}
