import { randomUUID } from "node:crypto"
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda"
import { payerMessage } from "effect-gopay/promise"
import { checkout, ledger, refund, returned } from "./gopay.ts"

const front = `<form method="post" action="/checkout"><button>Order a shirt for 1 399.50 CZK</button></form>`

const checkedOut = async () => {
  const { gwUrl, message } = await checkout(randomUUID(), 139_950)
  return gwUrl === undefined ? { statusCode: 503, body: message } : { statusCode: 303, headers: { location: gwUrl } }
}

const notify = ledger.notificationHandler()

const notified = async ({ rawQueryString }: APIGatewayProxyEventV2) => {
  const response = await notify({ method: "GET", url: `/notify?${rawQueryString}` })
  return { statusCode: response.status, body: await response.text() }
}

/** Behind your own log-in. */
const refunded = async ({ body = "", rawPath }: APIGatewayProxyEventV2, lambda: Context) => {
  const form = new URLSearchParams(body)
  const waitAtMost = Math.max(0, lambda.getRemainingTimeInMillis() - 2_000)
  const number = rawPath.split("/")[2] ?? ""
  const { message, status } = await refund(number, form.get("key") ?? "", Number(form.get("amount")), waitAtMost)
  return { statusCode: status, body: message }
}

export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context
): Promise<APIGatewayProxyStructuredResultV2> => {
  try {
    switch (`${event.requestContext.http.method} ${event.rawPath.replace(/^\/orders\/[^/]+/, "")}`) {
      case "GET /":
        return { statusCode: 200, headers: { "content-type": "text/html" }, body: front }
      case "POST /checkout":
        return await checkedOut()
      case "GET /return":
        return { statusCode: 200, body: await returned(`?${event.rawQueryString}`) }
      case "GET /notify":
        return await notified(event)
      case "POST /refund":
        return await refunded(event, context)
      default:
        return { statusCode: 404 }
    }
  } catch (error) {
    return { statusCode: 503, body: payerMessage(error, "en").text }
  }
}

/** The handler of a second function, which EventBridge invokes every minute. */
export const sweep = async (): Promise<void> => {
  await ledger.runOnce({ budget: "20 seconds" })
}
