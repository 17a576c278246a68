/**
 * What can be done with a payment: one bar with what the payer, the shop and bad luck do.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { ownMember } from "../../../contract/OwnMember.js"
import { change } from "./api.js"
import type { PaymentDetail, PaymentView } from "./controlResponses.js"
import { orderAsCurl, orderAsTypeScript } from "./copies.js"
import { minorUnits } from "./format.js"
import { Button, Choice, Copy, Finder, Menu, orderName, Text } from "./parts.js"
import { declineReasons, reasonText } from "./sentences.js"
import { accessOf, catalogue } from "./state.js"

type PayerAction = PaymentView["actions"][number]
type ShopAction = PaymentView["merchant_actions"][number]

const payerLabels: { readonly [Action in PayerAction]: string } = {
  "pay-by-card": "Pay by card",
  "pay-by-bank-transfer": "Bank transfer arrives",
  "choose-payment-method": "Choose this method",
  "decline-attempt": "Decline the attempt",
  decline: "Decline the payment",
  cancel: "Cancel the payment",
  "time-out": "Time out"
}

const shopLabels: { readonly [Action in ShopAction]: string } = {
  refund: "Refund",
  capture: "Capture",
  release: "Release the hold",
  charge: "Charge again",
  "stop-recurrence": "Stop the recurrence",
  "resend-notification": "Resend the notification",
  "order-again": "Order again"
}

/** What is said of a payment after an action of its payer. */
const payerOutcome = (action: PayerAction, after: PaymentView, reason: string): string => {
  const { state } = after.payment
  if (action !== "decline-attempt" && action !== "decline") return `${orderName(after)} is ${state}.`
  const why = reasonText(reason, catalogue().paymentSubStates)
  return state === "CANCELED"
    ? `The payment was declined: ${why}. It is CANCELED.`
    : `The attempt was declined: ${why}. The payer may try again.`
}

const act = (id: number, action: PayerAction | ShopAction, body: object = {}): Promise<PaymentView> =>
  change<PaymentView>(`/payments/${id}/${action}`, body)

/** A line of a menu, without those parts that are not offered. */
const Line = ({ children, isShown = true }: { readonly children: ComponentChildren; readonly isShown?: boolean }) =>
  isShown ? <div class="group">{children}</div> : null

const Payer = ({ view }: { readonly view: PaymentView }) => {
  const { paymentInstruments, paymentSubStates, testCards } = catalogue()
  const card = useSignal("0")
  const reason = useSignal("_5006")
  const method = useSignal("BANK_ACCOUNT")
  const offers = (action: PayerAction) => view.actions.includes(action)
  const bodies: { readonly [action: string]: () => object } = {
    "pay-by-card": () => ({ card_number: testCards[Number(card.value)]?.number }),
    "choose-payment-method": () => ({ payment_instrument: method.value }),
    "decline-attempt": () => ({ sub_state: reason.value }),
    decline: () => ({ sub_state: reason.value })
  }
  const button = (action: PayerAction) =>
    offers(action) ? (
      <Button
        key={action}
        id={action}
        {...(action === "pay-by-card" ? { class: "primary" } : {})}
        action={async () =>
          payerOutcome(action, await act(view.id, action, ownMember(bodies, action)?.() ?? {}), reason.value)
        }
      >
        {payerLabels[action]}
      </Button>
    ) : null
  const cards = testCards.map(({ brand, number }, index) => [String(index), `${brand} …${number.slice(-4)}`] as const)
  return (
    <>
      {offers("pay-by-card") ? (
        <>
          {button("pay-by-card")}
          <Choice
            aria-label="Test card"
            data-testid="card"
            options={cards}
            value={card.value}
            onPick={(chosen) => (card.value = chosen)}
          />
        </>
      ) : null}
      {view.actions.some((action) => action !== "pay-by-card") ? (
        <Menu id="simulate" label="Payer">
          <Line>
            {button("pay-by-bank-transfer")}
            {button("cancel")}
            {button("time-out")}
          </Line>
          <Line isShown={offers("decline")}>
            <Finder
              label="Reason for declining"
              id="reason"
              options={declineReasons(paymentSubStates)}
              value={reason.value}
              onPick={(code) => (reason.value = code)}
            />
            {button("decline-attempt")}
            {button("decline")}
          </Line>
          <Line isShown={offers("choose-payment-method")}>
            <Finder
              label="Payment method"
              id="method"
              options={Object.entries(paymentInstruments)}
              value={method.value}
              onPick={(code) => (method.value = code)}
            />
            {button("choose-payment-method")}
          </Line>
        </Menu>
      ) : null}
    </>
  )
}

const typed = (amount: number): string => (amount / 100).toFixed(2)

