/**
 * The account statement: a file whose format and encoding the caller knows better than the response headers say.
 */
import type { AccountStatementResponse } from "./Messages.js"

export interface ResponseFile {
  readonly data: ArrayBuffer
  readonly contentType: string | null
  readonly contentDisposition: string | null
}

/** Adds `toText` to the file's bytes. */
export const accountStatement = (file: ResponseFile): AccountStatementResponse => ({
  ...file,
  toText: (encoding) => (encoding === undefined ? detectAndDecode(file) : decoder(encoding).decode(file.data))
})

const decoder = (encoding: string): TextDecoder => {
  try {
    return new TextDecoder(encoding)
  } catch {
    throw new RangeError(
      `Unknown encoding ${JSON.stringify(encoding)}. Use a label such as "utf-8" or "windows-1250", or none to detect it.`
    )
  }
}

const detectAndDecode = ({ contentType, data }: ResponseFile): string => {
  const declared = byteOrderMark(new Uint8Array(data)) ?? charset(contentType)
  if (declared !== undefined) return new TextDecoder(declared).decode(data)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data)
  } catch {
    return decoder("windows-1250").decode(data)
  }
}

const byteOrderMark = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return undefined
}

/** The `charset` of a content type, if the runtime supports it. */
const charset = (contentType: string | null): string | undefined => {
  const label = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1]
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
