/**
 * The whole life of payments, over real HTTP.
 *
 * `npm start` runs it against a local gateway that it starts itself; no account, no network, no environment variable.
 * `npm start -- --sandbox` runs the part that needs no payer against GoPay's sandbox, with `GOPAY_GOID`,
 * `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET` and `GOPAY_ENVIRONMENT=sandbox`.
 */
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import {
  amountToDecimal,
  captureAuthorizationPartial,
  createPayment,
  type CreatePaymentRequest,
  createRecurrence,
  deleteCard,
  Gateway,
  getAccountStatement,
  getCardDetails,
  getEmbedJsUrl,
  getPayment,
  getPaymentInstruments,
  getPaymentInstrumentsAll,
  getPaymentQr,
  getPaymentRefunds,
  refundPayment,
  voidAuthorization,
  voidRecurrence
} from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"

const order: CreatePaymentRequest = {
  amount: 139_950, // haléře: 1,399.50 CZK
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Two books and a lamp",
  items: [
    { type: "ITEM", name: "Books", amount: 79_950, count: 2, vat_rate: 12 },
    { type: "ITEM", name: "Lamp", amount: 60_000, vat_rate: 21 }
  ],
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" },
  payer: { contact: { first_name: "Jana", email: "payer@example.com" } }
}

const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const money = (amount: number, currency = "CZK") =>
  `${amountToDecimal(amount).replace(/\B(?=(\d{3})+\.)/g, " ")} ${currency}`

const title = (text: string) => Console.log(`\n${text}`)

const told = (text: string) => Console.log(`    ${text}`)

// ---------------------------------------------------------------------------------------------------------------------
// The story
// ---------------------------------------------------------------------------------------------------------------------

const payAndRefund = Effect.gen(function* () {
  yield* title("An order is paid by card")
  const created = yield* createPayment({ ...order, payer: { ...order.payer, request_card_token: true } })
  yield* told(`payment ${created.id} of ${money(created.amount)} is ${created.state}`)
  yield* told(`the payer is sent to ${created.gw_url}`)
  const { qr_code } = yield* getPaymentQr(created.id)
  yield* told(`or scans a QR code, a picture of ${qr_code.spayd?.length ?? 0} base64 characters`)
  yield* told("… the payer pays by card")
  yield* LocalGateway.payByCard(created.id)
  const paid = yield* getPayment(created.id)
  yield* told(`payment ${paid.id} is ${paid.state}, by ${paid.payer?.payment_card?.card_number}`)

  yield* title("A part of it is refunded, a day later at the earliest")
  yield* LocalGateway.advanceTime("1 day")
  const refund = yield* refundPayment(paid.id, { amount: 60_000 })
  yield* told(`refund of ${money(60_000)}: ${refund.result}`)
  for (const { amount, id, state } of yield* getPaymentRefunds(paid.id)) {
    yield* told(`refund ${id}: ${money(amount)}, ${state}`)
  }
  yield* told(`payment ${paid.id} is ${(yield* getPayment(paid.id)).state}`)
  return paid
})

const refused = (paymentId: number) =>
  Effect.gen(function* () {
    yield* title("More than what is left is not refunded")
    yield* refundPayment(paymentId, { amount: 139_950 }).pipe(
      Effect.asVoid,
      Effect.catchReason("GatewayError", "OperationRefused", (reason) =>
        told(`${reason._tag}, code ${reason.code}: ${reason.message}`)
      )
    )
  })

const recur = Effect.gen(function* () {
  yield* title("A subscription is started, charged once more, and stopped")
  const first = yield* createPayment({
    ...order,
    order_number: "2026-0043",
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
  })
  yield* told("… the payer pays by card")
  yield* LocalGateway.payByCard(first.id)
  const { recurrence } = yield* getPayment(first.id)
  yield* told(`the recurrence of payment ${first.id} is ${recurrence?.recurrence_state}`)
  const child = yield* createRecurrence(first.id, {
    amount: 29_900,
    currency: "CZK",
    order_number: "2026-0044",
    order_description: "Second month"
  })
  yield* told(`charge ${child.id} of ${money(child.amount)} is ${child.state}`)
  yield* told(`charge ${child.id} is ${(yield* getPayment(child.id)).state}`)
  yield* told(`stopping it: ${(yield* voidRecurrence(first.id)).result}`)
})

