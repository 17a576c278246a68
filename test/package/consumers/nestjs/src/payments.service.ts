import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common"
import { createGatewayClient, type GatewayClient, type GatewayClientOptions } from "effect-gopay/promise"

export const MERCHANT = Symbol("MERCHANT")

@Injectable()
export class PaymentsService implements OnApplicationShutdown {
  readonly gateway: GatewayClient

  constructor(@Inject(MERCHANT) merchant: GatewayClientOptions) {
    this.gateway = createGatewayClient(merchant)
  }

  async create(amount: number): Promise<number> {
    const { id } = await this.gateway.createPayment({
      amount,
      currency: "CZK",
      order_number: "2026-0042",
      callback: { return_url: "https://shop.example/return" }
    })
    return id
  }

  async onApplicationShutdown(): Promise<void> {
    await this.gateway.close()
  }
}
