/**
 * Compares a text from the gateway with the one that the shop sent. The gateway has been observed to return texts
 * HTML-encoded (`&#34;`, `&#39;` in `additional_params`), so `A&B` may come back as `A&amp;B`.
 *
 * Only the gateway's side is ever decoded, and only once: a shop may use `A&amp;B` itself as an order number.
 */
import { ownMember } from "../basics/OwnMember.js"

/**
 * Whether the gateway's text is the one that was sent: unchanged, or after one HTML decoding. Two absent texts are
 * equal.
 */
export const isEchoOf = (sent: string | undefined, echoed: string | undefined): boolean =>
  echoed === sent || (echoed !== undefined && decodedOnce(echoed) === sent)

/**
 * The items whose text the gateway returned: those that equal it unchanged; if there are none, the one that equals it
 * after one HTML decoding. Empty if there is none, or if several do.
 */
export const echoedBy = <Item>(
  items: ReadonlyArray<Item>,
  echoed: string,
  textOf: (item: Item) => string | undefined
): ReadonlyArray<Item> => {
  const equal = items.filter((item) => textOf(item) === echoed)
  if (equal.length > 0) return equal
  const text = decodedOnce(echoed)
  const decoded = items.filter((item) => textOf(item) === text)
  return decoded.length === 1 ? decoded : []
}

/** Replaces each HTML entity in a text once. Other text, and entities that are not characters, stay. */
export const decodedOnce = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,8})|#[xX]([\da-fA-F]{1,6}));/g,
    (entity, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) =>
      name === undefined
        ? (characterOf(decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)) ?? entity)
        : (ownMember(named, name) ?? entity)
  )

const named: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The character with a number; `undefined` for a surrogate, an invalid number, and beyond Unicode. */
const characterOf = (code: number): string | undefined =>
  code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? undefined : String.fromCodePoint(code)
