/**
 * Several shops in one process, with promises.
 */
import {
  createGatewayClient,
  type CreatePaymentRequest,
  type GatewayClient,
  type GatewayClientOptions,
  type PaymentResponse,
  type NotificationRequestHandler
} from "effect-gopay/promise"

/** What differs between shops: the domain, and the credentials that GoPay gave to it. */
export interface Shop {
  readonly domain: string
  readonly merchant: GatewayClientOptions
  /** The shop's order that a payment was created for. */
  readonly orderOf: (paymentId: number) => Promise<CreatePaymentRequest | undefined>
  readonly onPayment: (payment: PaymentResponse) => Promise<void>
}

/** One client and one handler for each shop, made when the process starts. */
export const openShops = (shops: ReadonlyArray<Shop>) => {
  const opened = new Map(
    shops.map((shop) => {
      const gateway = createGatewayClient(shop.merchant)
      const notify = gateway.createNotificationHandler({
        expected: shop.orderOf,
        handler: ({ payment }) => shop.onPayment(payment)
      })
      return [shop.domain, { gateway, notify }] as const
    })
  )
  return {
    gateway: (domain: string): GatewayClient | undefined => opened.get(domain)?.gateway,
    /** The route `/gopay/:domain/notify`: the address says which shop, the gateway says whether the payment is its own. */
    notify: (domain: string): NotificationRequestHandler | undefined => opened.get(domain)?.notify,
    close: () => Promise.all(Array.from(opened.values(), ({ gateway }) => gateway.close()))
  }
}

/** The addresses of a shop, for each of its payments. */
export const callbackOf = (domain: string) => ({
  return_url: `https://${domain}/return`,
  notification_url: `https://api.shops.example/gopay/${domain}/notify`
})
