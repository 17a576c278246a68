import { connection } from "next/server"
import { Suspense } from "react"
import { returned } from "../../lib/gopay"

interface Props {
  readonly searchParams: Promise<Readonly<Record<string, string | Array<string> | undefined>>>
}

const OrderText = async ({ searchParams }: Props) => {
  // Neither while it is built nor ahead of a click: the gateway is asked.
  await connection()
  const { id } = await searchParams
  return <p>{await returned(`?${new URLSearchParams({ id: String(id ?? "") })}`)}</p>
}

export default function Returned({ searchParams }: Props) {
  return (
    <Suspense fallback={<p>One moment, please.</p>}>
      <OrderText searchParams={searchParams} />
    </Suspense>
  )
}
