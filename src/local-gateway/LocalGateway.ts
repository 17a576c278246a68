/**
 * A gateway of one's own: it stands in for GoPay in tests and on a developer's machine.
 *
 * It answers in the wire form of the real one, keeps its payments in memory, and lets its caller play the payer. Each
 * time a layer of it is built, there is a new, empty gateway; it ends with the layer's scope.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { PaymentInstrument, PaymentSubState } from "../api/CodeLists.js"
import * as GatewaySchema from "../api/GatewaySchema.js"
import type { Id, PaymentResponse } from "../api/Messages.js"
import { paymentAnswer } from "./Answers.js"
import { Books, type RecurrenceChild } from "./Books.js"
import { startServer, type LoopbackAddress, type ServerNotStarted } from "./LoopbackServer.js"
import { merchantAt, type Merchant } from "./Merchant.js"
import { payerControls, type PayByCardOptions, type PayerActionRefused } from "./PayerControls.js"
import type { Payment } from "./Payment.js"
import { RequestLog, type LoggedRequest } from "./RequestLog.js"
import { makeAnswer, maxBodyBytes } from "./Routes.js"
import { Tokens } from "./Tokens.js"

/** What may differ from one local gateway to another. */
export interface LocalGatewaySettings {
  /**
   * What becomes of a payment that `createRecurrence` has created: it is charged at once (`"paid"`, the default), the
   * card is declined (`"declined"`), or nothing happens until you act as the payer (`"pending"`). The answer to
   * `createRecurrence` says `CREATED` in every case; the next `getPayment` tells.
   */
  readonly recurrenceChild?: RecurrenceChild
}

/** Where the local gateway's server listens, and its settings. */
export interface LocalGatewayServerOptions extends LocalGatewaySettings {
  /** Default: 0, the system chooses a free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: LoopbackAddress["host"]
}

/** A running local gateway. Wherever an amount appears it is an integer in minor units (haléře, cents). */
export interface LocalGatewayService {
  /** Its address, without `/api`: `http://localhost` in-process, else such as `http://127.0.0.1:43211`. */
  readonly url: string
  /** The merchant it knows; fit to be the options of `Gateway.layer`. */
  readonly merchant: Merchant
  /**
   * The payer chooses how to pay and has not paid yet: `PAYMENT_METHOD_CHOSEN`, with sub-state `_102` for a bank
   * transfer, else `_101`.
   */
  readonly choosePaymentMethod: (
    paymentId: Id,
    instrument: PaymentInstrument
  ) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /**
   * The payer pays by card: `PAID`, or `AUTHORIZED` where the amount is only to be held. Starts a requested recurrence;
   * stores the card where `request_card_token` or `verify_pin` was sent. Where the order presents a stored card's token,
   * that card pays.
   */
  readonly payByCard: (paymentId: Id, options?: PayByCardOptions) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payer's bank transfer comes: `PAID`, with sub-state `_3002`. */
  readonly payByBankTransfer: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payment is declined: `CANCELED`, with the sub-state given (default: `_5006`, insufficient funds). */
  readonly decline: (paymentId: Id, subState?: PaymentSubState) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payer cancels: `CANCELED`, with sub-state `_5043`. */
  readonly cancel: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payer does not pay in time: `TIMEOUTED`. */
  readonly timeOut: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** All payments as they are now, in the order of their creation. */
  readonly payments: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** The last 1000 requests it answered, oldest first. */
  readonly requests: Effect.Effect<ReadonlyArray<LoggedRequest>>
}

const maxLoggedRequests = 1000

const decodePayment = Schema.decodeUnknownSync(GatewaySchema.PaymentResponse)

interface RunningGateway {
  readonly service: LocalGatewayService
  readonly answer: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse>
}

const make = (settings: LocalGatewaySettings, url: string): Effect.Effect<RunningGateway, never, Scope.Scope> =>
  Effect.gen(function* () {
    const merchant = merchantAt(url)
    const books = new Books(settings.recurrenceChild ?? "paid")
    const log = new RequestLog(maxLoggedRequests)
    const respond = yield* makeAnswer({ url, merchant, books, tokens: new Tokens() })

    const answer = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function* () {
        const received = HttpServerRequest.fromClientRequest(request)
        const response = yield* Effect.scoped(
          Effect.provideService(respond, HttpServerRequest.HttpServerRequest, received)
        )
        log.add({
          at: yield* Clock.currentTimeMillis,
          method: received.method,
          path: received.url.split("?")[0] ?? "",
          status: response.status,
          headers: received.headers
        })
        return HttpServerResponse.toClientResponse(response, { request })
      })

    /** The payment as a client would read it. */
    const shown = (payment: Payment): PaymentResponse =>
      decodePayment(JSON.parse(JSON.stringify(paymentAnswer(payment, url))))
    const controls = payerControls(books)

    return {
      answer,
      service: {
        url,
        merchant,
        choosePaymentMethod: (id, instrument) => Effect.map(controls.choosePaymentMethod(id, instrument), shown),
        payByCard: (id, options) => Effect.map(controls.payByCard(id, options), shown),
        payByBankTransfer: (id) => Effect.map(controls.payByBankTransfer(id), shown),
        decline: (id, subState) => Effect.map(controls.decline(id, subState), shown),
        cancel: (id) => Effect.map(controls.cancel(id), shown),
        timeOut: (id) => Effect.map(controls.timeOut(id), shown),
        payments: Effect.sync(() => books.allPayments().map(shown)),
        requests: Effect.sync(() => log.list())
      }
    }
  })

