import { describe, expect, it } from "vitest"
import { releaseChangelog } from "../../scripts/changelog.js"

const released = "## [1.0.0] - 2026-01-31\n\n- First.\n"

describe("a release", () => {
  it.each(["## [Unreleased]", "## [1.1.0] - unreleased"])(
    "gives what stands under %s its version and day",
    (heading) => {
      expect(
        releaseChangelog(`# Changelog\n\n${heading}\n\n- Second, for $& crowns.\n\n${released}`, "1.1.0", "2026-02-28")
      ).toBe(`# Changelog\n\n## [1.1.0] - 2026-02-28\n\n- Second, for $& crowns.\n\n${released}`)
    }
  )

  it("takes the last section too", () => {
    expect(releaseChangelog("## [Unreleased]\n\n- First.\n", "1.0.0", "2026-01-31")).toBe(released)
  })

  it("is refused when the changelog says nothing of it", () => {
    expect(() => releaseChangelog(released, "1.1.0", "2026-02-28")).toThrow(/no section that is unreleased/)
    expect(() => releaseChangelog(`## [Unreleased]\n\n${released}`, "1.1.0", "2026-02-28")).toThrow(/no changes/)
  })
})
