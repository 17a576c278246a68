/**
 * The story of a test shop: what happened, in order, each line with its time.
 */
import type { ChangeEvent } from "../ledger/model/Change.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { PaymentEvent } from "../ledger/model/Order.js"
import type { SubscriptionEvent } from "../ledger/model/Subscription.js"

/** Writes the story. */
export type Story = ReturnType<typeof makeStory>

/** Begins a story. `elapsed` is the time since the shop was opened, in milliseconds. */
export const makeStory = (elapsed: () => number) => {
  const lines: Array<string> = []
  const add = (event: string): number => {
    const seconds = Math.floor(elapsed() / 1_000)
    const time = new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)
    return lines.push(`day ${Math.floor(seconds / 86_400)} ${time} ${event}`) - 1
  }
  return {
    /** The lines so far. */
    lines: (): ReadonlyArray<string> => [...lines],
    /** Adds a line. */
    tell: (event: string) => void add(event),
    /** Adds the line of a request. Gives what adds the gateway's response to that line. */
    send: (process: string, path: string, body: string) => {
      const line = add(`${process} sends POST ${path}${requestDetails(body)}`)
      return (status: number, response: string) => {
        lines[line] += `: ${responseDetails(status, response)}`
      }
    },
    /** Adds the call of a handler, and why it has failed. */
    called: (event: LedgerEvent, failure?: string) =>
      void add(eventWords(event) + (failure === undefined ? "" : `, and the handler fails: ${failure}`))
  }
}

/** The members of a JSON object, or the fields of a form, as texts. */
const fieldsOf = (body: string): { readonly [name: string]: string | undefined } => {
  try {
    return Object.fromEntries(new URLSearchParams(Object(JSON.parse(body))))
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
  if (status < 300) return result === undefined ? `payment ${id}` : result
  const [, code] = /"error_code":\s*(\d+)/.exec(body) ?? []
  return code === undefined ? `status ${status}` : `error ${code}`
}

/** What a handler of the shop is called with. */
export type LedgerEvent = PaymentEvent<unknown> | ChangeEvent<unknown> | SubscriptionEvent<unknown> | AttentionItem

const eventWords = (event: LedgerEvent): string => {
  if ("kind" in event) return `an operator is asked: ${event.kind} (${event.key})`
  if ("outcome" in event) return `onChange: ${event.key} is ${event.outcome._tag}`
  if ("subscription" in event) {
    const { period, subscription, type } = event
    return `onSubscription: ${subscription.name}${period === undefined ? "" : `, ${period.period}`}: ${type}`
  }
  const { attention, order, refunded, status } = event
  return [
    `onPayment: order ${order.orderNumber} is ${status}`,
    ...(refunded > 0 ? [`${refunded} refunded`] : []),
    ...(attention === undefined ? [] : [attention])
  ].join(", ")
}
