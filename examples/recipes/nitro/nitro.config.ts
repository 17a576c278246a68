import { defineNitroConfig } from "nitropack/config"

export default defineNitroConfig({ srcDir: "server", compatibilityDate: "2026-01-01" })
