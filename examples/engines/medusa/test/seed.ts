/**
 * Fills an empty shop: a region that pays by GoPay, and a shirt. It is run in the server's folder by `medusa exec`.
 */
import type { ExecArgs } from "@medusajs/framework/types"
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow
} from "@medusajs/medusa/core-flows"
import { writeFileSync } from "node:fs"

export default async function seed({ container }: ExecArgs): Promise<void> {
  const {
    result: [channel]
  } = await createSalesChannelsWorkflow(container).run({ input: { salesChannelsData: [{ name: "Shop" }] } })
  const {
    result: [key]
  } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ title: "Shop", type: "publishable", created_by: "" }] }
  })
  if (channel === undefined || key === undefined) throw new Error("There is no sales channel.")
  await linkSalesChannelsToApiKeyWorkflow(container).run({ input: { id: key.id, add: [channel.id] } })
  const {
    result: [region]
  } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: "Czechia",
          currency_code: "czk",
          countries: ["cz"],
          automatic_taxes: false,
          payment_providers: ["pp_gopay_gopay", "pp_gopay_hold"]
        }
      ]
    }
  })
  const {
    result: [product]
  } = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: "Shirt",
          status: "published",
          options: [{ title: "Size", values: ["M"] }],
          variants: [
            {
              title: "M",
              options: { Size: "M" },
              manage_inventory: false,
              prices: [{ amount: 1000, currency_code: "czk" }]
            }
          ],
          sales_channels: [{ id: channel.id }]
        }
      ]
    }
  })
  writeFileSync(
    process.env["SEED_RESULT"] ?? "seed.json",
    JSON.stringify({ key: key.token, region: region?.id, variant: product?.variants[0]?.id })
  )
}
