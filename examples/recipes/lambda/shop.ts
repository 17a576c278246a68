import { randomUUID } from "node:crypto"
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda"
import { createGatewayClient, GatewayError, payerMessage } from "effect-gopay/promise"
import { orders } from "./orders.ts"

const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "sandbox" } = process.env
const { SHOP_URL = "http://localhost:3000" } = process.env

const gateway = createGatewayClient({
  goid: GOPAY_GOID,
  clientId: GOPAY_CLIENT_ID,
  clientSecret: GOPAY_CLIENT_SECRET,
  environment: GOPAY_ENVIRONMENT,
  retry: { attempts: 2, totalTime: 10_000 }
})

const checkout = async () => {
  const order = { order_number: randomUUID(), amount: 139_950, currency: "CZK" }
  const { gw_url, id, state } = await gateway.createPayment({
    ...order,
    callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
  })
  await orders.save({ ...order, paymentId: id, state })
  return { statusCode: 303, headers: { location: gw_url } }
}

const returned = async ({ rawQueryString }: APIGatewayProxyEventV2) => {
  const { order, payment } = await gateway.verifyPayment(`?${rawQueryString}`, orders.byPaymentId)
  await orders.save({ ...order, state: payment.state })
  return { statusCode: 200, body: `Order ${order.order_number} is ${payment.state}.` }
}

const notify = gateway.createNotificationHandler({
  expected: orders.byPaymentId,
  handler: ({ order, payment }) => orders.save({ ...order, state: payment.state })
})

const notified = async ({ rawQueryString }: APIGatewayProxyEventV2) => {
  const response = await notify({ method: "GET", url: `/notify?${rawQueryString}` })
  return { statusCode: response.status, body: await response.text() }
}

/** Behind your own log-in. Lambda may stop the function without a word: the call ends before that. */
const refund = async ({ body = "", rawPath }: APIGatewayProxyEventV2, lambda: Context) => {
  const order = await orders.byNumber(rawPath.split("/")[2] ?? "")
  if (order === undefined) return { statusCode: 404 }
  const amount = Number(new URLSearchParams(body).get("amount"))
  const signal = AbortSignal.timeout(Math.max(1, lambda.getRemainingTimeInMillis() - 2_000))
  const { result } = await gateway.refundPayment(order.paymentId, { amount }, { signal })
  return { statusCode: result === "FINISHED" ? 200 : 202 }
}

export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context
): Promise<APIGatewayProxyStructuredResultV2> => {
  try {
    switch (`${event.requestContext.http.method} ${event.rawPath.replace(/^\/orders\/[^/]+/, "")}`) {
      case "POST /checkout":
        return await checkout()
      case "GET /return":
        return await returned(event)
      case "GET /notify":
        return await notified(event)
      case "POST /refund":
        return await refund(event, context)
      default:
        return { statusCode: 404 }
    }
  } catch (error) {
    // Nobody knows whether it was made: store `error.reason.change`, and have it reconciled.
    const isUnknown = error instanceof GatewayError && error.reason._tag === "OutcomeUnknown"
    return { statusCode: isUnknown ? 202 : 503, body: payerMessage(error, "en").text }
  }
}
