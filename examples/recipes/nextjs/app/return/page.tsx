import { theLedger } from "../../lib/gopay"

export default async function Returned({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const { id = "" } = await searchParams
  const order = await (await theLedger()).verifyReturn(`?id=${id}`)
  return <p>{`Order ${order.orderNumber} is ${order.status}.`}</p>
}
