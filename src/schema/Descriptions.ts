/**
 * What the schemas say of themselves: made of the comments of `Messages`, `GatewayError`, `ChangeRecord` and of the code lists' notes by
 * `npm run descriptions`.
 */

/** By the path of an interface or its member: what it is, and the interface that has the members of its type. */
export const descriptions: { readonly [path: string]: string | readonly [about: string, type: string] } = {
  ExtraFields: "Fields that GoPay added to its API before they are known here.",
  CreatePaymentRequest: "An order to be paid.",
  PaymentItem: "A row of an order.",
  PaymentCallback: "Where the payer returns, and where the gateway notifies.",
  Offer: "What is offered to the payer.",
  Payer: "Who pays, and what is offered.",
  PayerContact: "How to reach the payer.",
  BankAccount: "A bank account.",
  PaymentTarget: "Who is paid.",
  AdditionalParam: "A name and value of your own.",
  Recurrence: "Asks for a recurrence.",
  Eet: "Data of the Czech sales registration (abolished in 2023), passed through.",
  RefundPaymentRequest: "How much to return.",
  CreateRecurrenceRequest: "The next charge of a recurrence.",
  CaptureAuthorizationPartialRequest: "How much of a hold to capture; the rest is released.",
  AccountStatementRequest: "Which statement to download.",
  PaymentQrRequest: "Which pictures to return.",
  AccessTokenRequest: "Asks for an access token.",
  AddedFields: "What GoPay added to a response before it is known here.",
  PaymentResponse: "A payment as it is now.",
  CreatePaymentResponse: "The payment created; it has the address of its pay page.",
  PayerResponse: "The payer.",
  PayerContactResponse: "How to reach the payer.",
  BankAccountResponse: "The bank account that a payment came from.",
  PaymentCardResponse: "The card that a payment was made with.",
  PaymentTargetResponse: "Who is paid.",
  RecurrenceResponse: "A recurrence as it is now.",
  PreauthorizationResponse: "A card hold as it is now.",
  AdditionalParamResponse: "A name and value of your own.",
  PaymentItemResponse: "A row of an order.",
  PaymentOperationResponse: "What became of a refund, a capture or a void.",
  RefundHistoryItem: "One refund.",
  CardDetailsResponse: "A stored card. In the official clients, not in the documentation.",
  InstrumentLabel: "A text in several languages, keyed by language code.",
  InstrumentImage: "Addresses of a picture.",
  InstrumentGroup: "A group of ways to pay.",
  EnabledPaymentInstrument: "A way to pay that the shop has.",
  EnabledSwift: "A bank that the shop has.",
  EnabledBnplType: "A kind of deferred payment that the shop has.",
  PaymentInstrumentsResponse: "The ways to pay in one currency.",
  PaymentInstrumentsAllResponse: "The ways to pay in all currencies.",
  PaymentQrResponse: "A bank transfer, ready to be made.",
  QrCode: "Pictures by standard, base64, in the requested format.",
  QrRecipient: "Whom to pay.",
  AccountStatementResponse: "An account statement: the file, byte for byte.",
  AccessTokenResponse: "An access token.",
  ErrorResponse: "A refusal. The documentation also shows a single error without `errors` around it.",
  ErrorItem: "One thing that is wrong.",
  ReasonDetails: "Members of every reason.",
  ResponseDetails: "Members of every reason that comes from a response of the gateway.",
  InvalidField: "One field that is wrong.",
  InvalidRequest: "The request is invalid. Nothing was done. Correct the fields.",
  AuthenticationFailed:
    "The credentials were refused (codes 201–203, status 401, or the gateway's own 403 of the token call), or a fresh token was (401).",
  PermissionDenied:
    "A fresh token does not grant access (code 200: its scope), or something in front of the gateway refused the request (403 without the gateway's body).",
  PaymentNotFound: "The gateway knows no such payment (code 304).",
  CardNotFound: "The gateway knows no such card (code 304).",
  OperationRefused:
    "A business rule of the gateway forbids it. This call has done nothing. For a read, also an unlisted code.",
  RateLimited: "Too many requests (429). Nothing was done.",
  GatewayUnavailable:
    "No connection could be made; for a read also: no response in time, a broken connection, status 408 or 5xx.",
  OutcomeUnknown:
    "A change was sent, and it is unknown whether the gateway carried it out: there was no response, or one that does not prove it, such as a refusal with an unlisted code. Do not repeat it: find out with `reconcile`. Only a payment without a stored card is simply created again.",
  UnexpectedResponse: "The response to a read cannot be used.",
  GatewayErrorJson: "The result of `toJSON` of a `GatewayError`.",
  ChangeRecord:
    "The facts of a change that was sent: enough to look for its effect with `reconcile`, nothing personal or secret.",
  ChangeTiming: "When a change is sent.",
  RefundTiming: "When a refund is sent, and the payment's other refunds as far as known.",
  "CreatePaymentRequest.amount": "The sum to pay, an integer in minor units (haléře, cents).",
  "CreatePaymentRequest.currency": "ISO 4217 code of a currency, such as `CZK`.",
  "CreatePaymentRequest.order_number":
    "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
  "CreatePaymentRequest.order_description": "What is paid, at most 256 characters. Not repeated in responses.",
  "CreatePaymentRequest.items": [
    "The rows of the order. The documentation requires them, and refuses a sum other than `amount` with 360.",
    "PaymentItem"
  ],
  "CreatePaymentRequest.callback": ["Where to return and to notify. Not repeated in responses.", "PaymentCallback"],
  "CreatePaymentRequest.payer": [
    "Who pays. The documentation requires every member of it, for 3-D Secure; official clients' tests send as little as an e-mail address.",
    "Payer"
  ],
  "CreatePaymentRequest.target": ["Who is paid. The documentation requires it.", "PaymentTarget"],
  "CreatePaymentRequest.lang": "Language of the pay page.",
  "CreatePaymentRequest.additional_params": [
    "Your own names and values, repeated in every response.",
    "AdditionalParam"
  ],
  "CreatePaymentRequest.recurrence": ["Makes this the first payment of a recurrence.", "Recurrence"],
  "CreatePaymentRequest.preauthorization": "`true` holds the sum on the card for 4 days, to be captured or voided.",
  "CreatePaymentRequest.eet": ["Data of the Czech sales registration, abolished in 2023.", "Eet"],
  "PaymentItem.type": "What the row is; an item when absent.",
  "PaymentItem.name": "What is sold, at most 256 characters.",
  "PaymentItem.amount":
    "Total of the row, not the price of one piece: an integer in minor units, negative for a discount.",
  "PaymentItem.count": "How many pieces. Does not multiply `amount`.",
  "PaymentItem.vat_rate": "VAT rate in percent. The documentation lists 0, 10, 15 and 21.",
  "PaymentItem.ean": "EAN, at most 13 characters.",
  "PaymentItem.product_url": "Address of the product, at most 512 characters.",
  "PaymentCallback.return_url":
    "Absolute address, at most 512 characters. The payer's browser comes here with `id` added to the query, and no state.",
  "PaymentCallback.notification_url": "Absolute address, at most 512 characters. See the callback `stateChange`.",
  "Offer.allowed_payment_instruments": "The ways to pay that are offered; absent or empty: all that the shop has.",
  "Offer.default_payment_instrument": "The preselected way to pay.",
  "Offer.allowed_swifts": "The banks that are offered; absent or empty: all that the shop has.",
  "Offer.default_swift": "The preselected bank, where `BANK_ACCOUNT` is preselected.",
  "Offer.allowed_bnpl_types": "The kinds of deferred payment that are offered; absent or empty: all that the shop has.",
  "Offer.default_bnpl_type": "The preselected kind of deferred payment.",
  "Payer.contact": ["How to reach the payer.", "PayerContact"],
  "Payer.bank_account": ["The payer's bank account.", "BankAccount"],
  "Payer.verify_pin": "Four digits: identifies the payer by the card. Not repeated in responses.",
  "Payer.allowed_card_token": "Pays with a stored card: its token.",
  "Payer.request_card_token":
    "Asks for the card to be stored; `payment_card.card_token` has the token once it is paid.",
  "Payer.masked_pan": "A card number with most digits masked, in some official clients only.",
  "PayerContact.first_name": "First name, at most 256 characters.",
  "PayerContact.last_name": "Last name, at most 256 characters.",
  "PayerContact.email": "E-mail address, at most 128 characters.",
  "PayerContact.phone_number": "Phone number with the prefix of the country, at most 128 characters.",
  "PayerContact.city": "City, at most 128 characters.",
  "PayerContact.street": "Street and number, at most 128 characters.",
  "PayerContact.postal_code": "Postal code, at most 16 characters.",
  "PayerContact.country_code": "ISO 3166-1 alpha-3 code of a country, such as `CZE`.",
  "BankAccount.iban": "IBAN, at most 50 characters.",
  "BankAccount.bic": "BIC, at most 11 characters.",
  "BankAccount.prefix": "Prefix of the account number, at most 64 characters.",
  "BankAccount.account_number": "Account number, at most 128 characters.",
  "BankAccount.bank_code": "Code of the bank, at most 8 characters.",
  "BankAccount.account_name": "Name of the account, at most 70 characters.",
  "BankAccount.country": "ISO 3166-1 alpha-3 code of a country, such as `CZE`.",
  "BankAccount.account_token": "In some official clients only.",
  "PaymentTarget.type": "Kind of the payee.",
  "PaymentTarget.goid": "The shop's identifier at GoPay (GoID): ten digits.",
  "AdditionalParam.name": "Your name for it.",
  "AdditionalParam.value": "Comes back in every response.",
  "Recurrence.recurrence_cycle": "`ON_DEMAND`: the shop charges; else the gateway does by itself.",
  "Recurrence.recurrence_period": "How many cycles lie between two charges. Not needed for `ON_DEMAND`.",
  "Recurrence.recurrence_date_to": "The last day, in the future.",
  "RefundPaymentRequest.amount": "An integer in minor units, at most what was paid and not yet refunded.",
  "CreateRecurrenceRequest.amount": "The sum to pay, an integer in minor units (haléře, cents).",
  "CreateRecurrenceRequest.order_description": "What is paid, at most 256 characters. The documentation requires it.",
  "CreateRecurrenceRequest.items": ["The rows of the order. The documentation requires them.", "PaymentItem"],
  "CaptureAuthorizationPartialRequest.amount": "An integer in minor units, at most what is held.",
  "AccountStatementRequest.date_from": "The first day.",
  "AccountStatementRequest.date_to": "The last day.",
  "AccountStatementRequest.goid": "The shop's identifier at GoPay (GoID): ten digits.",
  "AccountStatementRequest.currency": "Currency of the account.",
  "AccountStatementRequest.format": "Format of the file.",
  "PaymentQrRequest.format": "Format of the pictures; `png` when absent.",
  "AccessTokenRequest.grant_type": "Always `client_credentials`.",
  "AccessTokenRequest.scope": "What the token is to allow.",
  "PaymentResponse.id": "Id of the payment.",
  "PaymentResponse.parent_id": "Of a payment born from a recurrence: the first payment of it.",
  "PaymentResponse.order_number": "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
  "PaymentResponse.state": "State of the payment: decide on this.",
  "PaymentResponse.sub_state": "Why it is in its state. Only where the gateway has set one.",
  "PaymentResponse.payment_instrument": "What the payer chose.",
  "PaymentResponse.amount": "The sum to pay, an integer in minor units (haléře, cents).",
  "PaymentResponse.currency": "ISO 4217 code of a currency, such as `CZK`.",
  "PaymentResponse.payer": ["The payer, with what the gateway has learned.", "PayerResponse"],
  "PaymentResponse.target": ["Who is paid.", "PaymentTargetResponse"],
  "PaymentResponse.recurrence": ["Present if one was requested.", "RecurrenceResponse"],
  "PaymentResponse.preauthorization": [
    "Present if one was requested. An object, while the request has a boolean.",
    "PreauthorizationResponse"
  ],
  "PaymentResponse.additional_params": ["Your own names and values.", "AdditionalParamResponse"],
  "PaymentResponse.lang": "Language of the pay page.",
  "PaymentResponse.gw_url": "Address of the pay page. The documentation's examples have blanks around it.",
  "PaymentResponse.items": ["In one official client only.", "PaymentItemResponse"],
  "PaymentResponse.eet_code": ["Codes of the Czech sales registration, abolished in 2023.", "Eet"],
  "CreatePaymentResponse.gw_url": "Address of the pay page. The documentation's examples have blanks around it.",
  "PayerResponse.payment_instrument": "What the payer chose.",
  "PayerResponse.email": "The payer's e-mail address; see `contact`.",
  "PayerResponse.phone_number": "The payer's phone number; see `contact`.",
  "PayerResponse.bank_account": ["After a bank transfer: the account that it came from.", "BankAccountResponse"],
  "PayerResponse.payment_card": ["After a card payment: the card.", "PaymentCardResponse"],
  "PayerResponse.contact": ["How to reach the payer.", "PayerContactResponse"],
  "PayerResponse.card_id": "Id of the stored card, where there is one.",
  "PayerContactResponse.country_code": "ISO 3166-1 alpha-3 code of a country, such as `CZE`.",
  "PaymentCardResponse.card_number": "Masked card number: six digits, six stars, four digits.",
  "PaymentCardResponse.card_expiration": "Month of expiry, `YYMM`: `2112` is December 2021.",
  "PaymentCardResponse.card_brand": "Brand, such as `VISA Electron`.",
  "PaymentCardResponse.card_issuer_country": "ISO 3166-1 alpha-3 code of a country, such as `CZE`.",
  "PaymentCardResponse.card_issuer_bank": "Name of the bank that issued the card.",
  "PaymentCardResponse.card_token": "Pays again, as `payer.allowed_card_token`.",
  "PaymentCardResponse.card_fingerprint": "The same for the same card.",
  "PaymentCardResponse.3ds_result": "Result of 3-D Secure.",
  "PaymentTargetResponse.type": "Kind of the payee.",
  "PaymentTargetResponse.goid": "The shop's identifier at GoPay (GoID): ten digits.",
  "RecurrenceResponse.recurrence_cycle": "How it is charged.",
  "RecurrenceResponse.recurrence_period": "How many cycles lie between two charges.",
  "RecurrenceResponse.recurrence_date_to": "The last day, `yyyy-mm-dd`.",
  "RecurrenceResponse.recurrence_state": "Set by the gateway.",
  "PreauthorizationResponse.requested": "`true`.",
  "PreauthorizationResponse.state": "Set by the gateway.",
  "AdditionalParamResponse.name": "Your name for it.",
  "AdditionalParamResponse.value": "As it was sent.",
  "PaymentOperationResponse.id": "Id of the payment.",
  "PaymentOperationResponse.result": "Not always done: see each value.",
  "PaymentOperationResponse.description": "A text for people.",
  "RefundHistoryItem.id": "Id of the refund, not of the payment.",
  "RefundHistoryItem.state": "State of the refund.",
  "RefundHistoryItem.amount": "How much is returned, an integer in minor units.",
  "RefundHistoryItem.currency": "ISO 4217 code of a currency, such as `CZK`.",
  "RefundHistoryItem.date_requested": "When it was requested.",
  "RefundHistoryItem.date_last_change": "When it last changed.",
  "CardDetailsResponse.card_id": "Id of the card.",
  "CardDetailsResponse.status": "A deleted card can still be read.",
  "CardDetailsResponse.real_masked_pan": "A masked card number.",
  "CardDetailsResponse.card_art_url": "Address of a picture of the card.",
  "InstrumentImage.normal": "Address of the picture in its usual size.",
  "InstrumentImage.large": "Address of a larger picture.",
  "InstrumentGroup.label": ["Texts by language code.", "InstrumentLabel"],
  "EnabledPaymentInstrument.paymentInstrument": "Code of the payment method.",
  "EnabledPaymentInstrument.label": ["Texts by language code.", "InstrumentLabel"],
  "EnabledPaymentInstrument.image": ["Pictures in two sizes.", "InstrumentImage"],
  "EnabledPaymentInstrument.group": "Key of its group in `groups`.",
  "EnabledPaymentInstrument.currencies": "The currencies that it can be paid in.",
  "EnabledPaymentInstrument.enabledSwifts": ["The banks, for `BANK_ACCOUNT`; else `null`.", "EnabledSwift"],
  "EnabledPaymentInstrument.enabledBnplTypes": ["The kinds of deferred payment.", "EnabledBnplType"],
  "EnabledSwift.swift": "SWIFT code of the bank, or one of GoPay's own.",
  "EnabledSwift.isOnline": "Whether the bank confirms payments at once.",
  "EnabledSwift.currencies.isOnline": "Whether the bank confirms payments at once.",
  "EnabledSwift.currencies": "What the bank offers in each currency.",
  "EnabledBnplType.bnplType": "Code of the kind.",
  "PaymentInstrumentsResponse.groups": ["The groups, by their code.", "InstrumentGroup"],
  "PaymentInstrumentsResponse.enabledPaymentInstruments": ["The ways to pay: an array.", "EnabledPaymentInstrument"],
  "PaymentInstrumentsAllResponse.enabledPaymentInstruments": ["The ways to pay.", "EnabledPaymentInstrument"],
  "PaymentQrResponse.amount": "The sum to pay, an integer in minor units (haléře, cents).",
  "PaymentQrResponse.currency": "ISO 4217 code of a currency, such as `CZK`.",
  "PaymentQrResponse.recipient": ["Whom to pay.", "QrRecipient"],
  "PaymentQrResponse.qr_code": ["Pictures by standard.", "QrCode"],
  "QrCode.spayd": "Short Payment Descriptor, for CZK.",
  "QrCode.paybysquare": "PAY by square, for EUR.",
  "QrCode.sepa": "EPC (SEPA), for EUR.",
  "QrCode.mnb_qr": "MNB, for HUF.",
  "QrRecipient.name": "Name of the payee.",
  "QrRecipient.bank_account.local.prefix": "Prefix of the account number.",
  "QrRecipient.bank_account.local.account_number": "Account number.",
  "QrRecipient.bank_account.local.bank_code": "Code of the bank.",
  "QrRecipient.bank_account.local.variable_symbol": "Tells the payee what is paid.",
  "QrRecipient.bank_account.local": "The form that is used within the country.",
  "QrRecipient.bank_account.international.bic": "BIC of the bank.",
  "QrRecipient.bank_account.international.iban": "IBAN of the account.",
  "QrRecipient.bank_account.international.reference": "Tells the payee what is paid.",
  "QrRecipient.bank_account.international": "The form for payments from abroad.",
  "QrRecipient.bank_account": "The account in its domestic and its international form.",
  "QrRecipient.address.street": "Street with the house number.",
  "QrRecipient.address.city": "City or municipality.",
  "QrRecipient.address.zip_code": "Postal code.",
  "QrRecipient.address.country": "Country.",
  "QrRecipient.address": "Address of the payee.",
  "AccountStatementResponse.data": "The file's bytes.",
  "AccountStatementResponse.contentType":
    "The `Content-Type` of the response. GoPay documents `application/octet-stream` for every format: do not rely on it.",
  "AccountStatementResponse.contentDisposition": "The `Content-Disposition` of the response; undocumented.",
  "AccountStatementResponse.toText": "The file as text.",
  "AccessTokenResponse.access_token": "Opaque.",
  "AccessTokenResponse.token_type": "The kind of token.",
  "AccessTokenResponse.expires_in": "How long it is valid, in seconds.",
  "ErrorResponse.date_issued": "When it was refused. The documentation's example has milliseconds since 1970.",
  "ErrorResponse.errors": ["At least one.", "ErrorItem"],
  "ErrorItem.scope": "What it is about.",
  "ErrorItem.field": "The wrong field, where the scope is `F`.",
  "ErrorItem.error_code": "What is wrong.",
  "ErrorItem.error_name": "Symbolic name.",
  "ErrorItem.message": "For people, in the language of `Accept-Language`.",
  "ErrorItem.description": "Technical details.",
  "ReasonDetails._tag": "The name of the reason.",
  "ReasonDetails.message": "The problem and its remedy, in words.",
  "ReasonDetails.isRetryable":
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
  "ResponseDetails.status":
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
  "ResponseDetails.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "InvalidField.field":
    "The path of the field, such as `items[0].amount`. Absent when the gateway did not name a field.",
  "InvalidField.message": "The problem, in words.",
  "InvalidField.error_code": "The gateway's code, when the gateway refused it.",
  "InvalidField.error_name": "The gateway's symbolic name of the code. Not known for every code.",
  "InvalidField.scope": "`F`: about one field. `G`: about the whole request.",
  "InvalidField.description": "The gateway's technical details.",
  "InvalidRequest.refusedBy":
    "`client`: nothing was sent. `gateway`: it refused the request (codes 110–116 and 360, or a too large request).",
  "InvalidRequest.errors": ["The fields that are wrong.", "InvalidField"],
  "InvalidRequest.status": "The HTTP status, when the gateway refused it.",
  "PaymentNotFound.paymentId": "The requested id.",
  "CardNotFound.cardId": "The requested id.",
  "OperationRefused.code":
    'Base decisions on this code; see `ErrorCodes`. Absent if the gateway answered `result: "FAILED"`.',
  "OperationRefused.goalReached":
    "Whether the goal of the call was already reached by an earlier call or another actor: already captured, voided or stopped.",
  "RateLimited.retryAfterMillis": "Milliseconds to wait, when the gateway said so.",
  "GatewayUnavailable.code": "The system's error code, such as `ECONNREFUSED`.",
  "GatewayUnavailable.retryAfterMillis": "Milliseconds to wait, when the gateway said so.",
  "OutcomeUnknown.isRetryable": "Never: repeating it may do it twice.",
  "OutcomeUnknown.change": [
    "The record of what was sent: pass it to `reconcile`, with anything else that you know about it, or store it as JSON.",
    "ChangeRecord"
  ],
  "OutcomeUnknown.code": "The system's error code, such as `ECONNRESET`.",
  "GatewayErrorJson._tag": "Always `GatewayError`.",
  "GatewayErrorJson.operation": "The operation that failed.",
  "GatewayErrorJson.message": "The operation and the problem, in words.",
  "GatewayErrorJson.help": "The section of the documents that says what to do about it.",
  "GatewayErrorJson.reason": "The reason of the failure.",
  "ChangeRecord.operation": "The operation; `sendRequest` for a custom request.",
  "ChangeRecord.goid": "The merchant's GoID. Absent in a record that was made before the call.",
  "ChangeRecord.path":
    "For a custom request: its path without the query, with only those words and ids that may be shown.",
  "ChangeRecord.paymentId": "The payment that it changes.",
  "ChangeRecord.cardId": "The card that it deletes.",
  "ChangeRecord.amount": "An integer in minor units.",
  "ChangeRecord.currency": "ISO 4217 code, such as `CZK`.",
  "ChangeRecord.orderNumber": "Your order's number, as sent.",
  "ChangeRecord.usesStoredCard":
    "For `createPayment`: that the request has an `allowed_card_token`, which may need no payer. Absent: it has none.",
  "ChangeRecord.sentAt": "When it was handed over to be sent, ISO 8601 in UTC.",
  "ChangeRecord.refundsBefore": [
    "For a refund: the result of `getPaymentRefunds` before the call. Without it no refund in the list can be identified as this one.",
    "RefundHistoryItem"
  ],
  "ChangeRecord.isOnlyWriter":
    "For a refund, your word that `refundsBefore` contains all earlier refunds, and that since it was read nothing but this call refunds the payment: no other process, no one in GoPay's own administration, and no earlier call whose outcome is still unknown. Absent: you do not give it.",
  "ChangeRecord.childId": "For `createRecurrence`: the payment from a notification, its `id` next to a `parent_id`.",
  "ChangeTiming.sentAt": "Now.",
  "RefundTiming.refundsBefore": ["The result of `getPaymentRefunds` just before.", "RefundHistoryItem"],
  "RefundTiming.isOnlyWriter": "Your word that nothing else refunds this payment meanwhile; see `ChangeRecord`.",
  "Payer.allowed_payment_instruments": [
    "The ways to pay that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_payment_instruments"
  ],
  "Payer.default_payment_instrument": ["The preselected way to pay.", "Offer.default_payment_instrument"],
  "Payer.allowed_swifts": [
    "The banks that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_swifts"
  ],
  "Payer.default_swift": ["The preselected bank, where `BANK_ACCOUNT` is preselected.", "Offer.default_swift"],
  "Payer.allowed_bnpl_types": [
    "The kinds of deferred payment that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_bnpl_types"
  ],
  "Payer.default_bnpl_type": ["The preselected kind of deferred payment.", "Offer.default_bnpl_type"],
  "CreateRecurrenceRequest.currency": ["ISO 4217 code of a currency, such as `CZK`.", "CreatePaymentRequest.currency"],
  "CreateRecurrenceRequest.order_number": [
    "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
    "CreatePaymentRequest.order_number"
  ],
  "CreateRecurrenceRequest.callback": ["Where to return and to notify. Not repeated in responses.", "PaymentCallback"],
  "CreateRecurrenceRequest.payer": [
    "Who pays. The documentation requires every member of it, for 3-D Secure; official clients' tests send as little as an e-mail address.",
    "Payer"
  ],
  "CreateRecurrenceRequest.target": ["Who is paid. The documentation requires it.", "PaymentTarget"],
  "CreateRecurrenceRequest.lang": ["Language of the pay page.", "CreatePaymentRequest.lang"],
  "CreateRecurrenceRequest.additional_params": [
    "Your own names and values, repeated in every response.",
    "AdditionalParam"
  ],
  "CreateRecurrenceRequest.recurrence": ["Makes this the first payment of a recurrence.", "Recurrence"],
  "CreateRecurrenceRequest.preauthorization": [
    "`true` holds the sum on the card for 4 days, to be captured or voided.",
    "CreatePaymentRequest.preauthorization"
  ],
  "CreateRecurrenceRequest.eet": ["Data of the Czech sales registration, abolished in 2023.", "Eet"],
  "CaptureAuthorizationPartialRequest.order_description": [
    "What is paid, at most 256 characters. The documentation requires it.",
    "CreateRecurrenceRequest.order_description"
  ],
  "CaptureAuthorizationPartialRequest.items": [
    "The rows of the order. The documentation requires them.",
    "PaymentItem"
  ],
  "CaptureAuthorizationPartialRequest.currency": [
    "ISO 4217 code of a currency, such as `CZK`.",
    "CreatePaymentRequest.currency"
  ],
  "CaptureAuthorizationPartialRequest.order_number": [
    "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
    "CreatePaymentRequest.order_number"
  ],
  "CaptureAuthorizationPartialRequest.callback": [
    "Where to return and to notify. Not repeated in responses.",
    "PaymentCallback"
  ],
  "CaptureAuthorizationPartialRequest.payer": [
    "Who pays. The documentation requires every member of it, for 3-D Secure; official clients' tests send as little as an e-mail address.",
    "Payer"
  ],
  "CaptureAuthorizationPartialRequest.target": ["Who is paid. The documentation requires it.", "PaymentTarget"],
  "CaptureAuthorizationPartialRequest.lang": ["Language of the pay page.", "CreatePaymentRequest.lang"],
  "CaptureAuthorizationPartialRequest.additional_params": [
    "Your own names and values, repeated in every response.",
    "AdditionalParam"
  ],
  "CaptureAuthorizationPartialRequest.recurrence": ["Makes this the first payment of a recurrence.", "Recurrence"],
  "CaptureAuthorizationPartialRequest.preauthorization": [
    "`true` holds the sum on the card for 4 days, to be captured or voided.",
    "CreatePaymentRequest.preauthorization"
  ],
  "CaptureAuthorizationPartialRequest.eet": ["Data of the Czech sales registration, abolished in 2023.", "Eet"],
  "CreatePaymentResponse.id": ["Id of the payment.", "PaymentResponse.id"],
  "CreatePaymentResponse.parent_id": [
    "Of a payment born from a recurrence: the first payment of it.",
    "PaymentResponse.parent_id"
  ],
  "CreatePaymentResponse.order_number": [
    "Number of your order, 1 to 128 characters. The documentation says alphanumeric.",
    "PaymentResponse.order_number"
  ],
  "CreatePaymentResponse.state": ["State of the payment: decide on this.", "PaymentResponse.state"],
  "CreatePaymentResponse.sub_state": [
    "Why it is in its state. Only where the gateway has set one.",
    "PaymentResponse.sub_state"
  ],
  "CreatePaymentResponse.payment_instrument": ["What the payer chose.", "PaymentResponse.payment_instrument"],
  "CreatePaymentResponse.amount": [
    "The sum to pay, an integer in minor units (haléře, cents).",
    "PaymentResponse.amount"
  ],
  "CreatePaymentResponse.currency": ["ISO 4217 code of a currency, such as `CZK`.", "PaymentResponse.currency"],
  "CreatePaymentResponse.payer": ["The payer, with what the gateway has learned.", "PayerResponse"],
  "CreatePaymentResponse.target": ["Who is paid.", "PaymentTargetResponse"],
  "CreatePaymentResponse.recurrence": ["Present if one was requested.", "RecurrenceResponse"],
  "CreatePaymentResponse.preauthorization": [
    "Present if one was requested. An object, while the request has a boolean.",
    "PreauthorizationResponse"
  ],
  "CreatePaymentResponse.additional_params": ["Your own names and values.", "AdditionalParamResponse"],
  "CreatePaymentResponse.lang": ["Language of the pay page.", "PaymentResponse.lang"],
  "CreatePaymentResponse.items": ["In one official client only.", "PaymentItemResponse"],
  "CreatePaymentResponse.eet_code": ["Codes of the Czech sales registration, abolished in 2023.", "Eet"],
  "PayerResponse.allowed_payment_instruments": [
    "The ways to pay that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_payment_instruments"
  ],
  "PayerResponse.default_payment_instrument": ["The preselected way to pay.", "Offer.default_payment_instrument"],
  "PayerResponse.allowed_swifts": [
    "The banks that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_swifts"
  ],
  "PayerResponse.default_swift": ["The preselected bank, where `BANK_ACCOUNT` is preselected.", "Offer.default_swift"],
  "PayerResponse.allowed_bnpl_types": [
    "The kinds of deferred payment that are offered; absent or empty: all that the shop has.",
    "Offer.allowed_bnpl_types"
  ],
  "PayerResponse.default_bnpl_type": ["The preselected kind of deferred payment.", "Offer.default_bnpl_type"],
  "PayerContactResponse.first_name": ["First name, at most 256 characters.", "PayerContact.first_name"],
  "PayerContactResponse.last_name": ["Last name, at most 256 characters.", "PayerContact.last_name"],
  "PayerContactResponse.email": ["E-mail address, at most 128 characters.", "PayerContact.email"],
  "PayerContactResponse.phone_number": [
    "Phone number with the prefix of the country, at most 128 characters.",
    "PayerContact.phone_number"
  ],
  "PayerContactResponse.city": ["City, at most 128 characters.", "PayerContact.city"],
  "PayerContactResponse.street": ["Street and number, at most 128 characters.", "PayerContact.street"],
  "PayerContactResponse.postal_code": ["Postal code, at most 16 characters.", "PayerContact.postal_code"],
  "BankAccountResponse.iban": ["IBAN, at most 50 characters.", "BankAccount.iban"],
  "BankAccountResponse.bic": ["BIC, at most 11 characters.", "BankAccount.bic"],
  "BankAccountResponse.prefix": ["Prefix of the account number, at most 64 characters.", "BankAccount.prefix"],
  "BankAccountResponse.account_number": ["Account number, at most 128 characters.", "BankAccount.account_number"],
  "BankAccountResponse.bank_code": ["Code of the bank, at most 8 characters.", "BankAccount.bank_code"],
  "BankAccountResponse.account_name": ["Name of the account, at most 70 characters.", "BankAccount.account_name"],
  "BankAccountResponse.country": ["ISO 3166-1 alpha-3 code of a country, such as `CZE`.", "BankAccount.country"],
  "BankAccountResponse.account_token": ["In some official clients only.", "BankAccount.account_token"],
  "PaymentItemResponse.type": ["What the row is; an item when absent.", "PaymentItem.type"],
  "PaymentItemResponse.name": ["What is sold, at most 256 characters.", "PaymentItem.name"],
  "PaymentItemResponse.amount": [
    "Total of the row, not the price of one piece: an integer in minor units, negative for a discount.",
    "PaymentItem.amount"
  ],
  "PaymentItemResponse.count": ["How many pieces. Does not multiply `amount`.", "PaymentItem.count"],
  "PaymentItemResponse.vat_rate": [
    "VAT rate in percent. The documentation lists 0, 10, 15 and 21.",
    "PaymentItem.vat_rate"
  ],
  "PaymentItemResponse.ean": ["EAN, at most 13 characters.", "PaymentItem.ean"],
  "PaymentItemResponse.product_url": ["Address of the product, at most 512 characters.", "PaymentItem.product_url"],
  "CardDetailsResponse.card_number": [
    "Masked card number: six digits, six stars, four digits.",
    "PaymentCardResponse.card_number"
  ],
  "CardDetailsResponse.card_expiration": [
    "Month of expiry, `YYMM`: `2112` is December 2021.",
    "PaymentCardResponse.card_expiration"
  ],
  "CardDetailsResponse.card_brand": ["Brand, such as `VISA Electron`.", "PaymentCardResponse.card_brand"],
  "CardDetailsResponse.card_issuer_country": [
    "ISO 3166-1 alpha-3 code of a country, such as `CZE`.",
    "PaymentCardResponse.card_issuer_country"
  ],
  "CardDetailsResponse.card_issuer_bank": [
    "Name of the bank that issued the card.",
    "PaymentCardResponse.card_issuer_bank"
  ],
  "CardDetailsResponse.card_token": ["Pays again, as `payer.allowed_card_token`.", "PaymentCardResponse.card_token"],
  "CardDetailsResponse.card_fingerprint": ["The same for the same card.", "PaymentCardResponse.card_fingerprint"],
  "CardDetailsResponse.3ds_result": ["Result of 3-D Secure.", "PaymentCardResponse.3ds_result"],
  "EnabledSwift.paymentInstrument": ["Code of the payment method.", "EnabledPaymentInstrument.paymentInstrument"],
  "EnabledSwift.label": ["Texts by language code.", "InstrumentLabel"],
  "EnabledSwift.image": ["Pictures in two sizes.", "InstrumentImage"],
  "EnabledSwift.group": ["Key of its group in `groups`.", "EnabledPaymentInstrument.group"],
  "EnabledSwift.enabledSwifts": ["The banks, for `BANK_ACCOUNT`; else `null`.", "EnabledSwift"],
  "EnabledSwift.enabledBnplTypes": ["The kinds of deferred payment.", "EnabledBnplType"],
  "EnabledBnplType.paymentInstrument": ["Code of the payment method.", "EnabledPaymentInstrument.paymentInstrument"],
  "EnabledBnplType.label": ["Texts by language code.", "InstrumentLabel"],
  "EnabledBnplType.image": ["Pictures in two sizes.", "InstrumentImage"],
  "EnabledBnplType.group": ["Key of its group in `groups`.", "EnabledPaymentInstrument.group"],
  "EnabledBnplType.currencies": ["The currencies that it can be paid in.", "EnabledPaymentInstrument.currencies"],
  "EnabledBnplType.enabledSwifts": ["The banks, for `BANK_ACCOUNT`; else `null`.", "EnabledSwift"],
  "EnabledBnplType.enabledBnplTypes": ["The kinds of deferred payment.", "EnabledBnplType"],
  "PaymentInstrumentsAllResponse.groups": ["The groups, by their code.", "InstrumentGroup"],
  "InvalidRequest._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "InvalidRequest.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "InvalidRequest.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "AuthenticationFailed._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "AuthenticationFailed.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "AuthenticationFailed.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "AuthenticationFailed.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "AuthenticationFailed.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "PermissionDenied._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "PermissionDenied.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "PermissionDenied.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "PermissionDenied.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "PermissionDenied.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "PaymentNotFound._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "PaymentNotFound.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "PaymentNotFound.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "PaymentNotFound.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "PaymentNotFound.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "CardNotFound._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "CardNotFound.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "CardNotFound.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "CardNotFound.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "CardNotFound.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "OperationRefused._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "OperationRefused.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "OperationRefused.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "OperationRefused.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "OperationRefused.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "RateLimited._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "RateLimited.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "RateLimited.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "RateLimited.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "RateLimited.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "GatewayUnavailable._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "GatewayUnavailable.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "GatewayUnavailable.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "GatewayUnavailable.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "GatewayUnavailable.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "OutcomeUnknown._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "OutcomeUnknown.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "OutcomeUnknown.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "OutcomeUnknown.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "UnexpectedResponse._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "UnexpectedResponse.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "UnexpectedResponse.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "UnexpectedResponse.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "UnexpectedResponse.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "RefundTiming.sentAt": ["Now.", "ChangeTiming.sentAt"]
}

