/**
 * A Medusa server in a process of its own, that can be killed, and shoppers and an administrator who talk to it.
 */
import { type ChildProcess, execFile, execFileSync, spawn, type StdioOptions } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { RunningLocalGateway } from "effect-gopay/local-gateway/promise"

const port = "3312"
export const url = `http://127.0.0.1:${port}`
const server = __dirname
const medusa = join(server, "../node_modules/.bin/medusa")
const run = promisify(execFile)
const password = "a password of the test"
/** What Medusa prints: tests break its connections and kill it, so this is only worth reading when one fails. */
const log = openSync(join(server, "server.log"), "a")
const stdio: StdioOptions = ["ignore", log, log]

/** The variables of a server whose gateway is this one. */
const variables = ({ merchant }: RunningLocalGateway) => ({
  ...process.env,
  NODE_ENV: "production",
  PORT: port,
  SHOP_URL: url,
  MEDUSA_DISABLE_TELEMETRY: "true",
  LOG_LEVEL: "warn",
  GOPAY_GOID: String(merchant.goid),
  GOPAY_CLIENT_ID: merchant.clientId,
  GOPAY_CLIENT_SECRET: merchant.clientSecret,
  GOPAY_ENVIRONMENT: merchant.environment
})

interface Seed {
  readonly key: string
  readonly region: string
  readonly variant: string
}

export class Shop {
  private child: ChildProcess | undefined
  private seed: Seed = { key: "", region: "", variant: "" }
  private token = ""

  constructor(private readonly local: RunningLocalGateway) {}

  /** Fills an empty database. */
  populate(): void {
    const SEED_RESULT = join(mkdtempSync(join(tmpdir(), "seed-")), "seed.json")
    const env = { ...variables(this.local), SEED_RESULT }
    execFileSync(medusa, ["db:migrate"], { cwd: server, env, stdio })
    execFileSync(medusa, ["exec", "./seed.js"], { cwd: server, env, stdio })
    execFileSync(medusa, ["user", "-e", "eva@example.com", "-p", password], { cwd: server, env, stdio })
    this.seed = JSON.parse(readFileSync(SEED_RESULT, "utf8"))
  }

  async start(): Promise<void> {
    this.child = spawn(medusa, ["start"], { cwd: server, env: variables(this.local), stdio })
    await until("the server answers", async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok)
    const { token } = await this.ask("POST", "/auth/user/emailpass", { email: "eva@example.com", password })
    this.token = token
  }

  /** Kills it: on SIGTERM it waits for every connection that it has accepted, forever if one was lost. */
  async kill(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    this.child = undefined
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
  }

  /** The lines of `npm run compare`. */
  async compare(): Promise<ReadonlyArray<string>> {
    const { stdout } = await run(medusa, ["exec", "./compare.js"], {
      cwd: server,
      env: variables(this.local)
    })
    return stdout.split("\n").filter((line) => /^(Payment|Refund) /.test(line))
  }

  async ask(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(url + path, {
      method,
      headers: {
        "content-type": "application/json",
        "x-publishable-api-key": this.seed.key,
        ...(this.token !== "" && path.startsWith("/admin") && { authorization: `Bearer ${this.token}` })
      },
      ...(body && { body: JSON.stringify(body) })
    })
    const answer: any = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${answer.message}`)
    return answer
  }

  /** Fills a cart up to its payment. */
  async cart(quantity = 1): Promise<string> {
    const { cart } = await this.ask("POST", "/store/carts", {
      region_id: this.seed.region,
      email: "eva@example.com",
      items: [{ variant_id: this.seed.variant, quantity }]
    })
    return cart.id
  }

  async addToCart(cart: string): Promise<void> {
    await this.ask("POST", `/store/carts/${cart}/line-items`, { variant_id: this.seed.variant, quantity: 1 })
  }

  /** Begins the payment of a cart. Returns its number. */
  async begun(cart_id: string, provider_id = "pp_gopay_gopay"): Promise<number> {
    const { payment_collection: collection } = await this.ask("POST", "/store/payment-collections", { cart_id })
    const path = `/store/payment-collections/${collection.id}/payment-sessions`
    const { payment_collection } = await this.ask("POST", path, { provider_id })
    const [session] = payment_collection.payment_sessions
    return session.data.paymentId
  }

  /** The payment of the order made from a cart, as an administrator sees it; `undefined` before that. */
  async paymentOf(paymentId: number): Promise<any> {
    const fields = "id,amount,captured_at,canceled_at,data,refunds.*,captures.*,payment_collection.order.id"
    const { payments } = await this.ask("GET", `/admin/payments?limit=1000&fields=${fields}`)
    return payments.find(({ data }: any) => data.paymentId === paymentId)
  }
}

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
