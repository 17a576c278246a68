/**
 * The errors of a ledger and of the client beyond a process: over Effect's RPC, in its serialised form, and as a workflow's result.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import * as Workflow from "effect/workflow/Workflow"
import * as WorkflowEngine from "effect/workflow/WorkflowEngine"
import Database from "libsql"
import * as V4 from "../../src/client/v4/index.js"
import { GatewayError, GatewayErrorSchema, refundPayment } from "../../src/index.js"
import { LedgerError, LedgerErrorSchema } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { GatewayErrorSchemaV4, PaymentIdV4, RefundPaymentRequestV4, RefundV4 } from "../../src/schema/v4/index.js"
import { FakeTransport, TestShop } from "../../src/testing/index.js"

const emptyKey = Effect.flatMap(TestShop, ({ ledger }) => ledger.refund("", 1, { amount: 1 }))
const inShop = TestShop.layer({ driver: Database })

const unansweredV4 = V4.GatewayV4.layer(LocalGateway.merchant).pipe(
  Layer.provide(FakeTransport.layer({ status: 503, text: "" })),
  Layer.orDie
)

describe("over RPC", () => {
  class Shop extends RpcGroup.make(
    Rpc.make("refundOnce", { success: Schema.Void, error: LedgerErrorSchema }),
    Rpc.make("refund", { success: Schema.Void, error: GatewayErrorSchema }),
    Rpc.make("refundV4", {
      payload: { id: PaymentIdV4, refund: RefundPaymentRequestV4 },
      success: RefundV4,
      error: GatewayErrorSchemaV4
    })
  ) {}

  const handlers = Shop.toLayer(
    Effect.map(Effect.context<Layer.Success<typeof inShop>>(), (context) => ({
      refundOnce: () => Effect.asVoid(Effect.provideContext(emptyKey, context)),
      refund: () => Effect.asVoid(Effect.provideContext(refundPayment(3_000_000_000_013, { amount: 1 }), context)),
      refundV4: ({ id, refund }: { readonly id: V4.PaymentIdV4; readonly refund: V4.RefundPaymentRequestV4 }) =>
        Effect.provide(V4.refundPayment(id, refund), unansweredV4)
    }))
  )

  /** A client whose requests the server gets without a socket. */
  const client = Effect.gen(function* () {
    const served = HttpRouter.toWebHandler(
      RpcServer.layerHttp({ group: Shop, path: "/rpc", protocol: "http" }).pipe(
        Layer.provide(handlers),
        Layer.provide(inShop),
        Layer.provide(RpcSerialization.layerNdjson)
      ),
      { disableLogger: true }
    )
    yield* Effect.addFinalizer(() => Effect.promise(served.dispose))
    const http = HttpClient.make((request, url) =>
      Effect.promise(async () => {
        const body = request.body._tag === "Uint8Array" ? request.body.body : undefined
        const headers = { ...request.headers }
        const sent = new Request(url, { method: request.method, headers, ...(body && { body: new Uint8Array(body) }) })
        return HttpClientResponse.fromWeb(request, await served.handler(sent))
      })
    )
    const protocol = RpcClient.layerProtocolHttp({ url: "http://localhost/rpc" }).pipe(
      Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
      Layer.provide(RpcSerialization.layerNdjson)
    )
    return yield* Effect.provide(RpcClient.make(Shop), yield* Layer.build(protocol))
  })

  it.live("they are caught by their reason on the other side", () =>
    Effect.gen(function* () {
      const { refund, refundOnce } = yield* client
      const ofLedger = yield* Effect.flip(refundOnce())
      assert.instanceOf(ofLedger, LedgerError)
      assert.strictEqual(
        yield* Effect.catchReason(Effect.fail(ofLedger), "LedgerError", "InvalidArgument", ({ _tag }) =>
          Effect.succeed(_tag)
        ),
        "InvalidArgument"
      )
      const ofGateway = yield* Effect.flip(refund())
      assert.instanceOf(ofGateway, GatewayError)
    }).pipe(Effect.scoped)
  )

  it.live("so are those of API v4, with the record of a change whose outcome is unknown", () =>
    Effect.gen(function* () {
      const { refundV4 } = yield* client
      const refund = refundV4({ id: V4.paymentIdV4("7310000099"), refund: { amount: 1 } })
      const unknown = yield* Effect.flip(refund)
      assert.instanceOf(unknown, V4.GatewayErrorV4)
      if (unknown.reason._tag !== "OutcomeUnknown") return assert.fail(unknown.message)
      assert.deepInclude(unknown.reason.change, {
        operation: "v4.refundPayment",
        paymentId: V4.paymentIdV4("7310000099"),
        amount: 1
      })
    }).pipe(Effect.scoped)
  )
})

describe("a workflow", () => {
  const Refund = Workflow.make("Refund", {
    payload: { id: Schema.String },
    error: LedgerErrorSchema,
    idempotencyKey: ({ id }) => id
  })

  it.effect("fails with the error of its ledger", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Refund.execute({ id: "1" }))
      assert.instanceOf(error, LedgerError)
      assert.strictEqual(error.reason._tag, "InvalidArgument")
    }).pipe(
      Effect.provide(
        Refund.toLayer(() => Effect.asVoid(emptyKey)).pipe(
          Layer.provide(inShop),
          Layer.provideMerge(WorkflowEngine.layerMemory)
        )
      )
    )
  )
})
