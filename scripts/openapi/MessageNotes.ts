/**
 * The meaning of the members of requests and responses, for the OpenAPI document. Their form comes from
 * the contract's schemas; the lists of codes bring their meanings with them.
 */
import type * as CodeLists from "../../src/contract/CodeLists.js"
import type * as Messages from "../../src/contract/Messages.js"
import type { MarkedNote, Note } from "./Note.js"

/** A note about a member. */
export type FieldNote =
  | string
  | (MarkedNote & {
      /** Name of the object that the member is, or that its elements are; or of the list of codes it is from. */
      readonly is?: string
      /** A `format` of JSON Schema that the contract does not check. */
      readonly format?: string
    })

/** Notes about a message and its members. */
export interface MessageNotes {
  readonly about: FieldNote
  readonly fields: { readonly [name: string]: FieldNote }
}

/** Notes about a list of codes. */
export interface CodeListNote {
  readonly about: Note
  readonly codes: keyof typeof CodeLists
  /** Notes about single codes, beside their meaning. */
  readonly doubts?: { readonly [code: string]: Note }
}

// ---------------------------------------------------------------------------------------------------------------------
// Lists of codes
// ---------------------------------------------------------------------------------------------------------------------

const inSomeClients = "Known to some of the official clients only."

/** The lists of codes, by the name of their type. */
export const codeLists = {
  Currency: { about: "ISO 4217 code of a currency.", codes: "Currencies" },
  GatewayLanguage: {
    about: {
      text: "Language of the pay page.",
      recorded: "sent in upper case, returned in lower case.",
      unknown: "the gateway's default."
    },
    codes: "GatewayLanguages"
  },
  PaymentState: {
    about: { text: "State of a payment.", inferred: "further refunds lead from PARTIALLY_REFUNDED to REFUNDED." },
    codes: "PaymentStates"
  },
  PaymentSubState: {
    about: "Why a payment is in its state.",
    codes: "PaymentSubStates"
  },
  PaymentInstrument: {
    about: "A way to pay. The payment instruments of a shop list its own.",
    codes: "PaymentInstruments",
    doubts: { COUPON: inSomeClients, MASTERPASS: inSomeClients }
  },
  PaymentInstrumentGroup: { about: "Group of ways to pay.", codes: "PaymentInstrumentGroups" },
  BnplType: {
    about: { text: "Kind of deferred payment.", inferred: "the meanings are read from the names." },
    codes: "BnplTypes"
  },
  SwiftCode: {
    about: "A bank, by the code that the gateway calls SWIFT. A code with a hyphen is GoPay's own and no BIC.",
    codes: "SwiftCodes",
    doubts: { QRPAYMENT: { text: "", inferred: "the meaning is read from the name." } }
  },
  PaymentItemType: {
    about: "Kind of a row of an order.",
    codes: "PaymentItemTypes",
    doubts: { POSTAGE: inSomeClients }
  },
  PaymentTargetType: {
    about: {
      text: "Kind of the payee. Only `ACCOUNT` is documented.",
      inferred: "the meanings of the others are read from their names."
    },
    codes: "PaymentTargetTypes"
  },
  RecurrenceCycle: {
    about: {
      text: "Cycle of a recurrence.",
      recorded: "one official client sends the numbers 0 to 3, for MONTH, WEEK, DAY and ON_DEMAND."
    },
    codes: "RecurrenceCycles"
  },
  RecurrenceState: {
    about: { text: "State of a recurrence.", recorded: "refunding its first payment leaves it STARTED." },
    codes: "RecurrenceStates"
  },
  PreauthorizationState: {
    about: "State of a card hold, which lasts 4 days.",
    codes: "PreauthorizationStates"
  },
  OperationResult: {
    about: {
      text: "What became of a refund, a capture or a void. `FAILED` comes with status 200.",
      recorded: "only FINISHED was ever seen."
    },
    codes: "OperationResults"
  },
  RefundState: {
    about: { text: "State of one refund.", inferred: "the meanings are read from the names." },
    codes: "RefundStates"
  },
  CardStatus: { about: "Status of a stored card.", codes: "CardStatuses" },
  ThreeDSecureResult: {
    about: "Result of 3-D Secure: whether the card takes part, a slash, how the authentication ended.",
    codes: "ThreeDSecureResults"
  },
  QrFormat: { about: "Format of a QR picture.", codes: "QrFormats" },
  TokenScope: {
    about: {
      text: "What a token allows.",
      weak: "the help centre says that reading a payment needs `payment-all`; an official client reads with `payment-create`."
    },
    codes: "TokenScopes"
  },
  ErrorScope: { about: "What an error is about.", codes: "ErrorScopes" },
  StatementFormat: {
    about: {
      text: "Format of an account statement. The media type is that of the contents, not of the response.",
      weak: "the columns of `CSV_B`, of XLS and of ABO, from public parsers and samples; some statements are in windows-1250.",
      inferred: "the media types of `CSV_E`, `ABO_B` and `PDF_A`; that ABO is in windows-1250.",
      unknown: "the columns of `CSV_A`, `CSV_C`, `CSV_D` and `CSV_E`; whether XLS is the old binary format.",
      invented: "one layout for these four; XLS, ABO and PDF are refused as not implemented."
    },
    codes: "StatementFormats"
  },
  ErrorCode: {
    about: {
      text: "Decide on this number, not on the name or the message. A name stands before the meaning where one is known.",
      recorded: "111, 304 and 340 with their names.",
      weak: "the name of 341.",
      inferred: "which of the codes the names of 303, 331, 342, 350, 351 and 352 belong to."
    },
    codes: "ErrorCodes"
  }
} as const satisfies { readonly [name: string]: CodeListNote }

