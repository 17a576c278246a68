/**
 * Whether a text of the gateway is the one that the shop has sent. The gateway has been observed giving texts back
 * HTML-encoded (`&#34;`, `&#39;` in `additional_params`), so `A&B` may come back as `A&amp;B`.
 *
 * Only the gateway's side is ever decoded, and only once: a shop may use `A&amp;B` itself as an order number.
 */
import { ownMember } from "../basics/OwnMember.js"

/**
 * Whether the gateway's text is the one that was sent: as it came, or after one HTML decoding. None is the echo of none.
 */
export const isEchoOf = (sent: string | undefined, echoed: string | undefined): boolean =>
  echoed === sent || (echoed !== undefined && decodedOnce(echoed) === sent)

/**
 * Those whose text the gateway gave back: the ones that equal it as it came; if there are none, the one that equals it
 * after one HTML decoding. Nothing where several do, or none.
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

/** The text with each HTML entity replaced once. What is no entity, or names no character, stays. */
export const decodedOnce = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,8})|#[xX]([\da-fA-F]{1,6}));/g,
    (entity, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) =>
      name === undefined
        ? (characterOf(decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)) ?? entity)
        : (ownMember(named, name) ?? entity)
  )

const named: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The character of a number; nothing for half of one, for none, and beyond Unicode. */
const characterOf = (code: number): string | undefined =>
  code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? undefined : String.fromCodePoint(code)
