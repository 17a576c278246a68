/**
 * The most characters that GoPay accepts in a field, by the field's name. The client checks them before anything is
 * sent; the local gateway refuses longer texts. Source: https://doc.gopay.com.
 */
export const maxLengths = {
  order_number: 128,
  order_description: 256,
  return_url: 512,
  notification_url: 512,
  /** Of an item, not of the payer. */
  name: 256,
  ean: 13,
  product_url: 512,
  first_name: 256,
  last_name: 256,
  email: 128,
  phone_number: 128,
  city: 128,
  street: 128,
  postal_code: 16,
  country_code: 3,
  iban: 50,
  bic: 11,
  prefix: 64,
  account_number: 128,
  bank_code: 8,
  account_name: 70,
  country: 3
} as const