// ---------------------------------------------------------------------------------------------------------------------
// Notes used more than once
// ---------------------------------------------------------------------------------------------------------------------

type FieldNotes<Message> = { readonly [Field in Exclude<keyof Message, "extraFields">]-?: FieldNote }

/** The compiler wants a note about every member of the message. */
const message = <Message>(about: FieldNote, fields: FieldNotes<Message>): MessageNotes => ({ about, fields })

const country = "ISO 3166-1 alpha-3 code of a country, such as `CZE`."
const currency = "ISO 4217 code of a currency, such as `CZK`."
const goid: FieldNote = {
  text: "The shop's identifier at GoPay (GoID): ten digits.",
  recorded: "taken as a number and as text, returned as a number."
}
const maskedCard = "Masked card number: six digits, six stars, four digits."
const cardExpiration: FieldNote = { text: "Month of expiry, `YYMM`: `2112` is December 2021.", recorded: "`2112`." }
const eet = "Data of the Czech sales registration, abolished in 2023."
const itemsNote: FieldNote = {
  text: "The rows of the order. The documentation requires them, and refuses a sum other than `amount` with 360.",
  recorded: "a payment is created without them.",
  weak: "official clients' tests send other sums and expect success.",
  is: "PaymentItem"
}
const requiredText = "What is paid, at most 256 characters. The documentation requires it."
const additionalParams: FieldNote = {
  text: "Your own names and values, repeated in every response.",
  is: "AdditionalParam"
}
const timestamp = (text: string): FieldNote => ({
  text,
  inferred: "written like every recorded time: `2026-01-15T10:30:00.000+0100`.",
  unknown: "the form that the gateway uses here."
})
const orderNumber: FieldNote = {
  text: "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
  recorded: "a hyphen is taken, and the same number twice."
}
const amountToPay = "The sum to pay, an integer in minor units (haléře, cents)."
const allowed = (what: string) => `${what} that are offered; absent or empty: all that the shop has.`
const unpopulated = (text: string): FieldNote => ({
  text,
  recorded: "`null` in 2016, absent since.",
  unknown: "when it is set."
})

const contact = {
  first_name: "First name, at most 256 characters.",
  last_name: "Last name, at most 256 characters.",
  email: "E-mail address, at most 128 characters.",
  phone_number: "Phone number with the prefix of the country, at most 128 characters.",
  city: "City, at most 128 characters.",
  street: "Street and number, at most 128 characters.",
  postal_code: "Postal code, at most 16 characters.",
  country_code: country
}

