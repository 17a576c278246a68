/**
 * A shop in a process of its own. Its arguments are a task and the gateway's address.
 */
import { createGatewayClient, GatewayError } from "../../src/promise/index.js"
import { paymentId } from "./OperationCases.js"
import { personalOrder } from "./PersonalOrder.js"
import { credentials } from "./Credentials.js"

const describe = (outcome: PromiseSettledResult<unknown>): unknown => {
  if (outcome.status === "fulfilled") return "fulfilled"
  return outcome.reason instanceof GatewayError ? outcome.reason.reason._tag : outcome.reason
}

const tasks: { readonly [task: string]: (environment: string) => Promise<unknown> } = {
  /** No one catches the error. */
  uncaught: (environment) => createGatewayClient({ ...credentials, environment }).createPayment(personalOrder),

  /** Every promise of the shop's is caught: what may still go uncaught is the client's own. */
  caught: async (environment) => {
    const controller = new AbortController()
    const { signal } = controller
    const silent = createGatewayClient({ ...credentials, environment: `${environment}/silent` })
    const withoutToken = Promise.allSettled([
      silent.getPayment(paymentId, { signal }),
      silent.refundPayment(paymentId, { amount: 1 }, { signal }),
      silent.getPayment(paymentId, { signal: AbortSignal.abort("too late") }),
      silent.getPayment("x")
    ])
    controller.abort("enough")
    await silent.close()

    const client = createGatewayClient({ ...credentials, environment })
    await client.getPaymentRefunds(paymentId)
    const read = Promise.allSettled([client.getPayment(paymentId)])
    // A busy machine has not sent it in so short a time, and says so.
    let lost: ReadonlyArray<unknown> = ["GatewayUnavailable"]
    for (let timeout = 50; lost[0] === "GatewayUnavailable"; timeout *= 4) {
      lost = (await Promise.allSettled([client.refundPayment(paymentId, { amount: 1 }, { timeout })])).map(describe)
    }
    await client.close()

    return [...[...(await withoutToken), ...(await read)].map(describe), ...lost]
  }
}

const [task = "", environment = ""] = process.argv.slice(2)
console.log(JSON.stringify(await tasks[task]?.(environment)))
