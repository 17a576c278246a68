/// <reference types="node" />
/**
 * The local gateway as a plugin of Vite, which needs no other package. Of Vite only the part that is needed is described, so its package is not.
 */
import { mountLocalGateway, type MountedLocalGateway, type MountLocalGatewayOptions } from "./promise/index.js"

/** The part of Vite's development server that is needed. */
export interface ViteServer {
  /** What requests pass through. */
  readonly middlewares: {
    readonly use: (handle: (request: object, response: object, next: (error?: unknown) => void) => void) => unknown
  }
  /** Node's server; none where Vite is part of another one. */
  readonly httpServer: {
    readonly once: (event: "listening" | "close", listener: () => void) => unknown
    readonly address: () => string | { readonly port: number } | null
  } | null
  /** The configuration, as Vite has resolved it. */
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

/** The gateways of this process, by their options: Vite makes a new server when its configuration changes. */
const running = new Map<string, Running>()

const keyOf = (options: MountLocalGatewayOptions): string =>
  JSON.stringify(options, (_, value: unknown) => (typeof value === "function" ? String(value) : value))

/** What this module has set, which it may set anew. */
const ours = new Map<string, string>()

const variableNames = ["GOPAY_GOID", "GOPAY_CLIENT_ID", "GOPAY_CLIENT_SECRET", "GOPAY_ENVIRONMENT"] as const

/** Points a client of this process at the gateway, unless it is pointed at one: then the gateway is not even started. */
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
  // The server before this one may still be there. Only one gateway may use a data file.
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
    // Each request hears of it.
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
 * `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT` in `process.env`, unless one of them is set already. The gateway lives
 * on when a change of the configuration makes Vite start again. A build has nothing of it.
 *
 * A shop that keeps its orders in a database needs a `dataFile`: a gateway that has forgotten its payments gives their
 * ids away again.
 */
export const gopay = (options: MountLocalGatewayOptions = {}): GopayPlugin => ({
  name: "effect-gopay",
  apply: "serve",
  configureServer: (server) => start(server, options)
})
