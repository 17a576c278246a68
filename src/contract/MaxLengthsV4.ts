/**
 * The most characters that API v4 takes in a text, by the text's name (spec): the client checks them before anything is sent, the local
 * gateway refuses more.
 */
export const maxLengthsV4 = {
  order_number: 128,
  email: 128,
  first_name: 256,
  last_name: 256,
  phone_number: 128,
  city: 128,
  street: 128,
  postal_code: 128,
  country_code: 128,
  customer_id: 128,
  /** Stated of payment links, and assumed of payments. */
  address: 512
} as const
