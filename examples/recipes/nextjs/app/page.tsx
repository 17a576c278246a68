import { randomUUID } from "node:crypto"
import { connection } from "next/server"
import { Suspense } from "react"

const OrderForm = async () => {
  await connection() // a number for each visit, and not one of the build
  return (
    <form method="post" action="/checkout">
      <input type="hidden" name="number" value={randomUUID()} />
      <button>Order a shirt for 1,399.50 CZK</button>
    </form>
  )
}

export default function Shop() {
  return (
    <Suspense>
      <OrderForm />
    </Suspense>
  )
}
