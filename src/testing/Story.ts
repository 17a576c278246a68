/**
 * The story of a test shop: what happened, in order, each line with its time.
 */
import type { ChangeEvent } from "../ledger/model/Change.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { PaymentEvent } from "../ledger/model/Order.js"
import type { SubscriptionEvent } from "../ledger/model/Subscription.js"

/** Writes the story. */
export interface Story {
  /** Adds a line. */
  readonly tell: (event: string) => void
  /** Adds the line of a request. Gives what adds the gateway's response to that line. */
  readonly send: (process: string, path: string, body: string) => (status: number, response: string) => void
  /** The lines so far. */
  readonly lines: () => ReadonlyArray<string>
}

/** Begins a story. `elapsed` is the time since the shop was opened, in milliseconds. */
export const makeStory = (elapsed: () => number): Story => {
  const told: Array<string> = []
  const tell = (event: string): number => {
    const seconds = Math.floor(elapsed() / 1_000)
    const time = new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)
    return told.push(`day ${Math.floor(seconds / 86_400)} ${time} ${event}`) - 1
  }
  return {
    tell: (event) => void tell(event),
    send: (process, path, body) => {
      const line = tell(`${process} sends POST ${path}${requestDetails(body)}`)
      return (status, response) => {
        told[line] += `: ${responseDetails(status, response)}`
      }
    },
    lines: () => [...told]
  }
}

/** The texts and numbers of a JSON object or of a form. */
const fieldsOf = (body: string): { readonly [name: string]: string | number | undefined } => {
  try {
    const parsed: unknown = JSON.parse(body)
    return Object.fromEntries(
      Object.entries(Object(parsed)).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, value] as const] : []
      )
    )
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

const requestDetails = (body: string): string => {
  const { amount, currency, order_number: order } = fieldsOf(body)
  const money = [amount, currency].filter((part) => part !== undefined).join(" ")
  const details = [order === undefined ? "" : `order ${order}`, money].filter((detail) => detail !== "")
  return details.length === 0 ? "" : ` (${details.join(", ")})`
}

const responseDetails = (status: number, body: string): string => {
  const { id, result } = fieldsOf(body)
  if (status < 300) return result === undefined ? `payment ${id}` : String(result)
  const [, code] = /"error_code":\s*(\d+)/.exec(body) ?? []
  return code === undefined ? `status ${status}` : `error ${code}`
}

/** An event of `onPayment`, in words. */
export const paymentWords = ({ attention, order, refunded, status }: PaymentEvent<unknown>): string =>
  [
    `onPayment: order ${order.orderNumber} is ${status}`,
    ...(refunded > 0 ? [`${refunded} refunded`] : []),
    ...(attention === undefined ? [] : [attention])
  ].join(", ")

/** An event of `onChange`, in words. */
export const changeWords = ({ key, outcome }: ChangeEvent<unknown>): string => `onChange: ${key} is ${outcome._tag}`

/** An event of `onSubscription`, in words. */
export const subscriptionWords = ({ period, subscription, type }: SubscriptionEvent<unknown>): string =>
  `onSubscription: ${subscription.name}${period === undefined ? "" : `, ${period.period}`}: ${type}`

/** An item of `onAttention`, in words. */
export const attentionWords = ({ key, kind }: AttentionItem): string => `an operator is asked: ${kind} (${key})`

/** A call of a handler of the shop's, in words, and why it has failed. */
export const called = (words: string, failure?: string): string =>
  failure === undefined ? words : `${words}, and the handler fails: ${failure}`
