/**
 * What axe finds on a page: on a narrow phone in the light and on a desk in the dark; in a long check light and dark on both.
 */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { isThorough } from "../support/Runs.js"

declare global {
  interface Window {
    /** What `axe.source` puts into a page. */
    readonly axe: typeof axe
  }
}

const schemes: ReadonlyArray<{ readonly width: number; readonly colorSchemes: ReadonlyArray<"light" | "dark"> }> = [
  { width: 320, colorSchemes: isThorough ? ["light", "dark"] : ["light"] },
  { width: 1280, colorSchemes: isThorough ? ["light", "dark"] : ["dark"] }
]

/** The rules about colours, which alone depend on the scheme: enough for the second one. */
const colours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } as const

/** What axe finds on a page, and whether the page is wider than the window. */
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const found: Array<string> = []
  for (const { colorSchemes, width } of schemes) {
    await page.setViewportSize({ width, height: 720 })
    for (const [index, colorScheme] of colorSchemes.entries()) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const violations = await page.evaluate(
        async (options) => {
          const { violations } = await window.axe.run(document, options)
          return violations.flatMap(({ help, id, nodes }) =>
            nodes.map(({ failureSummary = "", html }) => `${id}: ${help}\n${html}\n${failureSummary}`)
          )
        },
        index === 0 ? {} : colours
      )
      found.push(...violations.map((violation) => `${width} px, ${colorScheme}: ${violation}`))
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) found.push(`${width} px: ${overflow} px too wide`)
  }
  return found
}
