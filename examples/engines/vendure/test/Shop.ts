/**
 * A Vendure server in a process of its own, that can be killed, and shoppers and an administrator who talk to it.
 */
import { strict as assert } from "node:assert"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { RunningLocalGateway } from "effect-gopay/local-gateway/promise"

const port = "3311"
export const url = `http://127.0.0.1:${port}`

const password = "a password of the test"
/** What the server prints: tests break its connections and kill it, so this is only worth reading when one fails. */
const log = openSync(join(__dirname, "../server.log"), "a")

/** The variables of a server whose gateway is this one. */
const variables = ({ merchant }: RunningLocalGateway) => ({
  ...process.env,
  PORT: port,
  SHOP_URL: url,
  SUPERADMIN_PASSWORD: password,
  GOPAY_GOID: String(merchant.goid),
  GOPAY_CLIENT_ID: merchant.clientId,
  GOPAY_CLIENT_SECRET: merchant.clientSecret,
  GOPAY_ENVIRONMENT: merchant.environment
})

export const populate = (local: RunningLocalGateway): void => {
  execFileSync(process.execPath, [join(__dirname, "populate.js")], {
    env: variables(local),
    stdio: ["ignore", log, log]
  })
}

export class Shop {
  private child: ChildProcess | undefined
  constructor(private readonly local: RunningLocalGateway) {}

  async start(): Promise<void> {
    this.child = spawn(process.execPath, [join(__dirname, "server/main.js")], {
      env: variables(this.local),
      stdio: ["ignore", log, log]
    })
    await until("the server answers", async () => {
      const response = await fetch(`${url}/health`).catch(() => undefined)
      return response?.ok === true ? true : undefined
    })
  }

  /** The lines of `npm run compare`. */
  async compare(): Promise<ReadonlyArray<string>> {
    const child = spawn(process.execPath, [join(__dirname, "server/compare.js")], {
      env: variables(this.local),
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines = (await text(child.stdout)).split("\n").filter((line) => line !== "")
    assert.equal(child.exitCode ?? (await once(child, "exit"))[0], lines.length === 0 ? 0 : 1)
    return lines
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    this.child = undefined
    const exited = once(child, "exit")
    child.kill(signal)
    await exited
  }
}

type Json = Record<string, any>

/** A visitor, logged in or not. */
export class Visitor {
  private token = ""
  constructor(private readonly api: "shop-api" | "admin-api") {}

  async ask(query: string, variables: Json = {}): Promise<any> {
    const response = await fetch(`${url}/${this.api}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(this.token && { authorization: `Bearer ${this.token}` }) },
      body: JSON.stringify({ query, variables })
    })
    this.token = response.headers.get("vendure-auth-token") ?? this.token
    const body: any = await response.json()
    if (body.errors !== undefined) throw new Error(body.errors[0].message)
    const [result] = Object.values<any>(body.data)
    if (result?.errorCode !== undefined) throw new Error(`${result.errorCode}: ${result.message}`)
    return result
  }
}

export const administrator = async (): Promise<Visitor> => {
  const visitor = new Visitor("admin-api")
  await visitor.ask(
    `mutation ($password: String!) { login(username: "superadmin", password: $password) { ... on ErrorResult { errorCode message } } }`,
    { password }
  )
  return visitor
}

/** Fills a cart up to its payment. */
export const cart = async (quantity = 1): Promise<{ readonly shopper: Visitor; readonly code: string }> => {
  const shopper = new Visitor("shop-api")
  const error = "... on ErrorResult { errorCode message }"
  await shopper.ask(`mutation { addItemToOrder(productVariantId: "1", quantity: ${quantity}) { __typename ${error} } }`)
  await shopper.ask(
    `mutation { setCustomerForOrder(input: { firstName: "Eva", lastName: "Malá", emailAddress: "eva${Math.random()}@example.com" }) { __typename ${error} } }`
  )
  await shopper.ask(
    `mutation { setOrderShippingAddress(input: { streetLine1: "Long 1", countryCode: "CZ" }) { __typename ${error} } }`
  )
  const [method] = await shopper.ask(`{ eligibleShippingMethods { id } }`)
  await shopper.ask(
    `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename ${error} } }`,
    { id: [method.id] }
  )
  const { code } = await shopper.ask(
    `mutation { transitionOrderToState(state: "ArrangingPayment") { ... on Order { code } ... on OrderStateTransitionError { errorCode message } } }`
  )
  return { shopper, code }
}

/** Begins the payment of a cart. Returns its number. */
export const begun = async (local: RunningLocalGateway, shopper: Visitor): Promise<number> => {
  const { gwUrl, message } = await shopper.ask(`mutation { createGopayPayment { gwUrl status message } }`)
  const payment = (await local.listPayments()).find(({ gw_url }) => gw_url === gwUrl)
  if (payment === undefined) throw new Error(message ?? `There is no payment at ${gwUrl}`)
  return payment.id
}

/** An order as an administrator sees it. */
export const orderOf = async (admin: Visitor, code: string): Promise<any> => {
  const { items } = await admin.ask(
    `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items {
      id code state totalWithTax lines { id }
      payments { id state amount transactionId errorMessage refunds { id state total transactionId } }
    } } }`,
    { code }
  )
  return items[0]
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
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`It did not happen: ${what}`, { cause })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
