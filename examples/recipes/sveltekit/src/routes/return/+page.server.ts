import { theLedger } from "../../lib/server/gopay.js"

export const load = async ({ url }: { url: URL }) => {
  const { orderNumber, status } = await (await theLedger()).verifyReturn(url)
  return { orderNumber, status }
}
