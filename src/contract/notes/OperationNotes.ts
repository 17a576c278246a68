/**
 * The meaning of the operations, for the OpenAPI document. Method, path, request and response come from the contract's
 * endpoints. `Note` says how texts are marked.
 */
import type { ErrorCodes, TokenScope } from "../CodeLists.js"
import type * as Endpoint from "../Endpoint.js"

/** Notes about an operation. */
export interface OperationNote {
  /** A few words. */
  readonly summary: string
  readonly tag: keyof typeof tags
  readonly about: string
  /** The meaning of a success. */
  readonly success: string
  /** The codes with which it is refused, and the reasons. */
  readonly refusals: { readonly [Code in keyof typeof ErrorCodes]?: string }
  /** Any one of these scopes is enough; `payment-all` when absent. */
  readonly scopes?: ReadonlyArray<TokenScope>
  /** Whether a form may be sent as JSON too. */
  readonly orJson?: string
  /** A request body, by content type. */
  readonly examples?: { readonly [contentType: string]: unknown }
}

/** The tags, in the order of the document. */
export const tags = {
  Token: "Access to everything else.",
  Payments: "Creating, reading and refunding payments.",
  Recurrences: "Charging a payer again.",
  Authorizations: "Capturing or releasing a held amount.",
  Cards: "Cards that payers have stored.",
  Shop: "What a shop offers, and its account."
} as const

type EndpointName = keyof typeof Endpoint

type PathParameterName = Endpoint.PathParameter<(typeof Endpoint)[EndpointName]["path"]>

/** The parameters in paths. */
export const pathParameters: { readonly [Name in PathParameterName]: string } = {
  id: "Id of the payment.",
  card_id: "Id of the card.",
  goid: "The shop's identifier at GoPay (GoID).",
  currency: "Currency that the ways to pay are for."
}

const requestRefusals = {
  110: "A required value is missing. Unknown: how a nested field is named. Invented: by the field's last name, with the path in `description`.",
  111: "A value is wrong. Recorded: the code and its name.",
  116: "The request cannot be read. Inferred: for malformed JSON."
} satisfies OperationNote["refusals"]

const goidRefusal = "scope `G`, with `eshop with goId=… was not found` in `description`."

const unknownShop = { 111: `An unknown shop. Weakly known: ${goidRefusal}` } satisfies OperationNote["refusals"]

const wrongValueOrShop = {
  111: `A value is wrong, or the shop is unknown. Recorded: the code and its name. Weakly known: an unknown shop has ${goidRefusal}`
} satisfies OperationNote["refusals"]

const unknownCard = {
  304: "No such card. Unknown: the status and the code. Invented: these."
} satisfies OperationNote["refusals"]

const wrongAmount = "The amount is too high. Inferred: that this code is meant."

const items = [{ type: "ITEM", name: "Cardigan", amount: 5_000, count: 1 }]

/** Refusals that any operation may give, beside its own. */
export const commonRefusals: {
  readonly [status: number]: { readonly about: string; readonly codes: OperationNote["refusals"] }
} = {
  403: {
    about: "No access. A firewall's response has no JSON. Unknown: whether 401 can come in its place.",
    codes: {
      200: "The token is missing, unknown or expired, or its scope does not suffice. Unknown: the name, and that the code comes in each of these cases. Invented: scopes are not checked, unless the setting `scopes` says so."
    }
  },
  404: {
    about: "There is no such service. Unknown: the code. Invented: 116.",
    codes: {}
  },
  409: { about: "Refused.", codes: {} },
  500: {
    about: "The gateway failed. A change may have been made nevertheless: read before repeating it.",
    codes: {
      100: "A system error.",
      500: "An unspecified error, or a content type that the operation does not take: the message is then `RESTEASY003065: Cannot consume content type`. Recorded: unspecified ones, until 2016. Weakly known: a `voidRecurrence` sent as JSON, reported in 2022. Inferred: the same for all other operations."
    }
  }
}

