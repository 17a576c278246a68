/**
 * Pictures of QR codes.
 */
import { correction, generate } from "lean-qr"
import { toSvgSource } from "lean-qr/extras/svg"
import { pngOf } from "./Png.js"

/** The light squares on each side of a code. */
const margin = 4

/** A text as a QR code, in the format asked for: the bytes of the file. */
export const qrPicture = (text: string, format: "png" | "svg"): Uint8Array => {
  const code = generate(text, { minCorrectionLevel: correction.M })
  return format === "svg"
    ? new TextEncoder().encode(toSvgSource(code, { on: "black", off: "white" }))
    : pngOf({ size: code.size + 2 * margin, isBlack: (x, y) => code.get(x - margin, y - margin) }, 4)
}
