/// <reference types="node" />
/**
 * A page: one document that loads nothing, with a policy under which nothing else can run.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createHash } from "node:crypto"
import { Html, html, type Content } from "./Html.js"

/** The parts of a page. */
export interface HtmlPage {
  readonly status: number
  readonly language: "cs" | "en"
  readonly title: string
  /** A constant, never outside input. */
  readonly style: string
  /** A constant, never outside input. */
  readonly script: string
  /** The sites that may show the page in a frame. */
  readonly framedBy: "anybody" | "nobody"
  readonly body: Content
}

const sourceHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Forms may lead anywhere: browsers apply `form-action` to redirects too, and a shop can be anywhere. */
const policy = ({ framedBy, script, style }: HtmlPage): string =>
  [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    `script-src ${sourceHash(script)}`,
    "img-src data:",
    "form-action http: https:",
    "base-uri 'none'",
    `frame-ancestors ${framedBy === "anybody" ? "*" : "'none'"}`
  ].join("; ")

/** A style or script element with exactly the text that was hashed. */
const unspaced = (name: "style" | "script", text: string): Html => new Html(`<${name}>${text}</${name}>`)

/** Responds with a page. It is never cached, and its address is never passed on as a referrer. */
export const pageResponse = (page: HtmlPage): HttpServerResponse.HttpServerResponse => {
  const { text } = html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        ${unspaced("style", page.style)}
      </head>
      <body>
        ${page.body} ${unspaced("script", page.script)}
      </body>
    </html> `
  return HttpServerResponse.text(text, {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy(page),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff"
    }
  })
}
