/**
 * Calls to the gateway, and the responses of its control API.
 */
import type { CreatePaymentRequest, PaymentResponse, RefundHistoryItem } from "../../../contract/Messages.js"
import type { controlEndpoints } from "../ControlEndpoints.js"
import type { DashboardCatalogue } from "../Dashboard.js"
import type { LogEntry } from "../LogEntry.js"

/** The gateway refused or did not respond. */
export class ControlFailure extends Error {
  /** 0 when there was no response. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The path below which the gateway is mounted: this module knows its own address. */
export const base = new URL(import.meta.url).pathname.replace(/\/local-gateway\/dashboard\/.*$/, "")

/** After this time the gateway counts as not responding. */
const maxReadMillis = 5000

/** A response. */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly millis: number
}

/** Sends a request, and returns its response whatever the status. */
export const send = async (path: string, init: RequestInit): Promise<Reply> => {
  const begun = performance.now()
  try {
    const response = await fetch(`${base}${path}`, { ...init, cache: "no-store" })
    return { status: response.status, body: await response.text(), millis: performance.now() - begun }
  } catch {
    throw new ControlFailure("The gateway did not respond.", 0)
  }
}

/** The gateway's message about a refusal. */
const refusalIn = ({ body, status }: Reply): string => {
  try {
    const { message }: { readonly message?: string } = JSON.parse(body)
    if (message !== undefined) return message
  } catch {
    // Not a response of the gateway, but of something in between, such as a proxy.
  }
  return `The gateway responded with status ${status}: ${body}`
}

/**
 * Sends a request, and returns the JSON of its response, which is trusted to be as documented. Fails if it is refused.
 */
export const call = async <Response>(path: string, init: RequestInit): Promise<Response> => {
  const reply = await send(path, init)
  if (reply.status >= 400) throw new ControlFailure(refusalIn(reply), reply.status)
  return JSON.parse(reply.body || "{}")
}

/** The parameters of a query. */
export interface Query {
  readonly [name: string]: string | number
}

const prefix = "/local-gateway"

/** Reads from the control API. */
export const read = async <Path extends keyof Views>(path: Path, query: Query = {}): Promise<Views[Path]> => {
  const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const address = `${prefix}${path}${given.size === 0 ? "" : `?${given.toString()}`}`
  return call(address, { signal: AbortSignal.timeout(maxReadMillis) })
}

/** Makes a change through the control API. There is no time limit: a lot can happen when time moves by a month. */
export const change = <Response>(path: string, body: unknown = {}): Promise<Response> =>
  call(`${prefix}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

type Response<Name extends keyof typeof controlEndpoints> = (typeof controlEndpoints)[Name]["response"]["Type"]

/** A summary of the gateway. */
export type State = Response<"getState">

/** A payment in the books; amounts are in minor units. */
export type PaymentView = Omit<Response<"getPayment">["payment"], "payment"> & { readonly payment: PaymentResponse }

/** One payment and its history. */
export type PaymentDetail = Omit<Response<"getPayment">, "payment" | "order" | "refunds"> & {
  readonly payment: PaymentView
  readonly order: CreatePaymentRequest
  readonly refunds: ReadonlyArray<RefundHistoryItem>
}

/** The views that are read, by path. */
export interface Views {
  readonly "/clearings": Response<"listClearings">
  readonly "/dashboard/catalogue.json": DashboardCatalogue
  readonly "/due": Response<"listDue">
  readonly "/faults": Response<"listFaults">
  readonly "/log": Response<"getLog">
  readonly "/merchants": Response<"listMerchants">
  readonly "/notifications": Response<"listNotifications">
  readonly "/payments": Omit<Response<"listPayments">, "payments"> & { readonly payments: ReadonlyArray<PaymentView> }
  readonly "/settings": Response<"getSettings">
  readonly "/state": State
  readonly [payment: `/payments/${string}`]: PaymentDetail
}

export type { LogEntry }

/** Entries of the log of some types. */
export type EntryOf<Type extends LogEntry["type"]> = Extract<LogEntry, { readonly type: Type }>
