/**
 * An SVG picture as plain data, for whatever shows it: markup here, components or a browser's own elements elsewhere.
 */
import { escaped, Html } from "./Html.js"

/** An element of a picture. Its name and those of its attributes are constants. */
export interface SvgNode {
  readonly tag: string
  readonly attributes: { readonly [name: string]: string | number }
  readonly children: ReadonlyArray<SvgNode | string>
}

export const svgNode = (
  tag: string,
  attributes: SvgNode["attributes"],
  ...children: ReadonlyArray<SvgNode | string>
): SvgNode => ({ tag, attributes, children })

/** A picture as markup. */
export const svgMarkup = (node: SvgNode | string): Html => {
  if (typeof node === "string") return new Html(escaped(node))
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
  const children = node.children.map((child) => svgMarkup(child).text)
  return new Html(`<${node.tag}${attributes.join("")}>${children.join("")}</${node.tag}>`)
}