const bankAccount = {
  iban: "IBAN, at most 50 characters.",
  bic: "BIC, at most 11 characters.",
  prefix: "Prefix of the account number, at most 64 characters.",
  account_number: "Account number, at most 128 characters.",
  bank_code: "Code of the bank, at most 8 characters.",
  account_name: "Name of the account, at most 70 characters.",
  country: country,
  account_token: { text: "In some official clients only.", unknown: "what it is for." }
}

const item = {
  type: "What the row is; an item when absent.",
  name: "What is sold, at most 256 characters.",
  amount: "Total of the row, not the price of one piece: an integer in minor units, negative for a discount.",
  count: "How many pieces. Does not multiply `amount`.",
  vat_rate: {
    text: "VAT rate in percent. The documentation lists 0, 10, 15 and 21.",
    unknown: "whether the Czech 12 % is taken."
  },
  ean: {
    text: "EAN, at most 13 characters.",
    weak: "a number in the documentation's examples, text in official clients."
  },
  product_url: "Address of the product, at most 512 characters."
} satisfies FieldNotes<Messages.PaymentItem>

const instrumentChoice = {
  allowed_payment_instruments: { text: allowed("The ways to pay"), recorded: "repeated in responses." },
  default_payment_instrument: "The preselected way to pay.",
  allowed_swifts: allowed("The banks"),
  default_swift: "The preselected bank, where `BANK_ACCOUNT` is preselected.",
  allowed_bnpl_types: allowed("The kinds of deferred payment"),
  default_bnpl_type: "The preselected kind of deferred payment."
}

const cardMembers = {
  card_number: { text: maskedCard, recorded: "`418803******0003`." },
  card_expiration: cardExpiration,
  card_brand: "Brand, such as `VISA Electron`.",
  card_issuer_country: country,
  card_issuer_bank: "Name of the bank that issued the card.",
  card_token: "Pays again, as `payer.allowed_card_token`.",
  card_fingerprint: { text: "The same for the same card.", inferred: "from the name." }
} satisfies { readonly [Field in keyof Messages.PaymentCardResponse]: FieldNote }

const payment = {
  id: {
    text: "Id of the payment.",
    recorded: "a number of ten digits.",
    inferred: "a multiple of 13, as all known ones are."
  },
  parent_id: {
    text: "Of a payment born from a recurrence: the first payment of it.",
    recorded: "comes right after `id`."
  },
  order_number: orderNumber,
  state: "State of the payment: decide on this.",
  sub_state: "Why it is in its state. Only where the gateway has set one.",
  payment_instrument: "What the payer chose.",
  amount: {
    text: amountToPay,
    unknown: "whether a partial capture changes it.",
    invented: "it stays, unless the setting `amountAfterCapture` says otherwise."
  },
  currency,
  payer: { text: "The payer, with what the gateway has learned.", is: "PayerResponse" },
  target: { text: "Who is paid.", is: "PaymentTargetResponse" },
  recurrence: {
    text: "Where one was asked for.",
    recorded: "absent in the payments that follow the first.",
    is: "RecurrenceResponse"
  },
  preauthorization: {
    text: "Where one was asked for. An object, while the request has a boolean.",
    is: "PreauthorizationResponse"
  },
  additional_params: {
    text: "Your own names and values.",
    weak: "HTML-encoded, such as `&#34;` for a quote: a client's authors saw it at the sandbox.",
    invented: "as they were sent, unless the setting `textEcho` says otherwise.",
    is: "AdditionalParamResponse"
  },
  lang: { text: "Language of the pay page.", recorded: "in lower case." },
  gw_url: {
    text: "Address of the pay page. The documentation's examples have blanks around it.",
    recorded: "no blanks; it ends with 32 hexadecimal digits.",
    format: "uri"
  },
  items: {
    text: "In one official client only.",
    recorded: "never seen.",
    unknown: "when it comes.",
    is: "PaymentItemResponse"
  },
  eet_code: { text: "Codes of the Czech sales registration, abolished in 2023.", recorded: "in 2019." }
} satisfies FieldNotes<Messages.PaymentResponse>

