import { defineConfig } from "vitest/config"

/** Tests that need programs beside Node.js: a browser, and servers that several processes share. */
export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/system/Requirements.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false
  }
})