/** The lists of codes, by their names: the name of their type. */
export const codeTypes: { readonly [list: string]: { readonly name: string; readonly about: string } } = {
  Currencies: { name: "Currency", about: "ISO 4217 code of a currency." },
  GatewayLanguages: { name: "GatewayLanguage", about: "Language of the pay page." },
  PaymentStates: { name: "PaymentState", about: "State of a payment." },
  PaymentSubStates: { name: "PaymentSubState", about: "Why a payment is in its state." },
  PaymentInstruments: {
    name: "PaymentInstrument",
    about: "A way to pay. The payment instruments of a shop list its own."
  },
  PaymentInstrumentGroups: { name: "PaymentInstrumentGroup", about: "Group of ways to pay." },
  BnplTypes: { name: "BnplType", about: "Kind of deferred payment." },
  SwiftCodes: {
    name: "SwiftCode",
    about: "A bank, by the code that the gateway calls SWIFT. A code with a hyphen is GoPay's own and no BIC."
  },
  PaymentItemTypes: { name: "PaymentItemType", about: "Kind of a row of an order." },
  PaymentTargetTypes: { name: "PaymentTargetType", about: "Kind of the payee. Only `ACCOUNT` is documented." },
  RecurrenceCycles: { name: "RecurrenceCycle", about: "Cycle of a recurrence." },
  RecurrenceStates: { name: "RecurrenceState", about: "State of a recurrence." },
  PreauthorizationStates: { name: "PreauthorizationState", about: "State of a card hold, which lasts 4 days." },
  OperationResults: {
    name: "OperationResult",
    about: "What became of a refund, a capture or a void. `FAILED` comes with status 200."
  },
  RefundStates: { name: "RefundState", about: "State of one refund." },
  CardStatuses: { name: "CardStatus", about: "Status of a stored card." },
  ThreeDSecureResults: {
    name: "ThreeDSecureResult",
    about: "Result of 3-D Secure: whether the card takes part, a slash, how the authentication ended."
  },
  QrFormats: { name: "QrFormat", about: "Format of a QR picture." },
  TokenScopes: { name: "TokenScope", about: "What a token allows." },
  ErrorScopes: { name: "ErrorScope", about: "What an error is about." },
  StatementFormats: {
    name: "StatementFormat",
    about: "Format of an account statement. The media type is that of the contents, not of the response."
  },
  ErrorCodes: {
    name: "ErrorCode",
    about: "Decide on this number, not on the name or the message. A name stands before the meaning where one is known."
  }
}