const instruments = {
  groups: { text: "The groups, by their code.", is: "InstrumentGroup" },
  enabledPaymentInstruments: {
    text: "The ways to pay: an array.",
    inferred: "it may also come keyed by code, as in the response for all currencies.",
    is: "EnabledPaymentInstrument"
  }
} satisfies FieldNotes<Messages.PaymentInstrumentsResponse>

const labelNote: FieldNote = {
  text: "Texts by language code.",
  weak: "the documentation shows `cs` alone.",
  invented: "`cs` and `en`."
}
const imageNote: FieldNote = { text: "Pictures in two sizes.", is: "InstrumentImage" }

// ---------------------------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------------------------

/** Notes about the messages, by the name of their type. */
export const messages: { readonly [name: string]: MessageNotes } = {
  AccessTokenRequest: message<Messages.AccessTokenRequest>("Asks for an access token.", {
    grant_type: "Always `client_credentials`.",
    scope: {
      text: "What the token is to allow.",
      unknown: "what happens without it.",
      invented: "the token is for everything."
    }
  }),
  CreatePaymentRequest: message<Messages.CreatePaymentRequest>(
    { text: "An order to be paid.", recorded: "numbers are taken as text too." },
    {
      amount: { text: amountToPay, weak: "0 verifies a card, with a recurrence or a preauthorization." },
      currency,
      order_number: orderNumber,
      order_description: "What is paid, at most 256 characters. Not repeated in responses.",
      items: itemsNote,
      callback: { text: "Where to return and to notify. Not repeated in responses.", is: "PaymentCallback" },
      payer: {
        text: "Who pays. The documentation requires every member of it, for 3-D Secure; official clients' tests send as little as an e-mail address.",
        recorded: "a payment is created without an address.",
        is: "Payer"
      },
      target: {
        text: "Who is paid. The documentation requires it.",
        unknown: "what happens without it.",
        invented: "refused with 110.",
        is: "PaymentTarget"
      },
      lang: "Language of the pay page.",
      additional_params: additionalParams,
      recurrence: { text: "Makes this the first payment of a recurrence.", is: "Recurrence" },
      preauthorization: "`true` holds the sum on the card for 4 days, to be captured or voided.",
      eet
    }
  ),
  PaymentItem: message<Messages.PaymentItem>("A row of an order.", item),
  PaymentCallback: message<Messages.PaymentCallback>("Where the payer returns, and where the gateway notifies.", {
    return_url:
      "Absolute address, at most 512 characters. The payer's browser comes here with `id` added to the query, and no state.",
    notification_url: "Absolute address, at most 512 characters. See the callback `stateChange`."
  }),
  Payer: message<Messages.Payer>("Who pays, and what is offered.", {
    ...instrumentChoice,
    contact: { text: "How to reach the payer.", is: "PayerContact" },
    bank_account: { text: "The payer's bank account.", is: "BankAccount" },
    verify_pin: "Four digits: identifies the payer by the card. Not repeated in responses.",
    allowed_card_token: { text: "Pays with a stored card: its token.", inferred: "not repeated in responses." },
    request_card_token: "Asks for the card to be stored; `payment_card.card_token` has the token once it is paid.",
    masked_pan: {
      text: "In some official clients only.",
      inferred: "preselects a stored card.",
      unknown: "what it is for."
    }
  }),
  PayerContact: message<Messages.PayerContact>("How to reach the payer.", contact),
  BankAccount: message<Messages.BankAccount>("A bank account.", bankAccount),
  PaymentTarget: message<Messages.PaymentTarget>("Who is paid.", { type: "Kind of the payee.", goid }),
  AdditionalParam: message<Messages.AdditionalParam>("A name and value of your own.", {
    name: "Your name for it.",
    value: "Comes back in every response."
  }),
  Recurrence: message<Messages.Recurrence>("Asks for a recurrence.", {
    recurrence_cycle: "`ON_DEMAND`: the shop charges; else the gateway does by itself.",
    recurrence_period: "How many cycles lie between two charges. Not needed for `ON_DEMAND`.",
    recurrence_date_to: {
      text: "The last day, in the future.",
      weak: "required for `ON_DEMAND` too; the latest day allowed differs by source."
    }
  }),
  RefundPaymentRequest: message<Messages.RefundPaymentRequest>("How much to return.", {
    amount: "An integer in minor units, at most what was paid and not yet refunded."
  }),
  CreateRecurrenceRequest: message<Messages.CreateRecurrenceRequest>(
    {
      text: "The next charge of a recurrence.",
      recorded: "payer's contact and payee are those of the first payment.",
      inferred: "so are the language and the callback."
    },
    {
      amount: amountToPay,
      currency,
      order_number: orderNumber,
      order_description: requiredText,
      items: { text: "The rows of the order. The documentation requires them.", is: "PaymentItem" },
      additional_params: additionalParams,
      eet
    }
  ),
  CaptureAuthorizationPartialRequest: message<Messages.CaptureAuthorizationPartialRequest>(
    "How much of a hold to capture; the rest is released.",
    {
      amount: "An integer in minor units, at most what is held.",
      items: { text: "The rows of the order. The documentation requires them.", is: "PaymentItem" },
      eet
    }
  ),
  AccountStatementRequest: message<Messages.AccountStatementRequest>(
    { text: "Which statement is asked for.", unknown: "the longest time that it may cover." },
    {
      date_from: "The first day.",
      date_to: { text: "The last day.", inferred: "not before `date_from`." },
      goid,
      currency: "Currency of the account.",
      format: "Format of the file."
    }
  ),
  PaymentQrRequest: message<Messages.PaymentQrRequest>("Which pictures are asked for.", {
    format: "Format of the pictures; `png` when absent."
  }),

  AccessTokenResponse: message<Messages.AccessTokenResponse>(
    { text: "An access token.", recorded: "a `refresh_token` comes too; no way to use it is documented." },
    {
      access_token: { text: "Opaque.", recorded: "108 characters of base64, `+` and `/` among them." },
      token_type: { text: "The kind of token.", recorded: "`bearer`." },
      expires_in: { text: "How long it is valid, in seconds.", recorded: "1800." }
    }
  ),
  PaymentResponse: message<Messages.PaymentResponse>(
    {
      text: "A payment as it is now.",
      recorded: "members without a value are left out; until 2016 they were `null`."
    },
    payment
  ),
  CreatePaymentResponse: message<Messages.CreatePaymentResponse>(
    "The payment created; it has the address of its pay page.",
    payment
  ),
  PayerResponse: message<Messages.PayerResponse>("The payer.", {
    payment_instrument: unpopulated("What the payer chose."),
    ...instrumentChoice,
    email: unpopulated("The payer's e-mail address; see `contact`."),
    phone_number: unpopulated("The payer's phone number; see `contact`."),
    bank_account: { text: "After a bank transfer: the account that it came from.", is: "BankAccountResponse" },
    payment_card: {
      text: "After a card payment: the card.",
      recorded: "absent in the payments that follow the first of a recurrence.",
      is: "PaymentCardResponse"
    },
    contact: { text: "How to reach the payer.", is: "PayerContactResponse" },
    card_id: { text: "Id of the stored card, where there is one.", weak: "text in two official clients." }
  }),
  PayerContactResponse: message<Messages.PayerContactResponse>("How to reach the payer.", {
    ...contact,
    country_code: { text: country, recorded: "filled in by the gateway after the payment, even if it was not sent." }
  }),
  BankAccountResponse: message<Messages.BankAccountResponse>("The bank account that a payment came from.", bankAccount),
  PaymentCardResponse: message<Messages.PaymentCardResponse>("The card that a payment was made with.", {
    ...cardMembers,
    "3ds_result": {
      text: "Result of 3-D Secure.",
      unknown: "for which payments it comes.",
      invented: "for stored cards only."
    }
  }),
  PaymentTargetResponse: message<Messages.PaymentTargetResponse>("Who is paid.", { type: "Kind of the payee.", goid }),
  RecurrenceResponse: message<Messages.RecurrenceResponse>("A recurrence as it is now.", {
    recurrence_cycle: "How it is charged.",
    recurrence_period: "How many cycles lie between two charges.",
    recurrence_date_to: { text: "The last day, `yyyy-mm-dd`.", format: "date" },
    recurrence_state: "Set by the gateway."
  }),
  PreauthorizationResponse: message<Messages.PreauthorizationResponse>("A card hold as it is now.", {
    requested: "`true`.",
    state: "Set by the gateway."
  }),
  AdditionalParamResponse: message<Messages.AdditionalParamResponse>("A name and value of your own.", {
    name: "Your name for it.",
    value: "As it was sent."
  }),
  PaymentItemResponse: message<Messages.PaymentItemResponse>("A row of an order.", item),
  PaymentOperationResponse: message<Messages.PaymentOperationResponse>(
    "What became of a refund, a capture or a void.",
    {
      id: "Id of the payment.",
      result: "Not always done: see each value.",
      description: { text: "A text for people.", recorded: "`null` in 2016, absent since." }
    }
  ),
  RefundHistory: {
    about: {
      text: "The refunds of a payment.",
      inferred: "an empty array where there is none.",
      unknown: "their order.",
      invented: "oldest first.",
      is: "RefundHistoryItem"
    },
    fields: {}
  },
  RefundHistoryItem: message<Messages.RefundHistoryItem>("One refund.", {
    id: "Id of the refund, not of the payment.",
    state: "State of the refund.",
    amount: "How much is returned, an integer in minor units.",
    currency,
    date_requested: timestamp("When it was asked for."),
    date_last_change: timestamp("When it last changed.")
  }),
  CardDetailsResponse: message<Messages.CardDetailsResponse>(
    {
      text: "A stored card. In the official clients, not in the documentation.",
      unknown: "which members may be absent."
    },
    {
      ...cardMembers,
      card_id: "Id of the card.",
      status: "A deleted card can still be read.",
      real_masked_pan: {
        text: "A masked card number.",
        inferred: "that of the card behind a card token, where `card_number` is the token's."
      },
      card_art_url: { text: "Address of a picture of the card.", format: "uri" }
    }
  ),
  PaymentInstrumentsResponse: message<Messages.PaymentInstrumentsResponse>(
    "The ways to pay in one currency.",
    instruments
  ),
  PaymentInstrumentsAllResponse: message<Messages.PaymentInstrumentsAllResponse>("The ways to pay in all currencies.", {
    ...instruments,
    enabledPaymentInstruments: {
      text: "The ways to pay.",
      weak: "an object keyed by code, by documentation of 2016 and third-party code.",
      is: "EnabledPaymentInstrument"
    }
  }),
  InstrumentGroup: message<Messages.InstrumentGroup>("A group of ways to pay.", { label: labelNote }),
  EnabledPaymentInstrument: message<Messages.EnabledPaymentInstrument>("A way to pay that the shop has.", {
    paymentInstrument: "Code of it.",
    label: labelNote,
    image: imageNote,
    group: "Key of its group in `groups`.",
    currencies: { text: "In the response for all currencies.", weak: "an array of codes." },
    enabledSwifts: {
      text: "The banks, for `BANK_ACCOUNT`; else `null`.",
      weak: "keyed by code in the response for all currencies.",
      is: "EnabledSwift"
    },
    enabledBnplTypes: {
      text: "The kinds of deferred payment.",
      inferred: "keyed by code in the response for all currencies, as the banks are.",
      is: "EnabledBnplType"
    }
  }),
  EnabledSwift: message<Messages.EnabledSwift>("A bank that the shop has.", {
    swift: "Code of it.",
    label: labelNote,
    image: imageNote,
    isOnline: "Whether it confirms payments at once. In the response for one currency.",
    currencies: { text: "In the response for all currencies.", weak: "by currency.", is: "EnabledSwiftCurrency" }
  }),
  EnabledSwiftCurrency: message<{ readonly isOnline: boolean }>("A bank in one currency.", {
    isOnline: { text: "Whether the bank confirms payments at once.", weak: "documentation of 2016." }
  }),
  EnabledBnplType: message<Messages.EnabledBnplType>("A kind of deferred payment that the shop has.", {
    bnplType: "Code of it.",
    label: labelNote,
    image: imageNote
  }),
  InstrumentImage: message<Messages.InstrumentImage>("Addresses of a picture.", {
    normal: { text: "The usual size.", format: "uri" },
    large: { text: "A larger size.", format: "uri" }
  }),
  PaymentQrResponse: message<Messages.PaymentQrResponse>("A bank transfer, ready to be made.", {
    amount: amountToPay,
    currency,
    recipient: { text: "Whom to pay.", is: "QrRecipient" },
    qr_code: {
      text: "Pictures by standard.",
      invented: "SPAYD for CZK, PAY by square and EPC for EUR, to accounts that cannot exist.",
      is: "QrCode"
    }
  }),
  QrCode: message<Messages.QrCode>("Pictures by standard, base64, in the format asked for.", {
    spayd: "Short Payment Descriptor, for CZK.",
    paybysquare: "PAY by square, for EUR.",
    sepa: "EPC (SEPA), for EUR.",
    mnb_qr: "MNB, for HUF."
  }),
  QrRecipient: message<Messages.QrRecipient>("Whom to pay.", {
    name: "Name of the payee.",
    bank_account: { text: "The account, in two ways of writing.", is: "QrBankAccount" },
    address: { text: "Address of the payee.", is: "QrAddress" }
  }),
  QrBankAccount: message<QrBankAccount>("A bank account, in two ways of writing.", {
    local: { text: "As it is written in the country.", is: "QrLocalAccount" },
    international: { text: "As it is written abroad.", is: "QrInternationalAccount" }
  }),
  QrLocalAccount: message<Required<QrBankAccount>["local"]>("A bank account as it is written in the country.", {
    prefix: { text: "Prefix of the account number.", weak: "`000000`." },
    account_number: "Account number.",
    bank_code: "Code of the bank.",
    variable_symbol: { text: "Tells the payee what is paid.", weak: "the id of the payment." }
  }),
  QrInternationalAccount: message<Required<QrBankAccount>["international"]>("A bank account as it is written abroad.", {
    bic: "BIC of the bank.",
    iban: "IBAN of the account.",
    reference: { text: "Tells the payee what is paid.", invented: "the id of the payment." }
  }),
  QrAddress: message<Required<Messages.QrRecipient>["address"]>(
    { text: "An address.", weak: "in one official client only." },
    { street: "Street.", city: "City.", zip_code: "Postal code.", country: "Country." }
  ),
  ErrorResponse: message<Messages.ErrorResponse>(
    {
      text: "A refusal. The documentation also shows a single error without `errors` around it.",
      recorded: "always with `errors`."
    },
    {
      date_issued: {
        text: "When it was refused. The documentation's example has milliseconds since 1970.",
        recorded: "text such as `2026-01-15T10:30:00.000+0100`, in Prague time."
      },
      errors: { text: "At least one.", is: "ErrorItem" }
    }
  ),
  ErrorItem: message<Messages.ErrorItem>("One thing that is wrong.", {
    scope: "What it is about.",
    field: "The wrong field, where the scope is `F`.",
    error_code: { text: "What is wrong.", is: "ErrorCode" },
    error_name: {
      text: "Symbolic name.",
      unknown: "for most codes.",
      invented: "where it is unknown."
    },
    message: {
      text: "For people, in the language of `Accept-Language`.",
      recorded: "that of 111, 304 and 340 in English, that of 202 in English and Czech.",
      unknown: "the others.",
      invented: "the others."
    },
    description: { text: "Technical details.", recorded: "absent where there are none." }
  })
}

type QrBankAccount = Required<Messages.QrRecipient>["bank_account"]
