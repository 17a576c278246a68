/**
 * The actions on a payment: one bar with those of the payer and of the shop, and with accidents.
 */
import type { FunctionComponent } from "preact"
import { change, type PaymentDetail, type PaymentView } from "./api.js"
import { orderAsCurl, orderAsTypeScript } from "./copies.js"
import { typedAmount, declineReasons, reasonText } from "./format.js"
import { accessOf } from "./order.js"
import { Button, changing, Copy, Form, Menu, orderName, Select, TextField, type Fields } from "./parts.js"
import { catalogue, timeText } from "./state.js"
import { skipTo } from "./time.js"

type PayerAction = PaymentView["actions"][number]
type ShopAction = PaymentView["merchant_actions"][number]
type Action = PayerAction | ShopAction

const labels: { readonly [Name in Action]: string } = {
  "pay-by-card": "Pay by card",
  "pay-by-bank-transfer": "Bank transfer arrives",
  "choose-payment-method": "Choose this method",
  "decline-attempt": "Decline the attempt",
  decline: "Decline the payment",
  cancel: "Cancel the payment",
  "time-out": "Time out",
  refund: "Refund",
  capture: "Capture",
  release: "Release the hold",
  charge: "Charge again",
  "stop-recurrence": "Stop the recurrence",
  "resend-notification": "Resend the notification",
  "order-again": "Order again"
}

const act = (id: number, action: string, body: object = {}): Promise<PaymentView> =>
  change<PaymentView>(`/payments/${id}/${action}`, body)

/** The message after an action on a payment, which may have created another one. */
const outcomeText = (id: number, after: PaymentView): string =>
  `${after.id === id ? orderName(after) : `The new payment ${after.id}`} is ${after.payment.state}.`

/** The message after a payment was declined. */
const declinedText = ({ payment }: PaymentView, reason: string): string => {
  const why = reasonText(reason, catalogue().paymentSubStates)
  return payment.state === "CANCELED"
    ? `The payment was declined: ${why}. It is CANCELED.`
    : `The attempt was declined: ${why}. The payer may try again.`
}

interface LineProps {
  readonly view: PaymentView
  readonly actions: ReadonlyArray<Action>
}

/** Fields, and the buttons of the actions that are possible now. Without buttons there is no line. */
const Line: FunctionComponent<LineProps> = ({ actions, children, view }) => {
  const offered = actions.filter((action) => [...view.actions, ...view.merchant_actions].some((one) => one === action))
  const run = async ({ action = "", amount: typed, card, ...codes }: Fields) => {
    const amount = typed === undefined ? undefined : typedAmount(typed)
    const after = await act(view.id, action, {
      ...codes,
      card_number: catalogue().testCards[Number(card)]?.number,
      // A capture of the whole hold has no amount, as in the API.
      amount: action === "capture" && amount === view.payment.amount ? undefined : amount
    })
    if (action === "resend-notification") return "The notification was sent once more."
    return codes["sub_state"] === undefined ? outcomeText(view.id, after) : declinedText(after, codes["sub_state"])
  }
  return (
    offered.length > 0 && (
      <Form action={run}>
        {children}
        {offered.map((action) => (
          <button
            key={action}
            name="action"
            value={action}
            data-testid={action}
            class={action === "pay-by-card" ? "primary" : ""}
          >
            {labels[action]}
          </button>
        ))}
      </Form>
    )
  )
}

const Payer = ({ view }: { readonly view: PaymentView }) => {
  const { paymentInstruments, paymentSubStates, testCards } = catalogue()
  const cards = testCards.map(({ brand, number }, index) => [String(index), `${brand} …${number.slice(-4)}`] as const)
  const reasons = declineReasons(paymentSubStates).map(([code]) => [code, reasonText(code, paymentSubStates)] as const)
  return (
    <>
      <Line view={view} actions={["pay-by-card"]}>
        <Select name="card" aria-label="Test card" data-testid="card" options={cards} />
      </Line>
      {view.actions.some((action) => action !== "pay-by-card") && (
        <Menu id="simulate" label="Payer">
          <Line view={view} actions={["pay-by-bank-transfer", "cancel", "time-out"]} />
          <Line view={view} actions={["decline-attempt", "decline"]}>
            <Select name="sub_state" aria-label="Reason for declining" options={reasons} chosen="_5006" />
          </Line>
          <Line view={view} actions={["choose-payment-method"]}>
            <Select
              name="payment_instrument"
              aria-label="Payment method"
              options={Object.entries(paymentInstruments)}
              chosen="BANK_ACCOUNT"
            />
          </Line>
        </Menu>
      )}
    </>
  )
}

