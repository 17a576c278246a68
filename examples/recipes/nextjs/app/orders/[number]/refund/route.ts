import { refund } from "../../../../lib/gopay"

// Put this behind your own login.
export const POST = async (request: Request, { params }: { params: Promise<{ number: string }> }) => {
  const form = await request.formData().catch(() => new FormData())
  const { number } = await params
  const { message, status } = await refund(number, String(form.get("key") ?? ""), Number(form.get("amount")))
  return new Response(message, { status })
}
