/**
 * Where the payer goes back to.
 */

/**
 * An address with `id=<payment id>` added to its query, before any fragment: where the payer goes back to the shop.
 *
 * Undefined unless it is an http or https address: no page may link to anything else, such as `javascript:`.
 */
export const returnAddress = (returnUrl: string, paymentId: number): string | undefined => {
  const [address = "", ...fragment] = returnUrl.split("#")
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&"
  return webAddress([`${address}${separator}id=${paymentId}`, ...fragment].join("#"))
}

/** An http or https address, written in ASCII as a header needs it; undefined for anything else. */
const webAddress = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { href, protocol } = new URL(text)
  return protocol === "http:" || protocol === "https:" ? href : undefined
}

/** An http or https origin, such as `http://localhost:3000`, exactly so written; undefined for anything else. */
export const webOrigin = (text: string | undefined): string | undefined => {
  if (text === undefined || webAddress(text) === undefined) return undefined
  return new URL(text).origin === text ? text : undefined
}
