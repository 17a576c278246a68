import { theLedger } from "../utils/gopay"

let notified: ReturnType<Awaited<ReturnType<typeof theLedger>>["notificationHandler"]> | undefined

export default defineEventHandler(async (event) =>
  (notified ??= (await theLedger()).notificationHandler())(toWebRequest(event))
)