const inProcessUrl = "http://localhost"

/**
 * The local gateway, as a service.
 *
 * ```ts
 * const test = Effect.gen(function* () {
 *   const payment = yield* createPayment(order)
 *   yield* LocalGateway.payByCard(payment.id)
 *   const { state } = yield* getPayment(payment.id) // "PAID"
 * }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
 * ```
 */
export class LocalGateway extends Context.Service<LocalGateway, LocalGatewayService>()("effect-gopay/LocalGateway") {
  /** The merchant of an in-process gateway; fit to be the options of `Gateway.layer`. */
  static readonly merchant: Merchant = merchantAt(inProcessUrl)

  /** A gateway in-process: an `HttpClient` whose every request it answers, whatever the host, with no socket. */
  static readonly layerWith = (settings: LocalGatewaySettings): Layer.Layer<HttpClient.HttpClient | LocalGateway> =>
    Layer.effectContext(
      Effect.map(make(settings, inProcessUrl), ({ answer, service }) =>
        Context.make(LocalGateway, service).pipe(
          Context.add(
            HttpClient.HttpClient,
            HttpClient.make((request) => answer(request))
          )
        )
      )
    )

  /** A gateway in-process with the default settings. */
  static readonly layer: Layer.Layer<HttpClient.HttpClient | LocalGateway> = LocalGateway.layerWith({})

  /**
   * A gateway behind a real HTTP server on the loopback interface, for clients in this process or another. Its `url` and
   * `merchant` tell where. It stops with the layer's scope, also while connections are kept alive.
   *
   * Fails with `ServerNotStarted` when it cannot listen, such as when the port is taken.
   */
  static readonly layerServer = (
    options: LocalGatewayServerOptions = {}
  ): Layer.Layer<LocalGateway, ServerNotStarted> =>
    Layer.effect(
      LocalGateway,
      startServer({ port: options.port ?? 0, host: options.host ?? "127.0.0.1" }, maxBodyBytes, (url) =>
        Effect.map(make(options, url), ({ answer, service }) => ({ answer, value: service }))
      )
    )

  /** See {@link LocalGatewayService.choosePaymentMethod}. */
  static readonly choosePaymentMethod = (paymentId: Id, instrument: PaymentInstrument) =>
    LocalGateway.use((gateway) => gateway.choosePaymentMethod(paymentId, instrument))

  /** See {@link LocalGatewayService.payByCard}. */
  static readonly payByCard = (paymentId: Id, options?: PayByCardOptions) =>
    LocalGateway.use((gateway) => gateway.payByCard(paymentId, options))

  /** See {@link LocalGatewayService.payByBankTransfer}. */
  static readonly payByBankTransfer = (paymentId: Id) =>
    LocalGateway.use((gateway) => gateway.payByBankTransfer(paymentId))

  /** See {@link LocalGatewayService.decline}. */
  static readonly decline = (paymentId: Id, subState?: PaymentSubState) =>
    LocalGateway.use((gateway) => gateway.decline(paymentId, subState))

  /** See {@link LocalGatewayService.cancel}. */
  static readonly cancel = (paymentId: Id) => LocalGateway.use((gateway) => gateway.cancel(paymentId))

  /** See {@link LocalGatewayService.timeOut}. */
  static readonly timeOut = (paymentId: Id) => LocalGateway.use((gateway) => gateway.timeOut(paymentId))

  /** All payments as they are now, in the order of their creation. */
  static readonly payments = LocalGateway.use((gateway) => gateway.payments)

  /** The last 1000 requests the gateway answered, oldest first. */
  static readonly requests = LocalGateway.use((gateway) => gateway.requests)
}
