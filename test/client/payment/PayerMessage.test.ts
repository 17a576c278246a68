/**
 * The messages for payers. The tables are written out: each line is a decision about someone's money.
 */
import * as Endpoint from "../../../src/contract/Endpoint.js"
import { assert, describe, it } from "@effect/vitest"
import {
  type ChangeRecord,
  GatewayError,
  type GatewayErrorReason,
  NotificationError,
  type NotificationErrorReason,
  type OperationName,
  type PayerLanguage,
  payerMessage,
  type PayerStep,
  PaymentStates,
  PaymentSubStates
} from "../../../src/index.js"
import type { Order } from "../../../src/ledger/index.js"

const languages: ReadonlyArray<PayerLanguage> = ["cs", "sk", "en"]

type State = keyof typeof PaymentStates
type SubState = keyof typeof PaymentSubStates
type ReasonTag = GatewayErrorReason["_tag"]

const states = Object.keys(PaymentStates)
const subStates = Object.keys(PaymentSubStates)

const inEnglish = (value: unknown): string => {
  const { text, title } = payerMessage(value, "en")
  return `${title}. ${text}`
}

const errorOf = (operation: OperationName, tag: ReasonTag, more: object = {}): GatewayError => {
  const details = { message: "a message for the log, code 999", isRetryable: false, ...more }
  const reasons: { readonly [Tag in ReasonTag]: Extract<GatewayErrorReason, { readonly _tag: Tag }> } = {
    InvalidRequest: { _tag: "InvalidRequest", refusedBy: "gateway", errors: [], ...details },
    AuthenticationFailed: { _tag: "AuthenticationFailed", ...details },
    PermissionDenied: { _tag: "PermissionDenied", ...details },
    PaymentNotFound: { _tag: "PaymentNotFound", paymentId: 1, ...details },
    CardNotFound: { _tag: "CardNotFound", cardId: 1, ...details },
    OperationRefused: { _tag: "OperationRefused", code: 303, goalReached: false, ...details },
    RateLimited: { _tag: "RateLimited", ...details },
    GatewayUnavailable: { _tag: "GatewayUnavailable", ...details },
    OutcomeUnknown: {
      _tag: "OutcomeUnknown",
      change: { operation: "voidRecurrence", paymentId: 1, sentAt: "2026-01-01T00:00:00.000Z" },
      ...details,
      isRetryable: false
    },
    UnexpectedResponse: { _tag: "UnexpectedResponse", ...details }
  }
  return new GatewayError({ operation, reason: reasons[tag] })
}

const reasonTags: ReadonlyArray<ReasonTag> = [
  "InvalidRequest",
  "AuthenticationFailed",
  "PermissionDenied",
  "PaymentNotFound",
  "CardNotFound",
  "OperationRefused",
  "RateLimited",
  "GatewayUnavailable",
  "OutcomeUnknown",
  "UnexpectedResponse"
]

const operations: ReadonlyArray<OperationName> = [...Object.values(Endpoint).map(({ name }) => name), "reconcile"]

/** The operations whose endpoint is a read, and the search for a lost change, which only reads. */
const reads: ReadonlySet<OperationName> = new Set<OperationName>([
  ...Object.values(Endpoint).flatMap(({ kind, name }) => (kind === "read" ? [name] : [])),
  "reconcile"
])

const notificationErrors: ReadonlyArray<NotificationErrorReason> = [
  { _tag: "InvalidNotification", parameter: "id", message: "" },
  { _tag: "UnknownPayment", paymentId: 1, message: "" },
  { _tag: "PaymentMismatch", paymentId: 1, differences: [], message: "" },
  { _tag: "ExpectationFailed", paymentId: 1, message: "" },
  { _tag: "HandlerFailed", paymentId: 1, message: "" },
  { _tag: "TooManyReads", paymentId: 1, limit: "knownReadsPerMinute", message: "" },
  { _tag: "PaymentBusy", paymentId: 1, message: "" }
]

