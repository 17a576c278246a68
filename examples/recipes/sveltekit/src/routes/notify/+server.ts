import { theLedger } from "../../lib/server/gopay.js"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export const GET = async ({ request }: { request: Request }) => {
  try {
    notified ??= (await theLedger()).notificationHandler()
  } catch (error) {
    // The shop could not open its ledger: GoPay sends the notification again.
    console.error(error)
    return new Response(null, { status: 503 })
  }
  return notified(request)
}
