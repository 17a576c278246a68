import { defineConfig } from "vitest/config"

/** Tests that need programs beside Node.js: a browser, and a server that several processes share. */
export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/Requirements.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false
  }
})
