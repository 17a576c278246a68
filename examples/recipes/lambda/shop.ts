import { randomUUID } from "node:crypto"
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda"
import { payerMessage } from "effect-gopay/promise"
import { type FunctionLedger, gopayOver } from "./gopay.ts"

const front = () => `<form method="post" action="/checkout">
  <input type="hidden" name="number" value="${randomUUID()}">
  <button>Order a shirt for 1 399.50 CZK</button>
</form>`

/** The part of an API Gateway event that is used. */
type Call = Pick<APIGatewayProxyEventV2, "body" | "isBase64Encoded" | "rawPath" | "rawQueryString"> & {
  readonly requestContext: { readonly http: Pick<APIGatewayProxyEventV2["requestContext"]["http"], "method"> }
}

type RemainingTime = Pick<Context, "getRemainingTimeInMillis">

/** The two functions of the shop, over its ledger or that of a test. */
export const functionsOver = (ledger: FunctionLedger, policy = "default-src 'self'") => {
  const { checkout, refund, returned } = gopayOver(ledger)
  const notify = ledger.notificationHandler()

  /** API Gateway encodes forms. */
  const formOf = ({ body = "", isBase64Encoded }: Call) =>
    new URLSearchParams(Buffer.from(body, isBase64Encoded ? "base64" : "utf8").toString())

  const checkedOut = async (call: Call) => {
    // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
    // and never the amount from the browser.
    const { gwUrl, message, status } = await checkout(formOf(call).get("number"), 139_950)
    return gwUrl === undefined
      ? { statusCode: status, body: message }
      : { statusCode: 303, headers: { location: gwUrl } }
  }

  const notified = async ({ rawQueryString }: Call) => {
    const response = await notify({ method: "GET", url: `/notify?${rawQueryString}` })
    return { statusCode: response.status, body: await response.text() }
  }

  /** Put this behind your own login. */
  const refunded = async (call: Call, lambda: RemainingTime) => {
    const form = formOf(call)
    const waitAtMost = Math.max(0, lambda.getRemainingTimeInMillis() - 2_000)
    const number = call.rawPath.split("/")[2] ?? ""
    const { message, status } = await refund(number, form.get("key") ?? "", Number(form.get("amount")), waitAtMost)
    return { statusCode: status, body: message }
  }

  return {
    handler: async (event: Call, context: RemainingTime): Promise<APIGatewayProxyStructuredResultV2> => {
      try {
        switch (`${event.requestContext.http.method} ${event.rawPath.replace(/^\/orders\/[^/]+/, "")}`) {
          case "GET /":
            return {
              statusCode: 200,
              headers: { "content-type": "text/html", "content-security-policy": policy, "cache-control": "no-store" },
              body: front()
            }
          case "POST /checkout":
            return await checkedOut(event)
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
    },

    /** The handler of a second function, which EventBridge invokes every minute. */
    sweep: async (): Promise<void> => {
      await ledger.runOnce({ budget: "20 seconds" })
    }
  }
}
