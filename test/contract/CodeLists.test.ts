import { describe, expect, it } from "@effect/vitest"
import * as CodeLists from "../../src/contract/CodeLists.js"

const codesOf = (list: object): string => Object.keys(list).join(" ")

const lists: { readonly [name: string]: object } = { ...CodeLists }

/** The codes of each list: the compiler names one that is missing here. Sub-states and SWIFT codes have tests below. */
const known = {
  Currencies: "CZK EUR PLN HUF USD GBP BGN RON",
  GatewayLanguages: "CS EN SK DE RU PL HU FR RO BG HR IT ES UK ET LT LV SL PT",
  PaymentStates: "CREATED PAYMENT_METHOD_CHOSEN PAID AUTHORIZED CANCELED TIMEOUTED REFUNDED PARTIALLY_REFUNDED",
  PaymentInstruments:
    "PAYMENT_CARD BANK_ACCOUNT PRSMS MPAYMENT PAYSAFECARD GOPAY PAYPAL BITCOIN GPAY MASTERPASS SUPERCASH ACCOUNT " +
    "APPLE_PAY CLICK_TO_PAY TWISTO SKIPPAY COUPON",
  PaymentInstrumentGroups: "card-payment bank-transfer wallet bnpl others",
  BnplTypes: "DEFERRED_PAYMENT PAY_IN_THREE",
  PaymentItemTypes: "ITEM DELIVERY DISCOUNT POSTAGE",
  PaymentTargetTypes: "ACCOUNT BANK_ACCOUNT COUPON",
  RecurrenceCycles: "DAY WEEK MONTH ON_DEMAND",
  RecurrenceStates: "REQUESTED STARTED STOPPED",
  PreauthorizationStates: "REQUESTED AUTHORIZED CAPTURED CANCELED",
  OperationResults: "ACCEPTED FINISHED FAILED",
  RefundStates: "SUCCESS FAILED REQUESTED",
  CardStatuses: "ACTIVE DELETED",
  ThreeDSecureResults: "N/ Y/Y Y/A X/X",
  QrFormats: "png svg",
  TokenScopes: "payment-create payment-all",
  ErrorScopes: "F G",
  StatementFormats: "CSV_A CSV_B CSV_C CSV_D CSV_E XLS_A XLS_B XLS_C ABO_A ABO_B PDF_A",
  ErrorCodes:
    "100 110 111 112 113 114 115 116 200 201 202 203 301 302 303 304 305 321 330 331 332 333 340 341 342 343 350 " +
    "351 352 353 360 500"
} satisfies Record<Exclude<keyof typeof CodeLists, "PaymentSubStates" | "SwiftCodes">, string>

describe("the code lists", () => {
  it.each(Object.entries(known))("hold the codes of %s", (name, codes) => {
    expect(codesOf(lists[name] ?? {})).toBe(codes)
  })

  it("hold the sub-states of a payment, without two numbers that GoPay never gave", () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => `_${first + index}`)
    const codes = [
      "_101",
      "_102",
      ...from(3001, 3003),
      ...from(5001, 5050).filter((code) => code !== "_5032" && code !== "_5034"),
      ...from(6001, 6005),
      "_6501",
      "_6502",
      "_6504"
    ]
    expect(codesOf(CodeLists.PaymentSubStates)).toBe(codes.join(" "))
  })

  it("say that a sub-state is undescribed where it is", () => {
    const undescribed = Object.entries(CodeLists.PaymentSubStates).filter(([, meaning]) => /undescribed/.test(meaning))
    expect(undescribed.map(([code]) => code).join(" ")).toBe("_5048 _5049 _5050 _6001 _6002 _6003 _6004 _6005 _6501")
  })

  it.each([
    [111, "INVALID", 409],
    [112, "NOT_UNIQUE", 409],
    [202, "AUTH_WRONG_CREDENTIALS", 403],
    [303, "PAYMENT_WRONG_STATE", 409],
    [304, "PAYMENT_NOT_FOUND", 404],
    [331, "PAYMENT_REFUND_NOT_SUPPORTED", 409],
    [340, "PAYMENT_RECURRENCE_FAILED", 409],
    [341, "PAYMENT_RECURRENCE_NOT_SUPPORTED", 409],
    [342, "PAYMENT_RECURRENCE_STOPPED", 409],
    [350, "PAYMENT_CAPTURE_FAILED", 409],
    [351, "PAYMENT_CAPTURE_DONE", 409],
    [352, "PAYMENT_AUTH_VOID_FAILED", 409]
  ] as const)("know the error %i as %s", (code, name, status) => {
    expect(CodeLists.ErrorCodes[code]).toMatchObject({ name, status })
  })

  it("name no other error, and give each the status that goes with its kind", () => {
    const errors = Object.entries(CodeLists.ErrorCodes)
    expect(errors.filter(([, { name }]) => name !== null)).toHaveLength(12)
    const codesWith = (wanted: number) => errors.filter(([, { status }]) => status === wanted).map(([code]) => code)
    expect(codesWith(500)).toStrictEqual(["100", "500"])
    expect(codesWith(403)).toStrictEqual(["200", "201", "202", "203"])
    expect(codesWith(404)).toStrictEqual(["304"])
  })

  it("know banks by their code, and two choices that are no bank", () => {
    const { SwiftCodes } = CodeLists
    expect(SwiftCodes.GIBACZPX).toStrictEqual({ bank: "Česká spořitelna", country: "CZE" })
    expect(SwiftCodes["BPKOPLPW-IKO"]).toStrictEqual({ bank: "IKO", country: "POL" })
    expect(SwiftCodes.POBNSKBAXXX).toStrictEqual({ bank: "365.bank", country: "SVK" })
    expect(SwiftCodes["CEKOCZPP-ERA"]).toStrictEqual({ bank: "Era", country: "CZE" })
    const inCountry = (wanted: string | null) => Object.values(SwiftCodes).filter(({ country }) => country === wanted)
    expect(["CZE", "LTU", "SVK", "POL", null].map((country) => inCountry(country).length)).toStrictEqual([
      18, 1, 19, 33, 2
    ])
    expect(
      Object.keys(SwiftCodes).filter((code) => !/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3}|-[A-Z]+)?$/.test(code))
    ).toStrictEqual(["OTHERS", "QRPAYMENT"])
  })

  it("give each format of a statement its file", () => {
    const { StatementFormats } = CodeLists
    const extensions = Object.entries(StatementFormats).map(([code, { extension }]) => `${code}${extension}`)
    expect(extensions.join(" ")).toBe(
      "CSV_A.csv CSV_B.csv CSV_C.csv CSV_D.csv CSV_E.csv XLS_A.xls XLS_B.xls XLS_C.xls ABO_A.gpc ABO_B.gpc PDF_A.pdf"
    )
    expect(StatementFormats.CSV_A.contentType).toBe("text/csv")
    expect(StatementFormats.XLS_A.contentType).toBe("application/vnd.ms-excel")
    expect(StatementFormats.ABO_A.contentType).toBe("application/abo")
    expect(StatementFormats.PDF_A.contentType).toBe("application/pdf")
  })

  it("say what every code means", () => {
    const { ErrorCodes, StatementFormats: _, SwiftCodes, ...others } = CodeLists
    const meanings = [
      ...Object.values(ErrorCodes).map(({ meaning }) => meaning),
      ...Object.values(SwiftCodes).map(({ bank }) => bank),
      ...Object.values(others).flatMap((list) => Object.values<string>(list))
    ]
    expect(meanings.filter((meaning) => meaning.trim() === "")).toStrictEqual([])
  })
})
