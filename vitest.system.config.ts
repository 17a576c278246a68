import { defineConfig } from "vitest/config"

/** Tests that need programs beside Node.js: a browser, and servers that several processes share. */
export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    reporters: ["default", "./test/support/FailedTests.ts"],
    globalSetup: ["test/system/Requirements.ts"],
    // A test that hangs is found, one that runs beside other work is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Each file has its own servers, on its own ports. Many wait for time-outs and leases: a third one has work meanwhile.
    maxWorkers: 3
  }
})