const payments = [...states, "SOMETHING_NEW"].flatMap((state) =>
  [undefined, null, ...subStates, "_9999"].map((sub_state) => ({ state, sub_state }))
)

const errors = [
  ...operations.flatMap((operation) => reasonTags.map((tag) => errorOf(operation, tag))),
  ...operations.map((operation) => errorOf(operation, "OperationRefused", { goalReached: true })),
  ...notificationErrors.map((reason) => new NotificationError({ reason }))
]

const strange = [
  undefined,
  null,
  "",
  "PAID",
  0,
  Number.NaN,
  [],
  {},
  new Error("ECONNRESET 17"),
  { state: 1 },
  { state: "" },
  { state: "paid" },
  { id: 7, state: "shipped" },
  { orderNumber: "1", status: "somethingNew" },
  { status: "paid" },
  new TypeError("fetch failed"),
  { _tag: "GatewayError" },
  { _tag: "GatewayError", operation: "createPayment", reason: { _tag: "SomethingNew" } },
  { _tag: "NotificationError", reason: null },
  new Proxy(
    {},
    {
      get: () => {
        throw new Error("not today")
      }
    }
  )
]

/** What a payer reads for each status of an order in a ledger. */
const statuses: Readonly<Record<Order["status"], readonly [PayerStep, ...titles: Readonly<[string, string, string]>]>> =
  {
    open: ["continue", "Čekáme na zaplacení", "Čakáme na zaplatenie", "Not paid yet"],
    authorized: ["nothing", "Platba je potvrzená", "Platba je potvrdená", "Your payment is confirmed"],
    paid: ["nothing", "Zaplaceno", "Zaplatené", "Paid"],
    partiallyRefunded: [
      "nothing",
      "Část platby je vrácená",
      "Časť platby je vrátená",
      "Part of your payment has been refunded"
    ],
    refunded: ["nothing", "Platba je vrácená", "Platba je vrátená", "Your payment has been refunded"],
    closed: ["payAgain", "Platba nebyla dokončena", "Platba nebola dokončená", "The payment was not completed"],
    expired: ["payAgain", "Čas na zaplacení vypršel", "Čas na zaplatenie uplynul", "The time to pay has run out"],
    withdrawn: [
      "contactShop",
      "Objednávku už nelze zaplatit",
      "Objednávku už nie je možné zaplatiť",
      "This order can no longer be paid"
    ],
    changed: ["contactShop", "Objednávka se změnila", "Objednávka sa zmenila", "The order has changed"],
    pending: ["tryAgain", "Platbu připravujeme", "Platbu pripravujeme", "We are preparing your payment"],
    inDoubt: ["wait", "Platbu ověřujeme", "Platbu overujeme", "We are checking your payment"]
  }

const orders = Object.keys(statuses).map((status) => ({ orderNumber: "1", message: "a message for the log", status }))

const everything: ReadonlyArray<unknown> = [...payments, ...orders, ...errors, ...strange]

