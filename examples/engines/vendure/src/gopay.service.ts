import { randomUUID } from "node:crypto"
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from "@nestjs/common"
import {
  isGraphQlErrorResult,
  Logger,
  type Order,
  OrderService,
  Payment,
  Refund,
  RequestContext,
  RequestContextService,
  TransactionalConnection
} from "@vendure/core"
import { TRANSACTION_MANAGER_KEY } from "@vendure/core/dist/common/constants"
import {
  type ChangeEvent,
  type ChangeOutcome,
  createLedger,
  type Ledger,
  type PaymentAnswer,
  type PaymentEvent,
  pgStore,
  typeormStore
} from "effect-gopay/ledger/promise"
import { createGatewayClient, type GatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { Pool } from "pg"
import type { EntityManager } from "typeorm"

/** The code of the payment method, and of its handler. */
export const gopay = "gopay"

const { SHOP_URL = "http://localhost:3000" } = process.env

/** The shop's GoPay: a client, and a ledger of payments and refunds in Vendure's own database. */
@Injectable()
export class GopayService implements OnApplicationBootstrap, OnApplicationShutdown {
  /**
   * The ledger's own connections: a transaction of Vendure's that waits for the ledger must not hold what the ledger
   * waits for.
   */
  private readonly pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 8 })
  private readonly gateway: GatewayClient
  readonly ledger: Ledger<EntityManager>

  constructor(
    private readonly connection: TransactionalConnection,
    private readonly contexts: RequestContextService,
    private readonly orders: OrderService
  ) {
    this.pool.on("error", (error) => Logger.error(error.message, "GoPay"))
    this.gateway = createGatewayClient(optionsFromEnv(process.env))
    this.ledger = createLedger({
      gateway: this.gateway,
      store: typeormStore(connection.rawConnection, { query: pgStore(this.pool).query }),
      onPayment: (event) => this.paymentMoved(event),
      onChange: (event) => this.changeMoved(event),
      onAttention: ({ key, kind, message }) => Logger.warn(`${kind}: ${key}: ${message}`, "GoPay")
    })
  }

  async onApplicationBootstrap() {
    await this.ledger.migrate()
    this.ledger.startWorker()
  }

  async onApplicationShutdown() {
    await this.ledger.close()
    await this.gateway.close()
    await this.pool.end()
  }

  /** Gives an order a payment, however often and from however many pages it is asked. */
  checkout({ code, currencyCode, totalWithTax }: Order, { preauthorization }: { readonly preauthorization: boolean }) {
    return this.ledger.checkout(
      code,
      {
        amount: totalWithTax,
        currency: currencyCode,
        preauthorization,
        callback: { return_url: `${SHOP_URL}/gopay/return`, notification_url: `${SHOP_URL}/gopay/notify` }
      },
      // A cart may change after its first visit to the pay page.
      { replace: true }
    )
  }

  /** Has a refund made if and when the transaction of `ctx` commits. Gives its key. */
  async submitRefund(ctx: RequestContext, paymentId: string, amount: number): Promise<string> {
    const key = randomUUID()
    await this.ledger.submit(this.connection.getRepository(ctx, Refund).manager, key, { refund: paymentId, amount })
    return key
  }

  /**
   * Takes the whole amount that is held. Vendure may ask again, within the transaction that is open: the key is that of its
   * payment.
   */
  capture({ id, transactionId }: Payment): Promise<ChangeOutcome> {
    return this.ledger.capture(`vendure-capture-${id}`, transactionId)
  }

  release({ id, transactionId }: Payment): Promise<ChangeOutcome> {
    return this.ledger.release(`vendure-release-${id}`, transactionId)
  }

  /** A context whose services write in a transaction of the ledger's. */
  private async contextIn(tx: EntityManager): Promise<RequestContext> {
    return Object.assign(await this.contexts.create({ apiType: "custom" }), { [TRANSACTION_MANAGER_KEY]: tx })
  }

  /** Brings what a payment has come to into Vendure's order. */
  private async paymentMoved({
    attention,
    order: { amount, orderNumber, paymentId },
    status,
    tx
  }: PaymentEvent<EntityManager>): Promise<PaymentAnswer | undefined> {
    // Twice or late: it is with the operator, who refunds it or adds it by hand.
    if (attention !== undefined) return undefined
    if (status !== "paid" && status !== "authorized") return undefined
    const ctx = await this.contextIn(tx)
    const payment = await tx.getRepository(Payment).findOne({
      where: { transactionId: String(paymentId), method: gopay },
      // One that is being settled is waited for.
      lock: { mode: "pessimistic_write" }
    })
    if (payment !== null) {
      if (payment.state === "Authorized" && status === "paid") await this.orders.settlePayment(ctx, payment.id)
      return undefined
    }
    const order = await this.orders.findOneByCode(ctx, orderNumber)
    if (order === undefined) return { attention: `Vendure has no order ${orderNumber}.` }
    if (order.state === "AddingItems") await this.orders.transitionToState(ctx, order.id, "ArrangingPayment")
    const added = await this.orders.addPaymentToOrder(ctx, order.id, {
      method: gopay,
      metadata: { paymentId, amount, status }
    })
    return isGraphQlErrorResult(added)
      ? { attention: `Vendure does not take payment ${paymentId} for order ${orderNumber}: ${added.message}` }
      : undefined
  }

  /** Brings what a refund has come to into Vendure's refund. */
  private async changeMoved({ key, operation, outcome, tx }: ChangeEvent<EntityManager>): Promise<void> {
    if (operation !== "refundPayment") return
    const state = stateOf(outcome)
    const refund = await tx.getRepository(Refund).findOneBy({ transactionId: key })
    if (refund === null || refund.state === state) return
    await this.orders.transitionRefundToState(await this.contextIn(tx), refund.id, state)
  }
}

/** What a refund is called in Vendure. */
export const stateOf = ({ _tag }: ChangeOutcome): "Pending" | "Settled" | "Failed" => {
  switch (_tag) {
    case "Done":
      return "Settled"
    case "Refused":
    case "Failed":
      return "Failed"
    case "Pending":
    case "InDoubt":
      return "Pending"
  }
}
