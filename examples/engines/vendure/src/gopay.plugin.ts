import { Controller, Get, Req, Res } from "@nestjs/common"
import { Mutation, Resolver } from "@nestjs/graphql"
import {
  ActiveOrderService,
  Allow,
  Ctx,
  PaymentMethodService,
  Permission,
  PluginCommonModule,
  type RequestContext,
  UserInputError,
  VendurePlugin
} from "@vendure/core"
import { payerMessage, toNodeHandler } from "effect-gopay/promise"
import { gql } from "graphql-tag"
import type { IncomingMessage, ServerResponse } from "node:http"
import { gopayHandler, gopayRefundProcess } from "./gopay.handler"
import { gopay, GopayService, settings } from "./gopay.service"
import { checkOptions, type GopayPluginOptions } from "./options"

/** Handles the gateway's notifications and returning payers. */
@Controller("gopay")
export class GopayController {
  private readonly notify: ReturnType<typeof toNodeHandler>

  constructor(private readonly service: GopayService) {
    this.notify = toNodeHandler(service.ledger.notificationHandler())
  }

  @Get("notify")
  notified(@Req() request: IncomingMessage, @Res() response: ServerResponse) {
    this.notify(request, response)
  }

  /** Replace it by a page of your storefront, which calls `verifyReturn` or reads `orderByCode`. */
  @Get("return")
  async returned(@Req() request: IncomingMessage) {
    try {
      const order = await this.service.ledger.verifyReturn(request.url ?? "/")
      return { order: order.orderNumber, status: order.status }
    } catch (error) {
      return { message: payerMessage(error, "en").text }
    }
  }
}

/** The mutation that creates the payment of the active order. */
@Resolver()
export class GopayResolver {
  constructor(
    private readonly service: GopayService,
    private readonly activeOrders: ActiveOrderService,
    private readonly methods: PaymentMethodService
  ) {}

  // Without @Transaction: the ledger commits the payment before its address is returned.
  @Mutation()
  @Allow(Permission.Owner)
  async createGopayPayment(@Ctx() ctx: RequestContext) {
    const order = await this.activeOrders.getActiveOrder(ctx, undefined)
    if (order === undefined || order.state !== "ArrangingPayment") {
      throw new UserInputError("The order is not in the state ArrangingPayment.")
    }
    const { paymentMethod } = await this.methods.getMethodAndOperations(ctx, gopay)
    const preauthorization = paymentMethod.handler.args.some(
      ({ name, value }) => name === "preauthorization" && value === "true"
    )
    const checkout = await this.service.checkout(order, { preauthorization })
    return "gwUrl" in checkout
      ? { gwUrl: checkout.gwUrl, status: checkout.status }
      : { status: checkout.status, message: payerMessage(checkout, "en").text }
  }
}

@VendurePlugin({
  imports: [PluginCommonModule],
  providers: [GopayService, { provide: settings, useFactory: () => checkOptions(GopayPlugin.options) }],
  controllers: [GopayController],
  shopApiExtensions: {
    schema: gql`
      type GopayPayment {
        "Where the payer pays. Absent when the order needs no payment now: the message says why."
        gwUrl: String
        status: String!
        message: String
      }
      extend type Mutation {
        createGopayPayment: GopayPayment!
      }
    `,
    resolvers: [GopayResolver]
  },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(gopayHandler)
    config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), gopayRefundProcess]
    return config
  },
  compatibility: "^3.7.0"
})
export class GopayPlugin {
  static options: GopayPluginOptions | undefined

  /** Fails when an option is missing, unknown or wrong. */
  static init(options: GopayPluginOptions): typeof GopayPlugin {
    checkOptions(options)
    this.options = options
    return this
  }
}
