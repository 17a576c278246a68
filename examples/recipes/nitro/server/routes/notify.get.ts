import { theLedger } from "../utils/gopay"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export default defineEventHandler(async (event) => {
  try {
    notified ??= (await theLedger()).notificationHandler()
  } catch (error) {
    // The shop could not open its ledger: GoPay sends the notification again.
    console.error(error)
    return new Response(null, { status: 503 })
  }
  return notified(toWebRequest(event))
})
