/**
 * A session in the fragment of an address: the chapter, the code and the gateway's books, compressed. It reaches no
 * server.
 */
import { membersOf } from "./Exchange.js"

export interface Session {
  readonly code: string
  readonly books: unknown
}

const through = async (bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

/** The fragment of a chapter's session, such as `#refund~H4sI…`. */
export const sessionFragment = async (chapter: string, session: Session): Promise<string> => {
  const bytes = await through(JSON.stringify(session), new CompressionStream("gzip"))
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  return `#${chapter}~${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`
}

/** The session in a fragment; undefined where there is none, or none that can be read. */
export const sessionIn = async (fragment: string): Promise<Session | undefined> => {
  const [, text] = fragment.split("~")
  if (text === undefined) return undefined
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
    const bytes = await through(packed, new DecompressionStream("gzip"))
    const { books, code } = membersOf(JSON.parse(new TextDecoder().decode(bytes)))
    return typeof code === "string" ? { code, books } : undefined
  } catch {
    return undefined
  }
}
