import { refund } from "../../../../lib/server/gopay.js"

// Put this behind your own login.
export const POST = async ({ params, request }: { params: { number: string }; request: Request }) => {
  const form = await request.formData().catch(() => new FormData())
  const { message, status } = await refund(params.number, String(form.get("key") ?? ""), Number(form.get("amount")))
  return new Response(message, { status })
}
