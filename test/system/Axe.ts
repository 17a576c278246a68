/**
 * What axe finds on a page, on a narrow phone and on a desk, light and dark.
 */
import axe from "axe-core"
import type { Page } from "playwright-core"

declare global {
  interface Window {
    /** What `axe.source` puts into a page. */
    readonly axe: typeof axe
  }
}

const widths = [320, 1280]

/** The rules about colours, which alone depend on the scheme. */
const colours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } as const

/** What axe finds on a page at every width, light and dark; and whether the page is wider than the window. */
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const found: Array<string> = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 720 })
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const violations = await page.evaluate(
        async (options) => {
          const { violations } = await window.axe.run(document, options)
          return violations.flatMap(({ help, id, nodes }) =>
            nodes.map(({ failureSummary = "", html }) => `${id}: ${help}\n${html}\n${failureSummary}`)
          )
        },
        colorScheme === "light" ? {} : colours
      )
      found.push(...violations.map((violation) => `${width} px, ${colorScheme}: ${violation}`))
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) found.push(`${width} px: ${overflow} px too wide`)
  }
  return found
}
