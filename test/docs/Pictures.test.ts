/**
 * The pictures of the documents that are drawn from data.
 */
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { pictureFile, withSteps } from "../../scripts/DrawnPicture.js"
import { drawnPictures } from "../../scripts/drawnPictures.js"

describe.each(drawnPictures)("the picture $file", ({ file, page, play }) => {
  it("is what the log of such a run draws, and its page lists the steps", async () => {
    const sequence = await play()
    expect(await readFile(`docs/images/${file}`, "utf8")).toBe(pictureFile(sequence))
    const text = await readFile(page, "utf8")
    expect(text).toBe(withSteps(text, file, sequence))
  })
})
