/**
 * The path of a caller-defined request. It has to stay in the API's folder, whoever reads it on its way: URL parsers
 * drop control characters and resolve dots, proxies decode, once or more often, and servers cut parameters off.
 */
import { isWellFormed } from "../../contract/PlainData.js"
import { mark } from "../error/Redaction.js"

const leavesFolder =
  "must have no . or .. in it, no backslash, and no /, ? or # that is encoded: it has to stay below the API's address"

/** Why a path cannot be sent, if it cannot. */
export const pathProblem = (path: string): string | undefined => {
  if (!/^\/(?!\/)/.test(path)) return "must start with one slash, such as /payments/payment/1"
  if (!isWellFormed(path) || /[\s\p{Cc}#]/u.test(path)) return "must have no blanks, control characters or #"
  const [folders = ""] = path.split("?")
  const decoded = /%(?![\da-f]{2})/i.test(folders) ? undefined : fullyDecoded(folders)
  if (decoded === undefined) return "must be percent-encoded correctly, as UTF-8"
  const hasMore = /[\\?#\p{Cc}]/u.test(decoded) || decoded.split("/").length > folders.split("/").length
  return hasMore || /(^|\/)\s*\.{1,2}\s*(;[^/]*)?(\/|$)/.test(decoded) ? leavesFolder : undefined
}

/**
 * Decoded until nothing changes, and with compatible characters, such as a full-width dot, as what they stand for;
 * nothing where it is no UTF-8.
 */
const fullyDecoded = (text: string): string | undefined => {
  try {
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent).normalize("NFKC")
    return decoded === text ? text : fullyDecoded(decoded)
  } catch {
    return undefined
  }
}

/** Words, as the API's own folders, versions and the ids of payments and cards. What else a path names may be secret. */
const isPublic = (folder: string): boolean =>
  folder === "" || (folder.length <= 40 && /^(?:[a-z]+\d?(?:[-_][a-z]+\d?)*|\d{1,11})$/i.test(folder))

/** The folders of a path that may be shown: others are replaced. */
export const shownPath = (path: string): string =>
  foldersOf(path)
    .map((folder) => (isPublic(folder) ? folder : mark))
    .join("/")

/** What a path sends that may be secret: folders, and the members of its query. */
export const sentInPath = (path: string): ReadonlyArray<string | { readonly [name: string]: string }> => {
  const [, query = ""] = path.split(/\?(.*)/s)
  return [
    ...foldersOf(path).filter((folder) => !isPublic(folder)),
    ...Array.from(new URLSearchParams(query), ([name, value]) => ({ [name]: value }))
  ]
}

const foldersOf = (path: string): ReadonlyArray<string> => (path.split("?")[0] ?? "").split("/")
