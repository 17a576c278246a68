/**
 * The browser of the system tests: Debian's Chromium, which asks for nothing but the pages of the tests.
 */
import { chromium, type Browser } from "playwright-core"
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

/** How long a page may take to show what is waited for, in milliseconds: servers that are killed meanwhile have the cores, too. */
export const patience = 120_000

export const launchBrowser = async (...more: ReadonlyArray<string>): Promise<Browser> => {
  const browser = await chromium.launch({ executablePath, args: [...args, ...more] })
  return browser.on("context", (context) => context.setDefaultTimeout(patience))
}
