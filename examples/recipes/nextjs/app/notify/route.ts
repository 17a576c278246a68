import { theLedger } from "../../lib/gopay"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export const GET = async (request: Request) => (notified ??= (await theLedger()).notificationHandler())(request)
