import { defineConfig } from "@medusajs/framework/utils"

const { COOKIE_SECRET = "secret", DATABASE_URL = "", JWT_SECRET = "secret" } = process.env

export default defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      storeCors: "http://localhost:8000",
      adminCors: "http://localhost:9000",
      authCors: "http://localhost:9000",
      jwtSecret: JWT_SECRET,
      cookieSecret: COOKIE_SECRET
    }
  },
  // Your project has its dashboard.
  admin: { disable: true },
  // Its routes, and its comparison by night.
  plugins: [{ resolve: "effect-gopay-medusa", options: {} }],
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      options: {
        providers: [
          { resolve: "effect-gopay-medusa/providers/gopay", id: "gopay" },
          // Holds the amount until it is captured in the dashboard.
          { resolve: "effect-gopay-medusa/providers/gopay", id: "hold", options: { preauthorization: true } }
        ]
      }
    }
  ]
})
