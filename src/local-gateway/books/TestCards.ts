/**
 * The test cards that payers can use.
 */

/** A card as the gateway shows it. */
export interface Card {
  /** Masked: six digits, six stars, four digits. */
  readonly number: string
  /** `YYMM`. */
  readonly expiration: string
  readonly brand: string
  /** ISO 3166-1 alpha-3. */
  readonly issuerCountry: string
  readonly issuerBank: string
}

/** The members by which the gateway shows a card. */
export const cardMembers = ({ brand, expiration, issuerBank, issuerCountry, number }: Card) => ({
  card_number: number,
  card_expiration: expiration,
  card_brand: brand,
  card_issuer_country: issuerCountry,
  card_issuer_bank: issuerBank
})

/**
 * Cards of GoPay's sandbox by number; both are approved.
 *
 * Brands and issuers: the first as GoPay's own test shop showed it in 2026 (in 2019 it was a VISA of Air Bank, CZE),
 * the second from recordings of 2019. The expirations are ours.
 */
export const TestCards = {
  "4444444444444448": {
    brand: "Visa Gold",
    issuerCountry: "POL",
    issuerBank: "CREDIT AGRICOLE BANK POLSKA, S.A.",
    expiration: "3912"
  },
  "4188030000000003": {
    brand: "VISA Electron",
    issuerCountry: "CZE",
    issuerBank: "KOMERCNI BANKA, A.S.",
    expiration: "3912"
  }
} as const

/** The number of one of {@link TestCards}. */
export type TestCardNumber = keyof typeof TestCards

/** Options of a payment by card. */
export interface PayByCardOptions {
  /** The test card to pay with. Default: `4444444444444448`. */
  readonly card?: TestCardNumber
}

const masks = {
  "4444444444444448": "444444******4448",
  "4188030000000003": "418803******0003"
} as const satisfies { readonly [Number in TestCardNumber]: string }

/** The card with this number, as the gateway shows it. */
export const testCard = (number: TestCardNumber): Card & { readonly number: (typeof masks)[TestCardNumber] } => ({
  number: masks[number],
  ...TestCards[number]
})

/** Whether a text is the number of a test card. */
export const isTestCardNumber = (text: string): text is TestCardNumber => Object.hasOwn(TestCards, text)

/** The numbers of all test cards. */
export const testCardNumbers: ReadonlyArray<TestCardNumber> = Object.keys(TestCards).filter(isTestCardNumber)

/** All test cards, as the gateway shows them. */
export const testCards = [testCard("4444444444444448"), testCard("4188030000000003")] as const

/** The bank account that transfers come from; no real account has this number. */
export const payerBankAccount = {
  prefix: "000000",
  account_number: "2000000010",
  bank_code: "0000",
  account_name: "Test Payer"
}
