/**
 * Statements about the types of notifications and waiting: the compiler checks them, and running them shows nothing
 * more.
 */
import { describe, expectTypeOf, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { NotificationStatus } from "../../src/client/notification/Deliveries.js"
import * as Client from "../../src/index.js"
import * as PromiseEntry from "../../src/promise/index.js"

interface Order extends Client.ExpectedPayment {
  readonly customer: string
}

class Orders extends Context.Service<
  Orders,
  { readonly find: (id: number) => Effect.Effect<Order | null, NoDatabase> }
>()("test/Orders") {}

class Mail extends Context.Service<Mail, { readonly send: (to: string) => Effect.Effect<void, NoDatabase> }>()(
  "test/Mail"
) {}

class NoDatabase extends Data.TaggedError("NoDatabase") {}

declare const order: Order
declare const client: Client.GatewayClient

const fromService = (id: number) => Orders.use(({ find }) => find(id))

type Verified = Client.VerifiedPayment<Order>
type VerificationError =
  | Client.GatewayError<Client.PaymentReadReason>
  | Client.NotificationError<Client.VerificationErrorReason>

describe("verifying", () => {
  it("keeps the shop's own type of order, however it is found, and needs what finding it needs", () => {
    const programs = () => ({
      atOnce: Client.verifyPayment("", (id) => (id === 1 ? order : undefined)),
      promised: Client.verifyPayment("", async (id) => (id === 1 ? order : null)),
      program: Client.verifyPayment("", fromService),
      failing: Client.verifyPayment("", () => Effect.fail(new NoDatabase()))
    })
    type Programs = ReturnType<typeof programs>
    type Plain = Effect.Effect<Verified, VerificationError, Client.Gateway>
    expectTypeOf<Programs["atOnce"]>().toEqualTypeOf<Plain>()
    expectTypeOf<Programs["promised"]>().toEqualTypeOf<Plain>()
    expectTypeOf<Programs["program"]>().toEqualTypeOf<
      Effect.Effect<Verified, VerificationError | NoDatabase, Client.Gateway | Orders>
    >()
    expectTypeOf<Effect.Error<Programs["failing"]>>().toEqualTypeOf<VerificationError | NoDatabase>()
    const promises = () => ({
      atOnce: client.verifyPayment("", (id) => (id === 1 ? order : null)),
      promised: client.verifyPayment("", async (id) => (id === 1 ? order : undefined))
    })
    expectTypeOf<ReturnType<typeof promises>>().toEqualTypeOf<{
      atOnce: Promise<Verified>
      promised: Promise<Verified>
    }>()
  })

  it("cannot leave out what is expected", () => {
    expectTypeOf([
      // @ts-expect-error what is expected is required
      () => Client.verifyPayment(""),
      // @ts-expect-error what is expected is required
      () => client.verifyPayment(""),
      // @ts-expect-error what is expected is a function of the payment's id
      () => client.verifyPayment("", order),
      // @ts-expect-error the amount is a part of it
      () => client.verifyPayment("", () => ({ order_number: "1", currency: "CZK" })),
      // @ts-expect-error an amount is a number
      () => Client.verifyPayment("", () => ({ order_number: "1", currency: "CZK", amount: "100" })),
      // @ts-expect-error the handler needs to know it too
      () => client.createNotificationHandler({ handler: () => {} }),
      // @ts-expect-error so does the program
      () => Client.makeNotificationHandler({ handler: () => Effect.void })
    ]).toBeArray()
  })

  it("tells its failures apart by their reasons", () => {
    const recovered = () =>
      Client.verifyPayment("", () => order).pipe(
        Effect.catchReason("NotificationError", "PaymentMismatch", ({ differences }) => Effect.succeed(differences))
      )
    type Recovered = Effect.Success<ReturnType<typeof recovered>>
    expectTypeOf<Recovered>().toEqualTypeOf<Verified | ReadonlyArray<Client.PaymentDifference>>()
    expectTypeOf<Client.NotificationError>().toExtend<PromiseEntry.NotificationError>()
    expectTypeOf<PromiseEntry.NotificationError["reason"]>().toEqualTypeOf<Client.NotificationError["reason"]>()
    expectTypeOf<Client.NotificationErrorReason["_tag"]>().toEqualTypeOf<
      | "InvalidNotification"
      | "UnknownPayment"
      | "PaymentMismatch"
      | "ExpectationFailed"
      | "HandlerFailed"
      | "TooManyReads"
      | "PaymentBusy"
    >()
  })
})

describe("a notification handler", () => {
  it("needs what the shop's parts need, and fails with nothing", () => {
    const options = {
      expected: fromService,
      handler: ({ order }: Verified) => Mail.use(({ send }) => send(order.customer))
    }
    const made = () => Client.makeNotificationHandler(options)
    const route = () => Client.notificationRoute("/notify", options)
    type Needs = Client.Gateway | Orders | Mail
    expectTypeOf<ReturnType<typeof made>>().toEqualTypeOf<
      Effect.Effect<Client.NotificationHandler, never, Needs | Scope.Scope>
    >()
    expectTypeOf<ReturnType<Client.NotificationHandler>>().toEqualTypeOf<Effect.Effect<NotificationStatus>>()
    expectTypeOf<ReturnType<typeof route>>().toEqualTypeOf<Layer.Layer<never, never, HttpRouter.HttpRouter | Needs>>()
  })

  it("gives the shop's own type of order to the shop's handler", () => {
    const made = () => [
      client.createNotificationHandler({
        expected: async () => order,
        handler: (verified) => expectTypeOf(verified).toEqualTypeOf<Verified>()
      }),
      Client.makeNotificationHandler({
        expected: () => order,
        handler: (verified) => Effect.sync(() => expectTypeOf(verified).toEqualTypeOf<Verified>()),
        onError: (error) => Effect.sync(() => expectTypeOf(error).toEqualTypeOf<Client.NotificationDeliveryError>())
      })
    ]
    expectTypeOf(made).toBeFunction()
  })

  it("takes a Request, and a request of Node", () => {
    expectTypeOf<Request>().toExtend<Client.NotificationRequest>()
    expectTypeOf<IncomingMessage>().toExtend<Client.NotificationRequest>()
    expectTypeOf<PromiseEntry.NotificationRequestHandler>().toExtend<(request: Request) => Promise<Response>>()
  })

  it("fits Node's server", () => {
    expectTypeOf<PromiseEntry.NodeHandler>().toExtend<(request: IncomingMessage, response: ServerResponse) => void>()
    expectTypeOf(PromiseEntry.toNodeHandler).toBeCallableWith(async () => new Response())
  })
})

describe("waiting", () => {
  it("ends with one of two things, each with the payment", () => {
    const programs = () => ({
      awaited: Client.awaitPayment(1, { until: ["PAID", "SOMETHING_NEW"], waitAtMost: "5 minutes" }),
      states: Client.watchPaymentStates("1"),
      promised: client.awaitPayment("1", { waitAtMost: 1000, timeout: 1000, signal: AbortSignal.abort() })
    })
    type Programs = ReturnType<typeof programs>
    expectTypeOf<Programs["awaited"]>().toEqualTypeOf<
      Effect.Effect<Client.AwaitedPayment, Client.GatewayError<Client.PaymentReadReason>, Client.Gateway>
    >()
    expectTypeOf<Programs["states"]>().toEqualTypeOf<
      Stream.Stream<Client.PaymentResponse, Client.GatewayError<Client.PaymentReadReason>, Client.Gateway>
    >()
    expectTypeOf<Programs["promised"]>().toEqualTypeOf<Promise<Client.AwaitedPayment>>()
    expectTypeOf<Client.AwaitedPayment["_tag"]>().toEqualTypeOf<"Reached" | "StillPending">()
    expectTypeOf<Client.AwaitedPayment["payment"]>().toEqualTypeOf<Client.PaymentResponse>()
  })

  it("has predicates that take anything with a state", () => {
    expectTypeOf(Client.isPaid).toBeCallableWith({ state: "PAID" })
    expectTypeOf(Client.isPayerDone).parameter(0).toEqualTypeOf<{ readonly state: Client.PaymentState }>()
    expectTypeOf<Client.PaymentResponse>().toExtend<{ readonly state: Client.PaymentState }>()
  })
})

describe("the gateway's script in a page", () => {
  it("opens a pay page, and says where to go when it closes", () => {
    const page = (_gopay: Client.GoPayScript, { gw_url }: Client.CreatePaymentResponse) => {
      _gopay.checkout({ gatewayUrl: gw_url, inline: false })
      _gopay.checkout({ gatewayUrl: gw_url, inline: true }, (result) => {
        expectTypeOf(result).toEqualTypeOf<Client.CheckoutResult>()
        expectTypeOf(result.url).toEqualTypeOf<string>()
        expectTypeOf(result.id).toEqualTypeOf<number | string>()
        expectTypeOf(result.state).toEqualTypeOf<Client.PaymentState | undefined>()
      })
      // @ts-expect-error how it opens is not left open
      _gopay.checkout({ gatewayUrl: gw_url })
      // @ts-expect-error the gateway's own name of it
      _gopay.checkout({ gw_url, inline: true })
    }
    expectTypeOf(page).toBeFunction()
    expectTypeOf<PromiseEntry.GoPayScript>().toEqualTypeOf<Client.GoPayScript>()
  })
})

describe("a message for the payer", () => {
  it("is made of a payment, an error, or whatever was caught, in one of three languages", () => {
    expectTypeOf(Client.payerMessage).toBeCallableWith({ state: "PAID" }, "cs")
    expectTypeOf(Client.payerMessage).toBeCallableWith(new Error("unknown"), "sk")
    expectTypeOf<ReturnType<typeof Client.payerMessage>>().toEqualTypeOf<PromiseEntry.PayerMessage>()
    // @ts-expect-error there is no German
    expectTypeOf(() => Client.payerMessage({ state: "PAID" }, "de")).toBeFunction()
  })
})
