/**
 * Answers of the gateway, as text. Those called "recorded" were seen on the wire in the year that is named,
 * "documented" ones are from GoPay's documentation, the others are built from what is known of their members.
 */

/** A payment just created, recorded 2019. */
export const standardPayment = `{
  "id":3090066980,"order_number":"order-1","state":"CREATED","amount":10000,"currency":"CZK",
  "payer":{"allowed_payment_instruments":["PAYMENT_CARD"],
    "contact":{"first_name":"John","last_name":"Doe","email":"john@example.com"}},
  "target":{"type":"ACCOUNT","goid":1111111111},
  "lang":"cs","gw_url":"https://gw.sandbox.gopay.com/gw/v3/583d98f8dfadbd7289fb49ab6da95d43"}`

/** The first payment of a recurrence, recorded 2019. */
export const recurrentPayment = `{
  "id":3090066980,"order_number":"order-1","state":"CREATED","amount":10000,"currency":"CZK",
  "payer":{"allowed_payment_instruments":["PAYMENT_CARD"],
    "contact":{"first_name":"John","last_name":"Doe","email":"john@example.com"}},
  "target":{"type":"ACCOUNT","goid":1111111111},
  "recurrence":{"recurrence_cycle":"WEEK","recurrence_period":10,"recurrence_date_to":"2050-01-01",
    "recurrence_state":"REQUESTED"},
  "lang":"cs","gw_url":"https://gw.sandbox.gopay.com/gw/v3/583d98f8dfadbd7289fb49ab6da95d43"}`

/** A payment by card whose money was returned, recorded 2019. */
export const refundedPayment = `{
  "id":3090060402,"order_number":"order-1","state":"REFUNDED","payment_instrument":"PAYMENT_CARD",
  "amount":10000,"currency":"CZK",
  "payer":{"allowed_payment_instruments":["PAYMENT_CARD"],
    "payment_card":{"card_number":"418803******0003","card_expiration":"2112","card_brand":"VISA Electron",
      "card_issuer_country":"CZE","card_issuer_bank":"KOMERCNI BANKA, A.S."},
    "contact":{"first_name":"John","last_name":"Doe","email":"john@example.com","country_code":"CZE"}},
  "target":{"type":"ACCOUNT","goid":1111111111},
  "lang":"cs","gw_url":"https://gw.sandbox.gopay.com/gw/v3/95c24246256a19e1f4903d18a5cb9c31"}`

/** A charge of a recurrence, in the form recorded 2019: no card, no recurrence, an EET code. */
export const chargeOfRecurrence = `{
  "id":3083563990,"parent_id":3083563977,"order_number":"order-2","state":"PAID","payment_instrument":"PAYMENT_CARD",
  "amount":10000,"currency":"CZK",
  "payer":{"contact":{"email":"john@example.com","country_code":"SVK"}},
  "target":{"type":"ACCOUNT","goid":1111111111},
  "lang":"cs","gw_url":"https://gw.sandbox.gopay.com/gw/v3/0123456789abcdef0123456789abcdef",
  "eet_code":{"fik":"00000000-0000-4000-8000-000000000000-ff","bkp":"00000000-00000000-00000000-00000000-00000000",
    "pkp":"AAAA+/=="}}`

/** A payment just created, in the form recorded 2016: every member is there, and what is absent is null. */
export const paymentOf2016 = `{
  "id":3014446990,"parent_id":null,"order_number":"order-1","state":"CREATED","sub_state":null,
  "payment_instrument":null,"amount":10000,"currency":"CZK",
  "payer":{"payment_instrument":null,"allowed_payment_instruments":["PAYMENT_CARD"],"allowed_swifts":null,
    "default_payment_instrument":null,"default_swift":null,"goid":null,"email":null,"phone_number":null,
    "bank_account":null,"coupon":null,"payment_card":null,
    "contact":{"first_name":"John","last_name":null,"email":"john@example.com","phone_number":null,"city":null,
      "street":null,"postal_code":null,"country_code":null}},
  "target":{"type":"ACCOUNT","goid":1111111111,"email":null,"phone_number":null,"bank_account":null,"coupon":null,
    "amount":null,"targets":null},
  "recurrence":null,"preauthorization":null,"additional_params":null,
  "lang":"cs","gw_url":"https://gw.sandbox.gopay.com/gw/v3/fedcba9876543210fedcba9876543210"}`

