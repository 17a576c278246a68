/**
 * One process of a shop in the throughput benchmark. It carries its task out with eight concurrent callers.
 */
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { firstPaymentId, type Task, type Worker } from "./ThroughputWork.js"

const callers = 8
const [, , statements = "", environment = "", database = ""] = process.argv

const ofLedger = async (prepare: boolean): Promise<Worker> => {
  const pool = new Pool({ connectionString: database, max: 16 })
  const gateway = createGatewayClient({ goid: 8_123_456_781, clientId: "1", clientSecret: "2", environment })
  const store = pgStore(pool, { prepare })
  const ledger = createLedger({ gateway, store, pollEvery: 20, concurrency: callers, onPayment: () => {} })
  await ledger.getHealth()
  const notified = ledger.notificationHandler()
  const payments = new Map<number, string>()
  const order = async (number: number) => {
    const request = { amount: 1_000, currency: "CZK", callback: { return_url: "https://shop.example.com" } } as const
    const order = await ledger.checkout(`order-${number}`, request)
    if (order.status !== "open") throw new Error(`an order is ${order.status}`)
    payments.set(number, String(order.paymentId))
  }
  return {
    close: ledger.close,
    prepare: async ({ count, first, work }) => {
      if (work === "submit") ledger.startWorker()
      if (work === "notification") await inParallel(first, count, order)
    },
    run: async (work, number) => {
      const paymentId = firstPaymentId + number
      switch (work) {
        case "refund": {
          const { _tag } = await ledger.refund(`refund-${number}`, paymentId, { amount: 100 })
          if (_tag !== "Done") throw new Error(`a refund is ${_tag}`)
          return
        }
        case "submit": {
          const connection = await pool.connect()
          try {
            return await ledger.submit(connection, `refund-${number}`, { refund: paymentId, amount: 100 })
          } finally {
            connection.release()
          }
        }
        case "order":
          return order(number)
        case "notification": {
          const url = `https://shop.example.com/notify?id=${payments.get(number)}`
          const { status } = await notified(new Request(url))
          if (status !== 200) throw new Error(`a notification was answered with ${status}`)
        }
      }
    }
  }
}

const inParallel = async (first: number, count: number, call: (number: number) => Promise<unknown>): Promise<void> => {
  let next = first
  const caller = async () => {
    while (next < first + count) await call(next++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const worker = await ofLedger(statements === "prepared")

process.on("message", async (message: { readonly prepare?: Task; readonly run?: Task }) => {
  const { prepare, run } = message
  if (prepare !== undefined) await worker.prepare(prepare)
  if (run !== undefined) await inParallel(run.first, run.count, (number) => worker.run(run.work, number))
  const { system, user } = process.cpuUsage()
  process.send?.((system + user) / 1_000)
})
process.on("disconnect", async () => {
  await worker.close()
  process.exit()
})
process.send?.("ready")
