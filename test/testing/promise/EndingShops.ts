/**
 * A program that kills the process of a test shop in several ways, closes the shop, and ends when nothing keeps Node.js
 * alive.
 */
import Database from "libsql"
import { createTestShop, type KillPoint } from "../../../src/testing/promise/index.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const points: ReadonlyArray<KillPoint> = ["beforeSending", "afterSending"]
for (const point of points) {
  await using shop = await createTestShop({ driver: Database, gateway: partsAtOnce })
  const { callback } = shop
  const sold = () => shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  await shop.killDuring(point, sold)
  await shop.advance("1 hour")
  const order = await sold()
  if (order.status !== "open") throw new Error("The order has no payment.")
  await shop.pay(order.paymentId)
  await shop.killDuring(point, () => shop.ledger.refund("r1", order.paymentId, { amount: 20_000 }))
  await shop.advance("1 hour")
  console.log(`killed ${point}`)
}
