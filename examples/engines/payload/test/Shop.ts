/**
 * A Payload server in a process of its own, that can be killed, and buyers and an administrator who talk to it.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { RunningLocalGateway } from "effect-gopay/local-gateway/promise"

const port = "3313"
export const url = `http://127.0.0.1:${port}`

const password = "a password of the test"
const here = import.meta.dirname
/** What the server prints: tests break its connections and kill it, so this is only worth reading when one fails. */
const log = openSync(join(here, "../server.log"), "a")

/** The variables of a server whose gateway is this one. */
const variables = ({ merchant }: RunningLocalGateway) => ({
  ...process.env,
  NODE_ENV: "test" as const,
  PORT: port,
  SHOP_URL: url,
  ADMIN_PASSWORD: password,
  GOPAY_GOID: String(merchant.goid),
  GOPAY_CLIENT_ID: merchant.clientId,
  GOPAY_CLIENT_SECRET: merchant.clientSecret,
  GOPAY_ENVIRONMENT: merchant.environment
})

type Json = Record<string, any>

/** A visitor, logged in or not. */
export class Visitor {
  constructor(private readonly token = "") {}

  async ask(method: string, path: string, body?: Json): Promise<any> {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { "content-type": "application/json", ...(this.token && { authorization: `JWT ${this.token}` }) },
      ...(body && { body: JSON.stringify(body) })
    })
    const answer: any = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${answer.message ?? answer.errors[0].message}`)
    return answer
  }

  /** The documents of a collection, with what they refer to. */
  async find(collection: string, where: Record<string, string | number>): Promise<ReadonlyArray<any>> {
    const query = Object.entries(where).map(([field, value]) => `where[${field}][equals]=${value}`)
    return (await this.ask("GET", `${collection}?depth=0&limit=0&${query.join("&")}`)).docs
  }
}

/** A cart, and the secret with which its buyer proves to be its buyer. */
export interface Cart {
  readonly buyer: Visitor
  readonly cartID: number
  readonly secret: string
  readonly customerEmail: string
}

export class Shop {
  private child: ChildProcess | undefined

  constructor(private readonly local: RunningLocalGateway) {}

  /** Fills an empty database. */
  populate(): void {
    execFileSync(process.execPath, [join(here, "populate.js")], {
      env: variables(this.local),
      stdio: ["ignore", log, log]
    })
  }

  async start(): Promise<void> {
    this.child = spawn(process.execPath, [join(here, "server.js")], {
      env: variables(this.local),
      stdio: ["ignore", log, log]
    })
    await until("the server answers", async () => (await fetch(`${url}/api/products`).catch(() => undefined))?.ok)
  }

  /** Whether its process has ended: Payload's own pool ends it when an idle connection breaks. */
  get hasEnded(): boolean {
    return this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (child === undefined || this.hasEnded) return
    const exited = once(child, "exit")
    child.kill(signal)
    await exited
  }

  /** The lines of `npm run compare`. */
  async compare(): Promise<ReadonlyArray<string>> {
    const { stdout } = spawn(process.execPath, [join(here, "compare.js")], { env: variables(this.local) })
    return (await text(stdout)).split("\n").filter((line) => /^(Payment|Refund) /.test(line))
  }

  async logIn(role: "admin" | "customer"): Promise<Visitor> {
    const { token } = await new Visitor().ask("POST", "users/login", { email: `${role}@example.com`, password })
    return new Visitor(token)
  }
}

/** Fills the cart of a guest, or of a customer. */
export const fill = async (buyer = new Visitor(), customer?: number): Promise<Cart> => {
  const { doc } = await buyer.ask("POST", "carts", { currency: "CZK", items: [{ product: 1, quantity: 1 }], customer })
  return { buyer, cartID: doc.id, secret: doc.secret, customerEmail: "eva@example.com" }
}

/** Begins the payment of a cart. Returns its number. */
export const begin = async ({ buyer, ...cart }: Cart): Promise<number> => {
  const { gwUrl, message, paymentId } = await buyer.ask("POST", "payments/gopay/initiate", cart)
  if (gwUrl === undefined) throw new Error(message)
  return paymentId
}

/** Asks for the order of a cart, as a storefront does. */
export const confirm = ({ buyer, ...cart }: Cart): Promise<{ readonly orderID: number }> =>
  buyer.ask("POST", "payments/gopay/confirm-order", cart)

/** Retries until there is a result. */
export const until = async <A>(what: string, ask: () => Promise<A | undefined | false>): Promise<A> => {
  const end = Date.now() + 60_000
  for (;;) {
    let cause: unknown
    const answer = await ask().catch((error) => {
      cause = error
      return undefined
    })
    if (answer !== undefined && answer !== false && answer !== null) return answer
    if (Date.now() > end) throw new Error(`It did not happen: ${what}`, { cause })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