/** An amount, and the button of the shop's action with it. */
const AmountLine = ({ action, view }: { readonly view: PaymentView; readonly action: ShopAction }) => {
  const amount = action === "refund" ? view.refundable : view.payment.amount
  return (
    <Line view={view} actions={[action]}>
      {/* The key has it filled in anew once the amount changes. */}
      <TextField
        key={amount}
        label={`Amount to ${action}`}
        name="amount"
        inputMode="decimal"
        size={10}
        defaultValue={(amount / 100).toFixed(2)}
        // What is typed replaces the whole amount. A click sets the caret after the focus.
        onFocus={({ currentTarget }) => requestAnimationFrame(() => currentTarget.select())}
      />
    </Line>
  )
}

/** That only the whole amount can be refunded yet, before someone tries a part of it. */
const PartlyRefundable = ({ view: { merchant_actions, part_refundable_at: from } }: { readonly view: PaymentView }) =>
  from !== undefined &&
  merchant_actions.includes("refund") && (
    <p class="next" data-testid="part-refundable">
      <span>{`Until ${timeText(from)} only the whole amount can be refunded (330).`}</span>
      <Button label="Skip to then" class="small" action={() => skipTo(from)} />
    </p>
  )

const Shop = ({ detail: { order, payment: view } }: { readonly detail: PaymentDetail }) => {
  const copy = (language: string, write: typeof orderAsCurl) => (
    <Copy
      label={`Copy the order as ${language}`}
      data-testid={`copy-${language.toLowerCase()}`}
      text={async () => write(order, await accessOf(view.goid))}
      done="The order is on the clipboard, with the credentials of this gateway."
    />
  )
  return (
    <Menu id="shop" label="Shop">
      <AmountLine view={view} action="charge" />
      <Line view={view} actions={["release", "stop-recurrence", "resend-notification", "order-again"]} />
      {/* What is copied creates a payment by v3. */}
      {view.api === undefined && (
        <div class="group">
          {copy("curl", orderAsCurl)}
          {copy("TypeScript", orderAsTypeScript)}
        </div>
      )}
    </Menu>
  )
}

/** An accident: the action that the payer must still be able to take, its steps, and the message. */
type Accident = readonly [
  label: string,
  needs: PayerAction,
  steps: ReadonlyArray<Action>,
  said: (after: PaymentView) => string
]

/** The body of each step's request. */
const bodies: { readonly [Name in Action]?: object } = {
  "decline-attempt": { sub_state: "_5006" },
  "choose-payment-method": { payment_instrument: "BANK_ACCOUNT" }
}

/** Situations that shops rarely test, each with one button. */
const accidents: { readonly [name: string]: Accident } = {
  declined: ["Card declined", "decline", ["decline-attempt"], (after) => declinedText(after, "_5006")],
  late: [
    "Transfer arrives late",
    "pay-by-bank-transfer",
    ["choose-payment-method", "time-out", "pay-by-bank-transfer"],
    () => "The transfer has arrived after the time-out."
  ],
  "paid-twice": [
    "Paid twice",
    "pay-by-card",
    ["pay-by-card", "order-again", "pay-by-card"],
    () => "Both payments of the order are paid."
  ],
  twice: [
    "Paid, notified twice",
    "pay-by-card",
    ["pay-by-card", "resend-notification"],
    () => "It is paid, and the shop is notified of that twice."
  ]
}

/** Runs the steps one after another, each with the payment that the one before returned. */
const play = async (payment: PaymentView, [, , steps, said]: Accident): Promise<string> => {
  let after = payment
  for (const action of steps) after = await act(after.id, action, bodies[action])
  return said(after)
}

const silence = changing("The next call of the gateway gets no response.", "/faults", { fault: { type: "noResponse" } })

const Accidents = ({ view }: { readonly view: PaymentView }) =>
  view.actions.includes("decline") && (
    <Menu id="accidents" label="Accidents">
      <div class="group">
        {Object.entries(accidents).map(
          ([name, accident]) =>
            view.actions.includes(accident[1]) && (
              <Button
                label={accident[0]}
                key={name}
                data-testid={`scenario-${name}`}
                action={() => play(view, accident)}
              />
            )
        )}
        <Button label="Gateway does not respond" data-testid="scenario-silent" action={silence} />
      </div>
    </Menu>
  )

export const Actions = ({ detail }: { readonly detail: PaymentDetail }) => (
  <section class="panel actions group" aria-label="Actions">
    <Payer view={detail.payment} />
    <AmountLine view={detail.payment} action="capture" />
    <AmountLine view={detail.payment} action="refund" />
    <PartlyRefundable view={detail.payment} />
    <Shop detail={detail} />
    <Accidents view={detail.payment} />
    {detail.payment.actions.length === 0 && <span class="quiet">There is nothing left for the payer to do.</span>}
  </section>
)
