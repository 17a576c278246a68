/**
 * One operation that meets one fault.
 */
import * as Predicate from "effect/Predicate"
import { createGatewayClient, GatewayError } from "../../src/promise/index.js"
import { statement } from "../support/OperationPrograms.js"
import { type OperationCase, operations, payment, paymentId } from "../support/OperationCases.js"
import { accessToken, personalOrder } from "../support/PersonalOrder.js"
import { credentials } from "../support/Credentials.js"
import { urlOf } from "../support/ScriptedGateway.js"
import { type Fault, right, type RightAnswer } from "./WireFaults.js"
import { http, type RawAnswer, startRawGateway } from "../support/RawGateway.js"
import type { Name, Outcome } from "./Rules.js"
import { type Style, styles } from "../support/ClientStyles.js"

export interface Row {
  readonly name: Name
  readonly kind: "read" | "change"
  readonly call: OperationCase["call"]
  readonly answer: RightAnswer
}

const jsonHeader = ["content-type: application/json"]

const another = (body: unknown): unknown =>
  Predicate.isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) =>
          /^(id|parent_id|card_id)$/.test(name) && typeof value === "number" ? [name, value + 13] : [name, value]
        )
      )
    : body

const rightAnswer = (answer: OperationCase["answer"]): RightAnswer => {
  if (typeof answer === "string") throw new Error("every operation has a right answer")
  const { body, headers, status = 200 } = answer
  if (body instanceof Uint8Array) {
    const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
    return { status, body, headers: lines, aboutAnother: Buffer.from(body).toString("latin1") }
  }
  return body === undefined
    ? { status, body: "", headers: [], aboutAnother: "" }
    : { status, body: JSON.stringify(body), headers: jsonHeader, aboutAnother: JSON.stringify(another(body)) }
}

const token = JSON.stringify({ token_type: "bearer", access_token: accessToken, expires_in: 1800 })

export const tokenResponse: RightAnswer = { status: 200, body: token, headers: jsonHeader, aboutAnother: token }

const { amount, currency, order_number } = personalOrder

const asOrdered = { amount, currency, order_number }

const calls: { readonly [name in Name]?: OperationCase["call"] } = {
  createPayment: (client, ...options) => client.createPayment(personalOrder, ...options),
  // Does not check every byte of it.
  getAccountStatement: (client, ...options) => client.getAccountStatement(statement, ...options)
}

/** Every operation, and the token call before a refund. */
export const rows: ReadonlyArray<Row> = [
  ...operations.map(({ answer, call, kind, name }) => ({
    name,
    kind,
    call: calls[name] ?? call,
    answer: rightAnswer(name === "createPayment" ? { body: { ...payment, ...asOrdered } } : answer)
  })),
  {
    name: "getAccessToken",
    kind: "read",
    call: (client, ...options) => client.refundPayment(paymentId, { amount: 5_000 }, ...options),
    answer: tokenResponse
  }
]

/** An address for faults before there is a connection. */
export interface Addresses {
  readonly "refusing address": string
  readonly "stalling address": string
}

export interface Cell {
  readonly row: Row
  readonly fault: Fault
  readonly style: Style | "sockets"
  readonly addresses: Addresses
}

/** How long an attempt may take where nothing ever comes. */
const stalledFor = 150

/** And where something comes, though on a machine that has other work. */
const enough = 600_000

/** A gateway that gives the fault to some of the requests of a row, and a client of it. */
const start = async ({ addresses, fault, row, style }: Cell, isFaulty: (request: number) => boolean) => {
  const isTokenRow = row.name === "getAccessToken"
  // Where a request may be given up before it arrives, or no one is there to count.
  const countsWhatIsHandedOver = style !== "sockets" && (fault.isStalled === true || typeof fault.answer !== "function")
  let isArmed = false
  let requests = 0
  let strays = 0

  const answerCall = (): RawAnswer => {
    if (!countsWhatIsHandedOver) requests++
    return isFaulty(requests) && typeof fault.answer === "function" ? fault.answer(row.answer) : right(row.answer)
  }
  const gateway = await startRawGateway(({ path }) => {
    const isToken = path.endsWith("/oauth2/token")
    if (isArmed && isToken === isTokenRow) return answerCall()
    if (isToken) return right(tokenResponse)
    if (isArmed) strays++
    return { bytes: http(200, JSON.stringify({ ...payment, result: "FINISHED" }), jsonHeader), ending: "stay" }
  })

  /** Goes to another address once the fault is on. */
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = urlOf(input)
    if (!isArmed || url.endsWith("/oauth2/token") !== isTokenRow) return globalThis.fetch(input, init)
    if (countsWhatIsHandedOver) requests++
    const { answer } = fault
    return globalThis.fetch(typeof answer === "function" ? input : url.replace(gateway.url, addresses[answer]), init)
  }

  const timeout = fault.isStalled && isTokenRow ? stalledFor : enough
  const options = { ...credentials, environment: gateway.url, timeout }
  const client = style === "sockets" ? createGatewayClient(options) : styles[style]({ ...options, fetch })
  // A token in hand, so that the small limit is that of the call alone.
  if ((fault.isStalled || fault.isTokenInUse) && !isTokenRow) await client.getPayment(paymentId)
  isArmed = true
  const callOptions = fault.isStalled && !isTokenRow ? ([{ timeout: stalledFor }] as const) : []

  return {
    call: () => row.call(client, ...callOptions),
    sent: () => ({ requests, strays }),
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await gateway[Symbol.asyncDispose]()
    }
  }
}

/** What the fault comes to, and the error. */
export const observe = async (
  cell: Cell
): Promise<{ readonly outcome: Outcome; readonly strays: number; readonly error: unknown }> => {
  await using running = await start(cell, () => true)
  let error: unknown
  try {
    await running.call()
  } catch (failure) {
    error = failure
  }
  const { requests, strays } = running.sent()
  return { outcome: { ...outcomeOf(error), requests }, strays, error }
}

const outcomeOf = (error: unknown): Omit<Outcome, "requests"> => {
  if (error === undefined) return { reason: "success", isRetryable: false }
  if (!(error instanceof GatewayError)) throw error
  return { reason: error.reason._tag, isRetryable: error.reason.isRetryable }
}

/**
 * Repeats a call for as long as its error says that it may be, with a gateway whose fault passes after the first
 * request. Returns how often the gateway may have carried it out.
 */
export const effectsOfRepeating = async (cell: Cell): Promise<number> => {
  const passes = typeof cell.fault.answer === "function"
  await using running = await start(cell, (request) => request === 1)
  for (let repeated = 0; repeated < 5; repeated++) {
    try {
      await running.call()
      break
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      if (!error.reason.isRetryable) break
    }
  }
  const { requests } = running.sent()
  if (!passes) return cell.fault.mayBeDone ? requests : 0
  return (cell.fault.mayBeDone ? 1 : 0) + Math.max(0, requests - 1)
}
