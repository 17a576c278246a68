import { connection } from "next/server"
import { theLedger } from "../../lib/gopay"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export const GET = async (request: Request) => {
  // Not during the build, which would open the shop's database.
  await connection()
  return (notified ??= (await theLedger()).notificationHandler())(request)
}
