import { defineConfig } from "vitest/config"

/**
 * Tests that need programs beside Node.js (a browser, and a server that several processes share), and the matrix of every
 * fault at every operation, which takes long.
 */
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts", "test/system/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/system/Requirements.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false
  }
})
