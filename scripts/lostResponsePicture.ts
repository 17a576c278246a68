/**
 * The picture of a refund with a lost response, drawn from the log of a local gateway in which it happens.
 */
import { sequenceDiagram, sequenceStyle } from "../src/html/SequenceDiagram.js"
import { pictureMarkup, pictureNode } from "../src/html/PictureNode.js"
import { startLocalGateway } from "../src/local-gateway/promise/index.js"
import { type DrawnEntry, logSequence } from "../src/local-gateway/pages/LogSequence.js"
import { createGatewayClient, GatewayError } from "../src/promise/index.js"

/** The colours of the pages, which a separate picture has to contain. */
const colours = `
svg { --ink: #191d33; --muted: #555c77; --line: #d5d9ea; --card: #fff; --accent: #3f37c9; --bad: #a8241d; background: var(--card); }
@media (prefers-color-scheme: dark) {
  svg { --ink: #eef0fb; --muted: #a9b0cb; --line: #343a54; --card: #1a1d2c; --accent: #aab1ff; --bad: #ffb4ab; }
}`

/** The events: a payment is paid, the response to its refund is lost, and the client finds out by reading. */
const play = async (): Promise<ReadonlyArray<DrawnEntry>> => {
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
  return log
}

/** The picture as a separate file. It has no times, so that it is always the same. */
export const lostResponsePicture = async (): Promise<string> => {
  const sequence = logSequence(await play(), {
    language: "en",
    reason: (subState) => subState,
    clock: () => "",
    day: () => ""
  })
  const { attributes, children, tag } = sequenceDiagram({ ...sequence, title: "A refund whose response is lost" })
  const style = pictureNode("style", {}, `${colours}${sequenceStyle}`.replaceAll(/\s+/g, " ").trim())
  const picture = pictureNode(tag, { xmlns: "http://www.w3.org/2000/svg", ...attributes }, style, ...children)
  return `${pictureMarkup(picture).text}\n`
}
