/**
 * Keeps other sites out: a page that a developer happens to visit must not move the local gateway.
 *
 * Three things are looked at. `Host`: a name that some site has pointed at this machine (DNS rebinding) is refused.
 * `Sec-Fetch-Site` and `Origin`: a browser says with them that another site asks. Programs send none of them.
 */

interface Asked {
  readonly headers: { readonly [name: string]: string | undefined }
}

const loopbackName = /^(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])$/

const addressLiteral = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/

const anyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"])

/** Host name and port of a `Host` header, as an origin; undefined when it is none. */
const originOf = (host: string): URL | undefined =>
  /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined

/**
 * Why a request is not for this gateway: it was asked for under a foreign name. Loopback names are its own, as is the
 * address `url` that it listens on; where that is every address of the machine, each can be asked for by its number.
 */
export const hostObjection = ({ headers }: Asked, url: string): string | undefined => {
  const { host } = headers
  if (host === undefined) return undefined
  const hostname = originOf(host)?.hostname ?? ""
  const own = new URL(url).hostname
  const isOwn =
    loopbackName.test(hostname) || hostname === own || (anyAddress.has(own) && addressLiteral.test(hostname))
  return isOwn ? undefined : "It was asked for by a name that is not this gateway's."
}

/** Why a request is refused as another site's; undefined when it is not. `url` is the gateway's own address. */
export const siteObjection = (asked: Asked, url: string): string | undefined => {
  const { "sec-fetch-site": site, host = new URL(url).host, origin } = asked.headers
  const objection = hostObjection(asked, url)
  if (objection !== undefined) return objection
  if (site !== undefined && site !== "same-origin" && site !== "none") return "A browser asks for another site."
  if (origin !== undefined && origin !== originOf(host)?.origin) return "A browser asks for another site."
  return undefined
}
