/**
 * A whole Payload with the ecommerce plugin, and GoPay as its payment method.
 */
import { postgresAdapter } from "@payloadcms/db-postgres"
import { ecommercePlugin } from "@payloadcms/plugin-ecommerce"
import { createGopay, CZK } from "effect-gopay-payload"
import { type Access, buildConfig, type FieldAccess } from "payload"

const { DATABASE_URL, GOPAY_INSTALLATION, SHOP_URL = "http://localhost:3000" } = process.env

const currencies = { defaultCurrency: "CZK", supportedCurrencies: [CZK] }

export const gopay = createGopay({
  shopUrl: SHOP_URL,
  returnUrl: `${SHOP_URL}/thanks`,
  connectionString: DATABASE_URL,
  currencies,
  installation: GOPAY_INSTALLATION
})

const isAdmin: FieldAccess & Access = ({ req: { user } }) => user?.["role"] === "admin"

export default buildConfig({
  secret: process.env["PAYLOAD_SECRET"] ?? "a secret of the test",
  // Your project has migrations instead.
  db: postgresAdapter({ pool: { connectionString: DATABASE_URL }, push: true }),
  typescript: { autoGenerate: false },
  graphQL: { disable: true },
  collections: [
    {
      slug: "users",
      auth: true,
      access: { create: isAdmin },
      fields: [{ name: "role", type: "select", options: ["admin", "customer"], defaultValue: "customer" }]
    }
  ],
  plugins: [
    ecommercePlugin({
      access: {
        isAdmin,
        adminOnlyFieldAccess: isAdmin,
        adminOrPublishedStatus: () => true,
        isCustomer: ({ req: { user } }) => user?.["role"] === "customer",
        isDocumentOwner: ({ req: { user } }) => (user ? { customer: { equals: user.id } } : false)
      },
      currencies,
      customers: { slug: "users" },
      payments: { paymentMethods: [gopay.adapter] },
      products: { variants: false }
    }),
    gopay.plugin
  ]
})