/** A hold on a card, as documented: blanks around the address of the pay page. */
export const preauthorizedPayment = `{
  "id":3000006542,"order_number":"001","state":"CREATED","amount":1000,"currency":"CZK",
  "payer":{"allowed_payment_instruments":["BANK_ACCOUNT","PAYMENT_CARD"],"default_payment_instrument":"PAYMENT_CARD",
    "allowed_swifts":["FIOBCZPP","BREXCZPP"],
    "contact":{"first_name":"Jana","last_name":"Nováková","email":"jana@example.com","phone_number":"+420777456123",
      "city":"České Budějovice","street":"Planá 67","postal_code":"373 01","country_code":"CZE"}},
  "target":{"type":"ACCOUNT","goid":8123456789},
  "preauthorization":{"requested":true,"state":"REQUESTED"},
  "additional_params":[{"name":"invoicenumber","value":"2015001003"}],
  "lang":"cs","gw_url":" https://gw.sandbox.gopay.com/gw/v3/dfgvmwTKK5hrJx2aGG8ZnFyBJhAvF "}`

/** A payment by bank transfer, as documented. */
export const paymentByTransfer = `{
  "id":3000006529,"order_number":"001","state":"PAID","sub_state":"_3002","payment_instrument":"BANK_ACCOUNT",
  "amount":1000,"currency":"CZK",
  "payer":{"payment_instrument":"BANK_ACCOUNT","default_swift":"FIOBCZPP",
    "bank_account":{"prefix":"000000","account_number":"9878039","bank_code":"2010","account_name":"Jana Nováková",
      "iban":"CZ5120100000000009878039","bic":"FIOBCZPP","country":"CZE","account_token":"token-1"}},
  "target":{"type":"ACCOUNT","goid":8123456789},"lang":"cs",
  "gw_url":"https://gw.sandbox.gopay.com/gw/v3/dfgvmwTKK5hrJx2aGG8ZnFyBJhAvF"}`

/** A payment that stored the payer's card, with the rows of its order. */
export const paymentWithStoredCard = `{
  "id":3090066993,"order_number":"order-1","state":"PAID","sub_state":"_5001","payment_instrument":"PAYMENT_CARD",
  "amount":139950,"currency":"EUR",
  "payer":{"email":"john@example.com","phone_number":"+420777456123",
    "allowed_bnpl_types":["PAY_IN_THREE"],"default_bnpl_type":"DEFERRED_PAYMENT","card_id":3003000011,
    "payment_card":{"card_number":"444444******4448","card_expiration":"2706","card_brand":"VISA",
      "card_issuer_country":"CZE","card_issuer_bank":"AIR BANK, A.S.","card_token":"card-token-1","3ds_result":"Y/Y",
      "card_fingerprint":"fingerprint-1"}},
  "preauthorization":{"requested":false,"state":"CAPTURED"},
  "items":[{"type":"ITEM","name":"obuv","product_url":"https://shop.example.com/obuv","ean":"1234567890123",
    "amount":149950,"count":1,"vat_rate":21},{"type":"DISCOUNT","name":"sleva","amount":-10000,"count":1,"vat_rate":0.5}]}`

/** A refund, a capture or a void that is done, recorded 2019. */
export const operation = `{"id":3090066980,"result":"FINISHED"}`

/** The same, recorded 2016. */
export const operationOf2016 = `{"id":3090066980,"result":"FINISHED","description":null}`

/** The refunds of a payment. */
export const refunds = `[
  {"id":3090066411,"state":"SUCCESS","amount":5000,"currency":"CZK",
    "date_requested":"2023-06-05T10:15:30.000+0200","date_last_change":"2023-06-05T10:15:31.250+0200"},
  {"id":3090066424,"state":"REQUESTED","amount":4000,"currency":"CZK",
    "date_requested":"2023-06-06T08:00:00.000+0200","date_last_change":null},
  {"id":3090066437,"state":"FAILED","amount":1000}]`

/** A stored card. */
export const card = `{
  "card_id":3003000011,"card_number":"444444******4448","card_expiration":"2706","card_brand":"VISA",
  "card_issuer_country":"CZE","card_issuer_bank":"AIR BANK, A.S.","card_fingerprint":"fingerprint-1",
  "card_token":"card-token-1","status":"ACTIVE","real_masked_pan":"444444******4448",
  "card_art_url":"https://gw.sandbox.gopay.com/card.png"}`

/** A stored card with few fields left. */
export const deletedCard = `{"card_id":3003000011,"card_number":"444444******4448","card_token":null,"status":"DELETED"}`