describe("whatever the payer is told", () => {
  it.each(languages)("is a heading and whole sentences in one language, without codes: %s", (language) => {
    for (const value of everything) {
      const { nextStep, text, title } = payerMessage(value, language)
      assert.match(title, /^\p{Lu}[^.!?:]{3,60}$/u)
      assert.match(text, /^\p{Lu}.{10,260}\.$/u)
      assert.include(["nothing", "continue", "wait", "payAgain", "tryAgain", "contactShop"], nextStep)
      // 3-D Secure is a name that payers know from their banks.
      assert.notMatch(`${title} ${text}`.replace("3-D Secure", ""), /[\d_<>{}[\]]|undefined|null|Error|GoPay/)
      assert.notMatch(`${title} ${text}`, / {2}|\.\.|\s[.,;:]/)
    }
  })

  it("reads differently in each language, and says the same", () => {
    for (const value of everything) {
      const messages = languages.map((language) => payerMessage(value, language))
      assert.strictEqual(new Set(messages.map(({ title }) => title)).size, 3)
      assert.strictEqual(new Set(messages.map(({ text }) => text)).size, 3)
      assert.strictEqual(new Set(messages.map(({ nextStep }) => nextStep)).size, 1)
      const [cs, sk, en] = messages
      assert.notMatch(`${cs?.title} ${cs?.text}`, /[ĺľŕôäĽ]/u)
      assert.notMatch(`${sk?.title} ${sk?.text}`, /[ěřů]/u)
      assert.notMatch(`${en?.title} ${en?.text}`, /[^\x20-\x7e]/u)
      // Who is asked not to pay again in one language is asked so in each.
      assert.strictEqual(/neplaťte/i.test(cs?.text ?? ""), /not pay again/.test(en?.text ?? ""))
      assert.strictEqual(/neplaťte/i.test(sk?.text ?? ""), /not pay again/.test(en?.text ?? ""))
    }
  })

  it("blames no one", () => {
    for (const value of everything) {
      assert.notMatch(
        inEnglish(value),
        /\byou (did not|entered|mistyped|made)\b|your (mistake|fault)|wrong|invalid|fail/i
      )
    }
  })

  it("is English for a language that there is none of, and is not particular about case", () => {
    const of = (language: unknown): string =>
      Reflect.apply(payerMessage, undefined, [{ state: "PAID" }, language]).title
    assert.deepStrictEqual(["CS", "sk", "de", "", 1, undefined].map(of), [
      "Zaplaceno",
      "Zaplatené",
      "Paid",
      "Paid",
      "Paid",
      "Paid"
    ])
  })
})

