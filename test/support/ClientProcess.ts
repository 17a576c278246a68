/**
 * A shop without a ledger in a process of its own. Its arguments are a task and the addresses of gateways.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { createPayment, Gateway } from "../../src/index.js"
import { createGatewayClient, GatewayError } from "../../src/promise/index.js"
import { paymentId } from "./OperationCases.js"
import { personalOrder } from "./PersonalOrder.js"
import { credentials } from "./Credentials.js"

/** What the shop does. `uncaught`, `careless` and `traced` catch no error. */
export type ClientTask = "uncaught" | "caught" | "careless" | "traced"

const describe = (outcome: PromiseSettledResult<unknown>): unknown => {
  if (outcome.status === "fulfilled") return "fulfilled"
  return outcome.reason instanceof GatewayError ? outcome.reason.reason._tag : outcome.reason
}

const ordered = (environment: string) =>
  createGatewayClient({ ...credentials, environment }).createPayment(personalOrder)

const orderedByEffect = (environment: string) =>
  createPayment(personalOrder).pipe(
    Effect.provide(
      Gateway.layer({ ...credentials, clientSecret: Redacted.make(credentials.clientSecret), environment })
    ),
    Effect.provide(FetchHttpClient.layer)
  )

class PrintedSpan extends Tracer.NativeSpan {
  override end(...[endTime, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
    super.end(endTime, exit)
    const { attributes, events, name } = this
    console.log(
      JSON.stringify({ name, attributes: [...attributes], events: events.map(([name, , more]) => [name, more]) })
    )
  }
}

const tasks: Readonly<Record<ClientTask, (environment: string, ...others: ReadonlyArray<string>) => Promise<unknown>>> =
  {
    uncaught: ordered,

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
    },

    /** Orders in both styles at each gateway, and waits for none. */
    careless: async (...environments) => {
      for (const environment of environments) {
        void ordered(environment)
        void Effect.runPromise(orderedByEffect(environment))
      }
    },

    /** Logs at debug, and prints its spans. */
    traced: (environment) =>
      orderedByEffect(environment).pipe(
        Effect.provide(
          Layer.mergeAll(
            Layer.succeed(References.MinimumLogLevel, "All"),
            Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new PrintedSpan(options) }))
          )
        ),
        Effect.runPromise
      )
  }

const [name = "", environment = "", ...others] = process.argv.slice(2)
const isTask = (text: string): text is ClientTask => Object.hasOwn(tasks, text)
if (!isTask(name)) throw new Error(`The shop has no task ${name}.`)
console.log(JSON.stringify(await tasks[name](environment, ...others)))
