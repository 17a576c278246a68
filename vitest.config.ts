import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["test/faults/**", "test/system/**"],
    isolate: false,
    setupFiles: ["test/support/setup.ts"],
    // All processors: most of the time goes into tests that wait for none.
    maxWorkers: "100%",
    // A test that hangs is found, one that runs beside other work is not.
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
