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
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      options: {
        providers: [
          { resolve: "./src/modules/gopay", id: "gopay" },
          // Holds the amount until it is captured in the dashboard.
          { resolve: "./src/modules/gopay", id: "hold", options: { preauthorization: true } }
        ]
      }
    }
  ]
})
