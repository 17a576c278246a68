import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payerMessage } from "effect-gopay/promise"
import { gopayLedger } from "../../../ledger"

/** The page for returning payers. Replace it by a page of your storefront. */
export const GET = async (request: MedusaRequest, response: MedusaResponse): Promise<void> => {
  try {
    const { orderNumber, status } = await gopayLedger().verifyReturn(request.url)
    response.json({ session: orderNumber, status })
  } catch (error) {
    response.json({ message: payerMessage(error, "en").text })
  }
}
