/**
 * Requests that are right, for tests that change one thing about them.
 */

/** The rows of an order, the first with every member. */
export const items = [
  {
    type: "ITEM",
    name: "Obuv",
    amount: 149_950,
    count: 1,
    vat_rate: 21,
    ean: "1234567890123",
    product_url: "https://shop.example.com/obuv"
  },
  { type: "DISCOUNT", name: "Sleva", amount: -10_000, ean: 1234567890123 }
]

/** Asks for a payment, with every member. */
export const payment = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Obuv se slevou",
  items,
  callback: { return_url: "https://shop.example.com/return", notification_url: "https://shop.example.com/notify" },
  payer: {
    allowed_payment_instruments: ["PAYMENT_CARD", "BANK_ACCOUNT"],
    default_payment_instrument: "BANK_ACCOUNT",
    allowed_swifts: ["FIOBCZPP", "GIBACZPX"],
    default_swift: "FIOBCZPP",
    allowed_bnpl_types: ["PAY_IN_THREE"],
    default_bnpl_type: "PAY_IN_THREE",
    contact: {
      first_name: "Jana",
      last_name: "Nováková",
      email: "jana@example.com",
      phone_number: "+420777456123",
      city: "České Budějovice",
      street: "Planá 67",
      postal_code: "373 01",
      country_code: "CZE"
    },
    bank_account: {
      iban: "CZ5120100000000009878039",
      bic: "FIOBCZPP",
      prefix: "000000",
      account_number: "9878039",
      bank_code: "2010",
      account_name: "Jana Nováková",
      country: "CZE",
      account_token: "token-1"
    },
    verify_pin: "1234",
    allowed_card_token: "card-token-1",
    request_card_token: true,
    masked_pan: "444444******4448"
  },
  target: { type: "ACCOUNT", goid: 8123456789 },
  lang: "CS",
  additional_params: [{ name: "invoicenumber", value: "2015001003" }],
  recurrence: { recurrence_cycle: "WEEK", recurrence_period: 10, recurrence_date_to: "2050-01-01" },
  preauthorization: true,
  eet: { celk_trzba: 139_950, mena: "CZK" }
}

/** Asks for a charge of a recurrence, with every member. */
export const recurrence = {
  amount: 500,
  currency: "CZK",
  order_number: "2026-0043",
  order_description: "Další měsíc",
  items,
  additional_params: [{ name: "invoicenumber", value: "2015001003" }],
  eet: { celk_trzba: 500 }
}

/** Asks for a part of what was authorized, with every member. */
export const capture = { amount: 100, items, eet: { celk_trzba: 100 } }

/** Asks for an account statement. */
export const statement = {
  date_from: "2026-01-01",
  date_to: "2026-01-31",
  goid: 8123456789,
  currency: "CZK",
  format: "CSV_A"
}
