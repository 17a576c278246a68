import { connection } from "next/server"
import { Suspense } from "react"
import { returned } from "../../lib/gopay"

interface Props {
  readonly searchParams: Promise<Readonly<Record<string, string | Array<string> | undefined>>>
}

const OrderText = async ({ searchParams }: Props) => {
  // Neither during the build nor before a click, since this calls the gateway.
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
