import { Test } from "@nestjs/testing"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { GatewayError } from "effect-gopay/promise"
import { MERCHANT, PaymentsService } from "./payments.service"

describe("PaymentsService", () => {
  it("creates a payment, and passes the gateway's refusal on", async () => {
    const local = await startLocalGateway()
    const module = await Test.createTestingModule({
      providers: [PaymentsService, { provide: MERCHANT, useValue: local.merchant }]
    }).compile()
    const payments = module.get(PaymentsService)
    const id = await payments.create(139_950)
    await expect(payments.gateway.refundPayment(id, { amount: 139_950 })).rejects.toThrow(GatewayError)
    await local.payByCard(id)
    expect((await payments.gateway.getPayment(id)).state).toBe("PAID")
    await module.close()
    await local.close()
  })
})
