/**
 * The payer's way back to the shop.
 */

/**
 * The return address with `id=<payment id>` in its query, before any fragment.
 *
 * `undefined` for anything but http and https: no page may link to `javascript:` and the like.
 */
export const returnAddress = (returnUrl: string, paymentId: number): string | undefined => {
  const [address = "", ...fragment] = returnUrl.split("#")
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&"
  return webAddress([`${address}${separator}id=${paymentId}`, ...fragment].join("#"))
}

/** An http or https address, in ASCII as headers need it; undefined for anything else. */
const webAddress = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { href, protocol } = new URL(text)
  return protocol === "http:" || protocol === "https:" ? href : undefined
}

/** An http or https origin in its canonical form, such as `http://localhost:3000`; undefined for anything else. */
export const webOrigin = (text: string | undefined): string | undefined => {
  if (text === undefined || webAddress(text) === undefined) return undefined
  return new URL(text).origin === text ? text : undefined
}
