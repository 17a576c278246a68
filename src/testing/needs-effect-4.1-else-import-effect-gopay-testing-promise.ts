/**
 * The entry with the layers for tests, by a name that explains itself: when `effect` is missing or too old for
 * it, its modules cannot be loaded, so that no code of ours can say so. But whatever loads them names the file that
 * asked first, and with it the entry that needs none.
 */
// oxlint-disable-next-line import/no-unassigned-import -- what it is for is that it fails
import "effect/http/HttpClient"

export * from "./index.js"
