import { ledger } from "../utils/gopay"

const notified = ledger.notificationHandler()

export default defineEventHandler((event) => notified(toWebRequest(event)))
