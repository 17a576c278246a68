import { connection } from "next/server"
import { theLedger } from "../../lib/gopay"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export const GET = async (request: Request) => {
  // Not during the build, which would open the shop's database.
  await connection()
  try {
    notified ??= (await theLedger()).notificationHandler()
  } catch (error) {
    // The shop could not open its ledger: GoPay sends the notification again.
    console.error(error)
    return new Response(null, { status: 503 })
  }
  return notified(request)
}