/** The operations, by name. Two of the same method and path are forms of one operation. */
export const operations: { readonly [Name in EndpointName]: OperationNote } = {
  getAccessToken: {
    summary: "Get an access token",
    tag: "Token",
    about:
      "OAuth 2.0 client credentials grant. Recorded: one official client encodes the colon between ClientID and ClientSecret as `%3A`.",
    success: "The token.",
    refusals: {
      201: "The grant type is not supported. Inferred: the status.",
      202: "ClientID or ClientSecret is wrong. Recorded: the message in two languages."
    },
    examples: { "application/x-www-form-urlencoded": { grant_type: "client_credentials", scope: "payment-all" } }
  },
  createPayment: {
    summary: "Create a payment",
    tag: "Payments",
    about:
      "Creates a payment. Send the payer to its `gw_url`. There is no idempotency key: sent twice, it creates two payments.",
    success: "The payment, `CREATED`.",
    refusals: {
      ...requestRefusals,
      ...wrongValueOrShop,
      301: "The payment cannot be created.",
      305: "The shop is deactivated.",
      321: "The payee cannot accept the payment.",
      332: "The amount is wrong.",
      341: "Recurrences are not enabled.",
      360: "The rows do not add up to the amount. Weakly known: official clients' tests contradict it. Invented: not checked, unless the setting `itemsSum` says so."
    },
    scopes: ["payment-create", "payment-all"],
    examples: {
      "application/json": {
        amount: 139_950,
        currency: "CZK",
        order_number: "2026-0042",
        order_description: "Autumn collection",
        items: [
          { type: "ITEM", name: "Cardigan", amount: 134_950, count: 1, vat_rate: 21 },
          { type: "DELIVERY", name: "Parcel service", amount: 5_000 }
        ],
        callback: {
          return_url: "https://shop.example/return",
          notification_url: "https://shop.example/notify"
        },
        payer: {
          allowed_payment_instruments: ["PAYMENT_CARD", "BANK_ACCOUNT"],
          contact: { first_name: "Jana", last_name: "Nováková", email: "jana@example.com", country_code: "CZE" }
        },
        target: { type: "ACCOUNT", goid: 8_123_456_781 },
        lang: "CS"
      }
    }
  },
  getPayment: {
    summary: "Read a payment",
    tag: "Payments",
    about: "Reads a payment. Neither a return nor a notification carries its state: read it after each.",
    success: "The payment.",
    refusals: {
      304: "No such payment. Recorded: with this status and name; until 2016 status 500 with code 500."
    }
  },
  refundPayment: {
    summary: "Refund a payment",
    tag: "Payments",
    about:
      "Returns all or a part of the money. Sent twice, it may return it twice. It may take longer than 30 seconds and succeed nevertheless: read the payment before repeating it. Recorded: a full refund on the day of the payment is done at once. Weakly known: a part only from 24 hours after the payment. Inferred: several refunds are possible until the sum is reached.",
    success: "Taken, done, or failed: see `result`.",
    refusals: {
      111: "No such payment: field `id`. Recorded: with this status and name.",
      303: "The state of the payment does not allow it. Inferred: the code that belongs to the name.",
      330: "The payment cannot be refunded.",
      331: "The payment was made long ago: a year later, this came in place of 303. Inferred: the code that belongs to the name.",
      332: wrongAmount,
      333: "The merchant account holds too little."
    },
    orJson: "JSON, documented for the sales registration, with `items` and `eet` beside the amount.",
    examples: { "application/x-www-form-urlencoded": { amount: 5_000 } }
  },
  getPaymentRefunds: {
    summary: "List the refunds of a payment",
    tag: "Payments",
    about: "Lists the refunds of a payment. In the official clients and the online documentation.",
    success: "The refunds.",
    refusals: { 304: "No such payment. Inferred: as for reading it." }
  },
  createRecurrence: {
    summary: "Charge a recurrence",
    tag: "Recurrences",
    about:
      "Charges an `ON_DEMAND` recurrence once more; `id` is its first payment. Sent twice, it may charge twice. Further payments cannot be charged from again.",
    success:
      "The further payment. It is not charged yet: read it, or wait for the notification. Weakly known: `CREATED` or `PAYMENT_METHOD_CHOSEN`. Invented: charged at once, declined or left alone, by the setting `recurrenceChild`.",
    refusals: {
      ...requestRefusals,
      340: "It failed, or there is no such recurrence. Recorded: with this status and name. Inferred: for an unknown id.",
      341: "Recurrences are not enabled. Weakly known: the name.",
      342: "The recurrence is stopped. Checked before the rows. Inferred: the code that belongs to the name.",
      343: "Too many attempts."
    },
    examples: {
      "application/json": {
        amount: 5_000,
        currency: "CZK",
        order_number: "2026-0043",
        order_description: "Next month",
        items
      }
    }
  },
  voidRecurrence: {
    summary: "Stop a recurrence",
    tag: "Recurrences",
    about: "Stops a recurrence for good. Recorded: also one that the gateway charges by itself.",
    success: "Done. Recorded: `FINISHED`.",
    refusals: {
      340: "No such recurrence. Recorded: for an unknown id, with this status and name. Unknown: for a recurrence whose first payment is not paid.",
      342: "It is stopped already. Inferred: the code that belongs to the name."
    }
  },
  captureAuthorization: {
    summary: "Capture a held amount",
    tag: "Authorizations",
    about: "With an empty body: captures all that is held (captureAuthorization).",
    success: "Done. Inferred: `FINISHED`, as the documentation's example.",
    refusals: {
      350: "It failed. Inferred: the code that belongs to the name; for an unknown id.",
      351: "It is captured already. Inferred: the code that belongs to the name."
    }
  },
  captureAuthorizationPartial: {
    summary: "Capture a part of a held amount",
    tag: "Authorizations",
    about:
      "With JSON: captures a part of what is held and releases the rest (captureAuthorizationPartial). GoPay has to enable it. Only the body distinguishes this from a full capture.",
    success: "Done.",
    refusals: {
      ...requestRefusals,
      332: "More than is held. Unknown: which code that has. Invented: this."
    },
    examples: { "application/json": { amount: 5_000, items } }
  },
  voidAuthorization: {
    summary: "Release a held amount",
    tag: "Authorizations",
    about: "Releases what is held on the card. The payment is `CANCELED` then.",
    success: "Done.",
    refusals: {
      352: "It failed; it may be captured. Inferred: the code that belongs to the name; for an unknown id.",
      353: "It is released already. Inferred: the name."
    }
  },
  getCardDetails: {
    summary: "Read a stored card",
    tag: "Cards",
    about: "Reads a stored card; a deleted one too. In the official clients, not in the documentation.",
    success: "The card.",
    refusals: unknownCard
  },
  deleteCard: {
    summary: "Delete a stored card",
    tag: "Cards",
    about: "Deletes a stored card. May be repeated. In the official clients, not in the documentation.",
    success: "Deleted, now or before.",
    refusals: unknownCard
  },
  getPaymentInstruments: {
    summary: "List the ways to pay in one currency",
    tag: "Shop",
    about: "Lists the ways to pay that a shop has in one currency.",
    success: "The ways to pay.",
    refusals: unknownShop
  },
  getPaymentInstrumentsAll: {
    summary: "List the ways to pay in all currencies",
    tag: "Shop",
    about:
      "Lists the ways to pay that a shop has, with the currencies of each. In two of the official clients. Weakly known: the form of the response, by documentation of 2016 and third-party code.",
    success: "The ways to pay.",
    refusals: unknownShop
  },
  getAccountStatement: {
    summary: "Download an account statement",
    tag: "Shop",
    about: "Downloads an account statement as a file. Inferred: it changes nothing and may be repeated.",
    success:
      "The file. A refusal may come in its place, as JSON. Weakly known: text may be in windows-1250. Invented: a layout of its own for CSV other than `CSV_B`.",
    refusals: { ...requestRefusals, ...wrongValueOrShop },
    examples: {
      "application/json": {
        date_from: "2026-01-01",
        date_to: "2026-01-31",
        goid: 8_123_456_781,
        currency: "CZK",
        format: "CSV_A"
      }
    }
  },
  getPaymentQr: {
    summary: "Read the QR code of a payment",
    tag: "Payments",
    about:
      "Reads the QR code that pays a payment by bank transfer. In the official clients since 2025; not enabled for every shop.",
    success: "The QR code.",
    refusals: {
      302: "The currency has no QR code. Unknown: the code. Invented: this one.",
      303: "The payment is no longer open. Unknown: the code. Invented: this one.",
      304: "No such payment. Inferred: as for reading it."
    }
  }
}
