/**
 * The meaning of the operations, for the OpenAPI document. Method, path, request and response come from the contract's
 * endpoints. It is loaded when a document is asked for, with `MessageNotes`: they import nothing else.
 */
import type { TokenScope } from "../../src/contract/CodeLists.js"
import type * as Endpoint from "../../src/contract/Endpoint.js"
import type { Note } from "./Note.js"
import type { KnownCode } from "../../src/local-gateway/books/Refusal.js"

export * from "./MessageNotes.js"

/** Notes about an operation. */
export interface OperationNote {
  /** A few words. */
  readonly summary: string
  readonly tag: keyof typeof tags
  readonly about: Note
  /** The meaning of a success. */
  readonly success: Note
  /** The codes with which it is refused, and the reasons. */
  readonly refusals: { readonly [Code in KnownCode]?: Note }
  /** Scopes of which any one is enough; `payment-all` when absent. */
  readonly scopes?: ReadonlyArray<TokenScope>
  /** Whether a form may be sent as JSON too. */
  readonly orJson?: Note
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
export const pathParameters: { readonly [Name in PathParameterName]: Note } = {
  id: "Id of the payment.",
  card_id: "Id of the card.",
  goid: "The shop's identifier at GoPay (GoID).",
  currency: "Currency that the ways to pay are for."
}

const requestRefusals = {
  110: {
    text: "A required value is missing.",
    unknown: "how a nested field is named.",
    invented: "by the field's last name, with the path in `description`."
  },
  111: { text: "A value is wrong.", recorded: "the code and its name." },
  116: { text: "The request cannot be read.", inferred: "for malformed JSON." }
} satisfies OperationNote["refusals"]

const goidRefusal = "scope `G`, with `eshop with goId=… was not found` in `description`."

const unknownShop = { 111: { text: "An unknown shop.", weak: goidRefusal } } satisfies OperationNote["refusals"]

const wrongValueOrShop = {
  111: {
    text: "A value is wrong, or the shop is unknown.",
    recorded: "the code and its name.",
    weak: `an unknown shop has ${goidRefusal}`
  }
} satisfies OperationNote["refusals"]

const unknownCard = {
  304: { text: "No such card.", unknown: "the status and the code.", invented: "these." }
} satisfies OperationNote["refusals"]

const wrongAmount: Note = { text: "The amount is too high.", inferred: "that this code is meant." }

const items = [{ type: "ITEM", name: "Cardigan", amount: 5_000, count: 1 }]

/** Refusals that any operation may give, beside its own. */
export const commonRefusals: {
  readonly [status: number]: { readonly about: Note; readonly codes: OperationNote["refusals"] }
} = {
  403: {
    about: { text: "No access. A firewall's response has no JSON.", unknown: "whether 401 can come in its place." },
    codes: {
      200: {
        text: "The token is missing, unknown or expired, or its scope does not suffice.",
        unknown: "the name, and that the code comes in each of these cases.",
        invented: "scopes are not checked, unless the setting `scopes` says so."
      }
    }
  },
  404: {
    about: {
      text: "There is no such service.",
      unknown: "the code.",
      invented: "116."
    },
    codes: {}
  },
  409: { about: "Refused.", codes: {} },
  500: {
    about: "The gateway failed. A change may have been made nevertheless: read before repeating it.",
    codes: {
      100: "A system error.",
      500: {
        text: "An unspecified error, or a content type that the operation does not take: the message is then `RESTEASY003065: Cannot consume content type`.",
        recorded: "unspecified ones, until 2016.",
        weak: "a `voidRecurrence` sent as JSON, reported in 2022.",
        inferred: "the same for all other operations."
      }
    }
  }
}

/** The operations, by name. Two of the same method and path are forms of one operation. */
export const operations: { readonly [Name in EndpointName]: OperationNote } = {
  getAccessToken: {
    summary: "Get an access token",
    tag: "Token",
    about: {
      text: "OAuth 2.0 client credentials grant.",
      recorded: "one official client encodes the colon between ClientID and ClientSecret as `%3A`."
    },
    success: "The token.",
    refusals: {
      201: { text: "The grant type is not supported.", inferred: "the status." },
      202: { text: "ClientID or ClientSecret is wrong.", recorded: "the message in two languages." }
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
      360: {
        text: "The rows do not add up to the amount.",
        weak: "official clients' tests contradict it.",
        invented: "not checked, unless the setting `itemsSum` says so."
      }
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
      304: { text: "No such payment.", recorded: "with this status and name; until 2016 status 500 with code 500." }
    }
  },
  refundPayment: {
    summary: "Refund a payment",
    tag: "Payments",
    about: {
      text: "Returns all or a part of the money. Sent twice, it may return it twice. It may take longer than 30 seconds and succeed nevertheless: read the payment before repeating it.",
      recorded: "a full refund on the day of the payment is done at once.",
      weak: "a part only from 24 hours after the payment.",
      inferred: "several refunds are possible until the sum is reached."
    },
    success: "Taken, done, or failed: see `result`.",
    refusals: {
      111: { text: "No such payment: field `id`.", recorded: "with this status and name." },
      303: { text: "The state of the payment does not allow it.", inferred: "the code that belongs to the name." },
      330: "The payment cannot be refunded.",
      331: {
        text: "The payment was made long ago: a year later, this came in place of 303.",
        inferred: "the code that belongs to the name."
      },
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
    refusals: { 304: { text: "No such payment.", inferred: "as for reading it." } }
  },
  createRecurrence: {
    summary: "Charge a recurrence",
    tag: "Recurrences",
    about:
      "Charges an `ON_DEMAND` recurrence once more; `id` is its first payment. Sent twice, it may charge twice. Further payments cannot be charged from again.",
    success: {
      text: "The further payment. It is not charged yet: read it, or wait for the notification.",
      weak: "`CREATED` or `PAYMENT_METHOD_CHOSEN`.",
      invented: "charged at once, declined or left alone, by the setting `recurrenceChild`."
    },
    refusals: {
      ...requestRefusals,
      340: {
        text: "It failed, or there is no such recurrence.",
        recorded: "with this status and name.",
        inferred: "for an unknown id."
      },
      341: { text: "Recurrences are not enabled.", weak: "the name." },
      342: {
        text: "The recurrence is stopped. Checked before the rows.",
        inferred: "the code that belongs to the name."
      },
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
    about: { text: "Stops a recurrence for good.", recorded: "also one that the gateway charges by itself." },
    success: { text: "Done.", recorded: "`FINISHED`." },
    refusals: {
      340: {
        text: "No such recurrence.",
        recorded: "for an unknown id, with this status and name.",
        unknown: "for a recurrence whose first payment is not paid."
      },
      342: { text: "It is stopped already.", inferred: "the code that belongs to the name." }
    }
  },
  captureAuthorization: {
    summary: "Capture a held amount",
    tag: "Authorizations",
    about: "With an empty body: captures all that is held (captureAuthorization).",
    success: { text: "Done.", inferred: "`FINISHED`, as the documentation's example." },
    refusals: {
      350: { text: "It failed.", inferred: "the code that belongs to the name; for an unknown id." },
      351: { text: "It is captured already.", inferred: "the code that belongs to the name." }
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
      332: { text: "More than is held.", unknown: "which code that has.", invented: "this." }
    },
    examples: { "application/json": { amount: 5_000, items } }
  },
  voidAuthorization: {
    summary: "Release a held amount",
    tag: "Authorizations",
    about: "Releases what is held on the card. The payment is `CANCELED` then.",
    success: "Done.",
    refusals: {
      352: {
        text: "It failed; it may be captured.",
        inferred: "the code that belongs to the name; for an unknown id."
      },
      353: { text: "It is released already.", inferred: "the name." }
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
    about: {
      text: "Lists the ways to pay that a shop has, with the currencies of each. In two of the official clients.",
      weak: "the form of the response, by documentation of 2016 and third-party code."
    },
    success: "The ways to pay.",
    refusals: unknownShop
  },
  getAccountStatement: {
    summary: "Download an account statement",
    tag: "Shop",
    about: { text: "Downloads an account statement as a file.", inferred: "it changes nothing and may be repeated." },
    success: {
      text: "The file. A refusal may come in its place, as JSON.",
      weak: "text may be in windows-1250.",
      invented: "a layout of its own for CSV other than `CSV_B`."
    },
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
      302: { text: "The currency has no QR code.", unknown: "the code.", invented: "this one." },
      303: { text: "The payment is no longer open.", unknown: "the code.", invented: "this one." },
      304: { text: "No such payment.", inferred: "as for reading it." }
    }
  }
}