describe("a payment", () => {
  const told: ReadonlyArray<readonly [State, PayerStep, string, string, string]> = [
    ["CREATED", "continue", "Čekáme na zaplacení", "Čakáme na zaplatenie", "Not paid yet"],
    [
      "PAYMENT_METHOD_CHOSEN",
      "continue",
      "Platba zatím není dokončená",
      "Platba zatiaľ nie je dokončená",
      "Your payment is not finished yet"
    ],
    ["PAID", "nothing", "Zaplaceno", "Zaplatené", "Paid"],
    ["AUTHORIZED", "nothing", "Platba je potvrzená", "Platba je potvrdená", "Your payment is confirmed"],
    ["CANCELED", "payAgain", "Platba neproběhla", "Platba neprebehla", "The payment did not go through"],
    ["TIMEOUTED", "payAgain", "Čas na zaplacení vypršel", "Čas na zaplatenie uplynul", "The time to pay has run out"],
    ["REFUNDED", "nothing", "Platba je vrácená", "Platba je vrátená", "Your payment has been refunded"],
    [
      "PARTIALLY_REFUNDED",
      "nothing",
      "Část platby je vrácená",
      "Časť platby je vrátená",
      "Part of your payment has been refunded"
    ]
  ]

  it.each(told)("in the state %s: %s", (state, nextStep, ...titles) => {
    const messages = languages.map((language) => payerMessage({ state }, language))
    assert.deepStrictEqual(
      messages.map(({ title }) => title),
      titles
    )
    assert.strictEqual(messages[0]?.nextStep, nextStep)
  })

  it("has a message for each state", () => {
    assert.deepStrictEqual(
      told.map(([state]) => state),
      Object.keys(PaymentStates)
    )
  })

  it("is paid only when its state says so, whatever its sub-state", () => {
    for (const payment of payments) {
      const isDone = ["PAID", "AUTHORIZED", "REFUNDED", "PARTIALLY_REFUNDED"].includes(payment.state)
      assert.strictEqual(payerMessage(payment, "en").nextStep === "nothing", isDone, JSON.stringify(payment))
      assert.strictEqual(
        /received your payment|confirmed$/.test(payerMessage(payment, "en").text),
        payment.state === "PAID"
      )
    }
  })

  it("is offered once more only when it is closed, and the money is not known to be on its way", () => {
    for (const { state, sub_state } of payments) {
      if (payerMessage({ state, sub_state }, "en").nextStep !== "payAgain") continue
      assert.include(["CANCELED", "TIMEOUTED"], state)
      assert.notInclude(["_5020", "_5026", "_5040", "_5041", "_5046", "_5047"], sub_state)
    }
  })

  it("in an unknown state is checked, and not to be paid again", () => {
    assert.deepStrictEqual(payerMessage({ state: "SOMETHING_NEW" }, "cs"), {
      title: "Platbu ověřujeme",
      text: "Zatím nevíme, zda proběhla. Neplaťte prosím znovu: ověřujeme to a dáme vám vědět.",
      nextStep: "wait"
    })
  })

  it.each([
    [undefined, "continue", "If you have already confirmed it, please do not pay again"],
    ["_101", "continue", "If you have already confirmed it, please do not pay again"],
    ["_102", "wait", "We will let you know as soon as the money arrives"],
    ["_5045", "wait", "We do not know yet whether it went through. Please do not pay again"]
  ])("under way with the sub-state %s: %s", (sub_state, nextStep, text) => {
    const message = payerMessage({ state: "PAYMENT_METHOD_CHOSEN", sub_state }, "en")
    assert.strictEqual(message.nextStep, nextStep)
    assert.include(message.text, text)
  })

  const beingChecked = "do not pay again: we are checking"
  const declined: { readonly [subState in SubState]: string } = {
    _101: beingChecked,
    _102: beingChecked,
    _3001: beingChecked,
    _3002: beingChecked,
    _3003: "The bank declined the transfer",
    _5001: beingChecked,
    _5002: "over the card's limit",
    _5003: "bank that issued the card declined",
    _5004: "bank that issued the card declined",
    _5005: "The card is blocked",
    _5006: "not enough money",
    _5007: "The card has expired",
    _5008: "security code (CVV/CVC) did not match",
    _5009: "3-D Secure",
    _5010: "bank that issued the card declined",
    _5011: "bank that issued the card declined",
    _5012: "technical difficulties",
    _5013: "card number did not match",
    _5014: "bank that issued the card declined",
    _5015: "3-D Secure",
    _5016: "This card cannot be used",
    _5017: "3-D Secure",
    _5018: "3-D Secure",
    _5019: "3-D Secure",
    _5020: "We are sorry",
    _5021: "over the card's limit",
    _5022: "technical difficulties",
    _5023: "declined or cancelled",
    _5024: "not confirmed in time",
    _5025: "declined or cancelled",
    _5026: "do not pay again. Contact us",
    _5027: "declined or cancelled",
    _5028: "declined or cancelled",
    _5029: beingChecked,
    _5030: beingChecked,
    _5031: "technical difficulties",
    _5033: "text message with the code was not delivered",
    _5035: "This card cannot be used",
    _5036: "bank that issued the card declined",
    _5037: "was cancelled",
    _5038: "declined or cancelled",
    _5039: "The card is blocked",
    _5040: "contact us before you pay again",
    _5041: "contact us before you pay again",
    _5042: "The bank declined the transfer",
    _5043: "was cancelled",
    _5044: "text message with the code was not delivered",
    _5045: beingChecked,
    _5046: "do not pay again. Contact us",
    _5047: "do not pay again, we will get in touch",
    _5048: beingChecked,
    _5049: beingChecked,
    _5050: beingChecked,
    _6001: beingChecked,
    _6002: beingChecked,
    _6003: beingChecked,
    _6004: beingChecked,
    _6005: beingChecked,
    _6501: beingChecked,
    _6502: "3-D Secure",
    _6504: "3-D Secure"
  }

  it.each(Object.entries(declined))("that was not made, with the sub-state %s: %s", (sub_state, text) => {
    assert.include(payerMessage({ state: "CANCELED", sub_state }, "en").text, text)
    const isGeneral = text === "declined or cancelled"
    const timedOut = payerMessage({ state: "TIMEOUTED", sub_state }, "en").text
    assert.strictEqual(timedOut.includes(text), !isGeneral && text !== beingChecked)
  })

  it.each(["_3001", "_3002", "_101", "_102", "_5045", "_5029", "_5030", "_5048", "_9999", 7])(
    "that is canceled, with the sub-state %s, may have its money there or on its way: no one is invited to pay again",
    (sub_state) => {
      for (const language of languages) {
        assert.deepStrictEqual(
          payerMessage({ state: "CANCELED", sub_state }, language),
          payerMessage({ state: "SOMETHING_NEW" }, language)
        )
      }
    }
  )

  it("that is canceled without a sub-state can be made again", () => {
    for (const sub_state of [undefined, null, ""]) {
      assert.strictEqual(payerMessage({ state: "CANCELED", sub_state }, "en").nextStep, "payAgain")
    }
  })

  it("whose time has run out may have been sent by a bank transfer: who sent it is not to pay again", () => {
    assert.match(
      payerMessage({ state: "TIMEOUTED" }, "cs").text,
      /^Pokud jste peníze už odeslali, neplaťte prosím znovu/
    )
  })
})