/** The ways to pay in one currency, as documented, and a later kind of group. */
export const instruments = `{
  "groups":{"card-payment":{"label":{"cs":"Platební karta"}},
    "bank-transfer":{"label":{"cs":"Rychlý bankovní převod"}},
    "wallet":{"label":{"cs":"Elektronické peněženky"}},
    "others":{"label":{"cs":"Ostatní"}}},
  "enabledPaymentInstruments":[
    {"paymentInstrument":"PAYMENT_CARD","label":{"cs":"Platební karta"},
      "image":{"normal":"https://gate.gopay.cz/images/checkout/payment_card.png",
        "large":"https://gate.gopay.cz/images/checkout/payment_card@2x.png"},
      "group":"card-payment","enabledSwifts":null},
    {"paymentInstrument":"BANK_ACCOUNT","label":{"cs":"Rychlý bankovní převod","en":"Bank transfer"},
      "image":{"normal":"https://gate.gopay.cz/images/checkout/bank_account.png"},
      "group":"bank-transfer",
      "enabledSwifts":[{"swift":"GIBACZPX","label":{"cs":"Platba 24"},
        "image":{"normal":"https://gate.gopay.cz/images/checkout/GIBACZPX.png",
          "large":"https://gate.gopay.cz/images/checkout/GIBACZPX@2x.png"},
        "isOnline":true}]},
    {"paymentInstrument":"TWISTO","group":"bnpl","enabledBnplTypes":[
      {"bnplType":"PAY_IN_THREE","label":{"cs":"Na třetiny"},"image":{"large":"https://gate.gopay.cz/three.png"}}]}]}`

/** The ways to pay in all currencies, as documented in 2016: an object keyed by code in place of each array. */
export const instrumentsInAllCurrencies = `{
  "groups":{"card-payment":{"label":{"cs":"Platební karta"}}},
  "enabledPaymentInstruments":{
    "PAYMENT_CARD":{"label":{"cs":"Platební karta"},
      "image":{"normal":"https://gate.gopay.cz/images/checkout/payment_card.png",
        "large":"https://gate.gopay.cz/images/checkout/payment_card@2x.png"},
      "currencies":["CZK","EUR"],"group":"card-payment","enabledSwifts":null},
    "BANK_ACCOUNT":{"label":{"cs":"Rychlý bankovní převod"},"currencies":["CZK"],"group":"bank-transfer",
      "enabledSwifts":{"GIBACZPX":{"label":{"cs":"Platba 24"},
        "image":{"normal":"https://gate.gopay.cz/images/checkout/GIBACZPX.png"},
        "currencies":{"CZK":{"isOnline":true},"EUR":{"isOnline":false}}}}}}}`

/** A QR payment. */
export const qrPayment = `{
  "amount":139950,"currency":"CZK",
  "recipient":{"name":"Shop",
    "bank_account":{
      "local":{"prefix":"000000","account_number":"9878039","bank_code":"2010","variable_symbol":"3123456789"},
      "international":{"bic":"FIOBCZPP","iban":"CZ5120100000000009878039","reference":"3123456789"}},
    "address":{"street":"Planá 67","city":"Planá","zip_code":"370 01","country":"CZE"}},
  "qr_code":{"spayd":"iVBORw0KGgo=","paybysquare":"iVBORw0KGgp=","sepa":"iVBORw0KGgq=","mnb_qr":"iVBORw0KGgr="}}`

/** An access token, in the form recorded 2019: standard base64, 108 characters. */
export const token = `{
  "token_type":"bearer",
  "access_token":"AAAA+/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  "expires_in":1800,
  "refresh_token":"BBBB+/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB="}`

/** A refusal for the whole request, recorded 2023. */
export const recurrenceRefused = `{
  "date_issued":"2023-04-26T15:58:18.581+0200",
  "errors":[{"scope":"G","error_code":340,"error_name":"PAYMENT_RECURRENCE_FAILED",
    "message":"Recurring payment failed"}]}`

/** A refusal for one field, recorded 2019. */
export const refundRefused = `{
  "date_issued":"2019-10-19T15:27:03.132+0200",
  "errors":[{"scope":"F","field":"id","error_code":111,"error_name":"INVALID","message":"Wrong value."}]}`

/** A payment that is not there, recorded 2019. */
export const paymentNotFound = `{
  "date_issued":"2019-10-19T15:12:34.174+0200",
  "errors":[{"scope":"G","error_code":304,"error_name":"PAYMENT_NOT_FOUND","message":"Payment not found."}]}`

/** A shop that is not there, with the technical text that says so. */
export const shopNotFound = `{
  "date_issued":"2021-01-02T03:04:05.006+0100",
  "errors":[{"scope":"G","error_code":111,"error_name":"INVALID","message":"Wrong value.",
    "description":"eshop with goId=8000000000 was not found"}]}`

/** A refusal in the form recorded up to 2016. */
export const refusalOf2016 = `{
  "date_issued":"2016-03-03T10:00:00.000+0100",
  "errors":[{"scope":"G","field":null,"error_code":500,"error_name":null,"message":null,"description":null}]}`

/** A refusal as documented: the time in milliseconds since 1970. */
export const refusalInMilliseconds = `{
  "date_issued":1390336022001,
  "errors":[{"scope":"F","field":"email","error_code":112,"error_name":"NOT_UNIQUE","message":"Not unique."}]}`

/** An error as documented: alone, without the \`errors\` around it. */
export const bareError = `{"scope":"G","field":null,"error_code":500,"error_name":null,"message":null,"description":null}`