/** A field for an amount, and the button of what is done with it. */
const WithAmount = ({
  action,
  amount,
  label,
  said,
  view,
  whole
}: {
  readonly action: ShopAction
  readonly amount: number
  readonly label: string
  readonly view: PaymentView
  /** The amount that is taken as the whole without naming it, as by the API. */
  readonly whole?: number
  readonly said: (after: PaymentView) => string
}) => {
  const text = useSignal<string | undefined>(undefined)
  const isWrong = useSignal(false)
  const field = text.value ?? typed(amount)
  const body = () => {
    const given = minorUnits(field)
    isWrong.value = given === undefined
    if (given === undefined) throw new Error("This is not an amount, such as 1399.50.")
    return given === whole ? {} : { amount: given }
  }
  const run = async () => {
    const after = await act(view.id, action, body())
    text.value = undefined
    return said(after)
  }
  return (
    <>
      <Text
        more={{
          inputMode: "decimal",
          size: 10,
          "aria-label": label,
          "aria-invalid": isWrong.value,
          "data-testid": `${action}-amount`
        }}
        value={field}
        onType={(amount) => (text.value = amount)}
      />
      <Button id={action} action={run}>
        {shopLabels[action]}
      </Button>
    </>
  )
}

const isNow = (after: PaymentView): string => `${orderName(after)} is ${after.payment.state}.`

const isNew = (after: PaymentView): string => `The new payment ${after.id} is ${after.payment.state}.`

const Shop = ({ detail }: { readonly detail: PaymentDetail }) => {
  const { order, payment: view } = detail
  const { amount } = view.payment
  const offers = (action: ShopAction) => view.merchant_actions.includes(action)
  const button = (action: ShopAction, said = isNow) =>
    offers(action) ? (
      <Button key={action} id={action} action={async () => said(await act(view.id, action))}>
        {shopLabels[action]}
      </Button>
    ) : null
  const copy = (label: string, id: string, write: typeof orderAsCurl) => (
    <Copy
      id={id}
      text={async () => write(order, await accessOf(view.goid))}
      done="The order is on the clipboard, with the credentials of this gateway."
    >
      {label}
    </Copy>
  )
  return (
    <Menu id="shop" label="Shop">
      <Line isShown={offers("refund")}>
        <WithAmount action="refund" label="Amount to refund" amount={view.refundable} view={view} said={isNow} />
      </Line>
      <Line isShown={offers("capture")}>
        <WithAmount
          action="capture"
          label="Amount to capture"
          amount={amount}
          whole={amount}
          view={view}
          said={isNow}
        />
        {button("release")}
      </Line>
      <Line isShown={offers("charge")}>
        <WithAmount action="charge" label="Amount to charge" amount={amount} view={view} said={isNew} />
      </Line>
      <Line>
        {button("stop-recurrence")}
        {button("resend-notification", () => "The notification was sent once more.")}
        {button("order-again", isNew)}
      </Line>
      <Line isShown={window.isSecureContext}>
        <span class="quiet">Copy the order as</span>
        {copy("curl", "copy-curl", orderAsCurl)}
        {copy("TypeScript", "copy-typescript", orderAsTypeScript)}
      </Line>
    </Menu>
  )
}

type Step = readonly [action: PayerAction | ShopAction, body?: object]

/** Actions one after another. */
const playing =
  (id: number, ...steps: ReadonlyArray<Step>) =>
  async (): Promise<string> => {
    let after: PaymentView | undefined
    for (const [action, body] of steps) after = await act(id, action, body)
    return after === undefined ? "" : isNow(after)
  }

/** The payer orders again, and both are paid. */
const paidTwice = (id: number) => async (): Promise<string> => {
  await act(id, "pay-by-card")
  const again = await act(id, "order-again")
  return isNew(await act(again.id, "pay-by-card"))
}

const silent = async (): Promise<string> => {
  await change("/faults", { fault: { type: "noResponse" } })
  return "The next call of the gateway gets no response."
}

/** What shops are seldom tested with, each by one button. */
const Accidents = ({ view: { actions, id } }: { readonly view: PaymentView }) => {
  const [canDecline, canTransfer, canPayByCard] = (["decline", "pay-by-bank-transfer", "pay-by-card"] as const).map(
    (action) => actions.includes(action)
  )
  if (!canDecline) return null
  const late = playing(
    id,
    ["choose-payment-method", { payment_instrument: "BANK_ACCOUNT" }],
    ["time-out"],
    ["pay-by-bank-transfer"]
  )
  const declined = async () =>
    payerOutcome("decline-attempt", await act(id, "decline-attempt", { sub_state: "_5006" }), "_5006")
  const scenarios: ReadonlyArray<readonly [name: string, label: string, play: () => Promise<string>, is: unknown]> = [
    ["declined", "Card declined", declined, true],
    ["late", "Transfer arrives late", late, canTransfer],
    ["paid-twice", "Paid twice", paidTwice(id), canPayByCard],
    ["twice", "Paid, notified twice", playing(id, ["pay-by-card"], ["resend-notification"]), canPayByCard],
    ["silent", "Gateway does not respond", silent, true]
  ]
  return (
    <Menu id="accidents" label="Accidents">
      <Line>
        {scenarios.map(([name, label, play, is]) =>
          is === true ? (
            <Button key={name} id={`scenario-${name}`} action={play}>
              {label}
            </Button>
          ) : null
        )}
      </Line>
    </Menu>
  )
}

/** The bar. */
export const Actions = ({ detail }: { readonly detail: PaymentDetail }) => {
  const { payment: view } = detail
  return (
    <section class="actions group" aria-label="Actions">
      <Payer view={view} />
      <Shop detail={detail} />
      <Accidents view={view} />
      {view.actions.length === 0 ? <span class="quiet">There is nothing left for the payer to do.</span> : null}
    </section>
  )
}
