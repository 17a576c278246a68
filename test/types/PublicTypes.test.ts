/**
 * Statements about types: the compiler checks them, and running them shows nothing more.
 */
import { describe, expectTypeOf, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { identity } from "effect/Function"
import * as Redacted from "effect/Redacted"
import type { ChangeSearchedBy } from "../../src/contract/ChangeFacts.js"
import type * as CodeLists from "../../src/contract/CodeLists.js"
import type { GatewayPrograms } from "../../src/client/call/Gateway.js"
import type { ChangeRecordConstructors, ChangeTiming } from "../../src/client/error/ChangeRecord.js"
import type * as Endpoint from "../../src/contract/Endpoint.js"
import type * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import * as Client from "../../src/index.js"
import * as PromiseEntry from "../../src/promise/index.js"
import type * as SchemaEntry from "../../src/schema/index.js"

type Schemas = typeof Client.GatewaySchema

/** What a schema decodes to. */
type Decoded<Name extends keyof Schemas> = Schemas[Name]["Type"]
type Read<Name extends keyof typeof ResponseSchema> = (typeof ResponseSchema)[Name]["Type"]

/** An error here names what a list or a module lacks: the statement says which. */
type NothingMissing<Name extends never> = Name

/** An error here names what a list still has and the source no longer does. */
type NothingLeftOver<Name extends never> = Name

const callback: Client.PaymentCallback = { return_url: "https://shop.example.com/return" }

const payment: Client.CreatePaymentRequest = { amount: 100, currency: "CZK", order_number: "1", callback }

const merchant = { goid: 8123456781, clientId: "1", environment: "sandbox" }

const statement: Client.AccountStatementRequest = {
  date_from: "2026-01-01",
  date_to: "2026-01-31",
  goid: 8123456781,
  currency: "CZK",
  format: "CSV_A"
}

it("the schema entry has each schema of a message, but what a token is requested by", () => {
  // What is missing here is to be exported from `src/schema/index.ts`.
  expectTypeOf<NothingMissing<Exclude<keyof Schemas, keyof typeof SchemaEntry | "AccessTokenRequest">>>().toBeNever()
  expectTypeOf<"AccessTokenRequest">().not.toExtend<keyof typeof SchemaEntry>()
})

// Those of the operations' messages: see `Messages.test.ts`.
describe("each schema decodes to its interface:", () => {
  it("requests", () => {
    expectTypeOf<Decoded<"GatewayId">>().toEqualTypeOf<Client.GatewayId>()
    expectTypeOf<Decoded<"PaymentItem">>().toEqualTypeOf<Client.PaymentItem>()
    expectTypeOf<Decoded<"PaymentCallback">>().toEqualTypeOf<Client.PaymentCallback>()
    expectTypeOf<Decoded<"PayerContact">>().toEqualTypeOf<Client.PayerContact>()
    expectTypeOf<Decoded<"BankAccount">>().toEqualTypeOf<Client.BankAccount>()
    expectTypeOf<Decoded<"Payer">>().toEqualTypeOf<Client.Payer>()
    expectTypeOf<Decoded<"PaymentTarget">>().toEqualTypeOf<Client.PaymentTarget>()
    expectTypeOf<Decoded<"AdditionalParam">>().toEqualTypeOf<Client.AdditionalParam>()
    expectTypeOf<Decoded<"Recurrence">>().toEqualTypeOf<Client.Recurrence>()
    expectTypeOf<Decoded<"AccessTokenRequest">>().toEqualTypeOf<Client.AccessTokenRequest>()
  })

  it("answers", () => {
    expectTypeOf<Read<"AccessTokenResponse">>().toEqualTypeOf<Client.AccessTokenResponse>()
    expectTypeOf<Read<"ErrorResponse">>().toEqualTypeOf<Client.ErrorResponse>()
  })

  it("every one of them", () => {
    type RequestsAndGiven =
      | "GatewayId"
      | "Payment"
      | "CreatedPayment"
      | "PaymentOperation"
      | "Refund"
      | "CardDetails"
      | "PaymentInstruments"
      | "PaymentQr"
      | "PaymentItem"
      | "PaymentCallback"
      | "PayerContact"
      | "BankAccount"
      | "Payer"
      | "PaymentTarget"
      | "AdditionalParam"
      | "Recurrence"
      | "CreatePaymentRequest"
      | "RefundPaymentRequest"
      | "CreateRecurrenceRequest"
      | "CaptureAuthorizationPartialRequest"
      | "AccountStatementRequest"
      | "PaymentQrRequest"
      | "AccessTokenRequest"
      | "ErrorItem"
    // A new schema of `GatewaySchema.ts` is added to the list above.
    expectTypeOf<NothingMissing<Exclude<keyof Schemas, RequestsAndGiven>>>().toBeNever()
    expectTypeOf<NothingLeftOver<Exclude<RequestsAndGiven, keyof Schemas>>>().toBeNever()
    // But for the messages without what GoPay adds to them, of which the responses are made.
    type Responses =
      | "PaymentResponse"
      | "CreatePaymentResponse"
      | "PaymentOperationResponse"
      | "RefundHistoryItem"
      | "RefundHistory"
      | "CardDetailsResponse"
      | "PaymentInstrumentsResponse"
      | "PaymentInstrumentsAllResponse"
      | "PaymentQrResponse"
      | "AccessTokenResponse"
      | "ErrorItem"
      | "ErrorResponse"
    type Response = Exclude<keyof typeof ResponseSchema, `${string}Message`>
    // A new schema of `ResponseSchema.ts` is added to the list above.
    expectTypeOf<NothingMissing<Exclude<Response, Responses>>>().toBeNever()
    expectTypeOf<NothingLeftOver<Exclude<Responses, Response>>>().toBeNever()
  })
})

describe("codes", () => {
  /** The type beside each list. */
  interface CodeOf {
    readonly Currencies: Client.Currency
    readonly GatewayLanguages: Client.GatewayLanguage
    readonly PaymentStates: Client.PaymentState
    readonly PaymentSubStates: Client.PaymentSubState
    readonly PaymentInstruments: Client.PaymentInstrument
    readonly PaymentInstrumentGroups: Client.PaymentInstrumentGroup
    readonly BnplTypes: Client.BnplType
    readonly SwiftCodes: Client.SwiftCode
    readonly PaymentItemTypes: Client.PaymentItemType
    readonly PaymentTargetTypes: Client.PaymentTargetType
    readonly RecurrenceCycles: Client.RecurrenceCycle
    readonly RecurrenceStates: Client.RecurrenceState
    readonly PreauthorizationStates: Client.PreauthorizationState
    readonly OperationResults: Client.OperationResult
    readonly RefundStates: Client.RefundState
    readonly CardStatuses: Client.CardStatus
    readonly ThreeDSecureResults: Client.ThreeDSecureResult
    readonly QrFormats: Client.QrFormat
    readonly TokenScopes: Client.TokenScope
    readonly ErrorScopes: Client.ErrorScope
    readonly StatementFormats: Client.StatementFormat
    readonly ErrorCodes: Client.ErrorCode
  }

  it("have a type for every list", () => {
    // What is missing here is a new list: it is added to `CodeOf`, with its type.
    expectTypeOf<NothingMissing<Exclude<keyof typeof CodeLists, keyof CodeOf>>>().toBeNever()
    expectTypeOf<NothingLeftOver<Exclude<keyof CodeOf, keyof typeof CodeLists>>>().toBeNever()
  })

  it("are completed by editors", () => {
    type Completed = { [List in keyof CodeOf]: Extract<CodeOf[List], keyof (typeof CodeLists)[List]> }
    type Known = { readonly [List in keyof CodeOf]: keyof (typeof CodeLists)[List] }
    expectTypeOf<Completed>().toEqualTypeOf<Known>()
  })

  it("are open to any other text, those of errors to any other number", () => {
    type IsOpenTo<Value> = { [List in keyof CodeOf]: Value extends CodeOf[List] ? List : never }[keyof CodeOf]
    expectTypeOf<IsOpenTo<string>>().toEqualTypeOf<Exclude<keyof CodeOf, "ErrorCodes">>()
    expectTypeOf<IsOpenTo<number>>().toEqualTypeOf<"ErrorCodes">()
    expectTypeOf([
      (): Client.Currency => "CZK",
      (): Client.Currency => "XXX",
      (): Client.ErrorCode => 999,
      // @ts-expect-error a currency is not a number
      (): Client.Currency => 203,
      // @ts-expect-error the code of an error is not text
      (): Client.ErrorCode => "351"
    ]).items.toBeFunction()
  })
})

type Program<A, Reason extends Client.GatewayErrorReason> = Effect.Effect<
  A,
  Client.GatewayError<Reason>,
  Client.Gateway
>

describe("programs", () => {
  it("answer with what the gateway does, fail for the reasons that their endpoint can have, and need a Gateway", () => {
    expectTypeOf(Client.createPayment).toEqualTypeOf<
      (payment: Client.CreatePaymentRequest) => Program<Client.CreatePaymentResponse, Client.ChangeReason>
    >()
    expectTypeOf(Client.getPayment).toEqualTypeOf<
      (paymentId: Client.GatewayId) => Program<Client.PaymentResponse, Client.PaymentReadReason>
    >()
    expectTypeOf(Client.refundPayment).toEqualTypeOf<
      (
        paymentId: Client.GatewayId,
        refund: Client.RefundPaymentRequest
      ) => Program<Client.PaymentOperationResponse, Client.PaymentChangeReason>
    >()
    expectTypeOf(Client.getPaymentRefunds).toEqualTypeOf<
      (paymentId: Client.GatewayId) => Program<ReadonlyArray<Client.RefundHistoryItem>, Client.PaymentReadReason>
    >()
    expectTypeOf(Client.createRecurrence).toEqualTypeOf<
      (
        paymentId: Client.GatewayId,
        recurrence: Client.CreateRecurrenceRequest
      ) => Program<Client.PaymentResponse, Client.PaymentChangeReason>
    >()
    type ChangeOfPayment = (
      paymentId: Client.GatewayId
    ) => Program<Client.PaymentOperationResponse, Client.PaymentChangeReason>
    expectTypeOf(Client.voidRecurrence).toEqualTypeOf<ChangeOfPayment>()
    expectTypeOf(Client.captureAuthorization).toEqualTypeOf<ChangeOfPayment>()
    expectTypeOf(Client.voidAuthorization).toEqualTypeOf<ChangeOfPayment>()
    expectTypeOf(Client.captureAuthorizationPartial).toEqualTypeOf<
      (
        paymentId: Client.GatewayId,
        capture: Client.CaptureAuthorizationPartialRequest
      ) => Program<Client.PaymentOperationResponse, Client.PaymentChangeReason>
    >()
    expectTypeOf(Client.getCardDetails).toEqualTypeOf<
      (cardId: Client.GatewayId) => Program<Client.CardDetailsResponse, Client.CardReadReason>
    >()
    expectTypeOf(Client.deleteCard).toEqualTypeOf<
      (cardId: Client.GatewayId) => Program<void, Client.CardChangeReason>
    >()
    expectTypeOf(Client.getPaymentInstruments).toEqualTypeOf<
      (
        goid: Client.GatewayId | undefined,
        currency: Client.Currency
      ) => Program<Client.PaymentInstrumentsResponse, Client.ReadReason>
    >()
    expectTypeOf(Client.getPaymentInstrumentsAll).toEqualTypeOf<
      (goid?: Client.GatewayId) => Program<Client.PaymentInstrumentsAllResponse, Client.ReadReason>
    >()
    expectTypeOf(Client.getAccountStatement).toEqualTypeOf<
      (statement: Client.AccountStatementRequest) => Program<Client.AccountStatementResponse, Client.ReadReason>
    >()
    expectTypeOf(Client.getPaymentQr).toEqualTypeOf<
      (
        paymentId: Client.GatewayId,
        qr?: Client.PaymentQrRequest
      ) => Program<Client.PaymentQrResponse, Client.PaymentReadReason>
    >()
    expectTypeOf(Client.reconcile).toEqualTypeOf<
      (change: Client.ChangeRecord) => Program<Client.Reconciliation, Client.PaymentReadReason | Client.CardReadReason>
    >()
    const request: Client.CustomRequest = { method: "GET", path: "/x", kind: "read" }
    const asItCame = Client.sendRequest(request)
    const decoded = Client.sendRequest(request, Schema.Struct({ id: Schema.Int }))
    expectTypeOf(asItCame).toEqualTypeOf<Program<unknown, Client.ChangeReason>>()
    expectTypeOf(decoded).toEqualTypeOf<Program<{ readonly id: number }, Client.ChangeReason>>()
    expectTypeOf(Client.getEmbedJsUrl).toEqualTypeOf<Effect.Effect<string, never, Client.Gateway>>()
  })

  it("are the members of the service, with nothing left to provide", () => {
    type Provided<F> = F extends (...args: infer Args) => Effect.Effect<infer A, infer E, Client.Gateway>
      ? (...args: Args) => Effect.Effect<A, E>
      : never
    type Programs = { readonly [Name in keyof Client.GatewayOperations]: Provided<(typeof Client)[Name]> }
    expectTypeOf<GatewayPrograms>().toEqualTypeOf<Programs>()
    expectTypeOf<Pick<Client.GatewayService, keyof Programs>>().toEqualTypeOf<Programs>()
    expectTypeOf<Client.GatewayService["goid"]>().toEqualTypeOf<Effect.Effect<number>>()
    expectTypeOf<Client.GatewayService["getEmbedJsUrl"]>().toEqualTypeOf<Effect.Effect<string>>()
  })

  it("know that a payment just created has its address, and that another may not", () => {
    const created = Effect.map(Client.createPayment(payment), ({ gw_url }) => gw_url)
    expectTypeOf(created).toEqualTypeOf<Program<string, Client.ChangeReason>>()
    const read = Effect.map(Client.getPayment(3090066980), ({ gw_url }) => gw_url)
    expectTypeOf(read).toEqualTypeOf<Program<string | undefined, Client.PaymentReadReason>>()
  })

  it("can be caught by reason", () => {
    const caught = Client.createPayment(payment).pipe(
      Effect.catchReason("GatewayError", "InvalidRequest", (reason) => {
        expectTypeOf(reason).toEqualTypeOf<Client.InvalidRequest>()
        return Effect.succeed(reason.errors)
      })
    )
    expectTypeOf<Effect.Success<typeof caught>>().toEqualTypeOf<
      Client.CreatePaymentResponse | ReadonlyArray<Client.InvalidField>
    >()
    const several = Client.refundPayment(1, { amount: 1 }).pipe(
      Effect.catchReasons("GatewayError", {
        OutcomeUnknown: ({ change }) => Effect.succeed(change),
        PaymentNotFound: ({ paymentId }) => Effect.succeed(paymentId)
      })
    )
    expectTypeOf<Effect.Success<typeof several>>().toEqualTypeOf<
      Client.PaymentOperationResponse | Client.ChangeRecord | Client.GatewayId
    >()
    const byTag = Client.getPayment(1).pipe(
      Effect.catchTag("GatewayError", ({ reason }) => Effect.succeed(reason._tag))
    )
    expectTypeOf<Effect.Success<typeof byTag>>().toEqualTypeOf<
      Client.PaymentResponse | Client.PaymentReadReason["_tag"]
    >()
    expectTypeOf<Effect.Error<typeof byTag>>().toEqualTypeOf<never>()
    expectTypeOf([
      () =>
        // @ts-expect-error there is no such reason
        Client.getPayment(1).pipe(Effect.catchReason("GatewayError", "NoSuchReason", () => Effect.void)),
      () =>
        // @ts-expect-error a read has no unknown outcome
        Client.getPayment(1).pipe(Effect.catchReason("GatewayError", "OutcomeUnknown", () => Effect.void)),
      () =>
        // @ts-expect-error a payment is no card
        Client.getPayment(1).pipe(Effect.catchReason("GatewayError", "CardNotFound", () => Effect.void))
    ]).items.toBeFunction()
  })

  it("leave no error when the other reasons have a handler, or all of them are unwrapped", () => {
    const rest = Client.getPayment(1).pipe(
      Effect.catchReasons("GatewayError", { PaymentNotFound: () => Effect.succeed("none") }, ({ message }) =>
        Effect.succeed(message)
      )
    )
    expectTypeOf<Effect.Error<typeof rest>>().toEqualTypeOf<never>()
    const handled = () => Effect.succeed("handled")
    const every = {
      InvalidRequest: handled,
      AuthenticationFailed: handled,
      PermissionDenied: handled,
      OperationRefused: handled,
      RateLimited: handled,
      GatewayUnavailable: handled,
      UnexpectedResponse: handled,
      PaymentNotFound: handled
    }
    const unwrapped = Client.getPayment(1).pipe(Effect.unwrapReason("GatewayError"), Effect.catchTags(every))
    expectTypeOf<Effect.Error<typeof unwrapped>>().toEqualTypeOf<never>()
    const all = Client.getPayment(1).pipe(Effect.catchReasons("GatewayError", every))
    expectTypeOf<Effect.Error<typeof all>>().toEqualTypeOf<Client.GatewayError<Client.PaymentReadReason>>()
  })

  it("are what verifyPayment fails with, and a NotificationError", () => {
    const verified = Client.verifyPayment("?id=1", () => undefined)
    expectTypeOf<Effect.Error<typeof verified>>().toEqualTypeOf<
      Client.GatewayError<Client.PaymentReadReason> | Client.NotificationError<Client.VerificationErrorReason>
    >()
  })

  it("fail for reasons that a switch can exhaust", () => {
    const advice = ({ reason }: Client.GatewayError<Client.PaymentReadReason>): string => {
      switch (reason._tag) {
        case "InvalidRequest":
        case "AuthenticationFailed":
        case "PermissionDenied":
        case "OperationRefused":
        case "UnexpectedResponse":
          return "mend it"
        case "PaymentNotFound":
          return `no payment ${reason.paymentId}`
        case "RateLimited":
        case "GatewayUnavailable":
          return "later"
      }
    }
    expectTypeOf(advice).returns.toBeString()
  })

  it("have layers that need a transport only", () => {
    type GatewayLayer = Layer.Layer<Client.Gateway, Config.ConfigError, HttpClient.HttpClient>
    expectTypeOf(Client.Gateway.layer).toEqualTypeOf<(options: Client.GatewayLayerOptions) => GatewayLayer>()
    expectTypeOf(Client.Gateway.layerConfig).returns.toEqualTypeOf<GatewayLayer>()
    expectTypeOf(Client.Gateway.layerConfig).toBeCallableWith()
    expectTypeOf(Client.Gateway.layerConfig).toBeCallableWith({ goid: Config.Int("ID"), transformClient: identity })
    expectTypeOf(Client.Gateway.make).returns.toEqualTypeOf<
      Effect.Effect<Client.GatewayService, Config.ConfigError, HttpClient.HttpClient | Scope.Scope>
    >()
  })

  it("refuse wrong arguments", () => {
    expectTypeOf([
      // @ts-expect-error no amount
      () => Client.createPayment({ currency: "CZK", order_number: "1", callback }),
      // @ts-expect-error no currency
      () => Client.createPayment({ amount: 100, order_number: "1", callback }),
      // @ts-expect-error no order_number
      () => Client.createPayment({ amount: 100, currency: "CZK", callback }),
      // @ts-expect-error no callback
      () => Client.createPayment({ amount: 100, currency: "CZK", order_number: "1" }),
      // @ts-expect-error the amount is text
      () => Client.createPayment({ ...payment, amount: "100" }),
      // @ts-expect-error a member that is not known
      () => Client.createPayment({ ...payment, ammount: 100 }),
      // @ts-expect-error null is not undefined
      () => Client.createPayment({ ...payment, payer: null }),
      // @ts-expect-error a row of an order without an amount
      () => Client.createPayment({ ...payment, items: [{ name: "Obuv" }] }),
      // @ts-expect-error a refund has an amount only
      () => Client.refundPayment(1, { amount: 100, currency: "CZK" }),
      // @ts-expect-error a refund of nothing in particular
      () => Client.refundPayment(1),
      // @ts-expect-error a refund by its amount alone
      () => Client.refundPayment(1, 100),
      // @ts-expect-error a partial capture without an amount
      () => Client.captureAuthorizationPartial(1),
      // @ts-expect-error a full capture with an amount
      () => Client.captureAuthorization(1, { amount: 100 }),
      // @ts-expect-error no payment
      () => Client.getPayment(),
      // @ts-expect-error an id is a number or text
      () => Client.getPayment(3090066980n),
      // @ts-expect-error ways to pay in no currency
      () => Client.getPaymentInstruments(8123456781),
      // @ts-expect-error a day is text
      () => Client.getAccountStatement({ ...statement, date_from: new Date() })
    ]).items.toBeFunction()
  })

  it("refuse wrong configuration", () => {
    const clientSecret = Redacted.make("secret")
    expectTypeOf([
      () => Client.Gateway.layer({ ...merchant, clientSecret }),
      () => Client.Gateway.layer({ ...merchant, clientSecret: "secret" }),
      // @ts-expect-error a secret is text
      () => Client.Gateway.layer({ ...merchant, clientSecret: 1 }),
      // @ts-expect-error an environment is a name or an address
      () => Client.Gateway.layer({ ...merchant, clientSecret, environment: 1 }),
      // @ts-expect-error no environment
      () => Client.Gateway.layer({ goid: 8123456781, clientId: "1", clientSecret }),
      // @ts-expect-error an option that is not known
      () => Client.Gateway.layer({ ...merchant, clientSecret, lang: "CS" })
    ]).items.toBeFunction()
  })

  it("cannot change what they answer", () => {
    expectTypeOf([
      // @ts-expect-error a response is read-only
      () => Effect.map(Client.getPayment(1), (payment) => (payment.state = "PAID")),
      // @ts-expect-error its lists are too
      () => Effect.map(Client.getPaymentRefunds(1), (refunds) => refunds.push())
    ]).items.toBeFunction()
  })
})

describe("errors", () => {
  it("have one of ten reasons", () => {
    expectTypeOf<Client.GatewayErrorReason["_tag"]>().toEqualTypeOf<
      | "InvalidRequest"
      | "AuthenticationFailed"
      | "PermissionDenied"
      | "PaymentNotFound"
      | "CardNotFound"
      | "OperationRefused"
      | "RateLimited"
      | "GatewayUnavailable"
      | "OutcomeUnknown"
      | "UnexpectedResponse"
    >()
  })

  it("are narrowed by instanceof and by the reason's tag", () => {
    const changeOf = (error: unknown) =>
      error instanceof Client.GatewayError && error.reason._tag === "OutcomeUnknown" ? error.reason : undefined
    expectTypeOf(changeOf).returns.toEqualTypeOf<Client.OutcomeUnknown | undefined>()
    expectTypeOf<Client.OutcomeUnknown["isRetryable"]>().toEqualTypeOf<false>()
  })

  it("name an operation: one of the endpoints, the search for what became of one, or a request of your own", () => {
    type EndpointName = { [Name in keyof typeof Endpoint]: (typeof Endpoint)[Name]["name"] }[keyof typeof Endpoint]
    expectTypeOf<Client.OperationName>().toEqualTypeOf<EndpointName | "reconcile" | "sendRequest">()
    expectTypeOf<Client.ChangeRecord["operation"]>().toEqualTypeOf<Client.ChangeOperation | "sendRequest">()
    type Changes = { [Name in EndpointName]: (typeof Endpoint)[Name]["kind"] extends "change" ? Name : never }
    expectTypeOf<Client.ChangeOperation>().toEqualTypeOf<Changes[EndpointName]>()
  })
})

describe("finding out what happened", () => {
  const sending: ChangeTiming = { sentAt: new Date(0) }
  const { ChangeRecord } = Client

  it("is done with a record that has a schema", () => {
    expectTypeOf<typeof Client.ChangeRecord.Type>().toEqualTypeOf<Client.ChangeRecord>()
    expectTypeOf(Client.ChangeRecord.parse).toEqualTypeOf<
      (json: unknown) => Effect.Effect<Client.ChangeRecord, TypeError>
    >()
    expectTypeOf<Client.OutcomeUnknown["change"]>().toEqualTypeOf<Client.ChangeRecord>()
  })

  it("ends in one of five ways", () => {
    expectTypeOf<Client.Reconciliation["_tag"]>().toEqualTypeOf<
      "Happened" | "DidNotHappen" | "StateReached" | "NotSeenYet" | "CannotTell"
    >()
    type Finding<Tag> = Extract<Client.Reconciliation, { readonly _tag: Tag }>
    expectTypeOf<Finding<"Happened">>().toEqualTypeOf<Client.HappenedFinding>()
    expectTypeOf<Finding<"DidNotHappen">>().toEqualTypeOf<Client.DidNotHappenFinding>()
    expectTypeOf<Finding<"StateReached">>().toEqualTypeOf<Client.StateReachedFinding>()
    expectTypeOf<Finding<"NotSeenYet">>().toEqualTypeOf<Client.NotSeenYetFinding>()
    expectTypeOf<Finding<"CannotTell">>().toEqualTypeOf<Client.CannotTellFinding>()
  })

  it("can be prepared for every change and no read", () => {
    expectTypeOf<keyof ChangeRecordConstructors>().toEqualTypeOf<Client.ChangeOperation>()
    type Preparation<Name extends Client.ChangeOperation> = (
      ...args: [...Parameters<(typeof Client)[Name]>, sending: ChangeTiming]
    ) => Client.ChangeRecord
    type Preparations = {
      readonly [Name in Exclude<Client.ChangeOperation, ChangeSearchedBy<"refundList">>]: Preparation<Name>
    }
    expectTypeOf<Pick<typeof ChangeRecord, keyof Preparations>>().toEqualTypeOf<Preparations>()
  })

  it("refuses wrong records", () => {
    expectTypeOf([
      () => ChangeRecord.refundPayment(1, { amount: 1 }, { ...sending, refundsBefore: [], isOnlyWriter: true }),
      // @ts-expect-error no time
      () => ChangeRecord.refundPayment(1, { amount: 1 }, { refundsBefore: [] }),
      // @ts-expect-error the time is text
      () => ChangeRecord.refundPayment(1, { amount: 1 }, { sentAt: "2026-01-01T00:00:00Z" }),
      // @ts-expect-error a refund of nothing in particular
      () => ChangeRecord.refundPayment(1, sending),
      // @ts-expect-error other refunds have no part in a capture
      () => ChangeRecord.captureAuthorization(1, { ...sending, refundsBefore: [] }),
      // @ts-expect-error a member that is not known
      () => Client.reconcile({ operation: "deleteCard", cardId: 1, sentAt: "", paymentID: 1 }),
      // @ts-expect-error a read has no record
      () => Client.reconcile({ operation: "getPayment", paymentId: 1, sentAt: "" })
    ]).items.toBeFunction()
  })
})

describe("the parameters of a path", () => {
  it("are the names in its braces", () => {
    type Parameters = Endpoint.PathParameter<"/eshops/eshop/{goid}/payment-instruments/{currency}">
    expectTypeOf<Parameters>().toEqualTypeOf<"goid" | "currency">()
    expectTypeOf<Endpoint.PathParameter<"/payments/payment">>().toEqualTypeOf<never>()
  })
})

describe("the client with promises", () => {
  it("has every operation of the programs, with options for the call", () => {
    type Promised<Program, Options = PromiseEntry.CallOptions> = Program extends (
      ...args: infer Args
    ) => Effect.Effect<infer Answer, Client.GatewayError, Client.Gateway>
      ? (...args: [...args: Args, options?: Options]) => Promise<Answer>
      : never
    type Operation = Exclude<Client.OperationName, "getAccessToken">
    type Methods = {
      readonly [Name in Exclude<Operation, "captureAuthorization" | "sendRequest">]: Promised<(typeof Client)[Name]>
    }
    expectTypeOf<Pick<Client.GatewayClient, keyof Methods>>().toEqualTypeOf<Methods>()
    expectTypeOf<Client.GatewayClient["sendRequest"]>().toEqualTypeOf<
      (request: Client.CustomRequest, options?: PromiseEntry.CallOptions) => Promise<unknown>
    >()
    expectTypeOf<Client.GatewayClient["captureAuthorization"]>().toEqualTypeOf<
      Promised<typeof Client.captureAuthorization, PromiseEntry.CaptureOptions>
    >()
    expectTypeOf<PromiseEntry.CaptureOptions["amount"]>().toEqualTypeOf<
      "captureAuthorizationPartial captures a part" | undefined
    >()
    expectTypeOf<Client.GatewayClient["getPaymentQr"]>().toEqualTypeOf<
      (
        paymentId: Client.GatewayId,
        request?: Client.PaymentQrRequest,
        options?: PromiseEntry.CallOptions
      ) => Promise<Client.PaymentQrResponse>
    >()
    expectTypeOf<keyof Client.GatewayClient>().toEqualTypeOf<
      | Operation
      | "verifyPayment"
      | "awaitPayment"
      | "createNotificationHandler"
      | "goid"
      | "baseUrl"
      | "warm"
      | "getEmbedJsUrl"
      | "close"
      | typeof Symbol.asyncDispose
    >()
  })

  it("answers as the programs do", () => {
    expectTypeOf<Client.GatewayClient["createPayment"]>().returns.resolves.toEqualTypeOf<Client.CreatePaymentResponse>()
    expectTypeOf<Client.GatewayClient["getPayment"]>().returns.resolves.toEqualTypeOf<Client.PaymentResponse>()
    expectTypeOf<Client.GatewayClient["deleteCard"]>().returns.resolves.toEqualTypeOf<void>()
    expectTypeOf<Client.GatewayClient["getEmbedJsUrl"]>().toEqualTypeOf<() => string>()
    type Created = Awaited<ReturnType<Client.GatewayClient["createPayment"]>>
    expectTypeOf<Created["gw_url"]>().toEqualTypeOf<string>()
    type Read = Awaited<ReturnType<Client.GatewayClient["getPayment"]>>
    expectTypeOf<Read["gw_url"]>().toEqualTypeOf<string | undefined>()
  })

  it("closes at the end of a scope", () => {
    expectTypeOf<Client.GatewayClient>().toExtend<AsyncDisposable>()
    expectTypeOf<Client.GatewayClient["close"]>().toEqualTypeOf<() => Promise<void>>()
  })

  it("refuses wrong options", () => {
    const options = { ...merchant, clientSecret: "secret" }
    expectTypeOf([
      () => Client.createGatewayClient(options),
      // @ts-expect-error an option that is not known
      () => Client.createGatewayClient({ ...options, lang: "CS" }),
      // @ts-expect-error the secret is plain text here
      () => Client.createGatewayClient({ ...options, clientSecret: Redacted.make("secret") }),
      // @ts-expect-error an environment is a name or an address
      () => Client.createGatewayClient({ ...options, environment: 1 }),
      // @ts-expect-error no environment
      () => Client.createGatewayClient({ goid: 8123456781, clientId: "1", clientSecret: "secret" }),
      () => Client.createGatewayClient({ ...options, timeout: "30 seconds" }),
      // @ts-expect-error a duration has a unit
      () => Client.createGatewayClient({ ...options, timeout: "30" }),
      // @ts-expect-error no options
      () => Client.createGatewayClient()
    ]).items.toBeFunction()
  })

  it("refuses wrong arguments", () => {
    expectTypeOf([
      // @ts-expect-error no amount
      () => (client: Client.GatewayClient) => client.createPayment({ currency: "CZK", order_number: "1", callback }),
      // @ts-expect-error the amount is text
      () => (client: Client.GatewayClient) => client.refundPayment(1, { amount: "100" }),
      // @ts-expect-error a refund has an amount only
      () => (client: Client.GatewayClient) => client.refundPayment(1, { amount: 100, currency: "CZK" }),
      // @ts-expect-error a partial capture without an amount
      () => (client: Client.GatewayClient) => client.captureAuthorizationPartial(1),
      // @ts-expect-error a full capture with an amount
      () => (client: Client.GatewayClient) => client.captureAuthorization(1, { amount: 100 }),
      // @ts-expect-error an option of a call that is not known
      () => (client: Client.GatewayClient) => client.getPayment(1, { retries: 3 })
    ]).items.toBeFunction()
  })

  it("takes its options from variables, wherever they are", () => {
    const worker: { readonly GOPAY_GOID: string; readonly ORDERS: Map<string, string> } = {
      GOPAY_GOID: "8123456781",
      ORDERS: new Map()
    }
    // As Node's own types have it: an index, and one variable by name.
    const node: { readonly [variable: string]: string | undefined; readonly TZ?: string } = {}
    expectTypeOf([
      () => Client.createGatewayClient(PromiseEntry.optionsFromEnv(process.env)),
      () => Client.createGatewayClient(PromiseEntry.optionsFromEnv(node)),
      () => Client.createGatewayClient({ ...PromiseEntry.optionsFromEnv(worker), timeout: 1_000 }),
      // @ts-expect-error no variables
      () => Client.createGatewayClient(PromiseEntry.optionsFromEnv({ GOID: 8123456781 }))
    ]).items.toBeFunction()
  })

  it("is the same from the entry that needs no Effect", () => {
    expectTypeOf<PromiseEntry.GatewayClient>().toEqualTypeOf<Client.GatewayClient>()
    expectTypeOf<PromiseEntry.GatewayClientOptions>().toEqualTypeOf<Client.GatewayClientOptions>()
    expectTypeOf<typeof PromiseEntry.createGatewayClient>().toEqualTypeOf<typeof Client.createGatewayClient>()
    expectTypeOf<PromiseEntry.GatewayError["reason"]>().toEqualTypeOf<Client.GatewayError["reason"]>()
    expectTypeOf<Client.GatewayError>().toExtend<PromiseEntry.GatewayError>()
    expectTypeOf<PromiseEntry.ChangeRecord>().toEqualTypeOf<Client.ChangeRecord>()
    expectTypeOf<PromiseEntry.Reconciliation>().toEqualTypeOf<Client.Reconciliation>()
  })
})
