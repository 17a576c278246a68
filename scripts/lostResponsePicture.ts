/**
 * The picture of a refund with a lost response, drawn from the log of a local gateway in which it happens.
 */
import type { Sequence } from "../src/html/SequenceDiagram.js"
import type { DrawnEntry } from "../src/local-gateway/pages/LogSequence.js"
import { startLocalGateway } from "../src/local-gateway/promise/index.js"
import { createGatewayClient, GatewayError } from "../src/promise/index.js"
import { type DrawnPicture, timelessSequence } from "./DrawnPicture.js"

/** A payment is paid, the response to its refund is lost, and the client finds out by reading. */
const play = async (): Promise<Sequence> => {
  const log: Array<DrawnEntry> = []
  await using local = await startLocalGateway({
    notificationReceiver: async () => 200,
    // The duration of a notification determines where it is drawn.
    onEvent: (event) => log.push(event.type === "notification" ? { ...event, durationMillis: 0 } : event),
    onRequest: (request) => log.push({ ...request, type: "request" })
  })
  await using client = createGatewayClient(local.merchant)
  const { id } = await client.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "http://localhost/return", notification_url: "http://localhost/notify" }
  })
  await local.payByCard(id)
  await local.deliverNotifications()
  await local.armFault({ type: "connectionReset" }, { operation: "refundPayment" })
  try {
    await client.refundPayment(id, { amount: 139_950 })
  } catch (error) {
    if (!(error instanceof GatewayError) || error.reason._tag !== "OutcomeUnknown") throw error
    await client.reconcile(error.reason.change)
  }
  return { ...timelessSequence(log), title: "A refund whose response is lost" }
}

export const lostResponsePicture: DrawnPicture = { file: "lost-response.svg", page: "docs/reliability.md", play }
