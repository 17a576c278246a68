/**
 * Fills an empty database with a shop that sells shirts, an administrator and a customer.
 */
import { getPayload } from "payload"
import config from "./config.js"

const payload = await getPayload({ config, disableOnInit: true })
const password = process.env["ADMIN_PASSWORD"] ?? "admin"
for (const role of ["admin", "customer"] as const) {
  await payload.create({ collection: "users", data: { email: `${role}@example.com`, password, role } })
}
await payload.create({
  collection: "products",
  data: { priceInCZKEnabled: true, priceInCZK: 1000_00, inventory: 1000, _status: "published" }
})
process.exit(0)
