import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { toNodeHandler } from "effect-gopay/promise"
import { gopayLedger } from "../../../ledger"

/** Takes the gateway's notifications. */
export const GET = async (request: MedusaRequest, response: MedusaResponse): Promise<void> => {
  toNodeHandler(gopayLedger().notificationHandler())(request, response)
}
