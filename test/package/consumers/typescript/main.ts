/**
 * The promise entries as TypeScript sees them, with nothing installed beside the package.
 */
import { LocalGatewayError, startLocalGateway, type RunningLocalGateway } from "effect-gopay/local-gateway/promise"
import {
  createGatewayClient,
  GatewayError,
  isPaid,
  type CreatePaymentRequest,
  type GatewayClient,
  type PaymentResponse
} from "effect-gopay/promise"

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

export const pay = async (gateway: GatewayClient, local: RunningLocalGateway): Promise<string> => {
  const created: PaymentResponse = await gateway.createPayment(order)
  await local.payByCard(created.id)
  return isPaid(await gateway.getPayment(created.id)) ? "paid" : "not paid"
}

export const explain = (error: unknown): string => {
  if (error instanceof LocalGatewayError) return error.reason.message
  if (!(error instanceof GatewayError)) return "something else"
  switch (error.reason._tag) {
    case "InvalidRequest":
      return error.reason.errors.map(({ field }) => field).join(", ")
    case "OperationRefused":
      return String(error.reason.code)
    default:
      return error.message
  }
}

export const main = async (): Promise<void> => {
  const local = await startLocalGateway()
  const gateway = createGatewayClient(local.merchant)
  await pay(gateway, local).catch((error: unknown) => explain(error))
  await gateway.close()
  await local.close()
}

// @ts-expect-error the options name the merchant
export const incomplete = (): GatewayClient => createGatewayClient({})
