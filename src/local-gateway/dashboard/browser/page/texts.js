/**
 * The texts of the dashboard, in the language of the page.
 */

const english = {
  paymentActions: {
    payer: "The payer",
    shop: "The shop",
    refund: "Refund",
    capture: "Capture",
    release: "Release the hold",
    charge: "Charge again",
    "stop-recurrence": "Stop the recurrence",
    "resend-notification": "Resend the notification",
    refundAmount: "Amount to refund",
    captureAmount: "Amount to capture",
    chargeAmount: "Amount to charge",
    notAnAmount: "This is not an amount, such as 1399.50.",
    /** @type {(name: string, state: string) => string} */
    isNow: (name, state) => `${name} is ${state}.`,
    resent: "The notification was sent once more.",
    /** @type {(name: string, state: string) => string} */
    charged: (name, state) => `The new payment ${name} is ${state}.`
  },
  copies: {
    title: "Copy the order as",
    curl: "curl",
    typeScript: "TypeScript",
    copied: "The order is on the clipboard, with the credentials of this gateway.",
    callCopied: "The call is on the clipboard. It takes the token from $TOKEN.",
    call: "Copy as curl"
  },
  addresses: { return: "Return address", notification: "Notification address", none: "none" },
  contradictions: {
    title: "Does not fit",
    /** @type {(message: string) => string} */
    itemsSum: (message) => `${message} GoPay may refuse this (360).`,
    /** @type {(message: string) => string} */
    noMethod: (message) => `${message} The payer cannot pay.`,
    /** @type {(message: string) => string} */
    notNotified: (message) => `The shop is not notified: ${message.replace(/^not sent: /, "")}`
  }
}

/** @typedef {typeof english} Texts */

/** @type {Texts} */
export const texts = english
