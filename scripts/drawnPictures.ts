/**
 * The pictures of the documents that are drawn from the log of a run.
 */
import type { DrawnPicture } from "./DrawnPicture.js"
import { killPicture, twoProcessesPicture } from "./ledgerPictures.js"
import { lostResponsePicture } from "./lostResponsePicture.js"

export const drawnPictures: ReadonlyArray<DrawnPicture> = [lostResponsePicture, killPicture, twoProcessesPicture]
