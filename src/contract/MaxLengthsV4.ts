/**
 * The most characters that API v4 accepts in a text, by the text's name (from its specification). The client checks
 * them before anything is sent; the local gateway refuses longer texts.
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
  /** Documented for payment links, and assumed for payments. */
  address: 512
} as const
