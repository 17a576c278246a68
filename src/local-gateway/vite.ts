/// <reference types="node" />
/**
 * The local gateway as a Vite plugin without further packages. Only the needed part of Vite is declared here, so its
 * package is not needed.
 */
import { mountLocalGateway, type MountedLocalGateway, type MountLocalGatewayOptions } from "./promise/index.js"

/** The part of Vite's development server that is needed. */
export interface ViteServer {
  /** The middlewares that requests pass through. */
  readonly middlewares: {
    readonly use: (handle: (request: object, response: object, next: (error?: unknown) => void) => void) => unknown
  }
  /** Node's server; `null` if Vite is part of another server. */
  readonly httpServer: {
    readonly once: (event: "listening" | "close", listener: () => void) => unknown
    readonly address: () => string | { readonly port: number } | null
  } | null
  /** The resolved configuration. */
  readonly config: {
    readonly server: { readonly https?: object | undefined }
    readonly logger: { readonly info: (message: string) => void }
  }
}

/** A plugin of Vite. */
export interface GopayPlugin {
  /** Its name in Vite's messages. */
  readonly name: string
  /** In development only. */
  readonly apply: "serve"
  /** Mounts the gateway. */
  readonly configureServer: (server: ViteServer) => void
}

interface Running {
  readonly local: MountedLocalGateway
  readonly dataFile: string | undefined
  servers: number
}

/** The gateways of this process, keyed by their options: Vite makes a new server when its configuration changes. */
const running = new Map<string, Running>()

const keyOf = (options: MountLocalGatewayOptions): string =>
  JSON.stringify(options, (_, value: unknown) => (typeof value === "function" ? String(value) : value))

/** Variables set by this module, which it may change. */
const ours = new Map<string, string>()

const variableNames = ["GOPAY_GOID", "GOPAY_CLIENT_ID", "GOPAY_CLIENT_SECRET", "GOPAY_ENVIRONMENT"] as const

/**
 * Points a client of this process at the gateway, unless variables already point it at one: then the gateway is not
 * started.
 */
const setVariables = async (local: MountedLocalGateway, environment: string): Promise<boolean> => {
  if (variableNames.some((name) => (process.env[name] ?? ours.get(name)) !== ours.get(name))) return false
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) return false
  const { clientId, clientSecret, goid } = merchant
  const values = [String(goid), clientId, clientSecret, environment]
  for (const [index, name] of variableNames.entries()) {
    const value = values[index] ?? ""
    process.env[name] = value
    ours.set(name, value)
  }
  return true
}

const start = (server: ViteServer, options: MountLocalGatewayOptions): void => {
  const { config, httpServer, middlewares } = server
  const key = keyOf(options)
  const { dataFile } = options
  // The server before this one may still exist. Only one gateway may use a data file.
  const others = Array.from(running).filter(([other, { dataFile: file }]) => other !== key && file === dataFile)
  const closing = dataFile === undefined ? [] : others.map(([, { local }]) => local.close())
  const gateway = running.get(key) ?? { local: mountLocalGateway(options), dataFile, servers: 0 }
  const { local } = gateway
  running.set(key, gateway)
  gateway.servers += 1
  let ready: Promise<unknown> = Promise.all(closing)

  httpServer?.once("listening", () => {
    const address = httpServer.address()
    if (typeof address !== "object" || address === null) return
    const origin = `${config.server.https === undefined ? "http" : "https"}://localhost:${address.port}`
    const url = new URL(options.url ?? "/gopay", origin).href
    ready = ready.then(async () => {
      const isSet = await setVariables(local, url)
      const note = isSet ? "" : "; GOPAY_… are set already, and stay"
      config.logger.info(`  ➜  GoPay:   ${url} (local gateway, no money moves${note})`)
    })
    // Each request gets the error.
    ready.catch(() => {})
  })
  httpServer?.once("close", () => {
    gateway.servers -= 1
    if (gateway.servers > 0) return
    running.delete(key)
    void local.close()
  })
  middlewares.use((request, response, next) => {
    ready.then(() => local.node(request, response, next)).catch(next)
  })
}

/**
 * Makes a plugin of Vite that mounts a local gateway in the development server: pay page, dashboard and API are below
 * `/gopay` of the shop's own origin, and there is nothing else to start.
 *
 * ```ts
 * // vite.config.ts
 * import { gopay } from "effect-gopay/local-gateway/vite"
 * import { defineConfig } from "vite"
 *
 * export default defineConfig({ plugins: [gopay()] })
 * ```
 *
 * Code of the shop that runs in Vite's process, such as SvelteKit's, finds `GOPAY_GOID`, `GOPAY_CLIENT_ID`,
 * `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT` in `process.env`, unless one of them is set already. The gateway
 * survives a restart of Vite after a change of the configuration. A build does not contain it.
 *
 * A shop that keeps its orders in a database needs a `dataFile`: a gateway that has lost its payments would use their
 * ids again.
 */
export const gopay = (options: MountLocalGatewayOptions = {}): GopayPlugin => ({
  name: "effect-gopay",
  apply: "serve",
  configureServer: (server) => start(server, options)
})
