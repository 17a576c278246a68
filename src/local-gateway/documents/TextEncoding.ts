/**
 * Text as bytes.
 */
import { encode } from "windows-1250"

/** An encoding that statements are written in. */
export type TextEncoding = "utf-8" | "windows-1250"

const questionMark = 0x3f

/** A text in an encoding; what windows-1250 does not have becomes a question mark. */
export const encodeText = (text: string, encoding: TextEncoding): Uint8Array =>
  encoding === "utf-8"
    ? new TextEncoder().encode(text)
    : Uint8Array.from(encode(text, { mode: "replacement" }), (byte) => (byte > 0xff ? questionMark : byte))
