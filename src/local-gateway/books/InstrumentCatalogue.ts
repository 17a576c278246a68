/**
 * The payment instruments of the local gateway's shop.
 *
 * Cards in every currency; bank transfers to Czech banks in CZK and to Slovak ones in EUR; and a wallet, a premium SMS
 * and a deferred payment, so that each documented group has a member. A real shop agrees its instruments with GoPay.
 */
import { Currencies, SwiftCodes } from "../../contract/CodeLists.js"

const image = (name: string) => ({
  normal: `https://gate.gopay.cz/images/checkout/${name}.png`,
  large: `https://gate.gopay.cz/images/checkout/${name}@2x.png`
})

const groups = {
  "card-payment": { label: { cs: "Platební karta", en: "Payment card" } },
  "bank-transfer": { label: { cs: "Rychlý bankovní převod", en: "Quick bank transfer" } },
  wallet: { label: { cs: "Elektronické peněženky", en: "Electronic wallets" } },
  bnpl: { label: { cs: "Odložená platba", en: "Buy now, pay later" } },
  others: { label: { cs: "Ostatní", en: "Others" } }
}

interface Instrument {
  readonly code: string
  readonly label: { readonly cs: string; readonly en: string }
  readonly group: keyof typeof groups
  readonly currencies: ReadonlyArray<string>
}

const instruments: ReadonlyArray<Instrument> = [
  {
    code: "PAYMENT_CARD",
    label: { cs: "Platební karta", en: "Payment card" },
    group: "card-payment",
    currencies: Object.keys(Currencies)
  },
  {
    code: "BANK_ACCOUNT",
    label: { cs: "Rychlý bankovní převod", en: "Quick bank transfer" },
    group: "bank-transfer",
    currencies: ["CZK", "EUR"]
  },
  { code: "GOPAY", label: { cs: "GoPay účet", en: "GoPay account" }, group: "wallet", currencies: ["CZK", "EUR"] },
  { code: "TWISTO", label: { cs: "Twisto", en: "Twisto" }, group: "bnpl", currencies: ["CZK"] },
  { code: "PRSMS", label: { cs: "Premium SMS", en: "Premium SMS" }, group: "others", currencies: ["CZK"] }
]

const bankCountries: { readonly [currency: string]: string } = { CZK: "CZE", EUR: "SVK" }

const banks = Object.entries(SwiftCodes).flatMap(([swift, { bank, country }]) =>
  Object.entries(bankCountries)
    .filter(([, bankCountry]) => bankCountry === country)
    .map(([currency]) => ({ swift, label: { cs: bank, en: bank }, image: image(swift), currency }))
)

const deferredPayment = {
  label: { cs: "Odložená platba", en: "Deferred payment" },
  image: image("DEFERRED_PAYMENT")
}

const commonMembers = ({ code, group, label }: Instrument) => ({ label, image: image(code.toLowerCase()), group })

/** `enabledSwifts` and `enabledBnplTypes` of an instrument; `null` if there is no choice, as documented. */
const choices = <A, B>({ code }: Instrument, swifts: A, bnplTypes: B) => ({
  enabledSwifts: code === "BANK_ACCOUNT" ? swifts : null,
  enabledBnplTypes: code === "TWISTO" ? bnplTypes : undefined
})

/** The payment methods in one currency: a list. */
export const instrumentsIn = (currency: string) => ({
  groups,
  enabledPaymentInstruments: instruments
    .filter(({ currencies }) => currencies.includes(currency))
    .map((instrument) => {
      const { group, image: picture, label } = commonMembers(instrument)
      return {
        paymentInstrument: instrument.code,
        label,
        image: picture,
        group,
        ...choices(
          instrument,
          banks
            .filter((bank) => bank.currency === currency)
            .map((bank) => ({ swift: bank.swift, label: bank.label, image: bank.image, isOnline: true })),
          [{ bnplType: "DEFERRED_PAYMENT", ...deferredPayment }]
        )
      }
    })
})

/** The payment methods in all currencies: an object with a member for each. */
export const allInstruments = () => ({
  groups,
  enabledPaymentInstruments: Object.fromEntries(
    instruments.map((instrument) => {
      const { group, image: picture, label } = commonMembers(instrument)
      return [
        instrument.code,
        {
          label,
          image: picture,
          currencies: instrument.currencies,
          group,
          ...choices(
            instrument,
            Object.fromEntries(
              banks.map((bank) => [
                bank.swift,
                { label: bank.label, image: bank.image, currencies: { [bank.currency]: { isOnline: true } } }
              ])
            ),
            { DEFERRED_PAYMENT: deferredPayment }
          )
        }
      ]
    })
  )
})
