import { defineConfig } from "prisma/config"

export default defineConfig({
  schema: "prisma/schema.prisma",
  datasource: { url: "postgresql://localhost/unused" },
  // Another tool makes these tables.
  tables: { external: ["public.gopay_change", "public.gopay_ledger", "public.gopay_payment"] },
  experimental: { externalTables: true }
})