describe("an order of a ledger", () => {
  it.each(Object.entries(statuses))("that is %s: %s", (status, [nextStep, ...titles]) => {
    const messages = languages.map((language) => payerMessage({ orderNumber: "1", status }, language))
    assert.deepStrictEqual(
      messages.map(({ title }) => title),
      titles
    )
    assert.strictEqual(messages[0]?.nextStep, nextStep)
  })

  it("that is paid is thanked for", () => {
    const amounts = { held: 0, captured: 500, refunded: 0, refundable: { amount: 500, isUpperBound: false } }
    const order: Order = { orderNumber: "1", status: "paid", paymentId: 1, ...amounts, message: "" }
    assert.strictEqual(payerMessage(order, "cs").text, "Děkujeme, vaši platbu jsme přijali.")
  })

  it("that money may yet come for is paid again by no one who has sent it", () => {
    for (const status of ["closed", "expired", "inDoubt"])
      assert.match(payerMessage({ orderNumber: "1", status }, "en").text, /please do not pay again/i)
  })
})

describe("an error of the gateway", () => {
  /**
   * What the payer can do, by the reason: for a read, for a payment that was to be created, for any other operation.
   */
  const steps: { readonly [Tag in ReasonTag]: readonly [PayerStep, PayerStep, PayerStep] } = {
    InvalidRequest: ["wait", "contactShop", "contactShop"],
    AuthenticationFailed: ["wait", "contactShop", "contactShop"],
    PermissionDenied: ["wait", "contactShop", "contactShop"],
    PaymentNotFound: ["contactShop", "contactShop", "contactShop"],
    CardNotFound: ["payAgain", "payAgain", "payAgain"],
    OperationRefused: ["wait", "contactShop", "contactShop"],
    RateLimited: ["wait", "tryAgain", "tryAgain"],
    GatewayUnavailable: ["wait", "tryAgain", "tryAgain"],
    OutcomeUnknown: ["wait", "wait", "wait"],
    UnexpectedResponse: ["wait", "contactShop", "contactShop"]
  }

  it.each(reasonTags)("%s says what the payer can do", (tag) => {
    for (const operation of operations) {
      const [read, payment, request] = steps[tag]
      const isPayment = operation === "createPayment" || operation === "createRecurrence"
      const step = isPayment ? payment : reads.has(operation) ? read : request
      assert.strictEqual(payerMessage(errorOf(operation, tag), "en").nextStep, step, operation)
    }
  })

  it("asks not to pay again when the outcome is unknown, in each language", () => {
    const error = errorOf("createRecurrence", "OutcomeUnknown")
    assert.include(payerMessage(error, "cs").text, "Neplaťte prosím znovu: ověřujeme to")
    assert.include(payerMessage(error, "sk").text, "Neplaťte, prosím, znova: overujeme to")
    assert.include(payerMessage(error, "en").text, "Please do not pay again: we are checking")
  })

  it("invites to try again after a lost createPayment, whose address no one has", () => {
    const change: ChangeRecord = { operation: "createPayment", amount: 100, sentAt: "2026-01-01T00:00:00.000Z" }
    const lost = (record: ChangeRecord) =>
      payerMessage(errorOf("createPayment", "OutcomeUnknown", { change: record }), "en")
    assert.deepStrictEqual(lost(change), payerMessage(errorOf("createPayment", "GatewayUnavailable"), "en"))
    assert.strictEqual(lost(change).nextStep, "tryAgain")
    assert.include(lost({ ...change, usesStoredCard: true }).text, "Please do not pay again: we are checking")
    const unrecorded = { _tag: "GatewayError", operation: "createPayment", reason: { _tag: "OutcomeUnknown" } }
    assert.include(payerMessage(unrecorded, "en").text, "Please do not pay again: we are checking")
  })

  it("of a refund is not about paying", () => {
    assert.include(payerMessage(errorOf("refundPayment", "OutcomeUnknown"), "cs").text, "Nezadávejte ho prosím znovu")
    assert.include(payerMessage(errorOf("refundPayment", "OperationRefused"), "sk").text, "Nič sa nezmenilo")
  })

  it("of what was done before says so", () => {
    const error = errorOf("voidRecurrence", "OperationRefused", { goalReached: true })
    assert.deepStrictEqual(
      languages.map((language) => payerMessage(error, language).title),
      ["Už je vyřízeno", "Už je vybavené", "This has already been done"]
    )
  })

  it("says nothing of the charge where it cannot know: only an attempt to pay that was not sent did not charge", () => {
    for (const error of errors) {
      if (!/not been charged/.test(inEnglish(error))) continue
      assert.instanceOf(error, GatewayError)
      assert.include(["GatewayUnavailable", "RateLimited"], error.reason._tag)
      assert.include(["createPayment", "createRecurrence"], error.operation)
    }
  })

  it("is known by its form, so that it may come from another process", () => {
    const error = errorOf("createPayment", "OutcomeUnknown")
    assert.deepStrictEqual(payerMessage(JSON.parse(JSON.stringify(error)), "sk"), payerMessage(error, "sk"))
  })
})

describe("an error of verifying", () => {
  it.each(notificationErrors)("$_tag", (reason) => {
    const isStranger = ["InvalidNotification", "UnknownPayment", "PaymentMismatch"].includes(reason._tag)
    const { nextStep, title } = payerMessage(new NotificationError({ reason }), "cs")
    assert.strictEqual(title, isStranger ? "Platbu jsme nenašli" : "Stav platby teď nemůžeme ověřit")
    assert.strictEqual(nextStep, isStranger ? "contactShop" : "wait")
  })
})

describe("anything else", () => {
  const isOurs = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "_tag")

  it.each(strange.filter((value) => !isOurs(value)))("is answered with what is safe (%#)", (value) => {
    assert.deepStrictEqual(payerMessage(value, "en"), {
      title: "We cannot show your payment right now",
      text: "Please reload the page in a moment. If you see this again, contact us.",
      nextStep: "wait"
    })
  })

  it.each(strange.filter(isOurs))("that is an error of ours, of a later version, is waited for (%#)", (value) => {
    assert.strictEqual(payerMessage(value, "en").nextStep, "wait")
    assert.include(inEnglish(value), "If you have already paid, please do not pay again")
  })
})
