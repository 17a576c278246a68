/**
 * Keeps other sites out: a page that a developer happens to visit must not operate the local gateway.
 *
 * Such a page has two ways in. It can send requests to the gateway's address; browsers mark these with `Sec-Fetch-Site`
 * and `Origin`. Or its owner points a domain name at this machine (DNS rebinding), so that the browser takes the
 * gateway for the page's own site; only `Host` reveals that. Programs send the right `Host` and neither of the other
 * headers.
 */
import { isLoopback } from "../../basics/Loopback.js"

/** The headers of a request, by lower-case name. */
interface RequestHeaders {
  readonly [name: string]: string | undefined
}

/** Says why a request must be refused; `undefined` if it need not be. */
export interface SameOriginGuard {
  /** Refuses names that are not the gateway's. */
  readonly hostObjection: (headers: RequestHeaders) => string | undefined
  /** Refuses such names, and everything that a browser sends on behalf of another site. */
  readonly siteObjection: (headers: RequestHeaders) => string | undefined
}

const addressLiteral = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/

const anyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"])

/** A `Host` header as an origin; `undefined` if it is not a name with an optional port. */
const originOf = (host: string): URL | undefined =>
  /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined

/** Whether a text is the name of a host, or an address, without a port. */
export const isHostName = (text: string): boolean => {
  const origin = originOf(text)
  return origin !== undefined && origin.port === "" && !/:\d*$/.test(text.replace(/^\[[\da-f:.]+\]$/i, ""))
}

const foreignHost = (hostname: string): string =>
  hostname === ""
    ? "The Host header is not a valid name."
    : `This local gateway does not answer to the name ${hostname}, because a web page could have pointed that name at this machine. Call it localhost, or start it with --allow-host ${hostname} (in code: allowHosts: ["${hostname}"]).`

const otherSite = "A browser sent this request for another site."

/** The names of a gateway. */
interface GatewayNames {
  /** Its address as clients know it. */
  readonly url: string
  /** The host that it listens on, if that differs from the one in `url`. */
  readonly host?: string
  readonly allowHosts?: ReadonlyArray<string>
}

/** The host name of an address to listen on, such as `[::1]` for `::1`. */
const hostnameOf = (host: string): string | undefined =>
  originOf(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host)?.hostname

/**
 * The guard of a gateway. Its names are those of loopback, of its address and host, and `allowHosts`, each with any
 * port. If it listens on every address of the machine, numeric addresses are allowed as well, since they cannot be
 * rebound.
 */
export const sameOriginGuard = ({ allowHosts = [], host = "localhost", url }: GatewayNames): SameOriginGuard => {
  const own = new URL(url)
  const names = new Set([own.hostname, hostnameOf(host), ...allowHosts.map(hostnameOf)])
  const isOwn = (hostname: string) =>
    isLoopback(hostname) || names.has(hostname) || (anyAddress.has(host) && addressLiteral.test(hostname))

  const hostObjection = ({ host }: RequestHeaders): string | undefined => {
    if (host === undefined) return undefined
    const hostname = originOf(host)?.hostname ?? ""
    return isOwn(hostname) ? undefined : foreignHost(hostname)
  }

  return {
    hostObjection,
    siteObjection: (headers) => {
      const { "sec-fetch-site": site, host = own.host, origin } = headers
      const objection = hostObjection(headers)
      if (objection !== undefined) return objection
      if (site !== undefined && site !== "same-origin" && site !== "none") return otherSite
      // The gateway's own address may be that of an HTTPS proxy.
      if (origin !== undefined && origin !== originOf(host)?.origin && origin !== own.origin) return otherSite
      return undefined
    }
  }
}
