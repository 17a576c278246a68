import { theLedger } from "../../lib/server/gopay.js"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export const GET = async ({ request }: { request: Request }) =>
  (notified ??= (await theLedger()).notificationHandler())(request)
