/**
 * Pictures of QR codes.
 */
import { correction, generate } from "lean-qr"
import { toPngBuffer } from "lean-qr/extras/node_export"
import { toSvgSource } from "lean-qr/extras/svg"

/** A text as a QR code, in the format asked for: the bytes of the file. */
export const qrPicture = (text: string, format: "png" | "svg"): Uint8Array => {
  const code = generate(text, { minCorrectionLevel: correction.M })
  return format === "svg"
    ? new TextEncoder().encode(toSvgSource(code, { on: "black", off: "white" }))
    : toPngBuffer(code, { on: [0, 0, 0], off: [255, 255, 255], scale: 4 })
}
