import { refund } from "../../../utils/gopay"

// Put this behind your own login.
export default defineEventHandler(async (event) => {
  const form = new URLSearchParams(await readRawBody(event))
  const { message, status } = await refund(
    getRouterParam(event, "number") ?? "",
    form.get("key") ?? "",
    Number(form.get("amount"))
  )
  return new Response(message, { status })
})
