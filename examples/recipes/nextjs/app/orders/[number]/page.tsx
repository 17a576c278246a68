import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Suspense } from "react"
import { theLedger } from "../../../lib/gopay"

interface Props {
  readonly params: Promise<{ readonly number: string }>
}

const Details = async ({ params }: Props) => {
  await connection()
  const { number } = await params
  const ledger = await theLedger()
  const order = await ledger.getOrder(number)
  if (order === undefined) notFound()
  return (
    <>
      <h1>Order {number}</h1>
      <p>{order.message}</p>
      <form method="post" action={`/orders/${encodeURIComponent(number)}/refund`}>
        <label>
          Reason, the same for the same refund <input name="key" defaultValue={`cancelled-${number}`} />
        </label>
        <label>
          Haléře <input name="amount" type="number" min="1" />
        </label>
        <button>Refund</button>
      </form>
    </>
  )
}

// Put this behind your own login.
export default function OrderPage({ params }: Props) {
  return (
    <Suspense fallback={<p>One moment, please.</p>}>
      <Details params={params} />
    </Suspense>
  )
}
