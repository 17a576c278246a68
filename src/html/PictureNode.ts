/**
 * A picture as plain data: SVG and the frame around it. It can be rendered as markup, as here, or as components.
 */
import { escaped, Html } from "./Html.js"

/** An element of a picture. The names of elements and attributes are constants. */
export interface PictureNode {
  readonly tag: string
  readonly attributes: { readonly [name: string]: string | number }
  readonly children: ReadonlyArray<PictureNode | string>
}

export const pictureNode = (
  tag: string,
  attributes: PictureNode["attributes"],
  ...children: ReadonlyArray<PictureNode | string>
): PictureNode => ({ tag, attributes, children })

/** A picture as markup. */
export const pictureMarkup = (node: PictureNode | string): Html => {
  if (typeof node === "string") return new Html(escaped(node))
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
  const children = node.children.map((child) => pictureMarkup(child).text)
  return new Html(`<${node.tag}${attributes.join("")}>${children.join("")}</${node.tag}>`)
}
