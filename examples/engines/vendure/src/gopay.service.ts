import { randomUUID } from "node:crypto"
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from "@nestjs/common"
import {
  isGraphQlErrorResult,
  Logger,
  type Order,
  OrderService,
  Payment,
  Refund,
  RequestContext,
  RequestContextService,
  totalCoveredByPayments,
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
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import type { EntityManager } from "typeorm"
import type { Settings } from "./options"

/** The code of the payment method, and of its handler. */
export const gopay = "gopay"

/** The token under which Nest injects the checked options. */
export const settings = Symbol("effect-gopay-vendure")

/** A client of GoPay, and a ledger of payments and refunds in Vendure's own database. */
@Injectable()
export class GopayService implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The ledger has connections of its own, as Vendure's transactions wait for it and must not hold those that it needs. */
  private readonly pool: Pool
  private readonly gateway: GatewayClient
  readonly ledger: Ledger<EntityManager>

  constructor(
    @Inject(settings) private readonly settings: Settings,
    private readonly connection: TransactionalConnection,
    private readonly contexts: RequestContextService,
    private readonly orders: OrderService
  ) {
    this.pool = new Pool({ connectionString: settings.connectionString, max: 8 })
    this.pool.on("error", (error) => Logger.error(error.message, "GoPay"))
    this.gateway = createGatewayClient(settings.gateway)
    this.ledger = createLedger({
      gateway: this.gateway,
      installation: settings.installation,
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

  /** Creates the payment of an order, or returns the one that it has. */
  checkout({ code, currencyCode, totalWithTax }: Order, { preauthorization }: { readonly preauthorization: boolean }) {
    return this.ledger.checkout(
      code,
      {
        amount: totalWithTax,
        currency: currencyCode,
        preauthorization,
        callback: this.settings.callback
      },
      // The cart may have changed since the payer first went to the pay page.
      { replace: true }
    )
  }

  /** Submits a refund, to be made if and when the transaction of `ctx` commits, and returns its key. */
  async submitRefund(ctx: RequestContext, paymentId: string, amount: number): Promise<string> {
    const key = randomUUID()
    await this.ledger.submit(this.connection.getRepository(ctx, Refund).manager, key, { refund: paymentId, amount })
    return key
  }

  /** Captures the whole amount that is held, once for a payment of Vendure's. */
  capture({ id, transactionId }: Payment): Promise<ChangeOutcome> {
    return this.ledger.capture(`vendure-capture-${id}`, transactionId)
  }

  /** Releases the hold, once for a payment of Vendure's. */
  release({ id, transactionId }: Payment): Promise<ChangeOutcome> {
    return this.ledger.release(`vendure-release-${id}`, transactionId)
  }

  /** Creates a context in which Vendure's services use a transaction of the ledger's. */
  private async contextIn(tx: EntityManager): Promise<RequestContext> {
    return Object.assign(await this.contexts.create({ apiType: "custom" }), { [TRANSACTION_MANAGER_KEY]: tx })
  }

  /** Updates Vendure's order when its payment has moved. */
  private async paymentMoved({
    attention,
    order: { amount, orderNumber, paymentId },
    status,
    tx
  }: PaymentEvent<EntityManager>): Promise<PaymentAnswer | undefined> {
    // Paid twice or late: an operator refunds it, or adds it by hand.
    if (attention !== undefined) return undefined
    const ctx = await this.contextIn(tx)
    const payment = await tx.getRepository(Payment).findOne({
      where: { transactionId: String(paymentId), method: gopay },
      // Waits for a mutation that is settling or cancelling it.
      lock: { mode: "pessimistic_write" }
    })
    if (payment !== null) {
      if (payment.state === "Authorized" && status === "paid") await this.orders.settlePayment(ctx, payment.id)
      if (payment.state === "Authorized" && status === "closed") await this.orders.cancelPayment(ctx, payment.id)
      return undefined
    }
    if (status !== "paid" && status !== "authorized") return undefined
    const order = await this.orders.findOneByCode(ctx, orderNumber)
    if (order === undefined) return { attention: `Vendure has no order ${orderNumber}.` }
    if (order.state === "AddingItems") await this.orders.transitionToState(ctx, order.id, "ArrangingPayment")
    const added = await this.orders.addPaymentToOrder(ctx, order.id, {
      method: gopay,
      metadata: { paymentId, amount, status }
    })
    if (isGraphQlErrorResult(added)) {
      return { attention: `Vendure does not take payment ${paymentId} for order ${orderNumber}: ${added.message}` }
    }
    // The payer may have paid the old page of a cart that has changed.
    added.payments = await this.orders.getOrderPayments(ctx, added.id)
    const total = added.totalWithTax
    const covered = totalCoveredByPayments(added)
    return covered === total
      ? undefined
      : { attention: `The payments of order ${orderNumber} are ${covered}, and its total is ${total}.` }
  }

  /** Updates Vendure's refund when its outcome has changed. */
  private async changeMoved({ key, operation, outcome, tx }: ChangeEvent<EntityManager>): Promise<void> {
    if (operation !== "refundPayment") return
    const state = stateOf(outcome)
    const refund = await tx.getRepository(Refund).findOneBy({ transactionId: key })
    if (refund === null || refund.state === state) return
    await this.orders.transitionRefundToState(await this.contextIn(tx), refund.id, state)
  }
}

/** The state of Vendure's refund for an outcome. */
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
