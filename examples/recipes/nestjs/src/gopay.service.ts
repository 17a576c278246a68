import { Injectable, type OnApplicationShutdown, type OnModuleInit } from "@nestjs/common"
import { createLedger, fileStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, NotificationError, optionsFromEnv, payerMessage } from "effect-gopay/promise"

const { DATABASE = "shop.db", SHOP_URL = "http://localhost:3000" } = process.env

/** What a payer reads instead of an error, which is for you: anyone can make up the address of a return page. */
const said = (error: unknown) => {
  if (!(error instanceof NotificationError)) console.error(error)
  return payerMessage(error, "en").text
}

/** The shop's GoPay: a client, and a ledger of orders and refunds in a file. */
@Injectable()
export class GoPayService implements OnModuleInit, OnApplicationShutdown {
  private readonly gateway = createGatewayClient(optionsFromEnv(process.env))
  readonly ledger = createLedger({ gateway: this.gateway, store: fileStore(DATABASE) })

  async onModuleInit() {
    await this.ledger.migrate()
    this.ledger.startWorker()
  }

  async onApplicationShutdown() {
    await this.ledger.close()
    await this.gateway.close()
  }

  /** Gives an order a payment, however often it is asked: `gwUrl` is where the payer pays, or else `message` says more. */
  async checkout(orderNumber: string, amount: number) {
    try {
      const order = await this.ledger.checkout(orderNumber, {
        amount,
        currency: "CZK",
        callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
      })
      return "gwUrl" in order ? { gwUrl: order.gwUrl } : { message: payerMessage(order, "en").text }
    } catch (error) {
      return { message: said(error) }
    }
  }

  /** What a payer reads who has come back to this address. */
  async returned(url: string) {
    try {
      const order = await this.ledger.verifyReturn(url)
      return `Order ${order.orderNumber} is ${order.status}.`
    } catch (error) {
      return said(error)
    }
  }

  /** Refunds a part of an order, once for each key. In doubt, it says so, and the ledger goes on looking. */
  async refund(orderNumber: string, key: string, amount: number) {
    const order = await this.ledger.getOrder(orderNumber)
    if (order === undefined || !("paymentId" in order)) return { status: 404, message: "There is no such order." }
    const outcome = await this.ledger.refund(key, order.paymentId, { amount })
    return {
      status: { Done: 200, Refused: 409, Failed: 409, Pending: 202, InDoubt: 202 }[outcome._tag],
      message: outcome.message
    }
  }
}