const authorize = Effect.gen(function* () {
  yield* title("A sum is held on the card, and a part of it captured")
  const captured = yield* createPayment({ ...order, order_number: "2026-0045", preauthorization: true })
  yield* told("… the payer pays by card")
  yield* LocalGateway.payByCard(captured.id)
  yield* told(`payment ${captured.id} is ${(yield* getPayment(captured.id)).state}`)
  const capture = yield* captureAuthorizationPartial(captured.id, {
    amount: 79_950,
    items: [{ name: "Books", amount: 79_950 }]
  })
  yield* told(`capturing ${money(79_950)} of ${money(captured.amount)}: ${capture.result}`)
  yield* told(`payment ${captured.id} is ${(yield* getPayment(captured.id)).state}`)

  yield* title("Another sum is held and released")
  const released = yield* createPayment({ ...order, order_number: "2026-0046", preauthorization: true })
  yield* told("… the payer pays by card")
  yield* LocalGateway.payByCard(released.id)
  yield* told(`releasing ${money(released.amount)}: ${(yield* voidAuthorization(released.id)).result}`)
  yield* told(`payment ${released.id} is ${(yield* getPayment(released.id)).state}`)
})

const forgetCard = (cardId: number | string) =>
  Effect.gen(function* () {
    yield* title("The card that the first payment stored is checked and deleted")
    const card = yield* getCardDetails(cardId)
    yield* told(`card ${card.card_id}: ${card.card_brand} ${card.card_number}, ${card.status}`)
    yield* deleteCard(cardId)
    yield* told(`card ${card.card_id} is ${(yield* getCardDetails(cardId)).status}`)
  })

const listInstruments = Effect.gen(function* () {
  yield* title("What payers can pay with")
  const inCzk = yield* getPaymentInstruments(undefined, "CZK")
  yield* told(`in CZK: ${inCzk.enabledPaymentInstruments.map((each) => each.paymentInstrument).join(", ")}`)
  const all = yield* getPaymentInstrumentsAll()
  for (const { currencies = [], paymentInstrument } of all.enabledPaymentInstruments) {
    yield* told(`${paymentInstrument}: ${currencies.join(", ")}`)
  }
  yield* told(`and inside the shop's own page with ${yield* getEmbedJsUrl}`)
})

const statement = Effect.gen(function* () {
  yield* title("What moved on the account")
  const file = yield* getAccountStatement({
    date_from: dayFromToday(-1),
    date_to: dayFromToday(1),
    currency: "CZK",
    format: "CSV_A"
  })
  yield* told(`${file.data.byteLength} bytes, ${file.contentDisposition}`)
  for (const line of file.toText().split(/\r?\n/).slice(0, 4)) yield* told(line)
})

const onLocalGateway = Effect.gen(function* () {
  const { merchant, url } = yield* LocalGateway
  yield* Console.log(`A local gateway listens at ${url}. No account, no network: everything below is real HTTP.`)
  yield* Effect.gen(function* () {
    const paid = yield* payAndRefund
    yield* refused(paid.id)
    yield* recur
    yield* authorize
    if (paid.payer?.card_id !== undefined) yield* forgetCard(paid.payer.card_id)
    yield* listInstruments
    yield* statement
  }).pipe(Effect.provide(Gateway.layer(merchant)))
  yield* Console.log("\nDone.")
})

const onSandbox = Effect.gen(function* () {
  yield* Console.log("The part that needs no payer, against GoPay's sandbox.")
  yield* title("An order waits for its payer")
  const created = yield* createPayment(order)
  yield* told(`payment ${created.id} of ${money(created.amount)} is ${created.state}`)
  yield* told(`pay it at ${created.gw_url}`)
  yield* told(`payment ${created.id} is ${(yield* getPayment(created.id)).state}`)
  yield* refused(created.id)
  yield* listInstruments
  yield* statement
  yield* Console.log("\nDone.")
})

// ---------------------------------------------------------------------------------------------------------------------
// Its running
// ---------------------------------------------------------------------------------------------------------------------

/** The transport, which prints each request and its outcome. */
const NarratedHttpClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.tap(({ request, status }) => {
      const { pathname, search } = new URL(request.url)
      return Console.log(`  ${request.method} ${pathname}${search} → ${status}`)
    })
  )
).pipe(Layer.provide(FetchHttpClient.layer))

const sandboxOnly = Effect.gen(function* () {
  const environment = yield* Config.String("GOPAY_ENVIRONMENT").pipe(Config.withDefault(""))
  if (environment !== "sandbox") {
    return yield* Effect.fail(new Error("--sandbox wants GOPAY_ENVIRONMENT=sandbox; no other gateway is touched."))
  }
  yield* Effect.provide(onSandbox, Gateway.layerConfig())
})

const main = process.argv.includes("--sandbox")
  ? sandboxOnly
  : Effect.provide(onLocalGateway, LocalGateway.layerServer())

Effect.runPromise(Effect.provide(main, NarratedHttpClient)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
