/**
 * The pictures of the documents that are drawn from data.
 */
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { lostResponsePicture } from "../../scripts/lostResponsePicture.js"

it("the picture of a lost response is what the log of such a refund draws", async () => {
  expect(await readFile("docs/images/lost-response.svg", "utf8")).toBe(await lostResponsePicture())
})
