/**
 * The command `trigger`: makes something happen to a payment of a running local gateway.
 */
import { loopbackFetch } from "../local-gateway/server/LoopbackFetch.js"
import type { PaymentResponse } from "../contract/Messages.js"
import { ownMember } from "../basics/OwnMember.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import { commandOf, CommandFailure, option, suggestion, WrongUsage } from "./Command.js"
import { printable } from "./OutputText.js"
import { localUrl, merchantVariables, paymentIdOf, withClient } from "./ShopClient.js"

/** An action of the payer at a local gateway. */
type Act = (action: string, id: number, parameters?: object) => Promise<void>

interface Trigger {
  readonly summary: string
  /** Whether a payment created for it is a preauthorization. */
  readonly isHold?: true
  readonly happens: (payment: PaymentResponse, act: Act, client: GatewayClient) => Promise<unknown>
}

const paid = async ({ id, state }: PaymentResponse, act: Act): Promise<void> => {
  if (state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN") await act("pay-by-card", id)
}

/** What the merchant does with a payment once it is paid or held. */
const oncePaid =
  (operate: (id: number, client: GatewayClient, amount: number) => Promise<unknown>): Trigger["happens"] =>
  async (payment, act, client) => {
    await paid(payment, act)
    await operate(payment.id, client, payment.amount ?? 0)
  }

const triggers: Readonly<Record<string, Trigger>> = {
  paid: { summary: "the payer pays by card", happens: ({ id }, act) => act("pay-by-card", id) },
  transferred: { summary: "a bank transfer arrives", happens: ({ id }, act) => act("pay-by-bank-transfer", id) },
  "attempt-declined": {
    summary: "the card is declined, and the payer may try again",
    happens: ({ id }, act) => act("decline-attempt", id, { sub_state: "_5006" })
  },
  declined: { summary: "the card is declined, and the payment is over", happens: ({ id }, act) => act("decline", id) },
  canceled: { summary: "the payer cancels", happens: ({ id }, act) => act("cancel", id) },
  "timed-out": { summary: "the payer's time runs out", happens: ({ id }, act) => act("time-out", id) },
  refunded: {
    summary: "all of it is refunded (it is paid first)",
    happens: oncePaid((id, client, amount) => client.refundPayment(id, { amount }))
  },
  "partially-refunded": {
    summary: "half of it is refunded (it is paid first)",
    happens: oncePaid((id, client, amount) =>
      withPartsAtOnce(() => client.refundPayment(id, { amount: Math.ceil(amount / 2) }))
    )
  },
  authorized: { summary: "the money is held, not taken", isHold: true, happens: paid },
  captured: {
    summary: "the held money is taken",
    isHold: true,
    happens: oncePaid((id, client) => client.captureAuthorization(id))
  },
  released: {
    summary: "the held money is released",
    isHold: true,
    happens: oncePaid((id, client) => client.voidAuthorization(id))
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Calls the control API of the local gateway. */
const control = async (path: string, body?: object): Promise<unknown> => {
  const { GOPAY_ENVIRONMENT } = merchantVariables()
  const base = GOPAY_ENVIRONMENT.replace(/(\/api)?\/?$/, "")
  if (!/^https?:/.test(base))
    throw new CommandFailure(2, `trigger works at a local gateway, not at ${GOPAY_ENVIRONMENT}`)
  const init =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await loopbackFetch(`${base}/local-gateway${path}`, init).catch(() => {
    throw new CommandFailure(1, `No local gateway is running at ${base}. Start one: effect-gopay local-gateway`)
  })
  const text = await response.text()
  if (!response.headers.get("content-type")?.includes("json")) {
    throw new CommandFailure(1, `${base} is not a local gateway.`)
  }
  const content: unknown = JSON.parse(text)
  if (response.ok) return content
  throw new CommandFailure(1, refusalIn(content))
}

/** Time is not moved by the day that GoPay makes a partial refund wait, since other payments would time out. */
const withPartsAtOnce = async (refund: () => Promise<unknown>): Promise<void> => {
  const settings = await control("/settings")
  await control("/settings", { partialRefundDelaySeconds: 0 })
  try {
    await refund()
  } finally {
    if (isRecord(settings)) {
      const { partialRefundDelaySeconds } = settings
      await control("/settings", { partialRefundDelaySeconds })
    }
  }
}

const refusalIn = (content: unknown): string => {
  const { error, message = content, state }: Readonly<Record<string, unknown>> = isRecord(content) ? content : {}
  return error === "WrongPaymentState"
    ? `Refused: the payment is ${String(state)}, and this cannot happen to it any more.`
    : `Refused: ${String(message)}`
}

/** The id of the newest payment with an order number. */
const idOfOrder = async (orderNumber: string): Promise<number> => {
  const content = await control(`/payments?${new URLSearchParams({ order_number: orderNumber, limit: "1" })}`)
  const payments: ReadonlyArray<unknown> =
    isRecord(content) && Array.isArray(content["payments"]) ? content["payments"] : []
  const [newest] = payments
  if (isRecord(newest) && typeof newest["id"] === "number") return newest["id"]
  throw new CommandFailure(1, `No payment has the order number ${orderNumber}.`)
}

const made = async (client: GatewayClient, isHold: boolean, notificationUrl: string | undefined): Promise<number> => {
  const { id } = await client.createPayment({
    amount: 10_000,
    currency: "CZK",
    order_number: `trigger-${new Date().toISOString().slice(0, 19)}`,
    callback: {
      return_url: "http://localhost/return",
      ...(notificationUrl === undefined ? {} : { notification_url: notificationUrl })
    },
    ...(isHold ? { preauthorization: true } : {})
  })
  return id
}

export const triggerCommand = commandOf({
  name: "trigger",
  summary: "make something happen to a payment of a local gateway",
  about: `Usage: effect-gopay trigger EVENT [ID] [--order NUMBER] [--notify URL]

Makes something happen to a payment of a running local gateway, which tells the shop as GoPay
would. Without ID and --order a payment of 100 CZK is made for it.

Events:
${Object.entries(triggers)
  .map(([event, { summary }]) => `  ${event.padEnd(19)}${summary}`)
  .join("\n")}

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT;
when none of them is set, the one of the local gateway at ${localUrl}.`,
  options: {
    order: option("NUMBER", "the newest payment with this order number"),
    notify: option("URL", "the notification URL of the payment that is made")
  },
  takes: 2,
  run: async (values, [event, idText]) => {
    if (event === undefined) throw new WrongUsage("Name an event")
    const trigger = ownMember(triggers, event)
    if (trigger === undefined) {
      throw new WrongUsage(`Unknown event: ${event}${suggestion(event, Object.keys(triggers))}`)
    }
    if (idText !== undefined && values.order !== undefined) throw new WrongUsage("Give the payment's ID or --order")
    const act: Act = async (action, id, parameters = {}) => {
      await control(`/payments/${id}/${action}`, parameters)
    }
    await withClient(async (client) => {
      const id =
        values.order !== undefined
          ? await idOfOrder(values.order)
          : idText !== undefined
            ? paymentIdOf(idText)
            : await made(client, trigger.isHold === true, values.notify)
      await trigger.happens(await client.getPayment(id), act, client)
      const { order_number, state, sub_state } = await client.getPayment(id)
      console.log([`#${id}`, `order ${printable(order_number ?? "")}`, state, sub_state].filter(Boolean).join("  "))
    })
  }
})
