/**
 * The command `trigger`: makes something happen to a payment of a running local gateway.
 */
import { loopbackFetch } from "../local-gateway/server/LoopbackFetch.js"
import type { PaymentResponse } from "../contract/Messages.js"
import { ownMember } from "../basics/OwnMember.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import { commandOf, CommandFailure, option, suggestion, WrongUsage } from "./Command.js"
import type { Language, Text } from "./Language.js"
import { printable } from "./OutputText.js"
import { merchantAbout, merchantVariables, paymentIdOf, withClient } from "./ShopClient.js"
import { stateText } from "./ShowCommand.js"
import { paymentStateWords } from "../contract/StateWords.js"
import { type Said, words } from "./Words.js"

/** An action of the payer at a local gateway. */
type Act = (action: string, id: number, parameters?: object) => Promise<void>

interface Trigger {
  readonly summary: Text
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
  paid: {
    summary: { en: "the payer pays by card", cs: "plátce zaplatí kartou" },
    happens: ({ id }, act) => act("pay-by-card", id)
  },
  transferred: {
    summary: { en: "a bank transfer arrives", cs: "přijde bankovní převod" },
    happens: ({ id }, act) => act("pay-by-bank-transfer", id)
  },
  "attempt-declined": {
    summary: {
      en: "the card is declined, and the payer may try again",
      cs: "karta je zamítnuta a plátce to může zkusit znovu"
    },
    happens: ({ id }, act) => act("decline-attempt", id, { sub_state: "_5006" })
  },
  declined: {
    summary: { en: "the card is declined, and the payment is over", cs: "karta je zamítnuta a platba končí" },
    happens: ({ id }, act) => act("decline", id)
  },
  canceled: {
    summary: { en: "the payer cancels", cs: "plátce platbu zruší" },
    happens: ({ id }, act) => act("cancel", id)
  },
  "timed-out": {
    summary: { en: "the payer's time runs out", cs: "plátci vyprší čas" },
    happens: ({ id }, act) => act("time-out", id)
  },
  refunded: {
    summary: { en: "all of it is refunded (it is paid first)", cs: "vrátí se celá (nejdřív se zaplatí)" },
    happens: oncePaid((id, client, amount) => client.refundPayment(id, { amount }))
  },
  "partially-refunded": {
    summary: { en: "half of it is refunded (it is paid first)", cs: "vrátí se polovina (nejdřív se zaplatí)" },
    happens: oncePaid((id, client, amount) =>
      withPartsAtOnce(() => client.refundPayment(id, { amount: Math.ceil(amount / 2) }))
    )
  },
  authorized: {
    summary: { en: "the money is held, not taken", cs: "peníze se zablokují, nestrhnou" },
    isHold: true,
    happens: paid
  },
  captured: {
    summary: { en: "the held money is taken", cs: "zablokované peníze se strhnou" },
    isHold: true,
    happens: oncePaid((id, client) => client.captureAuthorization(id))
  },
  released: {
    summary: { en: "the held money is released", cs: "zablokované peníze se uvolní" },
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
  if (!/^https?:/.test(base)) throw new CommandFailure(2, ({ trigger }) => trigger.notLocal(GOPAY_ENVIRONMENT))
  const init =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await loopbackFetch(`${base}/local-gateway${path}`, init).catch(() => {
    throw new CommandFailure(1, ({ trigger }) => trigger.noneRunning(base))
  })
  const text = await response.text()
  if (!response.headers.get("content-type")?.includes("json")) {
    throw new CommandFailure(1, ({ trigger }) => trigger.isNone(base))
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

const refusalIn = (content: unknown): Said => {
  const { error, message = content, state }: Readonly<Record<string, unknown>> = isRecord(content) ? content : {}
  return ({ language, trigger }) =>
    error === "WrongPaymentState"
      ? trigger.wrongState(String(state), paymentStateWords(String(state), language))
      : trigger.refused(String(message))
}

/** The id of the newest payment with an order number. */
const idOfOrder = async (orderNumber: string): Promise<number> => {
  const content = await control(`/payments?${new URLSearchParams({ order_number: orderNumber, limit: "1" })}`)
  const payments: ReadonlyArray<unknown> =
    isRecord(content) && Array.isArray(content["payments"]) ? content["payments"] : []
  const [newest] = payments
  if (isRecord(newest) && typeof newest["id"] === "number") return newest["id"]
  throw new CommandFailure(1, ({ trigger }) => trigger.noOrder(orderNumber))
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

const eventLines = (language: Language): string =>
  Object.entries(triggers)
    .map(([event, { summary }]) => `  ${event.padEnd(19)}${summary[language]}`)
    .join("\n")

export const triggerCommand = commandOf({
  name: "trigger",
  summary: {
    en: "make something happen to a payment of a local gateway",
    cs: "nechat něco se stát s platbou lokální brány"
  },
  usage: "trigger EVENT [ID] [--order NUMBER] [--notify URL]",
  about: {
    en: `Makes something happen to a payment of a running local gateway, which tells the shop as GoPay
would. Without ID and --order a payment of 100 CZK is made for it.

Events:
${eventLines("en")}

${merchantAbout.en}`,
    cs: `Nechá se něco stát s platbou běžící lokální brány a ta dá obchodu vědět jako GoPay.
Bez ID a --order se pro to založí platba na 100 Kč.

Události:
${eventLines("cs")}

${merchantAbout.cs}`
  },
  options: {
    order: option("NUMBER", {
      en: "the newest payment with this order number",
      cs: "nejnovější platba s tímto číslem objednávky"
    }),
    notify: option("URL", {
      en: "the notification URL of the payment that is made",
      cs: "adresa notifikací platby, která se založí"
    })
  },
  takes: 2,
  run: async (values, [event, idText], { language }) => {
    if (event === undefined) throw new WrongUsage(({ trigger }) => trigger.nameEvent)
    const trigger = ownMember(triggers, event)
    if (trigger === undefined) {
      throw new WrongUsage((said) => said.trigger.unknownEvent(event, suggestion(event, Object.keys(triggers))))
    }
    if (idText !== undefined && values.order !== undefined) throw new WrongUsage((said) => said.trigger.idOrOrder)
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
      const payment = await client.getPayment(id)
      const order = `${words[language].payment.order} ${printable(payment.order_number ?? "")}`
      console.log([`#${id}`, order, stateText(payment, language)].join("  "))
    })
  }
})
